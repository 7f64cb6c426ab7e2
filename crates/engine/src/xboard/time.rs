//! xboard's time control.

use std::time::Duration;

use chuhe_search::{Clock, Limits};

/// The time control, in force until xboard changes it.
#[derive(Clone, Copy, Default)]
pub(super) struct TimeControl {
    pub(super) left: Option<Duration>,
    moves_per_session: u32,
    increment: Duration,
    pub(super) per_move: Option<Duration>,
    pub(super) depth: Option<u32>,
}

impl TimeControl {
    /// A clock for `moves` moves (0: the whole game) instead of a fixed time per move.
    pub(super) fn set_level(&mut self, moves: u32, base: Duration, increment: Duration) {
        let depth = self.depth;
        *self = Self { left: Some(base), moves_per_session: moves, increment, per_move: None, depth };
    }

    /// The time control after a move that took `spent`.
    pub(super) fn after(self, spent: Duration) -> Self {
        let left = self.left.map(|left| left.saturating_sub(spent) + self.increment);
        Self { left, ..self }
    }

    /// The limits for the engine's next move after `rounds` rounds.
    pub(super) fn limits(&self, rounds: u32, overhead: Duration) -> Limits {
        let moves_to_go =
            (self.moves_per_session > 0).then(|| self.moves_per_session - rounds % self.moves_per_session);
        let clock = self.left.map(|left| Clock { left, increment: self.increment, moves_to_go });
        // xboard always sets one or the other; typed by hand, a move takes a second.
        let unlimited = self.per_move.is_none() && clock.is_none() && self.depth.is_none();
        Limits {
            depth: self.depth,
            movetime: self.per_move.or(unlimited.then_some(Duration::from_secs(1))),
            clock: clock.filter(|_| self.per_move.is_none()),
            overhead,
            ..Limits::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn moves_to_go_count_down_to_the_next_session() {
        let mut time = TimeControl::default();
        time.set_level(40, 300 * SECOND, Duration::ZERO);
        let to_go = |rounds| time.limits(rounds, Duration::ZERO).clock.unwrap().moves_to_go;
        assert_eq!(to_go(0), Some(40));
        assert_eq!(to_go(39), Some(1));
        assert_eq!(to_go(40), Some(40));
    }

    #[test]
    fn a_move_costs_its_time_and_earns_the_increment() {
        let mut time = TimeControl::default();
        time.set_level(0, 60 * SECOND, 2 * SECOND);
        let left = |time: TimeControl| time.limits(0, Duration::ZERO).clock.unwrap().left;
        assert_eq!(left(time.after(5 * SECOND)), 57 * SECOND);
        assert_eq!(left(time.after(90 * SECOND)), 2 * SECOND);
    }

    #[test]
    fn a_fixed_time_a_move_replaces_the_clock_and_the_other_way_round() {
        let mut time = TimeControl { per_move: Some(3 * SECOND), left: Some(SECOND), ..Default::default() };
        let limits = time.limits(0, Duration::ZERO);
        assert_eq!((limits.movetime, limits.clock), (Some(3 * SECOND), None));
        time.set_level(0, 60 * SECOND, SECOND);
        let limits = time.limits(0, Duration::ZERO);
        assert_eq!((limits.movetime, limits.clock.unwrap().increment), (None, SECOND));
    }
}
