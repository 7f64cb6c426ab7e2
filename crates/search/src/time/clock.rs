//! How long to think about a move.

use std::time::{Duration, Instant};

use crate::limits::{Clock, Limits};

/// The time budget of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    start: Instant,
    /// When to stop deepening, before it is stretched or shrunk by how the search goes.
    ideal: Option<Duration>,
    /// When to stop whatever happens.
    limit: Option<Duration>,
    nodes_per_millisecond: Option<u64>,
}

/// Moves a game is expected to last when nobody says so.
const EXPECTED_MOVES: f64 = 38.0;
/// Of the time left, no move takes more than this share.
const LARGEST_SHARE: f64 = 0.6;
/// The overhead of so many moves is never shared out: a machine that is late once is late again.
const RESERVED_MOVES: f64 = 10.0;

impl Budget {
    pub(crate) fn new(limits: &Limits, start: Instant) -> Self {
        let (ideal, limit) = match (limits.movetime, limits.clock) {
            (Some(time), _) => {
                (None, Some(time.saturating_sub(limits.overhead).max(Duration::from_millis(1))))
            }
            (None, Some(clock)) => {
                let (ideal, limit) = shared_out(clock, limits.overhead);
                (Some(ideal), Some(limit))
            }
            (None, None) => (None, None),
        };
        Self { start, ideal, limit, nodes_per_millisecond: limits.nodes_per_millisecond }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The time that counts after so many positions.
    fn spent(&self, nodes: u64) -> Duration {
        self.nodes_per_millisecond
            .map_or_else(|| self.elapsed(), |rate| Duration::from_millis(nodes / rate.max(1)))
    }

    /// Whether the search must stop at once.
    pub(crate) fn is_spent(&self, nodes: u64) -> bool {
        self.limit.is_some_and(|limit| self.spent(nodes) >= limit)
    }

    /// Whether another iteration is not worth starting. `stretch` grows when the search is unsure
    /// of its move.
    pub(crate) fn is_enough(&self, nodes: u64, stretch: f64) -> bool {
        self.ideal.is_some_and(|ideal| self.spent(nodes) >= ideal.mul_f64(stretch))
    }
}

/// The ideal and the longest time for a move.
fn shared_out(clock: Clock, overhead: Duration) -> (Duration, Duration) {
    let moves = clock.moves_to_go.map_or(EXPECTED_MOVES, |moves| f64::from(moves.clamp(1, 60)));
    let overhead = overhead.as_secs_f64();
    let left = (clock.left.as_secs_f64() - overhead).max(0.001);
    let increment = clock.increment.as_secs_f64();
    // Below the reserve the increment feeds the game, and a little of the reserve.
    let reserve = overhead * (moves - 1.0).min(RESERVED_MOVES);
    let to_share = (left - reserve).max(left * 0.2);
    let share = to_share / moves + increment * 0.8;
    let most = if clock.moves_to_go == Some(1) { 0.9 } else { LARGEST_SHARE };
    let limit = (share * 4.5).min(to_share * most).max(0.001);
    let ideal = (share * 0.8).min(limit);
    (Duration::from_secs_f64(ideal), Duration::from_secs_f64(limit))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_budget_overruns_the_clock(
            left in 20u64..3_600_000, increment in 0u64..60_000, moves in proptest::option::of(0u32..100)
        ) {
            let overhead = Duration::from_millis(10);
            let clock = Clock {
                left: Duration::from_millis(left),
                increment: Duration::from_millis(increment),
                moves_to_go: moves,
            };
            let limits = Limits { clock: Some(clock), overhead, ..Limits::default() };
            let budget = Budget::new(&limits, Instant::now());
            prop_assert!(budget.limit.unwrap() + overhead <= clock.left);
            prop_assert!(budget.ideal.unwrap() <= budget.limit.unwrap());
        }
    }

    /// What is left when every move takes its ideal time and the overhead on top.
    fn left_after(moves: u32, mut left: f64, increment: f64, overhead: Duration) -> f64 {
        for _ in 0..moves {
            let clock = Clock {
                left: Duration::from_secs_f64(left),
                increment: Duration::from_secs_f64(increment),
                moves_to_go: None,
            };
            let (ideal, _) = shared_out(clock, overhead);
            left += increment - ideal.as_secs_f64();
        }
        left
    }

    #[test]
    fn a_long_game_keeps_a_reserve_for_late_moves() {
        let overhead = Duration::from_millis(30);
        assert!(left_after(300, 1.0, 0.01, overhead) > 0.25);
        assert!(left_after(300, 1.0, 0.01, overhead) < 0.6);
        assert!(left_after(300, 60.0, 0.6, overhead) < 12.0);
    }
}
