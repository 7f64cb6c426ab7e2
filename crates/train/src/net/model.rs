//! The network in floating point, with backpropagation.
//!
//! One unit of the output is [`SCALE`](chuhe_eval::network::SCALE) centisoldiers. A factoriser
//! is added to every input bucket's feature weights: what holds whatever chariots are left is learnt from all
//! samples. The file holds the sum.

use std::ops::Range;

use chuhe_eval::network::features::{INPUT_BUCKETS, INPUTS, OUTPUT_BUCKETS};
use chuhe_eval::network::{
    HIDDEN, HIDDEN_ONE, HIDDEN_OUTPUT_ONE, LARGEST_INPUT, LARGEST_OUTPUT, ONE, OUTPUT_ONE, WIDTH,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::examples::{Example, sigmoid};

/// Where each layer's weights lie in the flat vector.
const FACTORISER: Range<usize> = 0..INPUTS * WIDTH;
const BUCKETED: Range<usize> = after(FACTORISER, INPUT_BUCKETS * INPUTS * WIDTH);
const INPUT_BIAS: Range<usize> = after(BUCKETED, WIDTH);
const OUTPUTS: Range<usize> = after(INPUT_BIAS, OUTPUT_BUCKETS * 2 * WIDTH);
const OUTPUT_BIAS: Range<usize> = after(OUTPUTS, OUTPUT_BUCKETS);
const HIDDEN_WEIGHTS: Range<usize> = after(OUTPUT_BIAS, OUTPUT_BUCKETS * HIDDEN * 2 * WIDTH);
const HIDDEN_BIAS: Range<usize> = after(HIDDEN_WEIGHTS, OUTPUT_BUCKETS * HIDDEN);
const HIDDEN_OUTPUTS: Range<usize> = after(HIDDEN_BIAS, OUTPUT_BUCKETS * HIDDEN);

const fn after(before: Range<usize>, count: usize) -> Range<usize> {
    before.end..before.end + count
}

/// One side's accumulator.
type Accumulator = [f32; WIDTH];
/// Both accumulators, the side to move's first.
type Both = [f32; 2 * WIDTH];
type Units = [f32; HIDDEN];

/// The network during training.
#[derive(Clone)]
pub struct Model {
    weights: Vec<f32>,
    /// The feature transformer's rows: factoriser plus bucket.
    rows: Vec<Accumulator>,
}

/// The weights by layer, as the engine has them.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub(super) rows: &'a [f32],
    pub(super) input_bias: &'a [f32],
    pub(super) outputs: &'a [f32],
    pub(super) output_bias: &'a [f32],
    pub(super) hidden: &'a [f32],
    pub(super) hidden_bias: &'a [f32],
    pub(super) hidden_outputs: &'a [f32],
}

/// The gradient of the loss.
pub struct Gradient {
    rows: Vec<Accumulator>,
    /// All weights after the feature transformer's.
    rest: Vec<f32>,
    /// The sum of the squared errors so far.
    pub error: f64,
}

impl Model {
    /// How many weights there are.
    pub const COUNT: usize = HIDDEN_OUTPUTS.end;

    /// Random weights, the same for the same seed.
    pub fn random(seed: u64) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut weights = vec![0.0; Self::COUNT];
        let input_spread = (6.0 / INPUTS as f32).sqrt();
        let output_spread = (3.0 / (2 * WIDTH) as f32).sqrt();
        for (range, spread) in [
            (FACTORISER, input_spread),
            (OUTPUTS, output_spread),
            (HIDDEN_WEIGHTS, output_spread),
            (HIDDEN_OUTPUTS, 1.0 / HIDDEN as f32),
        ] {
            weights[range].fill_with(|| random.random_range(-spread..spread));
        }
        weights[INPUT_BIAS].fill(0.2);
        weights[HIDDEN_BIAS].fill(0.2);
        Self::from_weights(weights)
    }

    /// The network with these weights.
    ///
    /// # Panics
    /// If there are not [`Self::COUNT`] of them.
    pub fn from_weights(weights: Vec<f32>) -> Self {
        assert_eq!(weights.len(), Self::COUNT, "a model has a fixed number of weights");
        let mut model = Self { weights, rows: vec![[0.0; WIDTH]; INPUT_BUCKETS * INPUTS] };
        model.merge();
        model
    }

    /// All weights, in the order of a checkpoint.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Changes the weights and clips them to what quantisation can hold, so that the loss accounts for it.
    pub fn change(&mut self, change: impl FnOnce(&mut [f32])) {
        change(&mut self.weights);
        let input = f32::from(LARGEST_INPUT) / ONE as f32;
        for (range, limit) in [
            // The engine holds the sum of two of these.
            (FACTORISER, input / 2.0),
            (BUCKETED, input / 2.0),
            (INPUT_BIAS, input),
            (OUTPUTS, f32::from(LARGEST_OUTPUT) / OUTPUT_ONE as f32),
            (HIDDEN_WEIGHTS, f32::from(i8::MAX) / HIDDEN_ONE as f32),
            (HIDDEN_OUTPUTS, f32::from(i16::MAX) / HIDDEN_OUTPUT_ONE as f32),
        ] {
            self.weights[range].iter_mut().for_each(|weight| *weight = weight.clamp(-limit, limit));
        }
        self.merge();
    }

    fn merge(&mut self) {
        let (shared, _) = self.weights[FACTORISER].as_chunks::<WIDTH>();
        let (bucketed, _) = self.weights[BUCKETED].as_chunks::<WIDTH>();
        for (index, (row, own)) in self.rows.iter_mut().zip(bucketed).enumerate() {
            for (sum, (own, shared)) in row.iter_mut().zip(own.iter().zip(&shared[index % INPUTS])) {
                *sum = own + shared;
            }
        }
    }

    /// The weights by layer.
    pub(super) fn parts(&self) -> Parts<'_> {
        Parts {
            rows: self.rows.as_flattened(),
            input_bias: &self.weights[INPUT_BIAS],
            outputs: &self.weights[OUTPUTS],
            output_bias: &self.weights[OUTPUT_BIAS],
            hidden: &self.weights[HIDDEN_WEIGHTS],
            hidden_bias: &self.weights[HIDDEN_BIAS],
            hidden_outputs: &self.weights[HIDDEN_OUTPUTS],
        }
    }

    /// The model whose parts these are; the factoriser is the mean of the buckets' rows.
    pub(super) fn from_parts(parts: Parts<'_>) -> Self {
        let mut weights = vec![0.0; Self::COUNT];
        let rows = || parts.rows.chunks_exact(FACTORISER.len());
        for bucket in rows() {
            weights[FACTORISER]
                .iter_mut()
                .zip(bucket)
                .for_each(|(mean, row)| *mean += row / INPUT_BUCKETS as f32);
        }
        let (shared, bucketed) = weights.split_at_mut(FACTORISER.end);
        for (bucket, rows) in bucketed.chunks_exact_mut(FACTORISER.len()).zip(rows()) {
            for ((own, row), mean) in bucket.iter_mut().zip(rows).zip(&*shared) {
                *own = row - mean;
            }
        }
        for (range, numbers) in [
            (INPUT_BIAS, parts.input_bias),
            (OUTPUTS, parts.outputs),
            (OUTPUT_BIAS, parts.output_bias),
            (HIDDEN_WEIGHTS, parts.hidden),
            (HIDDEN_BIAS, parts.hidden_bias),
            (HIDDEN_OUTPUTS, parts.hidden_outputs),
        ] {
            weights[range].copy_from_slice(numbers);
        }
        Self::from_weights(weights)
    }

    /// The `place`-th block of a layer's weights.
    fn part<const SIZE: usize>(&self, sort: Range<usize>, place: usize) -> &[f32; SIZE] {
        let (numbers, _) = self.weights[sort].as_chunks();
        &numbers[place]
    }

    /// Forward pass: the output in units for the side to move.
    pub fn output(&self, example: &Example) -> f32 {
        let active = screlu(&self.accumulators(example));
        self.weigh(&active, &self.units(&active, example.output_bucket), example.output_bucket)
    }

    /// The squared error of the expected result.
    pub fn error(&self, example: &Example) -> f32 {
        let off = sigmoid(self.output(example)) - example.target;
        off * off
    }

    fn accumulators(&self, example: &Example) -> Both {
        let mut sums = [0.0; 2 * WIDTH];
        let (sides, _) = sums.as_chunks_mut::<WIDTH>();
        for (sum, rows) in sides.iter_mut().zip(&example.rows) {
            sum.copy_from_slice(&self.weights[INPUT_BIAS]);
            for &row in rows {
                add(sum, &self.rows[usize::from(row)], 1.0);
            }
        }
        sums
    }

    /// The pre-activations of the hidden layer.
    fn units(&self, active: &Both, bucket: usize) -> Units {
        let mut units: Units = *self.part(HIDDEN_BIAS, bucket);
        for (unit, sum) in units.iter_mut().enumerate() {
            *sum += product(active, self.part(HIDDEN_WEIGHTS, bucket * HIDDEN + unit));
        }
        units
    }

    fn weigh(&self, active: &Both, units: &Units, bucket: usize) -> f32 {
        let [bias] = self.part(OUTPUT_BIAS, bucket);
        let direct = product(active, self.part(OUTPUTS, bucket));
        let weights: &Units = self.part(HIDDEN_OUTPUTS, bucket);
        bias + direct + screlu(units).iter().zip(weights).map(|(square, weight)| square * weight).sum::<f32>()
    }

    /// Forward and backward pass: adds the example's loss and gradient.
    pub fn learn(&self, example: &Example, gradient: &mut Gradient) {
        let bucket = example.output_bucket;
        let mut sums = self.accumulators(example);
        let active = screlu(&sums);
        let units = self.units(&active, bucket);
        let guess = sigmoid(self.weigh(&active, &units, bucket));
        let off = guess - example.target;
        gradient.error += f64::from(off * off);
        let slope = 2.0 * off * guess * (1.0 - guess);
        let pulls = self.pulls(&active, &units, bucket, slope, gradient);
        for (sum, pull) in sums.iter_mut().zip(&pulls) {
            // From here on the accumulator's place holds its gradient.
            *sum = pull * screlu_slope(*sum);
        }
        let (sides, _) = sums.as_chunks::<WIDTH>();
        for (slopes, rows) in sides.iter().zip(&example.rows) {
            add(gradient.part(INPUT_BIAS, 0), slopes, 1.0);
            for &row in rows {
                add(&mut gradient.rows[usize::from(row)], slopes, 1.0);
            }
        }
    }

    /// Backward pass down to the activations; returns their gradient.
    fn pulls(
        &self,
        active: &Both,
        units: &Units,
        bucket: usize,
        slope: f32,
        gradient: &mut Gradient,
    ) -> Both {
        let [bias] = gradient.part(OUTPUT_BIAS, bucket);
        *bias += slope;
        add(gradient.part(OUTPUTS, bucket), active, slope);
        add(gradient.part(HIDDEN_OUTPUTS, bucket), &screlu(units), slope);
        let mut pulls = self.part(OUTPUTS, bucket).map(|weight| weight * slope);
        let outputs: &Units = self.part(HIDDEN_OUTPUTS, bucket);
        let mut unit_slopes = [0.0; HIDDEN];
        for unit in 0..HIDDEN {
            let slope = slope * outputs[unit] * screlu_slope(units[unit]);
            // A clipped unit has no gradient.
            if slope != 0.0 {
                unit_slopes[unit] = slope;
                add(gradient.part(HIDDEN_WEIGHTS, bucket * HIDDEN + unit), active, slope);
                add(&mut pulls, self.part(HIDDEN_WEIGHTS, bucket * HIDDEN + unit), slope);
            }
        }
        add(gradient.part(HIDDEN_BIAS, bucket), &unit_slopes, 1.0);
        pulls
    }
}

/// Squared clipped ReLU (SCReLU): clamp to `0..=1`, then square.
fn screlu<const SIZE: usize>(sums: &[f32; SIZE]) -> [f32; SIZE] {
    sums.map(|sum| {
        let cut = sum.clamp(0.0, 1.0);
        cut * cut
    })
}

/// The derivative of SCReLU.
#[inline]
fn screlu_slope(sum: f32) -> f32 {
    if sum > 0.0 && sum < 1.0 { 2.0 * sum } else { 0.0 }
}

#[inline]
fn product(numbers: &Both, weights: &Both) -> f32 {
    let mut lanes = [0.0f32; 32];
    let (numbers, _) = numbers.as_chunks::<32>();
    let (weights, _) = weights.as_chunks::<32>();
    for (numbers, weights) in numbers.iter().zip(weights) {
        for lane in 0..32 {
            lanes[lane] += numbers[lane] * weights[lane];
        }
    }
    lanes.iter().sum()
}

/// Adds `numbers · times` to the totals.
#[inline]
fn add<const SIZE: usize>(totals: &mut [f32; SIZE], numbers: &[f32; SIZE], times: f32) {
    for (total, number) in totals.iter_mut().zip(numbers) {
        *total += number * times;
    }
}

impl Default for Gradient {
    fn default() -> Self {
        let rest = vec![0.0; Model::COUNT - BUCKETED.end];
        Self { rows: vec![[0.0; WIDTH]; INPUT_BUCKETS * INPUTS], rest, error: 0.0 }
    }
}

impl Gradient {
    /// The `place`-th block of a layer's gradient.
    fn part<const SIZE: usize>(&mut self, sort: Range<usize>, place: usize) -> &mut [f32; SIZE] {
        let (numbers, _) = self.rest[sort.start - BUCKETED.end..sort.end - BUCKETED.end].as_chunks_mut();
        &mut numbers[place]
    }

    /// Resets to zero.
    pub fn clear(&mut self) {
        self.rows.fill([0.0; WIDTH]);
        self.rest.fill(0.0);
        self.error = 0.0;
    }

    /// Adds another gradient.
    pub fn absorb(&mut self, other: &Self) {
        self.rows.iter_mut().zip(&other.rows).for_each(|(total, row)| add(total, row, 1.0));
        self.rest.iter_mut().zip(&other.rest).for_each(|(total, slope)| *total += slope);
        self.error += other.error;
    }

    /// The mean gradient over this many examples, in the order of the model's weights.
    pub fn mean(&self, examples: usize, into: &mut Vec<f32>) {
        let share = 1.0 / examples.max(1) as f32;
        into.clear();
        into.resize(FACTORISER.len(), 0.0);
        let rows = self.rows.as_flattened();
        for rows in rows.chunks_exact(FACTORISER.len()) {
            into.iter_mut().zip(rows).for_each(|(total, slope)| *total += slope);
        }
        into.extend_from_slice(rows);
        into.extend_from_slice(&self.rest);
        into.iter_mut().for_each(|slope| *slope *= share);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use chuhe_board::Position;
    use chuhe_eval::Score;

    use super::super::examples::Blend;
    use super::*;
    use crate::{Sample, Wdl};

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
            let outcome = [Wdl::Loss, Wdl::Draw, Wdl::Win][random.random_range(0..3)];
            let pieces: Vec<_> = position.pieces_on_board().collect();
            let kept = Position::from_pieces(pieces, position.side_to_move()).unwrap();
            samples.push(Sample { position: kept, score, outcome, ply: 1 });
        }
        samples
    }

    fn examples(count: usize) -> Vec<Example> {
        let blend = Blend { lambda: 0.3 };
        random_samples(count).iter().map(|sample| Example::of(&sample.packed(), blend, false)).collect()
    }

    fn mean_error(weights: &[f32], examples: &[Example]) -> f64 {
        let model = Model::from_weights(weights.to_vec());
        let total: f64 = examples.iter().map(|example| f64::from(model.error(example))).sum();
        total / examples.len() as f64
    }

    #[test]
    fn the_gradient_agrees_with_finite_differences() {
        let examples = examples(64);
        let model = Model::random(3);
        let mut gradient = Gradient::default();
        examples.iter().for_each(|example| model.learn(example, &mut gradient));
        let mut slopes = Vec::new();
        gradient.mean(examples.len(), &mut slopes);
        assert!((gradient.error / 64.0 - mean_error(model.weights(), &examples)).abs() < 1e-6);
        for (sort, range) in [
            ("factoriser", FACTORISER),
            ("bucketed", BUCKETED),
            ("bias", INPUT_BIAS),
            ("outputs", OUTPUTS),
            ("output bias", OUTPUT_BIAS),
            ("hidden", HIDDEN_WEIGHTS),
            ("hidden bias", HIDDEN_BIAS),
            ("hidden outputs", HIDDEN_OUTPUTS),
        ] {
            // Along a direction of signs the loss changes enough to be measured in single precision.
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
