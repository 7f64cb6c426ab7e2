//! Scores and speeds as the protocols write them.

use std::time::Duration;

use chuhe_eval::Score;
use chuhe_protocol as protocol;
use chuhe_search::Bound;

/// The score as the protocols write it: mates in moves of the winner.
pub(crate) fn protocol_score(score: Score, bound: Bound) -> protocol::Score {
    let mut written = match score.mate_in() {
        Some(moves) => protocol::Score::mate_in(moves),
        None => protocol::Score::centipawns(score.get()),
    };
    written.bound = match bound {
        Bound::Exact => None,
        Bound::Lower => Some(protocol::Bound::Lower),
        Bound::Upper => Some(protocol::Bound::Upper),
    };
    written
}

pub(crate) fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(0.001)) as u64
}
