//! `chuhe banqi play`: a game in the terminal.

use std::io::{self, BufRead};
use std::time::{Duration, SystemTime};

use chuhe_banqi::deal::{Deal, deal};
use chuhe_banqi::{
    DrawReason, Game, GameEnd, Level, Limits, Player, Position, Side, SquareStyle, WinReason, text,
};
use clap::Args;

use crate::banqi::{board_picture, input};
use crate::output;

/// Play a game in the terminal
#[derive(Args)]
#[command(after_help = "\
Type a square to flip (c3), two squares to move or take (a1-a2), moves for what is legal, quit to end.

Example: chuhe banqi play --level 3")]
pub(crate) struct Arguments {
    /// Who you play: 1 to 5, full, seed, static or random
    #[arg(long, value_name = "LEVEL", default_value = "3")]
    level: Level,
    /// How long it thinks at most
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: u64,
    /// The other side flips first
    #[arg(long)]
    second: bool,
    /// The deal's number; a new one each time if missing
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    rules: input::RuleArguments,
    #[command(flatten)]
    engine: input::EngineArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let clock =
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    let seed = arguments.seed.unwrap_or(clock);
    let mut table = Table {
        game: Game::new(Position::start(), arguments.rules.rules()),
        hidden: deal(seed),
        opponent: arguments.level.player(seed, &arguments.engine.resources()?),
        limits: Limits::movetime(Duration::from_millis(arguments.movetime)),
        person_flips: !arguments.second,
    };
    table.play()
}

struct Table {
    game: Game,
    hidden: Deal,
    opponent: Box<dyn Player + Send>,
    limits: Limits,
    person_flips: bool,
}

impl Table {
    fn play(&mut self) -> anyhow::Result<()> {
        let mut lines = io::stdin().lock().lines();
        loop {
            if let Some(outcome) = self.game.end() {
                return output::print(&format!(
                    "{}{}\n",
                    board_picture::drawn(self.game.position()),
                    ended(outcome)
                ));
            }
            let is_person = self.game.played().len().is_multiple_of(2) == self.person_flips;
            if !is_person {
                self.reply()?;
                continue;
            }
            output::print(&format!("{}{}> ", board_picture::drawn(self.game.position()), self.turn()))?;
            loop {
                let Some(line) = lines.next().transpose()? else { return output::print("\n") };
                match line.trim() {
                    "quit" => return Ok(()),
                    "moves" => output::print(&format!("{}\n> ", self.legal()))?,
                    line => match self.person(line) {
                        Ok(()) => break,
                        Err(complaint) => output::print(&format!("{complaint}\n> "))?,
                    },
                }
            }
        }
    }

    fn turn(&self) -> String {
        match self.game.position().side_to_move() {
            Some(side) => format!("you are {}", side.name()),
            None => "flip a piece: its colour is yours".to_owned(),
        }
    }

    fn legal(&self) -> String {
        let list: Vec<String> =
            self.game.moves().iter().map(|&mv| text::move_text(mv, SquareStyle::Wide)).collect();
        list.join(" ")
    }

    fn person(&mut self, line: &str) -> Result<(), String> {
        let (mv, _) = text::parse_move(line, SquareStyle::Wide).map_err(|error| error.to_string())?;
        let ply = self.game.play_choice(mv, &self.hidden).map_err(|error| error.to_string())?;
        let _ = self.opponent.played(ply);
        Ok(())
    }

    fn reply(&mut self) -> anyhow::Result<()> {
        let mv = self.opponent.choose(&self.game, &self.limits, None)?;
        let ply = self.game.play_choice(mv, &self.hidden)?;
        self.opponent.played(ply)?;
        output::print(&format!("it plays {}\n", text::played_text(ply, SquareStyle::Wide)))
    }
}

fn ended(outcome: GameEnd) -> String {
    match outcome {
        GameEnd::Won { by, because } => {
            let loser = Side::opponent(by).name();
            let why = match because {
                WinReason::AllTaken => format!("{loser} has no piece left"),
                WinReason::NoMove => format!("{loser} cannot move"),
                WinReason::LongChase => format!("{loser} chased one piece too often"),
            };
            format!("{} wins: {why}", by.name())
        }
        GameEnd::Drawn(DrawReason::Quiet) => "drawn: too long without a flip or a capture".to_owned(),
        GameEnd::Drawn(DrawReason::Repetition) => "drawn by repetition".to_owned(),
    }
}
