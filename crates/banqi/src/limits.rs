//! Search limits and time management.

use std::time::Duration;

use chuhe_clock::Instant;

/// What ends a search; with nothing set it goes to the deepest depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// No longer than this.
    pub time: Option<Duration>,
    /// No more positions than this.
    pub nodes: Option<u64>,
    /// No deeper than this.
    pub depth: Option<u32>,
    /// The time is a share of a clock: what is not used is there for later moves, and a depth that will hardly finish
    /// is not begun. Otherwise all of it is used.
    pub on_clock: bool,
}

impl Limits {
    /// So long for the move.
    pub fn movetime(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// A share of what is left on a clock without increment, after `plies` plies of the game.
    ///
    /// A game takes about 80 own moves; later ones are planned as if thirty more were to come. A reserve
    /// for slow pipes is never touched.
    pub fn clock(left: Duration, plies: usize) -> Self {
        const RESERVE: Duration = Duration::from_millis(150);
        let own_moves = plies / 2;
        let to_come = 80usize.saturating_sub(own_moves).max(30) as u32;
        let usable = left.saturating_sub(RESERVE);
        // Below the reserve there is still the time of a reflex.
        Self { on_clock: true, ..Self::movetime((usable / to_come).max(left.min(RESERVE) / 50)) }
    }
}

/// Watches the limits during a search.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    limits: Limits,
    start: Instant,
    pub(crate) nodes: u64,
    over: bool,
}

impl Watch {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, start: Instant::now(), nodes: 0, over: false }
    }

    /// Counts a node; true when the search must stop.
    #[inline]
    pub(crate) fn count(&mut self) -> bool {
        self.nodes += 1;
        // The clock is looked at rarely: it costs as much as a node.
        if self.nodes & 511 == 0 {
            self.over |= self.limits.time.is_some_and(|time| self.start.elapsed() >= time);
        }
        self.over |= self.limits.nodes.is_some_and(|nodes| self.nodes > nodes);
        self.over
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    pub(crate) fn stop(&mut self) {
        self.over = true;
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether this share of time and nodes is used up.
    pub(crate) fn has_used(&self, share: f64) -> bool {
        let time = self.limits.time.is_some_and(|time| self.start.elapsed() >= time.mul_f64(share));
        let nodes = self.limits.nodes.is_some_and(|nodes| self.nodes as f64 >= nodes as f64 * share);
        time || nodes
    }

    /// Whether the next depth would hardly finish and the rest of the time is better kept on the clock.
    pub(crate) fn should_save(&self) -> bool {
        self.limits.on_clock && self.has_used(0.55)
    }

    /// The deepest depth to search, at most `most`.
    pub(crate) fn depth(&self, most: u32) -> u32 {
        self.limits.depth.map_or(most, |depth| depth.clamp(1, most))
    }
}

#[test]
fn only_time_on_a_clock_is_saved() {
    let used_up = |limits: Limits| Watch { nodes: 90, ..Watch::new(limits) };
    let fixed = Limits { nodes: Some(100), ..Limits::default() };
    assert!(!used_up(fixed).should_save(), "ten nodes are left to search");
    assert!(used_up(Limits { on_clock: true, ..fixed }).should_save());
    assert!(Limits::clock(Duration::from_secs(9), 0).on_clock);
    assert!(!Limits::movetime(Duration::from_secs(9)).on_clock);
}

#[test]
fn a_clock_is_never_overspent() {
    for start in [60_000, 5_000, 400, 100, 3] {
        let mut left = Duration::from_millis(start);
        for ply in 0..600 {
            let share = Limits::clock(left, ply).time.unwrap();
            assert!(share < left, "{left:?}");
            left -= share;
        }
    }
}
