//! Errors, with game and place, and losses: what a format cannot hold.

use std::fmt;

use chuhe_board::coords::CoordsError;
use chuhe_board::fen::{self, FenError};
use chuhe_board::{Impossible, Move, Position, Square};

use crate::MoveTextError;
use crate::record::BuildError;
use crate::words::shortened;

/// Why a game cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, {place}: {problem}")]
pub struct RecordError {
    /// The number of the game in its file, from 1.
    pub game: usize,
    /// Where in the file.
    pub place: Place,
    /// What is wrong there.
    pub problem: Problem,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a text, from 1.
    Line(usize),
    /// A byte of a binary file, from 0.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A move in words that cannot be read.
    #[error(transparent)]
    MoveText(#[from] MoveTextError),
    /// A move in coordinates that cannot be read.
    #[error(transparent)]
    Coordinates(#[from] CoordsError),
    /// A move that cannot be played.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A start position that cannot be read.
    #[error("bad start position: {0}")]
    Fen(#[from] FenError),
    /// A start position that the rules do not allow.
    #[error("bad start position: {0}")]
    Position(#[from] Impossible),
    /// The file ends in the middle of something.
    #[error("the file ends within {0}")]
    Truncated(&'static str),
    /// Something is opened and never closed.
    #[error("the {0} is never closed")]
    Unclosed(&'static str),
    /// Something is closed that was never opened, or stands where it has no meaning.
    #[error("misplaced {0}")]
    Misplaced(&'static str),
    /// Something must stand here and does not.
    #[error("the {0} is missing")]
    Missing(&'static str),
    /// The file does not start as its format does.
    #[error("this is no {0} file")]
    NotThisFormat(&'static str),
    /// An undocumented version of the format.
    #[error("version {0} of the format is not known")]
    UnknownVersion(u8),
    /// A number that is no point of the board.
    #[error("{0} is no point of the board")]
    NotAPoint(u8),
    /// A move that ends where it starts.
    #[error("a move ends where it starts")]
    NoMove,
    /// Text that is not JSON, or not the JSON of a game.
    #[error("bad JSON: {0}")]
    Json(String),
    /// A variation of a move that was cut off, which leaves it the first at its place.
    #[error("ply {ply}: the variation {mv} takes the place of the line that was cut")]
    TakesPlace {
        /// The number of the ply in its line, from 1.
        ply: usize,
        /// Its first move as it stands in the file.
        mv: String,
    },
    /// Text that has no place in the format.
    #[error("'{0}' is not understood")]
    Unreadable(String),
}

impl Problem {
    /// Whether it ends the line that it stands in, the rest of which becomes a comment.
    pub const fn cuts_line(&self) -> bool {
        matches!(
            self,
            Self::MoveText(_) | Self::Coordinates(_) | Self::Build(_) | Self::NotAPoint(_) | Self::NoMove
        )
    }
}

/// Something that a format cannot hold and that a written record therefore lacks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// A tag that has no field.
    Tag(String),
    /// A tag that is longer than its field.
    CutTag(String),
    /// The comments.
    Comments,
    /// Characters of comments or tags that were replaced.
    Characters,
    /// The marks of moves.
    Marks,
    /// All lines but the main one.
    Variations,
    /// The result.
    Outcome,
    /// The number of plies without capture in the start position.
    QuietPlies,
    /// The number of the round in the start position.
    Round,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tag(name) => write!(f, "the tag {name}"),
            Self::CutTag(name) => write!(f, "the end of the tag {name}"),
            Self::Comments => f.write_str("comments"),
            Self::Characters => f.write_str("some characters"),
            Self::Marks => f.write_str("marks of moves"),
            Self::Variations => f.write_str("variations"),
            Self::Outcome => f.write_str("the result"),
            Self::QuietPlies => f.write_str("the count of plies without capture at the start"),
            Self::Round => f.write_str("the number of the first round"),
        }
    }
}

/// Why a format cannot hold a game at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotHold {
    /// The format knows only games from the normal start position.
    #[error("{0} holds only games from the normal start position")]
    StartPosition(&'static str),
    /// The format holds one game a file.
    #[error("{0} holds one game a file, not {1}")]
    ManyGames(&'static str, usize),
    /// The format is only read.
    #[error("{0} is read but not written")]
    ReadOnly(&'static str),
}

/// The position of a FEN in a file. Overlong texts and control characters are rejected, so that messages can
/// quote the rest.
pub(crate) fn parse_fen(text: &str) -> Result<Position, Problem> {
    /// No FEN is longer.
    const LONGEST: usize = 160;
    if text.len() > LONGEST || text.contains(char::is_control) {
        return Err(Problem::Unreadable(shortened(text)));
    }
    Ok(fen::parse(text)?)
}

/// A move between two points that a file gives, or what is wrong with it.
pub(crate) fn checked_move(from: Option<Square>, to: Option<Square>, raw: (u8, u8)) -> Result<Move, Problem> {
    let from = from.ok_or(Problem::NotAPoint(raw.0))?;
    let to = to.ok_or(Problem::NotAPoint(raw.1))?;
    Move::between(from, to).ok_or(Problem::NoMove)
}
