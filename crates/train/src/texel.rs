//! Texel tuning: fits the weights of the hand-written evaluation to results and scores.
//!
//! The evaluation is linear in its weights, so a sample shrinks to its feature counts. Adam minimises the
//! squared error of the expected result.

use std::thread;

use chuhe_board::Side;
use chuhe_eval::classical::{self, Feature, Note, Phase, Tapered};

use crate::Sample;

/// Hyperparameters.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Lambda: weight of the game's result (WDL) in the target; the rest is the search's score.
    pub lambda: f32,
    /// Scale of the sigmoid: the score at which ¾ of the points are expected.
    pub scale: f32,
    /// Learning rate: the length of the first steps, in centisoldiers.
    pub learning_rate: f32,
    /// Gradient steps over all samples.
    pub steps: u32,
    /// L2 pull towards the initial weights, in samples: rare features would run away without it.
    pub prior_strength: f32,
    /// Threads.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { lambda: 0.5, scale: 200.0, learning_rate: 2.0, steps: 300, prior_strength: 3e-4, threads: 2 }
    }
}

/// A sample as counts of features.
struct Counted {
    counts: Box<[(u16, i8)]>,
    /// The shares of opening, middle game and ending.
    shares: [f32; 3],
    /// The expected result for Red, 0 to 1.
    target: f32,
}

/// The samples and the weights that are being fitted to them.
pub struct Tuner {
    settings: Settings,
    samples: Vec<Counted>,
    weights: Vec<[f32; 3]>,
    start: Vec<[f32; 3]>,
}

impl Tuner {
    /// A tuner that starts from the weights in use.
    pub fn new(settings: Settings) -> Self {
        let weights: Vec<[f32; 3]> = Feature::all()
            .map(|feature| {
                let weight = classical::weight(feature);
                [weight.opening() as f32, weight.middle() as f32, weight.ending() as f32]
            })
            .collect();
        Self { settings, samples: Vec::new(), start: weights.clone(), weights }
    }

    /// Adds a sample.
    pub fn add(&mut self, sample: &Sample) {
        self.add_with_lambda(sample, self.settings.lambda);
    }

    /// Adds a sample that has a result but no score.
    pub fn add_result(&mut self, sample: &Sample) {
        self.add_with_lambda(sample, 1.0);
    }

    fn add_with_lambda(&mut self, sample: &Sample, lambda: f32) {
        // The bonus of a won ending follows from the material weights; fitting them to it would be circular.
        if classical::notes(&sample.position).iter().any(|note| note.feature == Feature::WON) {
            return;
        }
        let red = sample.position.side_to_move() == Side::Red;
        let outcome = if red { sample.outcome } else { sample.outcome.reversed() };
        let score = if red { sample.score.get() } else { -sample.score.get() };
        let target = lambda * outcome.points() + (1.0 - lambda) * sigmoid(score as f32, self.settings.scale);
        self.samples.push(Counted {
            counts: counts(&sample.position),
            shares: Phase::of(&sample.position).shares(),
            target,
        });
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Fits the weights; `on_step` gets the mean squared error before each step.
    pub fn run(&mut self, mut on_step: impl FnMut(u32, f64)) {
        let mut adam = Adam::new(self.weights.len());
        for step in 1..=self.settings.steps {
            let (gradient, error) = self.gradient();
            on_step(step, error);
            let rate = self.learning_rate_at(step);
            adam.step(&mut self.weights, &gradient, rate, step);
        }
    }

    /// The fitted weights.
    pub fn weights(&self) -> Vec<Tapered> {
        let round = |value: f32| value.round().clamp(-3000.0, 3000.0) as i16;
        let rounded = self.weights.iter().map(|weight| weight.map(round));
        rounded.map(|[opening, middle, ending]| Tapered::new(opening, middle, ending)).collect()
    }

    /// Linear learning-rate decay.
    fn learning_rate_at(&self, step: u32) -> f32 {
        let progress = step as f32 / self.settings.steps as f32;
        self.settings.learning_rate * (1.0 - 0.95 * progress)
    }

    /// The gradient of the error by weight, and the error.
    fn gradient(&self) -> (Vec<[f32; 3]>, f64) {
        let share = self.samples.len().div_ceil(self.settings.threads.max(1)).max(1);
        let parts: Vec<(Vec<[f64; 3]>, f64)> = thread::scope(|scope| {
            let parts: Vec<_> =
                self.samples.chunks(share).map(|part| scope.spawn(|| self.gradient_of(part))).collect();
            parts.into_iter().map(|part| part.join().expect("adding up does not panic")).collect()
        });
        let mut gradient = vec![[0.0; 3]; self.weights.len()];
        let mut error = 0.0;
        let count = self.samples.len().max(1) as f64;
        let pull = self.settings.prior_strength / count as f32;
        for (part, part_error) in parts {
            error += part_error / count;
            for (sum, slopes) in gradient.iter_mut().zip(part) {
                for (sum, slope) in sum.iter_mut().zip(slopes) {
                    *sum += (slope / count) as f32;
                }
            }
        }
        for (index, sum) in gradient.iter_mut().enumerate() {
            for (phase, sum) in sum.iter_mut().enumerate() {
                *sum += pull * (self.weights[index][phase] - self.start[index][phase]);
            }
        }
        (gradient, error)
    }

    fn gradient_of(&self, samples: &[Counted]) -> (Vec<[f64; 3]>, f64) {
        let mut gradient = vec![[0.0; 3]; self.weights.len()];
        let mut error = 0.0;
        for sample in samples {
            let guess = sigmoid(self.score(sample), self.settings.scale);
            let off = guess - sample.target;
            error += f64::from(off * off);
            let slope = f64::from(off * guess * (1.0 - guess));
            for (feature, count) in &sample.counts {
                let pull = slope * f64::from(*count);
                for (sum, share) in gradient[usize::from(*feature)].iter_mut().zip(sample.shares) {
                    *sum += pull * f64::from(share);
                }
            }
        }
        (gradient, error)
    }

    fn score(&self, sample: &Counted) -> f32 {
        let mut sums = [0.0; 3];
        for (feature, count) in &sample.counts {
            for (sum, weight) in sums.iter_mut().zip(self.weights[usize::from(*feature)]) {
                *sum += weight * f32::from(*count);
            }
        }
        sums.into_iter().zip(sample.shares).map(|(sum, share)| sum * share).sum()
    }
}

/// The expected result of a score: ¾ at `scale`.
fn sigmoid(score: f32, scale: f32) -> f32 {
    1.0 / (1.0 + 3f32.powf(-score / scale))
}

/// Red's counts less Black's, without those that cancel out.
fn counts(position: &chuhe_board::Position) -> Box<[(u16, i8)]> {
    let mut sums = vec![0i32; Feature::COUNT];
    for Note { side, feature, times, .. } in classical::notes(position).iter().copied() {
        sums[feature.index()] += if side == Side::Red { times } else { -times };
    }
    let counted = sums.into_iter().enumerate().filter(|(_, sum)| *sum != 0);
    counted.map(|(feature, sum)| (feature as u16, sum.clamp(-127, 127) as i8)).collect()
}

/// Adam.
struct Adam {
    mean: Vec<[f32; 3]>,
    square: Vec<[f32; 3]>,
}

impl Adam {
    const MEAN_DECAY: f32 = 0.9;
    const SQUARE_DECAY: f32 = 0.999;

    fn new(size: usize) -> Self {
        Self { mean: vec![[0.0; 3]; size], square: vec![[0.0; 3]; size] }
    }

    fn step(&mut self, weights: &mut [[f32; 3]], gradient: &[[f32; 3]], rate: f32, step: u32) {
        let mean_share = 1.0 - Self::MEAN_DECAY.powi(step as i32);
        let square_share = 1.0 - Self::SQUARE_DECAY.powi(step as i32);
        for index in 0..weights.len() {
            for phase in 0..3 {
                let slope = gradient[index][phase];
                let mean = &mut self.mean[index][phase];
                let square = &mut self.square[index][phase];
                *mean = Self::MEAN_DECAY * *mean + (1.0 - Self::MEAN_DECAY) * slope;
                *square = Self::SQUARE_DECAY * *square + (1.0 - Self::SQUARE_DECAY) * slope * slope;
                let length = (*square / square_share).sqrt() + 1e-10;
                weights[index][phase] -= rate * (*mean / mean_share) / length;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;
    use chuhe_eval::Score;

    use super::*;
    use crate::Wdl;

    fn sample(fen: &str, outcome: Wdl) -> Sample {
        Sample { position: fen.parse::<Position>().unwrap(), score: Score::DRAW, outcome, ply: 40 }
    }

    #[test]
    fn the_error_falls_and_the_winners_pieces_gain() {
        let settings = Settings { lambda: 1.0, steps: 60, threads: 2, ..Settings::default() };
        let mut tuner = Tuner::new(settings);
        // Whoever has the cannon wins, whoever has the horse loses.
        tuner.add(&sample("3k1a3/9/9/9/4n4/9/9/4C4/9/4KA3 w", Wdl::Win));
        tuner.add(&sample("3k1a3/9/9/9/4c4/9/9/4N4/9/4KA3 w", Wdl::Loss));
        let mut errors = Vec::new();
        tuner.run(|_, error| errors.push(error));
        assert!(errors.last().unwrap() < &(errors[0] * 0.5), "{errors:?}");
        let weights = tuner.weights();
        let gained = |kind| {
            let feature = Feature::material(kind);
            weights[feature.index()].ending() - classical::weight(feature).ending()
        };
        assert!(gained(chuhe_board::PieceKind::Cannon) > 0);
        assert!(gained(chuhe_board::PieceKind::Horse) < 0);
    }
}
