//! Fair-share accounting: engine time per visitor, with exponential decay.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Seconds after which used time counts half.
const HALF_LIFE: f64 = 4.0;
/// A visitor gets a priority slice at most this often, so that resubmitting gains nothing.
const PRIORITY_INTERVAL: Duration = Duration::from_millis(250);

/// Engine time used by one visitor; all searches of that visitor share it.
#[derive(Debug, Default)]
pub struct Usage(Mutex<State>);

#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// Decayed seconds, as of `at`.
    seconds: f64,
    at: Option<Instant>,
    last_priority: Option<Instant>,
}

impl State {
    fn seconds_at(&self, now: Instant) -> f64 {
        let elapsed = self.at.map_or(0.0, |at| now.saturating_duration_since(at).as_secs_f64());
        self.seconds * 0.5f64.powf(elapsed / HALF_LIFE)
    }
}

impl Usage {
    /// Recent usage, decayed to `now`.
    pub(super) fn recent(&self, now: Instant) -> Duration {
        Duration::from_secs_f64(self.state().seconds_at(now))
    }

    /// Adds a slice.
    pub(super) fn charge(&self, time: Duration, now: Instant) {
        let mut state = self.state();
        state.seconds = state.seconds_at(now) + time.as_secs_f64();
        state.at = Some(now);
    }

    /// Takes a priority slice if the visitor has not had one lately.
    pub(super) fn take_priority(&self, now: Instant) -> bool {
        let mut state = self.state();
        let is_due =
            state.last_priority.is_none_or(|last| now.saturating_duration_since(last) >= PRIORITY_INTERVAL);
        if is_due {
            state.last_priority = Some(now);
        }
        is_due
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_decays() {
        let usage = Usage::default();
        let now = Instant::now();
        usage.charge(Duration::from_secs(2), now);
        assert_eq!(usage.recent(now), Duration::from_secs(2));
        let later = now + Duration::from_secs_f64(HALF_LIFE);
        assert!((usage.recent(later).as_secs_f64() - 1.0).abs() < 1e-6);
        usage.charge(Duration::from_secs(1), later);
        assert!((usage.recent(later).as_secs_f64() - 2.0).abs() < 1e-6);
    }

    #[test]
    fn resubmitting_does_not_always_get_priority() {
        let usage = Usage::default();
        let now = Instant::now();
        assert!(usage.take_priority(now));
        assert!(!usage.take_priority(now + Duration::from_millis(100)));
        assert!(usage.take_priority(now + Duration::from_millis(300)));
    }
}
