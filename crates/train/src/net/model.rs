//! The network in floating point, and the gradient of its error.
//!
//! One unit of the output is [`SCALE`](chuhe_eval::network::SCALE) centisoldiers. The weights of an
//! input are the sum of a part that all buckets share and a part of each bucket: what is true
//! wherever the general stands is learnt from all samples.

use std::ops::Range;

use chuhe_eval::network::features::{BUCKETS, INPUTS, STAGES};
use chuhe_eval::network::{LARGEST_INPUT, LARGEST_OUTPUT, ONE, OUTPUT_ONE, WIDTH};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::examples::{Example, expected};

/// Where each sort of weights lies among all.
const SHARED: Range<usize> = 0..INPUTS * WIDTH;
const BUCKETED: Range<usize> = SHARED.end..SHARED.end + BUCKETS * INPUTS * WIDTH;
const INPUT_BIAS: Range<usize> = BUCKETED.end..BUCKETED.end + WIDTH;
const OUTPUTS: Range<usize> = INPUT_BIAS.end..INPUT_BIAS.end + STAGES * 2 * WIDTH;
const OUTPUT_BIAS: Range<usize> = OUTPUTS.end..OUTPUTS.end + STAGES;

type Sums = [f32; WIDTH];

/// The network while it learns.
#[derive(Clone)]
pub struct Model {
    weights: Vec<f32>,
    /// The rows of the inputs, shared and bucket's part added up.
    rows: Vec<Sums>,
}

/// How the error changes with each number of the network.
pub struct Gradient {
    rows: Vec<Sums>,
    input_bias: Sums,
    outputs: Vec<Sums>,
    output_bias: [f32; STAGES],
    /// The sum of the squared errors so far.
    pub error: f64,
}

impl Model {
    /// How many weights there are.
    pub const COUNT: usize = OUTPUT_BIAS.end;

    /// A network that knows nothing, the same for the same seed.
    pub fn random(seed: u64) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut weights = vec![0.0; Self::COUNT];
        let input_spread = (6.0 / INPUTS as f32).sqrt();
        let output_spread = (3.0 / (2 * WIDTH) as f32).sqrt();
        for (range, spread) in [(SHARED, input_spread), (OUTPUTS, output_spread)] {
            weights[range].fill_with(|| random.random_range(-spread..spread));
        }
        weights[INPUT_BIAS].fill(0.2);
        Self::from_weights(weights)
    }

    /// The network with these weights.
    ///
    /// # Panics
    /// If there are not [`Self::COUNT`] of them.
    pub fn from_weights(weights: Vec<f32>) -> Self {
        assert_eq!(weights.len(), Self::COUNT, "a model has a fixed number of weights");
        let mut model = Self { weights, rows: vec![[0.0; WIDTH]; BUCKETS * INPUTS] };
        model.merge();
        model
    }

    /// All weights, in the order of a checkpoint.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Changes the weights. Those that the engine's whole numbers could not hold are cut back to the
    /// largest that they can, so that the error takes account of it.
    pub fn change(&mut self, change: impl FnOnce(&mut [f32])) {
        change(&mut self.weights);
        // The engine holds the sum of two of these.
        let input = f32::from(LARGEST_INPUT) / ONE as f32;
        let output = f32::from(LARGEST_OUTPUT) / OUTPUT_ONE as f32;
        let limits = [(SHARED, input / 2.0), (BUCKETED, input / 2.0), (INPUT_BIAS, input), (OUTPUTS, output)];
        for (range, limit) in limits {
            self.weights[range].iter_mut().for_each(|weight| *weight = weight.clamp(-limit, limit));
        }
        self.merge();
    }

    fn merge(&mut self) {
        let (shared, _) = self.weights[SHARED].as_chunks::<WIDTH>();
        let (bucketed, _) = self.weights[BUCKETED].as_chunks::<WIDTH>();
        for (index, (row, own)) in self.rows.iter_mut().zip(bucketed).enumerate() {
            for (sum, (own, shared)) in row.iter_mut().zip(own.iter().zip(&shared[index % INPUTS])) {
                *sum = own + shared;
            }
        }
    }

    /// The rows of all inputs.
    pub(super) fn rows(&self) -> &[Sums] {
        &self.rows
    }

    pub(super) fn input_bias(&self) -> &[f32] {
        &self.weights[INPUT_BIAS]
    }

    pub(super) fn outputs(&self) -> &[f32] {
        &self.weights[OUTPUTS]
    }

    pub(super) fn output_bias(&self) -> &[f32] {
        &self.weights[OUTPUT_BIAS]
    }

    /// The model whose parts these are; what the buckets share is the mean of their rows.
    pub(super) fn from_parts(rows: &[f32], input_bias: &[f32], outputs: &[f32], output_bias: &[f32]) -> Self {
        let mut weights = vec![0.0; Self::COUNT];
        for bucket in rows.chunks_exact(SHARED.len()) {
            weights[SHARED].iter_mut().zip(bucket).for_each(|(mean, row)| *mean += row / BUCKETS as f32);
        }
        let (shared, bucketed) = weights.split_at_mut(SHARED.end);
        for (bucket, rows) in bucketed.chunks_exact_mut(SHARED.len()).zip(rows.chunks_exact(SHARED.len())) {
            for ((own, row), mean) in bucket.iter_mut().zip(rows).zip(&*shared) {
                *own = row - mean;
            }
        }
        weights[INPUT_BIAS].copy_from_slice(input_bias);
        weights[OUTPUTS].copy_from_slice(outputs);
        weights[OUTPUT_BIAS].copy_from_slice(output_bias);
        Self::from_weights(weights)
    }

    /// What the network says, in units for the side to move.
    pub fn output(&self, example: &Example) -> f32 {
        let sums = self.sums(example);
        self.weigh(&sums, example.stage)
    }

    /// The squared error of the expected result.
    pub fn error(&self, example: &Example) -> f32 {
        let off = expected(self.output(example)) - example.target;
        off * off
    }

    fn sums(&self, example: &Example) -> [Sums; 2] {
        let mut sums = [[0.0; WIDTH]; 2];
        for (sum, rows) in sums.iter_mut().zip(&example.rows) {
            sum.copy_from_slice(self.input_bias());
            for &row in rows {
                for (sum, weight) in sum.iter_mut().zip(&self.rows[usize::from(row)]) {
                    *sum += weight;
                }
            }
        }
        sums
    }

    fn output_rows(&self, stage: usize) -> &[Sums] {
        let (rows, _) = self.weights[OUTPUTS].as_chunks::<WIDTH>();
        &rows[stage * 2..][..2]
    }

    fn weigh(&self, sums: &[Sums; 2], stage: usize) -> f32 {
        let mut lanes = [0.0f32; 16];
        for (sums, weights) in sums.iter().zip(self.output_rows(stage)) {
            let (sums, _) = sums.as_chunks::<16>();
            let (weights, _) = weights.as_chunks::<16>();
            for (sums, weights) in sums.iter().zip(weights) {
                for lane in 0..16 {
                    let cut = sums[lane].clamp(0.0, 1.0);
                    lanes[lane] += cut * cut * weights[lane];
                }
            }
        }
        lanes.iter().sum::<f32>() + self.output_bias()[stage]
    }

    /// Adds the error of an example and its gradient.
    pub fn learn(&self, example: &Example, gradient: &mut Gradient) {
        let stage = example.stage;
        let mut sums = self.sums(example);
        let guess = expected(self.weigh(&sums, stage));
        let off = guess - example.target;
        gradient.error += f64::from(off * off);
        let slope = 2.0 * off * guess * (1.0 - guess);
        gradient.output_bias[stage] += slope;
        for (place, sums) in sums.iter_mut().enumerate() {
            let weights = &self.output_rows(stage)[place];
            let pulls = &mut gradient.outputs[stage * 2 + place];
            for ((sum, weight), pull) in sums.iter_mut().zip(weights).zip(pulls) {
                let cut = sum.clamp(0.0, 1.0);
                *pull += slope * cut * cut;
                // From here on the sum's place holds the error's slope along it.
                *sum = if *sum > 0.0 && *sum < 1.0 { 2.0 * slope * weight * cut } else { 0.0 };
            }
            add(&mut gradient.input_bias, sums);
            for &row in &example.rows[place] {
                add(&mut gradient.rows[usize::from(row)], sums);
            }
        }
    }
}

#[inline]
fn add(total: &mut Sums, sums: &Sums) {
    for (total, sum) in total.iter_mut().zip(sums) {
        *total += sum;
    }
}

impl Default for Gradient {
    fn default() -> Self {
        Self {
            rows: vec![[0.0; WIDTH]; BUCKETS * INPUTS],
            input_bias: [0.0; WIDTH],
            outputs: vec![[0.0; WIDTH]; STAGES * 2],
            output_bias: [0.0; STAGES],
            error: 0.0,
        }
    }
}

impl Gradient {
    /// Sets everything back to nothing.
    pub fn clear(&mut self) {
        self.rows.fill([0.0; WIDTH]);
        self.input_bias = [0.0; WIDTH];
        self.outputs.fill([0.0; WIDTH]);
        self.output_bias = [0.0; STAGES];
        self.error = 0.0;
    }

    /// Adds another gradient.
    pub fn absorb(&mut self, other: &Self) {
        self.rows.iter_mut().zip(&other.rows).for_each(|(total, row)| add(total, row));
        add(&mut self.input_bias, &other.input_bias);
        self.outputs.iter_mut().zip(&other.outputs).for_each(|(total, row)| add(total, row));
        for (total, slope) in self.output_bias.iter_mut().zip(other.output_bias) {
            *total += slope;
        }
        self.error += other.error;
    }

    /// The gradient by the model's weights, divided by the number of examples.
    pub fn mean(&self, examples: usize, into: &mut Vec<f32>) {
        let share = 1.0 / examples.max(1) as f32;
        into.clear();
        into.resize(Model::COUNT, 0.0);
        let rows = self.rows.as_flattened();
        for rows in rows.chunks_exact(SHARED.len()) {
            for (total, slope) in into[SHARED].iter_mut().zip(rows) {
                *total += slope;
            }
        }
        into[BUCKETED].copy_from_slice(rows);
        into[INPUT_BIAS].copy_from_slice(&self.input_bias);
        into[OUTPUTS].copy_from_slice(self.outputs.as_flattened());
        into[OUTPUT_BIAS].copy_from_slice(&self.output_bias);
        into.iter_mut().for_each(|slope| *slope *= share);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use chuhe_board::Position;
    use chuhe_eval::Score;

    use super::super::examples::Blend;
    use super::*;
    use crate::{Outcome, Sample};

    /// Positions of random games with targets of all sorts.
    pub(in crate::net) fn random_samples(count: usize) -> Vec<Sample> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut samples = Vec::new();
        let mut position = Position::start();
        while samples.len() < count {
            let moves = position.moves();
            if moves.is_empty() || random.random_range(0..150) == 0 {
                position = Position::start();
                continue;
            }
            let _ = position.play(moves[random.random_range(0..moves.len())], &mut ());
            let score = Score::centisoldiers(random.random_range(-600..600));
            let outcome = [Outcome::Loss, Outcome::Draw, Outcome::Win][random.random_range(0..3)];
            let pieces: Vec<_> = position.pieces_on_board().collect();
            let kept = Position::from_pieces(pieces, position.side_to_move()).unwrap();
            samples.push(Sample { position: kept, score, outcome, ply: 1 });
        }
        samples
    }

    fn examples(count: usize) -> Vec<Example> {
        let blend = Blend { result_share: 0.3 };
        random_samples(count).iter().map(|sample| Example::of(&sample.packed(), blend, false)).collect()
    }

    fn mean_error(weights: &[f32], examples: &[Example]) -> f64 {
        let model = Model::from_weights(weights.to_vec());
        let total: f64 = examples.iter().map(|example| f64::from(model.error(example))).sum();
        total / examples.len() as f64
    }

    #[test]
    fn the_gradient_is_what_small_changes_do_to_the_error() {
        let examples = examples(64);
        let model = Model::random(3);
        let mut gradient = Gradient::default();
        examples.iter().for_each(|example| model.learn(example, &mut gradient));
        let mut slopes = Vec::new();
        gradient.mean(examples.len(), &mut slopes);
        assert!((gradient.error / 64.0 - mean_error(model.weights(), &examples)).abs() < 1e-6);
        for (sort, range) in [
            ("shared", SHARED),
            ("bucketed", BUCKETED),
            ("bias", INPUT_BIAS),
            ("outputs", OUTPUTS),
            ("output bias", OUTPUT_BIAS),
        ] {
            // Along a direction of signs, half of them against the gradient, the error changes enough
            // to be seen in single precision.
            let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
            for trial in 0..3 {
                let direction: Vec<f32> = (0..Model::COUNT)
                    .map(|place| match range.contains(&place) && slopes[place] != 0.0 {
                        false => 0.0,
                        true if random.random_range(0..4) < trial + 1 => slopes[place].signum(),
                        true => -slopes[place].signum(),
                    })
                    .collect();
                let expected: f64 =
                    slopes.iter().zip(&direction).map(|(slope, by)| f64::from(slope * by)).sum();
                let step = 1e-4;
                let moved = |step: f32| -> Vec<f32> {
                    model.weights().iter().zip(&direction).map(|(weight, by)| weight + step * by).collect()
                };
                let change = mean_error(&moved(step), &examples) - mean_error(&moved(-step), &examples);
                let found = change / (2.0 * f64::from(step));
                let size: f64 =
                    slopes.iter().zip(&direction).map(|(slope, by)| f64::from((slope * by).abs())).sum();
                assert!(
                    (found - expected).abs() < 0.02 * size,
                    "{sort}: {found} instead of {expected} of {size}"
                );
            }
        }
    }

    #[test]
    fn parts_of_a_gradient_add_up() {
        let examples = examples(8);
        let model = Model::random(4);
        let [mut whole, mut first, mut second] = [(); 3].map(|()| Gradient::default());
        examples.iter().for_each(|example| model.learn(example, &mut whole));
        examples[..3].iter().for_each(|example| model.learn(example, &mut first));
        examples[3..].iter().for_each(|example| model.learn(example, &mut second));
        first.absorb(&second);
        let [mut one, mut other] = [Vec::new(), Vec::new()];
        whole.mean(8, &mut one);
        first.mean(8, &mut other);
        assert!(one.iter().zip(&other).all(|(one, other)| (one - other).abs() < 1e-6));
        assert!((whole.error - first.error).abs() < 1e-9);
    }
}
