//! Search limits: depth, nodes, time, mate, moves.

use std::time::Duration;

use chuhe_board::Move;
use chuhe_clock::Instant;

/// Search limits; without any, the search runs until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Stop after this depth.
    pub depth: Option<u32>,
    /// Search at most this many nodes on all threads together; exactly this many on one thread.
    pub nodes: Option<u64>,
    /// Use this time for the move.
    pub movetime: Option<Duration>,
    /// Stop when a mate in this many moves is found.
    pub mate: Option<u32>,
    /// Manage the time left on a clock.
    pub clock: Option<Clock>,
    /// Search only these moves; all if empty.
    pub only: Vec<Move>,
    /// Never play these moves.
    pub banned: Vec<Move>,
    /// Best lines to find (MultiPV); 0 counts as 1.
    pub lines: usize,
    /// Time lost between clock and engine, subtracted from every move.
    pub overhead: Duration,
    /// When the clock started; the start of the search if not given.
    pub started: Option<Instant>,
    /// Nodes that count as a millisecond, for searches that do not depend on the machine.
    pub nodes_per_millisecond: Option<u64>,
}

/// A clock that runs while we think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time left.
    pub left: Duration,
    /// Increment per move.
    pub increment: Duration,
    /// Moves until the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

impl Limits {
    /// A search to a fixed depth.
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A search of a fixed number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A search of a fixed time.
    pub fn movetime(time: Duration) -> Self {
        Self { movetime: Some(time), ..Self::default() }
    }
}
