//! The replies of an engine over UCI or UCCI.

use std::time::Duration;

use chuhe_board::Move;
use chuhe_board::coords::CoordsError;

use crate::OptionDeclaration;

/// A reply of an engine over UCI or UCCI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name …`.
    Id {
        /// The field.
        field: IdField,
        /// The text.
        text: String,
    },
    /// `option …`.
    Option(OptionDeclaration),
    /// `uciok` or `ucciok`: the end of the handshake.
    Ok,
    /// `readyok`.
    ReadyOk,
    /// `info …`: how the search goes.
    Info(Info),
    /// `bestmove …`.
    BestMove(BestMove),
    /// The engine has no move: `nobestmove`, or `bestmove (none)` in UCI.
    NoBestMove,
    /// `pophash …`: what the hash table knows. UCCI only.
    PopHash(PopHash),
    /// `bye`: the last word. UCCI only.
    Bye,
}

/// The field of an `id` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdField {
    /// The engine's name.
    Name,
    /// The author.
    Author,
    /// The copyright. UCCI only.
    Copyright,
    /// The licensed user. UCCI only.
    User,
}

impl IdField {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Name, Self::Author, Self::Copyright, Self::User];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Author => "author",
            Self::Copyright => "copyright",
            Self::User => "user",
        }
    }
}

/// How the search goes. What is `None` or empty is not said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Plies searched.
    pub depth: Option<u32>,
    /// The longest line looked at, in plies.
    pub selective_depth: Option<u32>,
    /// Which line of several, from 1.
    pub multi_pv: Option<u32>,
    /// The score for the side to move.
    pub score: Option<Score>,
    /// The chances that go with it.
    pub wdl: Option<Wdl>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// How full the hash table is, per mille.
    pub hash_full: Option<u32>,
    /// Positions found in endgame tables.
    pub table_hits: Option<u64>,
    /// The time of the search so far.
    pub time: Option<Duration>,
    /// The move being looked at.
    pub current_move: Option<Move>,
    /// Its number, from 1.
    pub current_move_number: Option<u32>,
    /// The best line.
    pub pv: Vec<Move>,
    /// Anything else, for people.
    pub text: Option<String>,
}

impl Info {
    /// A message for people.
    pub fn message(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }
}

/// A score for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// How good.
    pub value: ScoreValue,
    /// Whether it is only a bound.
    pub bound: Option<Bound>,
}

impl Score {
    /// An exact score in hundredths of a soldier.
    pub const fn centipawns(value: i32) -> Self {
        Self { value: ScoreValue::Centipawns(value), bound: None }
    }

    /// An exact score: mate in this many moves of the winner, negative if the side to move loses.
    pub const fn mate_in(moves: i32) -> Self {
        Self { value: ScoreValue::Mate(moves), bound: None }
    }

    /// One number that orders all scores: mates lie beyond every other score, near ones farther.
    pub const fn as_number(&self) -> i32 {
        match self.value {
            ScoreValue::Centipawns(value) => value,
            ScoreValue::Mate(moves) if moves > 0 => Self::MATE_NUMBER - at_most(moves, Self::FARTHEST_MATE),
            ScoreValue::Mate(moves) => {
                at_most(moves.saturating_neg(), Self::FARTHEST_MATE) - Self::MATE_NUMBER
            }
        }
    }

    /// The number for a mate on the board; scores in hundredths of a soldier stay below.
    pub const MATE_NUMBER: i32 = 30_000;
    /// Mates farther than this many moves are not distinguished by [`Self::as_number`].
    const FARTHEST_MATE: i32 = 1_000;
}

const fn at_most(value: i32, limit: i32) -> i32 {
    if value < limit { value } else { limit }
}

/// How good a position is for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreValue {
    /// Hundredths of a soldier.
    Centipawns(i32),
    /// Mate in this many moves of the winner; negative or 0 if the side to move is mated.
    Mate(i32),
}

/// Which way the true score may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is at least this good.
    Lower,
    /// It is at most this good.
    Upper,
}

/// Chances of the side to move, per mille.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// To win.
    pub win: u32,
    /// To draw.
    pub draw: u32,
    /// To lose.
    pub loss: u32,
}

/// The engine's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestMove {
    /// The move.
    pub mv: Move,
    /// The answer it expects.
    pub ponder: Option<Move>,
    /// It offers or accepts a draw. UCCI only.
    pub draw: bool,
    /// It gives up. UCCI only.
    pub resign: bool,
}

impl BestMove {
    /// Just the move.
    pub const fn of(mv: Move) -> Self {
        Self { mv, ponder: None, draw: false, resign: false }
    }
}

/// What a hash table knows about a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PopHash {
    /// The best move.
    pub best: Option<Move>,
    /// The score is at least this, to this depth.
    pub lower: Option<(i32, u32)>,
    /// The score is at most this, to this depth.
    pub upper: Option<(i32, u32)>,
}

/// Why a line is not a reply of the protocol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// Nothing but white space.
    #[error("the line is empty")]
    Empty,
    /// Not a word of the protocol; engines print banners and warnings.
    #[error("'{0}' is no reply that the protocol knows")]
    Unknown(String),
    /// Something is missing.
    #[error("'{reply}' lacks {expected}")]
    Missing {
        /// The reply.
        reply: &'static str,
        /// What is missing.
        expected: &'static str,
    },
    /// A bad move.
    #[error("bad move: {0}")]
    Move(#[from] CoordsError),
}
