//! What a search reports while it runs and when it ends.

use std::time::Duration;

use chuhe_board::Move;
use chuhe_eval::Score;

/// How a score relates to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The true value is at most this: the node failed low.
    Upper = 1,
    /// The true value is at least this: the node failed high.
    Lower = 2,
    /// The score is the true value.
    Exact = 3,
}

/// Progress of a search.
#[derive(Clone, Debug)]
pub enum Event {
    /// A principal variation with its score.
    Line(Line),
    /// A move of the root is being searched; reported only after some seconds.
    Current {
        /// The depth of the iteration.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its place among the root's moves, from 1.
        number: usize,
    },
    /// A message for the user. A pool alone sends none.
    Remark(String),
}

/// A line of play with its score.
#[derive(Clone, Debug)]
pub struct Line {
    /// The depth of the iteration.
    pub depth: u32,
    /// The deepest ply that was searched.
    pub selective_depth: u32,
    /// 1 for the best line, 2 for the second …
    pub rank: usize,
    /// The score for the side to move at the root.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Nodes so far, by all threads.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// How full the transposition table is, in per mille.
    pub hashfull: u32,
    /// Nodes that endgame tables settled, by all threads.
    pub tablebase_hits: u64,
    /// Moves for both sides, ours first.
    pub moves: Vec<Move>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move to play; `None` if there is no legal one that is not banned.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The lines found, best first.
    pub lines: Vec<Line>,
    /// Nodes by all threads.
    pub nodes: u64,
    /// Time from start to end.
    pub time: Duration,
    /// How much of it was spent beyond the time limit.
    pub overrun: Duration,
}
