//! What a search tells while it runs and at its end.

use std::time::Duration;

use chuhe_board::Move;
use chuhe_eval::Score;

/// How a score relates to the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The truth is at most this.
    Upper = 1,
    /// The truth is at least this.
    Lower = 2,
    /// This is it.
    Exact = 3,
}

/// Something a search tells.
#[derive(Clone, Debug)]
pub enum Event {
    /// A line was found or its score changed.
    Line(Line),
    /// A move of the root is being looked at; told only after some seconds.
    Current {
        /// The depth of the iteration.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its place among the root's moves, from 1.
        number: usize,
    },
    /// Something that whoever reads along should know. A pool alone has nothing to remark.
    Remark(String),
}

/// A line of play with its score.
#[derive(Clone, Debug)]
pub struct Line {
    /// The depth of the iteration.
    pub depth: u32,
    /// The deepest ply that was looked at.
    pub selective_depth: u32,
    /// 1 for the best line, 2 for the second …
    pub rank: usize,
    /// The score for the side to move at the root.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Positions looked at so far, by all threads.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub fullness: u32,
    /// Positions that known endgames settled, by all threads.
    pub endgame_hits: u64,
    /// Moves for both sides, ours first.
    pub moves: Vec<Move>,
}

/// The outcome of a search.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move to play; `None` if there is no legal one that is not banned.
    pub best: Option<Move>,
    /// The reply to expect.
    pub ponder: Option<Move>,
    /// The lines found, best first.
    pub lines: Vec<Line>,
    /// Positions looked at by all threads.
    pub nodes: u64,
    /// Time from start to end.
    pub time: Duration,
}
