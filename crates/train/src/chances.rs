//! Fits the WDL model, the curve from scores to winning chances, to the results of games.

use chuhe_eval::Curve;
use chuhe_eval::classical::Phase;

use crate::{Sample, Wdl};

/// Scores beyond this say nothing new.
const LARGEST: i32 = 1500;
/// Scores this close count as one.
const BIN: i32 = 10;
/// Scores are kept as seen by the side that is ahead.
const BINS: usize = (LARGEST / BIN) as usize + 1;
const LEVELS: usize = Phase::FULL as usize + 1;

/// How often games were won, drawn and lost, by attackers left and score.
pub struct Counts {
    counts: Vec<[f64; 3]>,
    samples: u64,
}

impl Default for Counts {
    fn default() -> Self {
        Self { counts: vec![[0.0; 3]; LEVELS * BINS], samples: 0 }
    }
}

impl Counts {
    /// Counts a sample.
    pub fn add(&mut self, sample: &Sample) {
        let score = sample.score.get();
        if sample.score.is_decided() || score.abs() > LARGEST {
            return;
        }
        let outcome = if score < 0 { sample.outcome.reversed() } else { sample.outcome };
        let attackers = Phase::of(&sample.position).middle() as usize;
        let bin = ((score.abs() + BIN / 2) / BIN) as usize;
        let place = match outcome {
            Wdl::Win => 0,
            Wdl::Draw => 1,
            Wdl::Loss => 2,
        };
        self.counts[attackers * BINS + bin][place] += 1.0;
        self.samples += 1;
    }

    /// The number of samples counted.
    pub const fn samples(&self) -> u64 {
        self.samples
    }

    /// The mean cross-entropy of the results, in bits: what the fit minimises.
    pub fn surprise(&self, curve: &Curve) -> f64 {
        let mut sum = 0.0;
        for (index, counts) in self.counts.iter().enumerate() {
            if counts.iter().sum::<f64>() == 0.0 {
                continue;
            }
            let (attackers, score) = ((index / BINS) as i32, (index % BINS) as i32 * BIN);
            let win = curve.win(f64::from(score), attackers);
            let loss = curve.win(f64::from(-score), attackers);
            let chances = [win, 1.0 - win - loss, loss];
            sum -= counts
                .iter()
                .zip(chances)
                .map(|(count, chance)| count * chance.max(1e-4).log2())
                .sum::<f64>();
        }
        sum / self.samples.max(1) as f64
    }

    /// The best curve, found by coordinate descent with halving steps.
    pub fn fit(&self, start: Curve) -> Curve {
        let mut best = start;
        let mut least = self.surprise(&best);
        let mut step = 32.0;
        while step > 0.4 {
            let mut improved = false;
            for index in 0..2 * Curve::ANCHORS.len() {
                for change in [step, -step] {
                    let candidate = moved(best, index, change);
                    let surprise = self.surprise(&candidate);
                    if surprise < least {
                        (best, least, improved) = (candidate, surprise, true);
                    }
                }
            }
            if !improved {
                step /= 2.0;
            }
        }
        best
    }
}

/// The curve with one of its numbers changed.
fn moved(mut curve: Curve, index: usize, change: f64) -> Curve {
    let anchors = Curve::ANCHORS.len();
    let number =
        if index < anchors { &mut curve.half_won[index] } else { &mut curve.spread[index - anchors] };
    *number = (*number + change).max(10.0);
    curve
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_found_again_from_its_own_results() {
        let truth = Curve {
            half_won: [400.0, 300.0, 200.0, 150.0, 110.0],
            spread: [90.0, 100.0, 110.0, 120.0, 130.0],
        };
        let mut counts = Counts::default();
        for attackers in 0..LEVELS {
            for bin in 0..BINS {
                let score = (bin as i32 * BIN) as f64;
                let win = truth.win(score, attackers as i32);
                let loss = truth.win(-score, attackers as i32);
                counts.counts[attackers * BINS + bin] = [win, 1.0 - win - loss, loss];
                counts.samples += 1;
            }
        }
        let found = counts.fit(Curve::FITTED);
        for index in 0..Curve::ANCHORS.len() {
            assert!((found.half_won[index] - truth.half_won[index]).abs() < 3.0, "{found:?}");
            assert!((found.spread[index] - truth.spread[index]).abs() < 3.0, "{found:?}");
        }
    }
}
