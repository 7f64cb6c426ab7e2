//! A clock that the host supplies.

use std::ops::{Add, Sub};
use std::sync::OnceLock;
use std::time::Duration;

static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

/// Installs the clock: the time since 1970, never decreasing. Only the first call counts.
pub fn install(clock: fn() -> Duration) {
    let _ = CLOCK.set(clock);
}

/// The host's time; zero before a clock is installed.
pub fn now() -> Duration {
    CLOCK.get().map_or(Duration::ZERO, |clock| clock())
}

/// A moment of the host's clock, with the part of the standard library's interface that Chuhe uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Duration);

impl Instant {
    /// The present moment.
    #[must_use]
    pub fn now() -> Self {
        Self(now())
    }

    /// The time from this moment to the present.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        Self::now().duration_since(*self)
    }

    /// The time from `earlier` to this moment; zero if it is later.
    #[must_use]
    pub fn duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0 + time)
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        self.duration_since(earlier)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn moments_follow_the_installed_clock() {
        static SECONDS: AtomicU64 = AtomicU64::new(100);
        install(|| Duration::from_secs(SECONDS.load(Ordering::Relaxed)));
        install(|| Duration::ZERO);
        let start = Instant::now();
        SECONDS.store(103, Ordering::Relaxed);
        assert_eq!(start.elapsed(), Duration::from_secs(3));
        assert_eq!(Instant::now() - start, Duration::from_secs(3));
        assert_eq!(start - Instant::now(), Duration::ZERO);
        assert!(start + Duration::from_secs(2) < Instant::now());
    }
}
