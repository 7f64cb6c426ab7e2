//! Time management: how long to think about a move.

use std::time::Duration;

use chuhe_clock::Instant;

use super::limits::{Clock, Limits};
use crate::params::Params;

/// The time budget of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    start: Instant,
    /// When to stop deepening (soft limit), before [`Stability`](super::Stability) stretches it.
    ideal: Option<Duration>,
    /// When to stop in any case (hard limit).
    limit: Option<Duration>,
    nodes_per_millisecond: Option<u64>,
}

impl Budget {
    pub(crate) fn new(limits: &Limits, params: &Params, start: Instant) -> Self {
        let (ideal, limit) = match (limits.movetime, limits.clock) {
            (Some(time), _) => {
                (None, Some(time.saturating_sub(limits.overhead).max(Duration::from_millis(1))))
            }
            (None, Some(clock)) => {
                let (ideal, limit) = allot(clock, limits.overhead, params);
                (Some(ideal), Some(limit))
            }
            (None, None) => (None, None),
        };
        Self { start, ideal, limit, nodes_per_millisecond: limits.nodes_per_millisecond }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The time spent beyond the hard limit.
    pub(crate) fn overrun(&self) -> Duration {
        self.limit.map_or(Duration::ZERO, |limit| self.elapsed().saturating_sub(limit))
    }

    /// The time spent: that of the clock, or the nodes at a fixed rate.
    fn spent(&self, nodes: impl FnOnce() -> u64) -> Duration {
        match self.nodes_per_millisecond {
            None => self.elapsed(),
            Some(rate) => Duration::from_millis(nodes() / rate.max(1)),
        }
    }

    /// Whether the search must stop immediately.
    pub(crate) fn is_spent(&self, nodes: impl FnOnce() -> u64) -> bool {
        self.limit.is_some_and(|limit| self.spent(nodes) >= limit)
    }

    /// Whether another iteration is not worth starting.
    pub(crate) fn is_enough(&self, nodes: u64, stretch: f64) -> bool {
        self.ideal.is_some_and(|ideal| self.spent(|| nodes) >= ideal.mul_f64(stretch))
    }
}

/// The ideal and the longest time for a move.
fn allot(clock: Clock, overhead: Duration, params: &Params) -> (Duration, Duration) {
    let percent = |number: i32| f64::from(number) / 100.0;
    let most_moves = params.time_moves_limit as u32;
    let moves = clock.moves_to_go.map_or(params.time_moves as u32, |moves| moves.clamp(1, most_moves));
    let moves = f64::from(moves);
    let overhead = overhead.as_secs_f64();
    let left = (clock.left.as_secs_f64() - overhead).max(0.001);
    let increment = clock.increment.as_secs_f64();
    // The overhead and the increment of several moves stay in reserve: a machine that is late once is late again,
    // and without it long games live on less than one increment. Below the reserve the game lives on a little of what
    // is left and on less of the increment the less is left, so that late moves do not use up the clock.
    let late = overhead * (moves - 1.0).min(f64::from(params.time_reserve_moves));
    let kept = increment * (moves - 1.0).min(f64::from(params.time_reserve_increments));
    let reserve = late + kept.min(left * 0.5);
    let usable = (left - reserve).max(left * percent(params.time_floor_share));
    let filled = (left / reserve).clamp(percent(params.time_refill_share), 1.0);
    let share = usable / moves + increment * percent(params.time_increment_share) * filled;
    let most = match clock.moves_to_go {
        Some(1) => percent(params.time_last_move_share),
        _ => percent(params.time_left_share),
    };
    let limit = (share * percent(params.time_longest_share)).min(usable * most).max(0.001);
    let ideal = (share * percent(params.time_ideal_share)).min(limit);
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
            let budget = Budget::new(&limits, &Params::default(), Instant::now());
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
            let (ideal, _) = allot(clock, overhead, &Params::default());
            left += increment - ideal.as_secs_f64();
        }
        left
    }

    /// A hard position again and again: every move takes all that it may.
    #[test]
    fn a_game_of_long_thoughts_keeps_more_than_an_increment() {
        let overhead = Duration::from_millis(10);
        for (mut left, increment) in [(10.0, 0.1), (60.0, 0.6), (3.0, 0.03)] {
            for ply in 0..300 {
                let clock = Clock {
                    left: Duration::from_secs_f64(left),
                    increment: Duration::from_secs_f64(increment),
                    moves_to_go: None,
                };
                let (_, limit) = allot(clock, overhead, &Params::default());
                left -= limit.as_secs_f64() + overhead.as_secs_f64();
                assert!(left > 2.0 * increment + 0.03, "{left} left at move {ply} of {increment}");
                left += increment;
            }
        }
    }

    #[test]
    fn a_clock_below_its_reserve_fills_again_though_every_move_is_late() {
        let (overhead, late) = (Duration::from_millis(30), 0.004);
        let mut left = 0.045;
        for _ in 0..60 {
            left = left_after(1, left, 0.01, overhead) - late;
        }
        assert!(left > 0.15, "{left}");
    }

    #[test]
    fn a_long_game_keeps_a_reserve_for_late_moves() {
        let overhead = Duration::from_millis(30);
        assert!(left_after(300, 1.0, 0.01, overhead) > 0.25);
        assert!(left_after(300, 1.0, 0.01, overhead) < 0.6);
        assert!(left_after(300, 60.0, 0.6, overhead) < 12.0);
    }
}
