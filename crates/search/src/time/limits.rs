//! What bounds a search.

use std::time::Duration;

use chuhe_board::Move;

/// What bounds a search; nothing set means until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Stop after this depth.
    pub depth: Option<u32>,
    /// Stop after about this many positions; exactly this many on one thread.
    pub nodes: Option<u64>,
    /// Use this time for the move.
    pub movetime: Option<Duration>,
    /// Stop when a win in so many moves is found.
    pub mate: Option<u32>,
    /// Share out the time left on a clock.
    pub clock: Option<Clock>,
    /// Search only these moves; all if empty.
    pub only: Vec<Move>,
    /// Never play these moves.
    pub banned: Vec<Move>,
    /// How many best lines to find; 0 counts as 1.
    pub lines: usize,
    /// Time lost between the clock and us, kept back on every move.
    pub overhead: Duration,
    /// Positions that count as a millisecond, for searches that do not depend on the machine.
    pub nodes_per_millisecond: Option<u64>,
}

/// A clock that runs while we think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time left.
    pub left: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// Moves until the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

impl Limits {
    /// A search to a fixed depth.
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A search of a fixed number of positions.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A search of a fixed time.
    pub fn movetime(time: Duration) -> Self {
        Self { movetime: Some(time), ..Self::default() }
    }
}
