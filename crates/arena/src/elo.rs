//! Elo differences from results, with 95 % error bars, normalised Elo and LOS.
//!
//! Results are counted game by game (trinomial: loss, draw, win) or pair by pair (pentanomial: 0, ½, 1,
//! 1½ or 2 points from an opening played with both colours). The games of a pair depend on each
//! other, so the pentanomial error is the correct one and usually the smaller.

use std::f64::consts::{LN_10, SQRT_2};

use serde::Serialize;

/// Half the width of a 95 % interval, in standard deviations.
const CONFIDENCE: f64 = 1.959_963_984_540_054;

/// A rating difference with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The share of points, 0 to 1.
    pub score: f64,
    /// The rating difference; infinite if every game was won or lost.
    pub elo: f64,
    /// Half the width of its 95 % interval; infinite if an end of that is, or if all results are the same
    /// and say nothing about their spread.
    pub error: f64,
    /// The rating difference in units of the spread of results (normalised Elo).
    pub normalised: f64,
    /// The likelihood of superiority (LOS): that the first engine is the stronger one.
    pub superiority: f64,
}

/// The rating difference at which this share of points is expected.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        // Adding zero turns -0 into 0.
        -400.0 * (1.0 / score - 1.0).log10() + 0.0
    }
}

/// The share of points that is expected at this rating difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The rating difference behind counts of results, from the worst to the best in equal steps: three
/// for losses, draws and wins, five for pairs of games. `None` without any result.
///
/// ```
/// let estimate = chuhe_arena::elo::estimate(&[96, 111, 136]).unwrap();
/// assert_eq!(format!("{:.1} ± {:.1}", estimate.elo, estimate.error), "40.7 ± 30.4");
/// ```
pub fn estimate(counts: &[u64]) -> Option<Estimate> {
    let Spread { results, mean, variance } = Spread::of(counts)?;
    let deviation = (variance / results).sqrt();
    let low = elo_of_score(mean - CONFIDENCE * deviation);
    let high = elo_of_score(mean + CONFIDENCE * deviation);
    // Normalised Elo is defined by the spread of single games: a pair is the mean of two.
    let games_in_result = if counts.len() == 5 { 2.0 } else { 1.0 };
    let game_deviation = (variance * games_in_result).sqrt();
    let superiority = if deviation > 0.0 {
        normal_distribution((mean - 0.5) / deviation)
    } else {
        0.5 + (mean - 0.5).signum() * if mean == 0.5 { 0.0 } else { 0.5 }
    };
    Some(Estimate {
        score: mean,
        elo: elo_of_score(mean),
        error: if variance > 0.0 { (high - low) / 2.0 } else { f64::INFINITY },
        normalised: (mean - 0.5) / game_deviation * 800.0 / LN_10,
        superiority,
    })
}

/// Mean and variance of results, each scaled to the range 0 to 1.
pub(crate) struct Spread {
    pub(crate) results: f64,
    pub(crate) mean: f64,
    pub(crate) variance: f64,
}

impl Spread {
    pub(crate) fn of(counts: &[u64]) -> Option<Self> {
        let results = counts.iter().sum::<u64>() as f64;
        if results == 0.0 || counts.len() < 2 {
            return None;
        }
        let step = 1.0 / (counts.len() - 1) as f64;
        let weighted = |value: &dyn Fn(f64) -> f64| {
            counts
                .iter()
                .enumerate()
                .map(|(index, count)| *count as f64 * value(index as f64 * step))
                .sum::<f64>()
                / results
        };
        let mean = weighted(&|value| value);
        let variance = weighted(&|value| (value - mean).powi(2));
        Some(Self { results, mean, variance })
    }
}

/// The share of a normal distribution below `x` standard deviations.
fn normal_distribution(x: f64) -> f64 {
    0.5 * complementary_error(-x / SQRT_2)
}

/// erfc to about 1e-7 (Abramowitz and Stegun, formula 7.1.26).
fn complementary_error(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.327_591_1 * x.abs());
    let coefficients = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let polynomial = coefficients.iter().fold(0.0, |sum, coefficient| (sum + coefficient) * t);
    let tail = polynomial * (-x * x).exp();
    if x >= 0.0 { tail } else { 2.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64) -> bool {
        (value - expected).abs() <= 0.01 * expected.abs().max(0.5)
    }

    /// Counts, Elo, error, normalised Elo and likelihood of superiority that fastchess publishes in its
    /// tests; `NAN` where it says nothing.
    #[test]
    fn published_examples_agree() {
        let nothing = f64::NAN;
        let examples: [(&[u64], f64, f64, f64, f64); 7] = [
            (&[772, 1329, 859], 10.21, 9.28, nothing, nothing),
            (&[1267, 3049, 1164], -6.53, 6.12, nothing, nothing),
            (&[89, 123, 76], nothing, nothing, -20.76, 0.1553),
            (&[96, 111, 136], 40.70, 30.43, 49.77, 0.9960),
            (&[34, 54, 31 + 32, 64, 75], 55.58, 27.65, 57.94, 1.0),
            (&[332, 433, 457 + 41, 333, 334], -8.64, 10.33, -9.17, 0.0505),
            (&[7895, 8757, 5485 + 200, 568, 9999], -21.04, 2.95, -19.01, 0.0),
        ];
        for (counts, elo, error, normalised, superiority) in examples {
            let estimate = estimate(counts).unwrap();
            let pairs = [
                (estimate.elo, elo),
                (estimate.error, error),
                (estimate.normalised, normalised),
                (estimate.superiority, superiority),
            ];
            for (value, expected) in pairs {
                assert!(
                    expected.is_nan() || close(value, expected),
                    "{counts:?}: {estimate:?}, not {expected}"
                );
            }
        }
    }

    #[test]
    fn elo_and_score_undo_each_other() {
        for elo in [-800.0, -3.5, 0.0, 42.0, 700.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
    }

    #[test]
    fn extremes_are_infinite_and_nothing_is_nothing() {
        assert_eq!(estimate(&[0, 0, 0]), None);
        assert_eq!(estimate(&[0, 0, 5]).unwrap().elo, f64::INFINITY);
        assert_eq!(estimate(&[0, 0, 5]).unwrap().superiority, 1.0);
        assert_eq!(estimate(&[5, 0, 0]).unwrap().elo, f64::NEG_INFINITY);
        assert_eq!(estimate(&[0, 4, 0]).unwrap().elo, 0.0);
        assert_eq!(estimate(&[0, 4, 0]).unwrap().superiority, 0.5);
        assert_eq!(estimate(&[0, 4, 0]).unwrap().error, f64::INFINITY);
    }

    #[test]
    fn independent_games_give_the_same_error_either_way() {
        // Pairs as they fall if each game is lost, drawn and won with 1/4, 1/2 and 1/4.
        let pairs = estimate(&[100, 400, 600, 400, 100]).unwrap();
        let games = estimate(&[800, 1600, 800]).unwrap();
        assert!((pairs.error - games.error).abs() < 1e-9);
    }
}
