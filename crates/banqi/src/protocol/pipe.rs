//! Another program as a player, through the text protocol 1.1.0.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::game::Game;
use crate::limits::Limits;
use crate::moves::{Move, Played};
use crate::player::{Failure, Player};
use crate::rules::Rules;
use crate::square::{Square, SquareStyle};

/// How long a program may take to answer anything but `genmove`, and how much longer than its clock for that.
const PATIENCE: Duration = Duration::from_secs(20);

/// A program that speaks the text protocol.
pub struct Pipe {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Pipe {
    /// Starts a program: its path and arguments, separated by spaces.
    pub fn start(command: &str) -> Result<Self, Failure> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or_else(|| broken("no program was named"))?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| broken(&format!("cannot start '{program}': {error}")))?;
        let input = child.stdin.take().ok_or_else(|| broken("no pipe to the program"))?;
        let output = child.stdout.take().ok_or_else(|| broken("no pipe from the program"))?;
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, input, lines })
    }

    /// Sends a command and waits for the line that answers it. Programs print other things as well.
    fn ask(&mut self, number: u32, text: &str, patience: Duration) -> Result<String, Failure> {
        writeln!(self.input, "{number} {text}")
            .and_then(|()| self.input.flush())
            .map_err(|error| broken(&format!("cannot write to the program: {error}")))?;
        let (good, bad) = (format!("={number}"), format!("?{number}"));
        loop {
            let line = self.lines.recv_timeout(patience).map_err(|error| match error {
                RecvTimeoutError::Timeout => broken(&format!("no answer to '{text}'")),
                RecvTimeoutError::Disconnected => broken("the program ended"),
            })?;
            let mut words = line.trim().splitn(2, ' ');
            match words.next() {
                Some(sign) if sign == good => return Ok(words.next().unwrap_or("").trim().to_owned()),
                Some(sign) if sign == bad => return Err(broken(&format!("'{text}' was refused: {line}"))),
                _ => {}
            }
        }
    }
}

impl Player for Pipe {
    fn new_game(&mut self, rules: &Rules) -> Result<(), Failure> {
        self.ask(7, "reset_board", PATIENCE)?;
        if let Some(count) = rules.repetitions {
            self.ask(8, &format!("num_repetition {count}"), PATIENCE)?;
        }
        if let Some(count) = rules.quiet_limit {
            self.ask(9, &format!("num_moves_to_draw {count}"), PATIENCE)?;
        }
        self.ask(14, "ready", PATIENCE).map(|_| ())
    }

    fn choose(&mut self, game: &Game, limits: &Limits, left: Option<Duration>) -> Result<Move, Failure> {
        let side = game.position().side_to_move();
        let colour = side.map_or("unknown", |side| side.name());
        // Without a clock a program is told that this move's time is all it has left of thirty.
        let left = left.or(limits.time.map(|time| time * 30));
        if let (Some(side), Some(left)) = (side, left) {
            self.ask(16, &format!("time_left {} {}", side.name(), left.as_millis()), PATIENCE)?;
        }
        let patience = left.unwrap_or(PATIENCE) + PATIENCE;
        let answer = self.ask(12, &format!("genmove {colour}"), patience)?;
        let mut squares = answer.split_whitespace().map(|text| Square::parse(text, SquareStyle::Tall));
        match (squares.next().flatten(), squares.next().flatten()) {
            (Some(from), Some(to)) => Ok(Move::new(from, to)),
            _ => Err(broken(&format!("'{answer}' is not a move"))),
        }
    }

    fn played(&mut self, ply: Played) -> Result<(), Failure> {
        let text = |square: Square| square.text(SquareStyle::Tall);
        match ply {
            Played::Flip(square, shown) => {
                self.ask(11, &format!("flip {} {}", text(square), shown.letter()), PATIENCE)
            }
            Played::Step(from, to) => self.ask(10, &format!("move {} {}", text(from), text(to)), PATIENCE),
        }
        .map(|_| ())
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "5 quit");
        // It has had its chance to end by itself; nothing waits for it.
        thread::sleep(Duration::from_millis(20));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn broken(text: &str) -> Failure {
    Failure::Broken(text.to_owned())
}
