//! The training loop: shuffled mini-batches, AdamW, a warm-up and cosine learning-rate schedule.

use std::ops::ControlFlow;
use std::thread;
use std::time::Instant;

use chuhe_eval::classical::{self, Placement};
use chuhe_eval::network::SCALE;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::adamw::AdamW;
use super::checkpoint::Checkpoint;
use super::curve::{Curve, Point};
use super::examples::{Blend, Example, Examples, sigmoid};
use super::model::{Gradient, Model};
use crate::Sample;

/// Hyperparameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Seeds the initial weights and the order of the examples.
    pub seed: u64,
    /// Epochs: passes over the training set.
    pub epochs: u32,
    /// Batch size.
    pub batch: usize,
    /// Learning rate after the warm-up.
    pub learning_rate: f32,
    /// Learning rate at the end of the cosine schedule.
    pub final_learning_rate: f32,
    /// Weight decay.
    pub weight_decay: f32,
    /// Lambda: weight of the game's result (WDL) in the target; the rest is the search's score.
    pub lambda: f32,
    /// Threads.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Self {
            seed: 1,
            epochs: 20,
            batch: 16_384,
            learning_rate: 1e-3,
            final_learning_rate: 1e-5,
            weight_decay: 0.05,
            lambda: 0.05,
            threads,
        }
    }
}

/// A training.
pub struct Trainer<'a> {
    examples: &'a Examples,
    state: Checkpoint,
}

/// Warm-up: the learning rate rises over this share of the first epoch.
const WARM_UP: f32 = 0.1;

impl<'a> Trainer<'a> {
    /// Starts from random weights, or from `model`.
    pub fn new(settings: Settings, examples: &'a Examples, model: Option<Model>) -> Self {
        let model = model.unwrap_or_else(|| Model::random(settings.seed));
        let mut state = Checkpoint { settings, model, optimiser: AdamW::default(), curve: Curve::default() };
        state.curve.classical = classical_loss(examples, settings);
        Self { examples, state }
    }

    /// Resumes from a checkpoint.
    pub fn resume(state: Checkpoint, examples: &'a Examples) -> Self {
        Self { examples, state }
    }

    /// The current state.
    pub fn state(&self) -> &Checkpoint {
        &self.state
    }

    /// Trains until all epochs are done or `on_epoch` breaks. `on_batch` gets the examples seen in this
    /// epoch and their mean loss so far.
    pub fn run<B>(
        &mut self,
        mut on_batch: impl FnMut(usize, f64),
        mut on_epoch: impl FnMut(&Checkpoint) -> ControlFlow<B>,
    ) -> Option<B> {
        let already = self.state.curve.points.last().map_or(0.0, |point| point.seconds);
        let start = Instant::now();
        while self.epochs_done() < self.state.settings.epochs {
            let training_loss = self.epoch(&mut on_batch);
            let before = self.state.curve.points.last().map_or(0, |point| point.examples);
            let point = Point {
                epoch: self.epochs_done() + 1,
                examples: before + self.examples.len() as u64,
                seconds: already + start.elapsed().as_secs_f64(),
                learning_rate: self.learning_rate(1.0),
                training_loss,
                validation_loss: self.validation_loss(),
            };
            self.state.curve.points.push(point);
            if let ControlFlow::Break(reason) = on_epoch(&self.state) {
                return Some(reason);
            }
        }
        None
    }

    fn epochs_done(&self) -> u32 {
        self.state.curve.points.last().map_or(0, |point| point.epoch)
    }

    /// The learning rate when this share of the current epoch is done: warm-up, then a cosine schedule.
    fn learning_rate(&self, done: f32) -> f32 {
        let Settings { epochs, learning_rate, final_learning_rate, .. } = self.state.settings;
        let epochs_done = self.epochs_done() as f32 + done;
        let share = (epochs_done / epochs.max(1) as f32).min(1.0);
        let fall = 0.5 * (1.0 + (share * std::f32::consts::PI).cos());
        (final_learning_rate + (learning_rate - final_learning_rate) * fall)
            * (epochs_done / WARM_UP).clamp(0.01, 1.0)
    }

    /// One epoch in a new random order; returns the mean loss.
    fn epoch(&mut self, on_batch: &mut impl FnMut(usize, f64)) -> f64 {
        let Settings { seed, batch, weight_decay, lambda, threads, .. } = self.state.settings;
        let number = u64::from(self.epochs_done());
        let mut random =
            Xoshiro256PlusPlus::seed_from_u64(seed ^ (number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut order: Vec<u32> = (0..self.examples.len() as u32).collect();
        order.shuffle(&mut random);
        let blend = Blend { lambda };
        let mut gradients: Vec<Gradient> = (0..threads.max(1)).map(|_| Gradient::default()).collect();
        let mut slopes = Vec::new();
        let mut error = 0.0;
        let mut done = 0;
        for batch in order.chunks(batch.max(1)) {
            let learning_rate = self.learning_rate(done as f32 / order.len() as f32);
            let mirror: u64 = random.random();
            self.add_up(batch, blend, mirror, &mut gradients);
            let (total, rest) = gradients.split_first_mut().expect("at least one thread works");
            rest.iter().for_each(|part| total.absorb(part));
            error += total.error;
            total.mean(batch.len(), &mut slopes);
            let optimiser = &mut self.state.optimiser;
            self.state.model.change(|weights| optimiser.step(weights, &slopes, learning_rate, weight_decay));
            done += batch.len();
            on_batch(done, error / done as f64);
        }
        error / done.max(1) as f64
    }

    /// Computes each thread's gradient over its share of the batch.
    fn add_up(&self, batch: &[u32], blend: Blend, mirror: u64, gradients: &mut [Gradient]) {
        let (model, learnt) = (&self.state.model, self.examples.training());
        let share = batch.len().div_ceil(gradients.len()).max(1);
        let work = |part: &[u32], gradient: &mut Gradient| {
            gradient.clear();
            for &place in part {
                let mirrored = mirror.wrapping_mul(2 * u64::from(place) + 1) >> 63 == 1;
                model.learn(&Example::of(&learnt[place as usize], blend, mirrored), gradient);
            }
        };
        let mut parts = batch.chunks(share);
        thread::scope(|scope| {
            let (first, rest) = gradients.split_first_mut().expect("at least one thread works");
            let own = parts.next().unwrap_or_default();
            for gradient in rest {
                let part = parts.next().unwrap_or_default();
                scope.spawn(move || work(part, gradient));
            }
            work(own, first);
        });
    }

    fn validation_loss(&self) -> f64 {
        let blend = Blend { lambda: self.state.settings.lambda };
        let model = &self.state.model;
        let error = |bytes: &[u8; Sample::SIZE]| model.error(&Example::of(bytes, blend, false));
        mean(self.examples.validation(), self.state.settings.threads, error)
    }
}

/// The validation loss of the hand-written evaluation.
fn classical_loss(examples: &Examples, settings: Settings) -> f64 {
    let blend = Blend { lambda: settings.lambda };
    let error = |bytes: &[u8; Sample::SIZE]| {
        let Ok(sample) = Sample::unpacked(bytes) else { return 0.0 };
        let score = classical::evaluate(&sample.position, &Placement::of(&sample.position));
        let target = blend.target(sample.score.get() as f32, sample.outcome);
        (sigmoid(score.get() as f32 / SCALE as f32) - target).powi(2)
    };
    mean(examples.validation(), settings.threads, error)
}

/// The mean of a number over all samples.
fn mean(
    samples: &[[u8; Sample::SIZE]],
    threads: usize,
    number: impl Fn(&[u8; Sample::SIZE]) -> f32 + Sync,
) -> f64 {
    let share = samples.len().div_ceil(threads.max(1)).max(1);
    let sum = |part: &[[u8; Sample::SIZE]]| part.iter().map(|bytes| f64::from(number(bytes))).sum::<f64>();
    let total: f64 = thread::scope(|scope| {
        let parts: Vec<_> = samples.chunks(share).map(|part| scope.spawn(|| sum(part))).collect();
        parts.into_iter().map(|part| part.join().expect("adding up does not panic")).sum()
    });
    total / samples.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use chuhe_board::Side;
    use chuhe_eval::Score;

    use super::super::model::tests::random_samples;
    use super::*;

    /// Random positions whose score is the material: something that can be learnt.
    fn examples() -> Examples {
        let mut examples = Examples::new();
        for sample in random_samples(6000) {
            let mover = sample.position.side_to_move();
            let count = |side: Side| sample.position.pieces(side).len() as i32;
            let score = Score::centisoldiers(80 * (count(mover) - count(!mover)));
            examples.add(&Sample { score, ..sample });
        }
        examples
    }

    fn settings(threads: usize) -> Settings {
        Settings { epochs: 4, batch: 200, learning_rate: 3e-3, lambda: 0.0, threads, ..Settings::default() }
    }

    fn run(trainer: &mut Trainer<'_>, epochs: usize) {
        let stop = |state: &Checkpoint| match state.curve.points.len() >= epochs {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let _ = trainer.run(|_, _| {}, stop);
    }

    #[test]
    fn training_lowers_the_validation_loss() {
        let examples = examples();
        let mut trainer = Trainer::new(settings(2), &examples, None);
        let before = trainer.validation_loss();
        run(&mut trainer, 9);
        let points = &trainer.state().curve.points;
        assert_eq!(points.len(), 4);
        assert!(points[3].validation_loss < before / 4.0, "{before} {points:?}");
        assert!(trainer.state().curve.classical > 0.0);
    }

    #[test]
    fn a_resumed_training_ends_like_one_that_was_never_stopped() {
        let examples = examples();
        let mut whole = Trainer::new(settings(1), &examples, None);
        run(&mut whole, 3);
        let mut first = Trainer::new(settings(1), &examples, None);
        run(&mut first, 1);
        let mut second = Trainer::resume(first.state().clone(), &examples);
        run(&mut second, 3);
        assert_eq!(second.state().model.weights(), whole.state().model.weights());
    }

    #[test]
    fn the_learning_rate_warms_up_and_then_falls() {
        let examples = Examples::new();
        let trainer = Trainer::new(settings(1), &examples, None);
        assert!(trainer.learning_rate(0.0) < trainer.learning_rate(0.05));
        assert!(trainer.learning_rate(0.2) > trainer.learning_rate(0.9));
    }
}
