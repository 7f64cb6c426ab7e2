//! How much of the engines a visitor has had lately.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What was used counts half after this time.
const HALF_LIFE: f64 = 4.0;
/// A first slice ahead of the others is given no more often than this, so that a visitor who asks anew
/// all the time does not live on first slices.
const FIRST_SLICE_EVERY: Duration = Duration::from_millis(250);

/// What one visitor has used; searches of one visitor share it.
#[derive(Debug, Default)]
pub struct Account(Mutex<Balance>);

#[derive(Clone, Copy, Debug, Default)]
struct Balance {
    /// Seconds, as of `at`.
    used: f64,
    at: Option<Instant>,
    first_slice: Option<Instant>,
}

impl Balance {
    fn used(&self, now: Instant) -> f64 {
        let ago = self.at.map_or(0.0, |at| now.saturating_duration_since(at).as_secs_f64());
        self.used * 0.5f64.powf(ago / HALF_LIFE)
    }
}

impl Account {
    /// What was used lately: less the longer ago it was.
    pub(super) fn used(&self, now: Instant) -> Duration {
        Duration::from_secs_f64(self.balance().used(now))
    }

    /// Adds a slice.
    pub(super) fn charge(&self, time: Duration, now: Instant) {
        let mut balance = self.balance();
        balance.used = balance.used(now) + time.as_secs_f64();
        balance.at = Some(now);
    }

    /// Whether a new search may go ahead of the others for its first slice; if so, it has.
    pub(super) fn takes_first_slice(&self, now: Instant) -> bool {
        let mut balance = self.balance();
        let is_due =
            balance.first_slice.is_none_or(|last| now.saturating_duration_since(last) >= FIRST_SLICE_EVERY);
        if is_due {
            balance.first_slice = Some(now);
        }
        is_due
    }

    fn balance(&self) -> std::sync::MutexGuard<'_, Balance> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_is_forgotten_with_time() {
        let account = Account::default();
        let now = Instant::now();
        account.charge(Duration::from_secs(2), now);
        assert_eq!(account.used(now), Duration::from_secs(2));
        let later = now + Duration::from_secs_f64(HALF_LIFE);
        assert!((account.used(later).as_secs_f64() - 1.0).abs() < 1e-6);
        account.charge(Duration::from_secs(1), later);
        assert!((account.used(later).as_secs_f64() - 2.0).abs() < 1e-6);
    }

    #[test]
    fn who_asks_anew_all_the_time_does_not_always_go_first() {
        let account = Account::default();
        let now = Instant::now();
        assert!(account.takes_first_slice(now));
        assert!(!account.takes_first_slice(now + Duration::from_millis(100)));
        assert!(account.takes_first_slice(now + Duration::from_millis(300)));
    }
}
