//! An engine for tests: it speaks UCI, UCCI or xboard, plays without thinking and misbehaves on demand.
//!
//! `chuhe-mock-engine [BEHAVIOUR] [AFTER] [RANKS]`: the behaviour sets in after AFTER moves of its own
//! in a game (0 if missing); `RANKS` is 0 or 1.

use std::io::{self, BufRead, Write};
use std::thread;
use std::time::Duration;

use chuhe_board::coords::RankStyle;
use chuhe_board::{Move, Outcome, Position};
use chuhe_protocol::xboard::{self, Feature};
use chuhe_protocol::{
    BestMove, Command, IdField, Info, Line, OptionDeclaration, OptionKind, Protocol, Reply, Score, ucci, uci,
};

/// What the engine does instead of playing, once it is time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behaviour {
    /// Nothing else: it plays well-behaved.
    Good,
    /// Answers three seconds late.
    Slow,
    /// Answers nothing any more, `stop` included.
    Silent,
    /// Prints lines without end, and never a move.
    Flood,
    /// Ends.
    Crash,
    /// Plays an illegal move.
    Cheat,
    /// Says what is no move at all.
    Babble,
    /// Prints much nonsense before each move.
    Garbage,
    /// Answers only after `stop`, with a delay.
    Late,
    /// Gives up.
    Resign,
    /// Holds that there is nothing to play; plays on when asked about the bare position.
    Claim,
    /// xboard: holds the game to be over after its move, refuses the opponent's, and plays on when asked
    /// about the bare position; elsewhere as [`Self::Claim`].
    Over,
    /// Plays, and ends right after its move of this number.
    Vanish,
    /// Does not say hello.
    Mute,
    /// Plays another game.
    Chess,
}

const BEHAVIOURS: [(&str, Behaviour); 15] = [
    ("good", Behaviour::Good),
    ("slow", Behaviour::Slow),
    ("silent", Behaviour::Silent),
    ("flood", Behaviour::Flood),
    ("crash", Behaviour::Crash),
    ("cheat", Behaviour::Cheat),
    ("babble", Behaviour::Babble),
    ("garbage", Behaviour::Garbage),
    ("late", Behaviour::Late),
    ("resign", Behaviour::Resign),
    ("claim", Behaviour::Claim),
    ("over", Behaviour::Over),
    ("vanish", Behaviour::Vanish),
    ("mute", Behaviour::Mute),
    ("chess", Behaviour::Chess),
];

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "good".to_owned());
    let behaviour = BEHAVIOURS.iter().find(|(known, _)| *known == name);
    let Some((_, behaviour)) = behaviour else {
        return Err(io::Error::other(format!("unknown behaviour '{name}'")));
    };
    let after = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(0);
    let ranks =
        if arguments.next().as_deref() == Some("1") { RankStyle::FromOne } else { RankStyle::FromZero };
    let mut engine = Engine::new(*behaviour, after, ranks);
    for line in io::stdin().lock().lines() {
        if !engine.handle(&line?)? {
            break;
        }
    }
    Ok(())
}

struct Engine {
    behaviour: Behaviour,
    after: usize,
    ranks: RankStyle,
    protocol: Option<Protocol>,
    position: Position,
    /// Whether moves led to the position, as far as the engine knows.
    bare: bool,
    /// Own moves in this game.
    moves: usize,
    /// Searching until `stop`.
    waiting: bool,
    /// xboard: hold still.
    force: bool,
}

impl Engine {
    fn new(behaviour: Behaviour, after: usize, ranks: RankStyle) -> Self {
        Self {
            behaviour,
            after,
            ranks,
            protocol: None,
            position: Position::start(),
            bare: true,
            moves: 0,
            waiting: false,
            force: false,
        }
    }

    /// Acts on a line; false if that was the last.
    fn handle(&mut self, line: &str) -> io::Result<bool> {
        if self.behaviour == Behaviour::Mute {
            return Ok(true);
        }
        self.protocol = self.protocol.or_else(|| Protocol::opened_by(line));
        match self.protocol {
            Some(Protocol::Uci) => match uci::parse_command(line, self.ranks) {
                Ok(command) => self.obey(command),
                Err(error) => self.say(&Reply::Info(Info::message(error.to_string()))).map(|()| true),
            },
            Some(Protocol::Ucci) => match ucci::parse_command(line, self.ranks) {
                Ok(command) => self.obey(command),
                Err(error) => self.say(&Reply::Info(Info::message(error.to_string()))).map(|()| true),
            },
            Some(Protocol::Xboard) => match xboard::parse_command(line, self.ranks) {
                Ok(command) => self.obey_xboard(command),
                Err(error) => self.say_xboard(&xboard::Reply::Error {
                    reason: error.to_string(),
                    command: line.to_owned(),
                }),
            },
            None => Ok(true),
        }
    }

    fn obey(&mut self, command: Command) -> io::Result<bool> {
        match command {
            Command::Handshake => self.introduce()?,
            Command::IsReady => self.say(&Reply::ReadyOk)?,
            Command::NewGame => self.moves = 0,
            Command::Position(Line { start, moves }) => {
                self.position = start;
                self.bare = moves.is_empty();
                for mv in moves {
                    if !self.position.is_legal(mv) {
                        break;
                    }
                    let _ = self.position.play(mv, &mut ());
                }
            }
            Command::Go(_) => self.go()?,
            Command::Stop if std::mem::take(&mut self.waiting) => {
                thread::sleep(Duration::from_millis(100));
                self.answer()?;
            }
            Command::Quit => return Ok(false),
            _ => {}
        }
        Ok(true)
    }

    fn introduce(&self) -> io::Result<()> {
        self.say(&Reply::Id { field: IdField::Name, text: "mock".to_owned() })?;
        if self.behaviour == Behaviour::Chess {
            let choices = vec!["chess".to_owned(), "shogi".to_owned()];
            let kind = OptionKind::Combo { default: "chess".to_owned(), choices };
            self.say(&Reply::Option(OptionDeclaration::new("UCI_Variant", kind)))?;
        }
        let hash = OptionKind::Spin { default: 16, min: 1, max: 64 };
        self.say(&Reply::Option(OptionDeclaration::new("Hash", hash)))?;
        self.say(&Reply::Ok)
    }

    fn obey_xboard(&mut self, command: xboard::Command) -> io::Result<bool> {
        use xboard::Command;
        match command {
            Command::ProtocolVersion(_) => {
                let variants = if self.behaviour == Behaviour::Chess { "normal,shogi" } else { "xiangqi" };
                let features = vec![
                    Feature::flag("ping", true),
                    Feature::flag("setboard", true),
                    Feature::text("variants", variants),
                    Feature::flag("done", true),
                ];
                self.say_xboard(&xboard::Reply::Features(features))?;
            }
            Command::New => {
                (self.position, self.moves, self.force, self.bare) = (Position::start(), 0, false, true);
            }
            Command::SetBoard(position) => (self.position, self.bare) = (*position, true),
            Command::Force => self.force = true,
            Command::UserMove(mv)
                if self.behaviour == Behaviour::Over && self.moves >= self.after && self.moves > 0 =>
            {
                let reason = Some("game over".to_owned());
                self.say_xboard(&xboard::Reply::IllegalMove { reason, mv: mv.to_string() })?;
            }
            Command::UserMove(mv) if self.position.is_legal(mv) => {
                let _ = self.position.play(mv, &mut ());
                self.bare = false;
                if !self.force {
                    self.go()?;
                }
            }
            Command::UserMove(mv) => {
                self.say_xboard(&xboard::Reply::IllegalMove { reason: None, mv: mv.to_string() })?;
            }
            Command::Go => {
                self.force = false;
                self.go()?;
            }
            Command::MoveNow if std::mem::take(&mut self.waiting) => {
                thread::sleep(Duration::from_millis(100));
                self.answer()?;
            }
            Command::Ping(number) => {
                self.say_xboard(&xboard::Reply::Pong(number))?;
            }
            Command::Quit => return Ok(false),
            _ => {}
        }
        Ok(true)
    }

    /// Plays, or misbehaves if it is time.
    fn go(&mut self) -> io::Result<()> {
        let due = self.moves >= self.after;
        self.moves += 1;
        if !due {
            return self.answer();
        }
        match self.behaviour {
            Behaviour::Slow => {
                thread::sleep(Duration::from_secs(3));
                self.answer()
            }
            Behaviour::Silent => Ok(()),
            Behaviour::Flood => loop {
                self.print("info depth 1 score cp 0\n1 0 0 1 thinking")?;
            },
            Behaviour::Crash => Err(io::Error::other("crashed on demand")),
            Behaviour::Cheat => {
                let piece = self.position.pieces(!self.position.side_to_move()).first();
                let own = self.position.pieces(self.position.side_to_move()).first();
                self.say_move(own.zip(piece).and_then(|(own, piece)| Move::between(piece, own)))
            }
            Behaviour::Babble => self.print("bestmove e4\nmove e4"),
            Behaviour::Garbage => {
                self.print(&"garbage ".repeat(20_000))?;
                io::stdout().write_all(b"\xff\xfe info depth \x00\n\n\nbestmov\n")?;
                self.print(
                    "info depth x score cp pv\ninfo score mate 99999999999\n3 5\nreadyok ok\npong\nid",
                )?;
                self.answer()
            }
            Behaviour::Late => {
                self.waiting = true;
                Ok(())
            }
            Behaviour::Resign => match self.protocol {
                Some(Protocol::Xboard) => self.print("resign"),
                Some(Protocol::Ucci) => {
                    let mv = self.choice().unwrap_or_else(|| Position::start().moves()[0]);
                    self.say(&Reply::BestMove(BestMove { resign: true, ..BestMove::of(mv) }))
                }
                _ => self.say(&Reply::NoBestMove),
            },
            Behaviour::Vanish => {
                self.say(&Reply::NoBestMove)?;
                Err(io::Error::other("vanished on demand"))
            }
            Behaviour::Claim | Behaviour::Over if !self.bare => match self.protocol {
                Some(Protocol::Xboard) => {
                    let comment = "drawn by a rule of my own".to_owned();
                    self.say_xboard(&xboard::Reply::Result { result: Outcome::Draw, comment }).map(|_| ())
                }
                _ => self.say(&Reply::NoBestMove),
            },
            Behaviour::Good | Behaviour::Claim | Behaviour::Over | Behaviour::Mute | Behaviour::Chess => {
                self.answer()
            }
        }
    }

    /// Plays a move that depends on the position alone.
    fn answer(&mut self) -> io::Result<()> {
        let info =
            Info { depth: Some(1), score: Some(Score::centipawns(0)), nodes: Some(1), ..Info::default() };
        match self.protocol {
            Some(Protocol::Xboard) => self.print("1 0 0 1 thinking")?,
            _ => self.say(&Reply::Info(info))?,
        }
        let choice = self.choice();
        self.say_move(choice)?;
        if let (Some(mv), Some(Protocol::Xboard)) = (choice, self.protocol) {
            let _ = self.position.play(mv, &mut ());
            self.bare = false;
        }
        Ok(())
    }

    fn choice(&self) -> Option<Move> {
        let moves = self.position.moves();
        let number = self.position.key().get().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        (!moves.is_empty()).then(|| moves[number as usize % moves.len()])
    }

    fn say_move(&self, mv: Option<Move>) -> io::Result<()> {
        match (mv, self.protocol) {
            (Some(mv), Some(Protocol::Xboard)) => self.say_xboard(&xboard::Reply::Move(mv)).map(|_| ()),
            (Some(mv), _) => self.say(&Reply::BestMove(BestMove::of(mv))),
            (None, Some(Protocol::Xboard)) => self.print("resign"),
            (None, _) => self.say(&Reply::NoBestMove),
        }
    }

    fn say(&self, reply: &Reply) -> io::Result<()> {
        let line = match self.protocol {
            Some(Protocol::Ucci) => ucci::write_reply(reply, self.ranks),
            _ => uci::write_reply(reply, self.ranks),
        };
        line.map_or(Ok(()), |line| self.print(&line))
    }

    fn say_xboard(&self, reply: &xboard::Reply) -> io::Result<bool> {
        self.print(&xboard::write_reply(reply, self.ranks)).map(|()| true)
    }

    fn print(&self, line: &str) -> io::Result<()> {
        let mut output = io::stdout().lock();
        writeln!(output, "{line}")?;
        output.flush()
    }
}
