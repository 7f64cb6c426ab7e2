//! Lag compensation: on a busy machine, or with a slow GUI, a move costs more on the clock than the engine meant to spend. The next
//! moves reckon with it, so that the clock does not run out on delays.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use chuhe_search::{Answer, Clock};

/// The lag of late, learnt from the clocks that the GUI sends.
#[derive(Default)]
pub(crate) struct Lag {
    last: Option<Asked>,
    /// The longest lag; it fades with every move.
    longest: Duration,
}

/// A move whose cost is known when the GUI asks for the next one.
struct Asked {
    plies: usize,
    clock: Clock,
    meant: Meant,
}

/// The time that a search meant to spend, once it has answered.
#[derive(Clone, Default)]
pub(crate) struct Meant(Arc<OnceLock<Duration>>);

impl Meant {
    /// The search has answered.
    pub(crate) fn answered(&self, answer: &Answer) {
        // Each search has a slot of its own and answers once.
        let _ = self.0.set(answer.time.saturating_sub(answer.overrun));
    }
}

impl Lag {
    /// The GUI asks for a move after this many plies of the game, with this clock if the engine's runs. Returns the slot for
    /// the time that its search means to spend.
    pub(crate) fn on_go(&mut self, plies: usize, clock: Option<Clock>) -> Meant {
        let observed = self.last.take().zip(clock).and_then(|(last, clock)| last.lag(plies, clock));
        self.longest = (self.longest * 7 / 8).max(observed.unwrap_or_default());
        let meant = Meant::default();
        self.last = clock.map(|clock| Asked { plies, clock, meant: meant.clone() });
        meant
    }

    /// The lag to reckon with.
    pub(crate) fn longest(&self) -> Duration {
        self.longest
    }
}

impl Asked {
    /// What the move cost beyond what was meant, if the GUI asks for the next move of the same game.
    fn lag(&self, plies: usize, clock: Clock) -> Option<Duration> {
        let seconds_only = |clock: Clock| clock.left.subsec_nanos() == 0;
        // Whole seconds on both clocks are rounded: the difference says nothing about milliseconds.
        if plies != self.plies + 2 || seconds_only(self.clock) && seconds_only(clock) {
            return None;
        }
        // A new time control adds more than the increment.
        let spent = (self.clock.left + self.clock.increment).checked_sub(clock.left)?;
        Some(spent.saturating_sub(*self.meant.0.get()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn milliseconds(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    fn clock(left: u64) -> Option<Clock> {
        Some(Clock { left: milliseconds(left), increment: milliseconds(10), moves_to_go: None })
    }

    /// The lag after a move that was asked for at `left` and answered after `time`, `overrun` of it too late.
    fn lag_after(left: u64, time: u64, overrun: u64, next: (usize, u64)) -> Lag {
        let mut lag = Lag::default();
        let (time, overrun) = (milliseconds(time), milliseconds(overrun));
        lag.on_go(4, clock(left)).answered(&Answer {
            best: None,
            ponder: None,
            lines: Vec::new(),
            nodes: 0,
            time,
            overrun,
        });
        lag.on_go(next.0, clock(next.1));
        lag
    }

    #[test]
    fn lag_is_what_a_move_costs_beyond_what_was_meant() {
        assert_eq!(lag_after(505, 20, 0, (6, 495)).longest(), Duration::ZERO);
        assert_eq!(lag_after(505, 20, 0, (6, 425)).longest(), milliseconds(70), "between engine and GUI");
        assert_eq!(lag_after(505, 90, 70, (6, 425)).longest(), milliseconds(70), "within the engine");
    }

    #[test]
    fn lag_fades_but_a_longer_one_counts_at_once() {
        let mut lag = lag_after(505, 20, 0, (6, 415));
        assert_eq!(lag.longest(), milliseconds(80));
        lag.on_go(8, clock(400));
        assert_eq!(lag.longest(), milliseconds(70));
    }

    #[test]
    fn clocks_that_say_nothing_about_lag_are_ignored() {
        assert_eq!(lag_after(505, 20, 0, (9, 425)).longest(), Duration::ZERO, "another game");
        assert_eq!(lag_after(505, 20, 0, (6, 60_495)).longest(), Duration::ZERO, "a new time control");
        assert_eq!(lag_after(9000, 20, 0, (6, 8000)).longest(), Duration::ZERO, "whole seconds");
        let mut unanswered = Lag::default();
        unanswered.on_go(4, clock(505));
        unanswered.on_go(6, clock(305));
        assert_eq!(unanswered.longest(), Duration::ZERO);
    }
}
