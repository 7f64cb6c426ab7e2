//! How often somebody may ask.

use std::time::Instant;

/// A bucket of permits that fills up again with time.
#[derive(Debug)]
pub(crate) struct Rate {
    per_second: f64,
    most: f64,
    left: f64,
    at: Instant,
}

impl Rate {
    /// So many a second, and four times as many at once.
    pub(crate) fn new(per_second: u32, now: Instant) -> Self {
        let per_second = f64::from(per_second.max(1));
        Self { per_second, most: per_second * 4.0, left: per_second * 4.0, at: now }
    }

    /// Takes a permit if there is one.
    pub(crate) fn allows(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.left = (self.left + passed * self.per_second).min(self.most);
        self.at = now;
        let allowed = self.left >= 1.0;
        if allowed {
            self.left -= 1.0;
        }
        allowed
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_only_the_rate() {
        let now = Instant::now();
        let mut rate = Rate::new(10, now);
        assert_eq!((0..100).filter(|_| rate.allows(now)).count(), 40);
        let later = now + Duration::from_secs(1);
        assert_eq!((0..100).filter(|_| rate.allows(later)).count(), 10);
    }
}
