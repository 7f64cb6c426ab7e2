//! The tournament text protocol 1.1.0: `ID NAME ARGUMENTS` in, `=ID ANSWER` or `?ID COMPLAINT` out. The
//! number selects the command; squares are a–d by 1–8.

use std::time::Duration;

use crate::engine::Engine;
use crate::game::Game;
use crate::moves::Played;
use crate::piece::{FULL_SET, Piece, Side};
use crate::position::{Cell, Position};
use crate::protocol::think;
use crate::rules::Rules;
use crate::square::{Square, SquareStyle};

/// The commands by number.
const COMMANDS: [&str; 19] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "reset_board",
    "num_repetition",
    "num_moves_to_draw",
    "move",
    "flip",
    "genmove",
    "game_over",
    "ready",
    "time_settings",
    "time_left",
    "showboard",
    "init_board",
];

/// What comes of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Send this line.
    Line(String),
    /// Send this line and end.
    Last(String),
    /// The line was empty.
    Nothing,
}

/// A session with a client.
pub struct TextSession {
    engine: Engine,
    game: Game,
    left: [Option<Duration>; 2],
}

impl TextSession {
    /// A session that plays with this engine, by Olympiad rules by default.
    pub fn new(engine: Engine) -> Self {
        Self { engine, game: Game::new(Position::start(), Rules::OLYMPIAD), left: [None; 2] }
    }

    /// Answers a line. What cannot be done is complained about and changes nothing.
    pub fn answer(&mut self, line: &str) -> Reply {
        let mut words = line.split_whitespace();
        let Some(id) = words.next() else { return Reply::Nothing };
        let Ok(number) = id.parse::<usize>() else {
            return Reply::Line(format!("? '{id}' is not a command number"));
        };
        // The name is there for people.
        let arguments: Vec<&str> = words.skip(1).collect();
        match self.command(number, &arguments) {
            Ok(answer) if number == 5 => Reply::Last(with_id('=', number, &answer)),
            Ok(answer) => Reply::Line(with_id('=', number, &answer)),
            Err(complaint) => Reply::Line(with_id('?', number, &complaint)),
        }
    }

    fn command(&mut self, number: usize, arguments: &[&str]) -> Result<String, String> {
        let done = Ok(String::new());
        match (number, arguments) {
            (0, _) => Ok("1.1.0".to_owned()),
            (1, _) => Ok("Chuhe".to_owned()),
            (2, _) => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            (3, [name]) => Ok(COMMANDS.contains(name).to_string()),
            (4, _) => Ok(COMMANDS.join(" ")),
            (5 | 13 | 14 | 15, _) => done,
            (6, ["4", "8"]) => done,
            (6, _) => Err("only a board of 4 8 is played".to_owned()),
            (7, _) => self.restart(Position::start(), *self.game.rules()),
            (8, [count]) => {
                let repetitions = Some(number_above_zero(count)?);
                self.set_rules(Rules { repetitions, ..*self.game.rules() })
            }
            (9, [count]) => {
                let quiet_limit = Some(number_above_zero(count)?);
                self.set_rules(Rules { quiet_limit, ..*self.game.rules() })
            }
            (10, [from, to]) => self.play(Played::Step(square(from)?, square(to)?)),
            (11, [at, letter]) => self.play(Played::Flip(square(at)?, piece(letter)?)),
            (12, [colour]) => self.generate(colour),
            (16, [colour, milliseconds]) => {
                let time = milliseconds.parse().map_err(|_| format!("'{milliseconds}' is no time"))?;
                self.left[side(colour)?.index()] = Some(Duration::from_millis(time));
                done
            }
            (17, _) => Ok(self.game.position().to_string()),
            (18, squares) => self.init_board(squares),
            (0..=18, _) => Err(format!("wrong arguments for {}", COMMANDS[number])),
            _ => Err("unknown command".to_owned()),
        }
    }

    fn restart(&mut self, position: Position, rules: Rules) -> Result<String, String> {
        self.game = Game::new(position, rules);
        self.engine.new_game();
        self.left = [None; 2];
        Ok(String::new())
    }

    /// New limits hold from the present position on; they come before the first move.
    fn set_rules(&mut self, rules: Rules) -> Result<String, String> {
        let mut game = Game::new(Position::start(), rules);
        for &ply in self.game.played() {
            if game.play(ply).is_err() {
                return Err("these rules would have ended the game earlier".to_owned());
            }
        }
        self.game = game;
        Ok(String::new())
    }

    fn play(&mut self, ply: Played) -> Result<String, String> {
        // An illegal move from a client is an error in the client: report it.
        self.game.play(ply).map(|()| String::new()).map_err(|error| error.to_string())
    }

    fn generate(&mut self, colour: &str) -> Result<String, String> {
        let known = self.game.position().side_to_move();
        let asked = if colour == "unknown" { None } else { Some(side(colour)?) };
        if let (Some(known), Some(asked)) = (known, asked)
            && known != asked
        {
            return Err(format!("it is the turn of {}", known.name()));
        }
        if self.game.end().is_some() {
            return Err("the game is over".to_owned());
        }
        let left = known.and_then(|side| self.left[side.index()]);
        let mv = think(&mut self.engine, &self.game, left);
        Ok(format!("{} {}", mv.from().text(SquareStyle::Tall), mv.to().text(SquareStyle::Tall)))
    }

    /// 32 letters, apart or together, in the order a1, b1 … d8: pieces, `X` face down, `-` empty. What
    /// lies face down must be all that is not shown, so nothing may be missing.
    fn init_board(&mut self, words: &[&str]) -> Result<String, String> {
        let letters: Vec<char> = words.iter().flat_map(|word| word.chars()).collect();
        if letters.len() != Square::COUNT {
            return Err(format!("expected 32 squares, found {}", letters.len()));
        }
        let mut cells = [Cell::Empty; Square::COUNT];
        let mut pool = FULL_SET;
        for (place, &letter) in letters.iter().enumerate() {
            let at = Square::at((place / 4) as u8, (place % 4) as u8).expect("32 places are 32 squares");
            cells[at.index()] = match letter {
                'X' => Cell::FaceDown,
                '-' => Cell::Empty,
                _ => {
                    let shown = piece(&letter.to_string())?;
                    let left = &mut pool[shown.index()];
                    *left = left.checked_sub(1).ok_or_else(|| format!("too many of '{letter}'"))?;
                    Cell::Shown(shown)
                }
            };
        }
        let nothing_shown = cells.iter().all(|cell| *cell == Cell::FaceDown);
        let side = (!nothing_shown).then_some(Side::Red);
        let position = Position::new(&cells, pool, side, 0).map_err(|error| error.to_string())?;
        self.restart(position, *self.game.rules())
    }
}

fn with_id(sign: char, number: usize, text: &str) -> String {
    if text.is_empty() { format!("{sign}{number}") } else { format!("{sign}{number} {text}") }
}

fn number_above_zero<T: std::str::FromStr + Default + PartialEq>(text: &str) -> Result<T, String> {
    text.parse()
        .ok()
        .filter(|number| *number != T::default())
        .ok_or_else(|| format!("'{text}' is not a number above zero"))
}

fn square(text: &str) -> Result<Square, String> {
    Square::parse(text, SquareStyle::Tall).ok_or_else(|| format!("'{text}' is not a square"))
}

fn piece(text: &str) -> Result<Piece, String> {
    let mut letters = text.chars();
    let piece = letters.next().and_then(Piece::from_letter).filter(|_| letters.next().is_none());
    piece.ok_or_else(|| format!("'{text}' is not a piece"))
}

fn side(text: &str) -> Result<Side, String> {
    Side::ALL
        .into_iter()
        .find(|side| side.name() == text)
        .ok_or_else(|| format!("'{text}' is not a colour: use red or black"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Resources;

    fn session() -> TextSession {
        TextSession::new(Resources { megabytes: 1, ..Resources::default() }.engine())
    }

    fn say(session: &mut TextSession, line: &str) -> String {
        match session.answer(line) {
            Reply::Line(text) | Reply::Last(text) => text,
            Reply::Nothing => String::new(),
        }
    }

    #[test]
    fn a_client_opens_and_plays() {
        let mut session = session();
        for (line, answer) in [
            ("0 protocol_version", "=0 1.1.0"),
            ("1 name", "=1 Chuhe"),
            ("3 known_command genmove", "=3 true"),
            ("3 known_command castle", "=3 false"),
            ("6 boardsize 4 8", "=6"),
            ("7 reset_board", "=7"),
            ("8 num_repetition 3", "=8"),
            ("9 num_moves_to_draw 60", "=9"),
            ("14 ready", "=14"),
            ("16 time_left red 300", "=16"),
            ("16 time_left black 300", "=16"),
            ("11 flip b3 n", "=11"),
            ("10 move b3 b4", "?10 this move is not legal here"),
            ("11 flip b3 N", "?11 this move is not legal here"),
            ("11 flip b4 Q", "?11 'Q' is not a piece"),
            ("12 genmove black", "?12 it is the turn of red"),
            ("99 dance", "?99 unknown command"),
            ("10 move b3", "?10 wrong arguments for move"),
            ("8 num_repetition 0", "?8 '0' is not a number above zero"),
            ("hello", "? 'hello' is not a command number"),
            ("", ""),
        ] {
            assert_eq!(say(&mut session, line), answer, "{line}");
        }
        let reply = say(&mut session, "12 genmove red");
        let squares: Vec<&str> = reply.strip_prefix("=12 ").unwrap().split(' ').collect();
        // Red has no piece yet: its move must be a flip, written as a square twice.
        assert_eq!(squares[0], squares[1]);
        assert!(matches!(session.answer("5 quit"), Reply::Last(_)));
    }

    #[test]
    fn the_number_alone_selects_the_command() {
        assert_eq!(say(&mut session(), "0 whatever"), "=0 1.1.0");
    }

    #[test]
    fn a_board_can_be_laid_out() {
        let mut session = session();
        assert_eq!(say(&mut session, &format!("18 init_board {}", "X".repeat(32))), "=18");
        assert_eq!(say(&mut session, &format!("18 init_board K{}", "X".repeat(31))), "=18");
        assert!(say(&mut session, "17 showboard").starts_with("=17 K???????/"));
        assert_eq!(say(&mut session, "18 init_board KK"), "?18 expected 32 squares, found 2");
        assert_eq!(say(&mut session, &format!("18 init_board KK{}", "X".repeat(30))), "?18 too many of 'K'");
    }
}
