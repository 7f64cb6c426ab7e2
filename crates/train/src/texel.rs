//! Texel tuning: fits the weights of the hand-written evaluation to results and scores.
//!
//! The evaluation is linear in its weights, so a sample shrinks to its feature counts. Adam minimises the squared
//! error of the expected result, with priors and smoothness between phases; after each step the weights are
//! projected onto the signs and orders of `knowledge`.

mod knowledge;

use std::thread;

use chuhe_board::Side;
use chuhe_eval::classical::{self, Feature, Note, Phase, Tapered};

use crate::Sample;
use knowledge::{Gauge, Rule, gauges, priors, rules};

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
    /// L2 pull towards the priors of the papers: what this many samples would pull.
    pub prior_samples: f32,
    /// L2 pull towards the initial weights where no paper gives a prior, in samples.
    pub start_samples: f32,
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
            steps: 300,
            prior_samples: 300.0,
            start_samples: 5.0,
            smoothness_samples: 40.0,
            threads: 2,
        }
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
    /// What each weight is pulled to, and by how many samples.
    priors: Vec<([f32; 3], f32)>,
    rules: Vec<Rule>,
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
        let mut pulls: Vec<_> = weights.iter().map(|weight| (*weight, settings.start_samples)).collect();
        for (feature, value) in priors() {
            pulls[feature.index()] = ([value; 3], settings.prior_samples);
        }
        let mentions = vec![[0.0; 3]; weights.len()];
        Self { settings, samples: Vec::new(), weights, priors: pulls, rules: rules(), mentions }
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
        let counted = Counted {
            counts: counts(&sample.position),
            shares: Phase::of(&sample.position).shares(),
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

    /// Fits the weights; `on_step` gets the mean squared error before each step.
    pub fn run(&mut self, mut on_step: impl FnMut(u32, f64)) {
        let mut adam = Adam::new(self.weights.len());
        for step in 1..=self.settings.steps {
            let (gradient, error) = self.gradient();
            on_step(step, error);
            let rate = self.learning_rate_at(step);
            adam.step(&mut self.weights, &gradient, rate, step);
            project(&mut self.weights, &self.rules);
        }
    }

    /// The fitted weights, centred: every group is worth 0 where nothing is special.
    pub fn weights(&self) -> Vec<Tapered> {
        let round = |value: f32| value.round().clamp(-3000.0, 3000.0);
        let mut rounded: Vec<[f32; 3]> = self.weights.iter().map(|weight| weight.map(round)).collect();
        gauges().iter().for_each(|gauge| centre(&mut rounded, gauge));
        let whole = rounded.into_iter().map(|weight| weight.map(|value| value as i16));
        whole.map(|[opening, middle, ending]| Tapered::new(opening, middle, ending)).collect()
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
        for (part, part_error) in parts {
            error += part_error / count;
            for (sum, slopes) in gradient.iter_mut().zip(part) {
                for (sum, slope) in sum.iter_mut().zip(slopes) {
                    *sum += (slope / count) as f32;
                }
            }
        }
        for (index, sum) in gradient.iter_mut().enumerate() {
            let ([opening, middle, ending], (prior, samples)) = (self.weights[index], self.priors[index]);
            let unit = SAMPLE_PULL / count as f32;
            for (phase, sum) in sum.iter_mut().enumerate() {
                *sum += samples * unit * (self.weights[index][phase] - prior[phase]);
            }
            let early = self.settings.smoothness_samples * unit * (opening - middle);
            let late = self.settings.smoothness_samples / 4.0 * unit * (middle - ending);
            sum[0] += early;
            sum[1] += late - early;
            sum[2] -= late;
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

/// How much one sample changes its gradient when a weight moves by a centisoldier: the unit of priors.
const SAMPLE_PULL: f32 = 2.7e-4;

/// Moves the weights to the nearest ones that keep the rules.
fn project(weights: &mut [[f32; 3]], rules: &[Rule]) {
    for rule in rules {
        (0..3).for_each(|phase| project_phase(weights, rule, phase));
    }
}

fn project_phase(weights: &mut [[f32; 3]], rule: &Rule, phase: usize) {
    let mut change = |feature: &Feature, to: &dyn Fn(f32) -> f32| {
        let weight = &mut weights[feature.index()][phase];
        *weight = to(*weight);
    };
    match rule {
        Rule::Zero(feature) => change(feature, &|_| 0.0),
        Rule::AtLeast(feature, least) => change(feature, &|weight| weight.max(*least)),
        Rule::Bad(feature) => change(feature, &|weight| weight.min(0.0)),
        Rule::Rising(features) => {
            let mut values: Vec<f32> = features.iter().map(|at| weights[at.index()][phase]).collect();
            make_rising(&mut values);
            for (feature, value) in features.iter().zip(values) {
                weights[feature.index()][phase] = value;
            }
        }
    }
}

/// Isotonic regression by pooling adjacent violators.
fn make_rising(values: &mut [f32]) {
    let mut pools: Vec<(f32, usize)> = Vec::new();
    for value in values.iter() {
        let mut pool = (*value, 1);
        while let Some(&(mean, size)) = pools.last()
            && mean > pool.0
        {
            pools.pop();
            let total = size + pool.1;
            pool = ((mean * size as f32 + pool.0 * pool.1 as f32) / total as f32, total);
        }
        pools.push(pool);
    }
    let pooled = pools.into_iter().flat_map(|(mean, size)| std::iter::repeat_n(mean, size));
    values.iter_mut().zip(pooled).for_each(|(value, mean)| *value = mean);
}

/// Moves the gauge's constant into the material. No score changes, except by rounding.
fn centre(weights: &mut [[f32; 3]], gauge: &Gauge) {
    (0..3).for_each(|phase| centre_phase(weights, gauge, phase));
}

fn centre_phase(weights: &mut [[f32; 3]], gauge: &Gauge, phase: usize) {
    let sum: f32 = gauge.zero.iter().map(|feature| weights[feature.index()][phase]).sum();
    let constant = (sum / gauge.zero.len() as f32).round();
    for feature in &gauge.features {
        weights[feature.index()][phase] -= constant;
    }
    if let Some(material) = gauge.material {
        weights[material.index()][phase] += constant;
    }
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
    fn violators_are_pooled() {
        let mut values = [3.0, 1.0, 2.0, 5.0, 4.0];
        make_rising(&mut values);
        assert_eq!(values, [2.0, 2.0, 2.0, 4.5, 4.5]);
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
