//! `position` lines, which UCI and UCCI share.

use chuhe_board::coords::{self, RankStyle};
use chuhe_board::{Move, Position, fen};

use crate::words::{Words, join_moves, shortened};
use crate::{CommandError, Line};

/// The commands of UCI and UCCI and the developers' commands.
const COMMANDS: &[&str] = &[
    "uci",
    "ucci",
    "isready",
    "debug",
    "setoption",
    "ucinewgame",
    "position",
    "startpos",
    "fen",
    "banmoves",
    "go",
    "stop",
    "ponderhit",
    "probe",
    "quit",
    "d",
    "eval",
    "bench",
    "perft",
    "flip",
    "help",
];

/// Whether a line of UCI or UCCI is meant to be a position, even if it cannot be parsed.
///
/// ```
/// assert!(chuhe_protocol::is_position_line("position startpos moves nonsense"));
/// assert!(!chuhe_protocol::is_position_line("go depth 3"));
/// ```
pub fn is_position_line(line: &str) -> bool {
    let mut words = line.split_whitespace().map(str::to_ascii_lowercase);
    let command = words.find(|word| COMMANDS.contains(&word.as_str()));
    command.is_some_and(|command| matches!(command.as_str(), "position" | "startpos" | "fen"))
}

/// Parses what follows `position`: `startpos`, `fen …` or a bare FEN, then maybe `moves …`.
pub(crate) fn parse(mut words: Words<'_>, style: RankStyle) -> Result<Line, CommandError> {
    let start = match words.peek() {
        None => {
            return Err(CommandError::Missing { command: "position", expected: "'startpos' or 'fen …'" });
        }
        Some(word) if word.eq_ignore_ascii_case("startpos") => {
            words.next();
            Position::start()
        }
        Some(word) => {
            if word.eq_ignore_ascii_case("fen") {
                words.next();
            }
            fen::parse(words.until(&["moves"]))?
        }
    };
    match words.next() {
        None => Ok(Line { start, moves: Vec::new() }),
        Some(word) if word.eq_ignore_ascii_case("moves") => {
            Ok(Line { start, moves: parse_moves(words, style)? })
        }
        Some(word) => Err(CommandError::Unexpected { found: shortened(word), expected: "'moves'" }),
    }
}

/// Reads moves to the end of the line; the first word that is none is an error.
pub(crate) fn parse_moves(words: Words<'_>, style: RankStyle) -> Result<Vec<Move>, CommandError> {
    words.map(|word| Ok(coords::parse_move(word, style)?)).collect()
}

/// Writes the line, the start as FEN unless it is the normal one and `shorten` allows `startpos`.
pub(crate) fn write(line: &Line, style: RankStyle, shorten: bool) -> String {
    let mut text = if shorten && line.start == Position::start() {
        "startpos".to_owned()
    } else {
        format!("fen {}", line.start)
    };
    if !line.moves.is_empty() {
        text.push_str(" moves ");
        text.push_str(&join_moves(&line.moves, style));
    }
    text
}
