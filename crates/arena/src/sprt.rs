//! The sequential probability ratio test (SPRT): play until the results decide between the Elo differences
//! `elo0` and `elo1`.
//!
//! This is the generalised test (GSPRT): for both hypotheses the most likely distribution of results
//! with that mean is taken, and their log-likelihood ratio (LLR) is compared with two bounds. Source: Michel Van den Bergh, "The generalized SPRT", and Wald's bounds.

use serde::{Deserialize, Serialize};

use crate::elo::score_of_elo;

/// A sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under the null hypothesis.
    pub elo0: f64,
    /// The difference under the alternative.
    pub elo1: f64,
    /// How often the alternative may be accepted wrongly.
    pub alpha: f64,
    /// How often the null hypothesis may be accepted wrongly.
    pub beta: f64,
}

/// What a test has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hypothesis {
    /// The difference is rather `elo0`.
    H0,
    /// The difference is rather `elo1`.
    H1,
}

/// Why numbers make no test.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are in the wrong order.
    #[error("elo0 ({0}) must be less than elo1 ({1})")]
    Order(f64, f64),
    /// An error rate that cannot be.
    #[error("{name} ({value}) must lie between 0 and 0.5")]
    Rate {
        /// Which.
        name: &'static str,
        /// Its value.
        value: f64,
    },
}

impl Sprt {
    /// A test with these hypotheses and error rates.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        if elo0.is_nan() || elo1.is_nan() || elo0 >= elo1 || !elo0.is_finite() || !elo1.is_finite() {
            return Err(SprtError::Order(elo0, elo1));
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Rate { name, value });
            }
        }
        Ok(Self { elo0, elo1, alpha, beta })
    }

    /// The LLRs at which the test ends.
    ///
    /// ```
    /// let test = chuhe_arena::sprt::Sprt::new(0.0, 5.0, 0.05, 0.05).unwrap();
    /// let (lower, upper) = test.bounds();
    /// assert_eq!((format!("{lower:.2}"), format!("{upper:.2}")), ("-2.94".to_owned(), "2.94".to_owned()));
    /// ```
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio (LLR) of these results: trinomial (losses, draws, wins) or pentanomial (pairs
    /// from 0 to 2 points).
    pub fn llr(&self, counts: &[u64]) -> f64 {
        let results = counts.iter().sum::<u64>();
        if results == 0 || counts.len() < 2 {
            return 0.0;
        }
        let shares = shares(counts);
        let log_likelihood = |elo: f64| log_likelihood_at_mean(&shares, score_of_elo(elo));
        results as f64 * (log_likelihood(self.elo1) - log_likelihood(self.elo0))
    }

    /// What the test has decided, if anything.
    pub fn verdict(&self, counts: &[u64]) -> Option<Hypothesis> {
        let llr = self.llr(counts);
        let (lower, upper) = self.bounds();
        if llr <= lower {
            Some(Hypothesis::H0)
        } else if llr >= upper {
            Some(Hypothesis::H1)
        } else {
            None
        }
    }
}

/// Each result with its share of all. A result that has not been seen yet is given a thousandth of a
/// count: it may still come, and without it no distribution may have the wanted mean.
fn shares(counts: &[u64]) -> Vec<(f64, f64)> {
    const UNSEEN: f64 = 1e-3;
    let counts: Vec<f64> = counts.iter().map(|count| (*count as f64).max(UNSEEN)).collect();
    let total: f64 = counts.iter().sum();
    let step = 1.0 / (counts.len() - 1) as f64;
    counts.iter().enumerate().map(|(index, count)| (index as f64 * step, count / total)).collect()
}

/// The mean log-likelihood of a result under the most likely distribution with this mean, up to a
/// constant. By Lagrange's method that distribution is `share / (1 + t (value - mean))`, where `t` makes
/// the mean right.
fn log_likelihood_at_mean(shares: &[(f64, f64)], mean: f64) -> f64 {
    let excess = |t: f64| {
        shares.iter().map(|(value, share)| share * (value - mean) / (1.0 + t * (value - mean))).sum::<f64>()
    };
    // All denominators are positive between these poles, and there the excess falls with t.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let t = (low + high) / 2.0;
    -shares.iter().map(|(value, share)| share * (1.0 + t * (value - mean)).ln()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo::Spread;

    fn test(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05).unwrap()
    }

    /// Ratios that fastchess publishes in its tests, for logistic Elo.
    #[test]
    fn published_examples_agree() {
        let examples: [(f64, f64, &[u64], f64); 4] = [
            (0.5, 2.5, &[21184, 40708, 21404], -1.57),
            (0.0, 2.0, &[57030, 106593, 57433], -2.59),
            (0.5, 2.5, &[223, 9863, 20279 + 1000, 10037, 246], -3.07),
            (0.0, 2.0, &[871, 26175, 55003 + 980, 26678, 821], -4.98),
        ];
        for (elo0, elo1, counts, expected) in examples {
            let ratio = test(elo0, elo1).llr(counts);
            assert!((ratio - expected).abs() < 0.01 * expected.abs(), "{counts:?}: {ratio}, not {expected}");
        }
    }

    /// For small differences the ratio tends to (s1 - s0) (2 s - s0 - s1) / (2 variance of the mean).
    #[test]
    fn the_normal_approximation_agrees_near_equality() {
        for counts in [&[310, 400, 330][..], &[12, 160, 330, 170, 14], &[1000, 1000, 1000]] {
            let Spread { results, mean, variance } = Spread::of(counts).unwrap();
            let (s0, s1) = (score_of_elo(-2.0), score_of_elo(3.0));
            let approximation = (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance / results);
            let ratio = test(-2.0, 3.0).llr(counts);
            assert!((ratio - approximation).abs() < 0.02, "{counts:?}: {ratio} and {approximation}");
        }
    }

    #[test]
    fn exchanging_the_engines_exchanges_the_hypotheses() {
        let counts = [12, 160, 330, 170, 14];
        let reversed: Vec<u64> = counts.iter().rev().copied().collect();
        assert!((test(-1.0, 4.0).llr(&counts) + test(-4.0, 1.0).llr(&reversed)).abs() < 1e-9);
    }

    #[test]
    fn clear_results_are_decided() {
        assert_eq!(test(0.0, 5.0).verdict(&[0; 5]), None);
        assert_eq!(test(0.0, 5.0).verdict(&[100, 1000, 3000, 2000, 300]), Some(Hypothesis::H1));
        assert_eq!(test(0.0, 5.0).verdict(&[300, 2000, 3000, 1000, 100]), Some(Hypothesis::H0));
        assert_eq!(test(0.0, 5.0).verdict(&[1, 4, 6, 5, 1]), None);
        // All won: no result below has been seen, and the test still works.
        assert_eq!(test(0.0, 200.0).verdict(&[0, 0, 0, 0, 40]), Some(Hypothesis::H1));
    }

    #[test]
    fn senseless_tests_are_refused() {
        assert!(Sprt::new(5.0, 5.0, 0.05, 0.05).is_err());
        assert!(Sprt::new(0.0, f64::NAN, 0.05, 0.05).is_err());
        let error = Sprt::new(0.0, 5.0, 0.0, 0.05).unwrap_err();
        assert_eq!(error.to_string(), "alpha (0) must lie between 0 and 0.5");
    }

    /// The test errs about as often as it may: simulated matches between equals end with H0 in 95 of
    /// 100 cases (counted here in 200 matches, so with some slack).
    #[test]
    fn equals_are_seldom_taken_for_better() {
        let test = test(0.0, 40.0);
        let mut state = 0x2545_F491_4F6C_DD1D_u64;
        let mut wrong = 0;
        for _ in 0..200 {
            let mut counts = [0; 5];
            let verdict = loop {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let points = [0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 4][(state >> 33) as usize % 14];
                counts[points] += 1;
                if let Some(verdict) = test.verdict(&counts) {
                    break verdict;
                }
            };
            wrong += usize::from(verdict == Hypothesis::H1);
        }
        assert!((1..=20).contains(&wrong), "{wrong} of 200");
    }
}
