//! Rate limiting by token bucket.

use std::time::Instant;

/// A burst may be this many times the rate.
const BURST: f64 = 4.0;

/// Token bucket: refills at `per_second`, burst of 4×.
#[derive(Debug)]
pub(crate) struct TokenBucket {
    per_second: f64,
    tokens: f64,
    refilled_at: Instant,
}

impl TokenBucket {
    pub(crate) fn new(per_second: u32, now: Instant) -> Self {
        let per_second = f64::from(per_second.max(1));
        Self { per_second, tokens: per_second * BURST, refilled_at: now }
    }

    /// Takes a token if one is left.
    pub(crate) fn try_take(&mut self, now: Instant) -> bool {
        let is_allowed = self.has_token(now);
        if is_allowed {
            self.tokens -= 1.0;
        }
        is_allowed
    }

    /// Whether a token is left.
    pub(crate) fn has_token(&mut self, now: Instant) -> bool {
        self.refill(now);
        self.tokens >= 1.0
    }

    /// Whether no token is missing.
    pub(crate) fn is_full(&mut self, now: Instant) -> bool {
        self.refill(now);
        self.tokens >= self.per_second * BURST
    }

    fn refill(&mut self, now: Instant) {
        let elapsed = now.saturating_duration_since(self.refilled_at).as_secs_f64();
        self.tokens = (self.tokens + elapsed * self.per_second).min(self.per_second * BURST);
        self.refilled_at = now;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_only_the_rate() {
        let now = Instant::now();
        let mut bucket = TokenBucket::new(10, now);
        assert_eq!((0..100).filter(|_| bucket.try_take(now)).count(), 40);
        let later = now + Duration::from_secs(1);
        assert_eq!((0..100).filter(|_| bucket.try_take(later)).count(), 10);
    }
}
