//! Texel tuning: fits the weights of the hand-written evaluation to results and scores.
//!
//! The evaluation is linear in its weights, so a sample shrinks to its feature counts. Adam minimises the squared
//! error of the expected result over mini-batches, with priors and smoothness between phases and neighbouring points;
//! after each step the weights are projected onto the signs and orders of `knowledge`.

mod adam;
mod knowledge;
mod priors;
mod project;

use std::thread;

use chuhe_board::Side;
use chuhe_eval::classical::{self, Feature, Material, Note, Phase, Tapered};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::Sample;
use adam::Adam;
use knowledge::{Gauge, Rule, gauges, neighbours, rules};
use priors::priors;
use project::{centre, project};

/// Hyperparameters.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Lambda: weight of the game's result (WDL) in the target; the rest is the search's score.
    pub lambda: f32,
    /// Scale of the sigmoid: the score at which ¾ of the points are expected.
    pub scale: f32,
    /// Learning rate: the length of the first steps, in centisoldiers.
    pub learning_rate: f32,
    /// Gradient steps, each over one batch.
    pub steps: u32,
    /// Samples of a batch.
    pub batch: usize,
    /// L2 pull towards the priors: what this many samples would pull.
    pub prior_samples: f32,
    /// L2 pull between neighbouring points of a placement table, in samples.
    pub neighbour_samples: f32,
    /// L2 pull between opening and middle game, and a quarter of it between middle game and ending, in samples.
    pub smoothness_samples: f32,
    /// Threads.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            lambda: 0.5,
            scale: 200.0,
            learning_rate: 2.0,
            steps: 2000,
            batch: 1 << 15,
            prior_samples: 1000.0,
            neighbour_samples: 100.0,
            smoothness_samples: 400.0,
            threads: 2,
        }
    }
}

/// A sample as counts of features.
struct Counted {
    counts: Box<[(u16, i8)]>,
    /// The shares of opening, middle game and ending.
    shares: [f32; 3],
    /// What the material leaves of an advantage of Red and of Black, 0 to 1.
    scales: [f32; 2],
    /// The expected result for Red, 0 to 1.
    target: f32,
}

/// The samples and the weights that are being fitted to them.
pub struct Tuner {
    settings: Settings,
    samples: Vec<Counted>,
    weights: Vec<[f32; 3]>,
    /// What each weight is pulled to, if to anything.
    priors: Vec<Option<f32>>,
    /// Placements that are pulled to each other.
    neighbours: Vec<[Feature; 2]>,
    rules: Vec<Rule>,
    gauges: Vec<Gauge>,
    /// How many samples mention each weight.
    mentions: Vec<[f32; 3]>,
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
        let mut pulls = vec![None; weights.len()];
        for (feature, value) in priors() {
            pulls[feature.index()] = Some(value);
        }
        let mentions = vec![[0.0; 3]; weights.len()];
        Self {
            settings,
            samples: Vec::new(),
            weights,
            priors: pulls,
            neighbours: neighbours(),
            rules: rules(),
            gauges: gauges(),
            mentions,
        }
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
        let material = Material::of(&sample.position);
        let scale =
            |red: i32| classical::scaled(&sample.position, material, red * 64).unsigned_abs() as f32 / 64.0;
        let counted = Counted {
            counts: counts(&sample.position),
            shares: Phase::of(&sample.position).shares(),
            scales: [scale(1), scale(-1)],
            target,
        };
        for (feature, _) in &counted.counts {
            for (mentions, share) in self.mentions[usize::from(*feature)].iter_mut().zip(counted.shares) {
                *mentions += share;
            }
        }
        self.samples.push(counted);
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Fits the weights; `on_step` gets the mean squared error of its batch before each step.
    pub fn run(&mut self, mut on_step: impl FnMut(u32, f64)) {
        let mut adam = Adam::new(self.weights.len());
        let samples = shuffled(std::mem::take(&mut self.samples));
        let mut batches = samples.chunks(self.settings.batch.max(1)).cycle();
        for step in 1..=self.settings.steps {
            let Some(batch) = batches.next() else { break };
            let (gradient, error) = self.gradient(batch, samples.len());
            on_step(step, error);
            let rate = self.learning_rate_at(step);
            adam.step(&mut self.weights, &gradient, rate, step);
            self.keep_to_what_is_known();
        }
        // Rules overlap: one pass after the other comes to weights that keep them all.
        (0..FINAL_PASSES).for_each(|_| self.keep_to_what_is_known());
        self.samples = samples;
    }

    fn keep_to_what_is_known(&mut self) {
        self.gauges.iter().for_each(|gauge| centre(&mut self.weights, gauge));
        project(&mut self.weights, &self.rules);
    }

    /// The mean squared error of other samples, which the fit has not seen.
    pub fn error_on(&self, other: &Self) -> f64 {
        self.gradient_of(&other.samples).1 / other.len().max(1) as f64
    }

    /// The fitted weights. Every group is worth 0 where nothing is special.
    pub fn weights(&self) -> Vec<Tapered> {
        let round = |value: f32| value.round().clamp(-3000.0, 3000.0) as i16;
        let whole = self.weights.iter().map(|weight| weight.map(round));
        whole.map(|[opening, middle, ending]| Tapered::new(opening, middle, ending)).collect()
    }

    /// What the weight of a feature is pulled to, if to anything.
    pub fn prior(&self, feature: Feature) -> Option<f32> {
        self.priors[feature.index()]
    }

    /// How many samples mention a feature, weighted by the shares of opening, middle game and ending.
    pub fn mentions(&self, feature: Feature) -> [f32; 3] {
        self.mentions[feature.index()]
    }

    /// Linear learning-rate decay.
    fn learning_rate_at(&self, step: u32) -> f32 {
        let progress = step as f32 / self.settings.steps as f32;
        self.settings.learning_rate * (1.0 - 0.95 * progress)
    }

    /// The gradient of the error by weight, and the error.
    fn gradient(&self, batch: &[Counted], all: usize) -> (Vec<[f32; 3]>, f64) {
        let share = batch.len().div_ceil(self.settings.threads.max(1)).max(1);
        let parts: Vec<(Vec<[f64; 3]>, f64)> = thread::scope(|scope| {
            let parts: Vec<_> =
                batch.chunks(share).map(|part| scope.spawn(|| self.gradient_of(part))).collect();
            parts.into_iter().map(|part| part.join().expect("adding up does not panic")).collect()
        });
        let mut gradient = vec![[0.0; 3]; self.weights.len()];
        let mut error = 0.0;
        let count = batch.len().max(1) as f64;
        for (part, part_error) in parts {
            error += part_error / count;
            for (sum, slopes) in gradient.iter_mut().zip(part) {
                for (sum, slope) in sum.iter_mut().zip(slopes) {
                    *sum += (slope / count) as f32;
                }
            }
        }
        self.add_pulls(&mut gradient, SAMPLE_PULL / all.max(1) as f32);
        (gradient, error)
    }

    /// Adds the gradients of priors and smoothness; `unit` is the pull of one sample by a centisoldier.
    fn add_pulls(&self, gradient: &mut [[f32; 3]], unit: f32) {
        let (priors, smoothness) =
            (self.settings.prior_samples * unit, self.settings.smoothness_samples * unit);
        for ((sum, weight), prior) in gradient.iter_mut().zip(&self.weights).zip(&self.priors) {
            if let Some(prior) = prior {
                sum.iter_mut().zip(weight).for_each(|(sum, weight)| *sum += priors * (weight - prior));
            }
            let [opening, middle, ending] = weight;
            let (early, late) = (smoothness * (opening - middle), smoothness / 4.0 * (middle - ending));
            sum[0] += early;
            sum[1] += late - early;
            sum[2] -= late;
        }
        for [one, other] in &self.neighbours {
            let weights = self.weights[one.index()].into_iter().zip(self.weights[other.index()]);
            for (phase, (weight, beside)) in weights.enumerate() {
                let pull = self.settings.neighbour_samples * unit * (weight - beside);
                gradient[one.index()][phase] += pull;
                gradient[other.index()][phase] -= pull;
            }
        }
    }

    fn gradient_of(&self, samples: &[Counted]) -> (Vec<[f64; 3]>, f64) {
        let mut gradient = vec![[0.0; 3]; self.weights.len()];
        let mut error = 0.0;
        for sample in samples {
            let score = self.score(sample);
            let scale = sample.scales[usize::from(score <= 0.0)];
            let guess = sigmoid(score * scale, self.settings.scale);
            let off = guess - sample.target;
            error += f64::from(off * off);
            let slope = f64::from(off * guess * (1.0 - guess) * scale);
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

/// The samples in another order, in which neighbours come from different games.
fn shuffled(mut samples: Vec<Counted>) -> Vec<Counted> {
    samples.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(1));
    samples
}

/// Passes over the rules after the last step.
const FINAL_PASSES: u32 = 30;

/// How much one sample changes its gradient when a weight moves by a centisoldier: the unit of priors.
const SAMPLE_PULL: f32 = 2.7e-4;

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
    fn fitted_weights_keep_signs_and_orders() {
        let mut tuner = Tuner::new(Settings { steps: 3, threads: 1, ..Settings::default() });
        // A sample that speaks against a good pattern.
        tuner.add(&sample("3aka3/9/9/9/r8/9/9/4C4/9/3K1AB2 w", Wdl::Loss));
        tuner.run(|_, _| {});
        let weights = tuner.weights();
        let middle = |feature: Feature| weights[feature.index()].middle();
        assert!(middle(Feature::hollow_cannon(6)) >= 0);
        assert!(middle(Feature::CHOKED_BY_TWO) >= middle(Feature::CHOKED_HORSE));
        assert!(
            (1..5).all(|pairs| middle(Feature::linked_soldiers(pairs))
                >= middle(Feature::linked_soldiers(pairs - 1)))
        );
        assert!(middle(Feature::advisors_against(1, 2)) <= 0);
        assert_eq!(middle(Feature::advisors_against(2, 2)), 0);
        let mentions = tuner.mentions(Feature::hollow_cannon(6));
        assert!((mentions.iter().sum::<f32>() - 1.0).abs() < 1e-3, "{mentions:?}");
    }

    #[test]
    fn the_error_falls_and_the_winners_pieces_gain() {
        // Without priors: two samples would not outweigh them.
        let settings = Settings {
            lambda: 1.0,
            steps: 60,
            prior_samples: 0.0,
            neighbour_samples: 0.0,
            smoothness_samples: 0.0,
            ..Settings::default()
        };
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
