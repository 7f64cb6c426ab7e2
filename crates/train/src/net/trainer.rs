//! Walking the network downhill.

use std::ops::ControlFlow;
use std::thread;
use std::time::Instant;

use chuhe_eval::classical::{self, Placement};
use chuhe_eval::network::SCALE;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::checkpoint::Checkpoint;
use super::curve::{Curve, Point};
use super::descent::Descent;
use super::examples::{Blend, Example, Examples, expected};
use super::model::{Gradient, Model};
use crate::Sample;

/// What a training goes by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Chooses the first weights and the order of the examples.
    pub seed: u64,
    /// Passes over all examples.
    pub epochs: u32,
    /// Examples for each step.
    pub batch: usize,
    /// The length of the first steps, after a short run-up.
    pub first_rate: f32,
    /// The length of the last steps.
    pub last_rate: f32,
    /// How strongly weights fade that no example holds up.
    pub fading: f32,
    /// The share of the game's result in the target; the rest is the search's score.
    pub result_share: f32,
    /// Threads at work.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Self {
            seed: 1,
            epochs: 20,
            batch: 16_384,
            first_rate: 1e-3,
            last_rate: 1e-5,
            fading: 0.05,
            result_share: 0.05,
            threads,
        }
    }
}

/// A training.
pub struct Trainer<'a> {
    examples: &'a Examples,
    state: Checkpoint,
}

/// The share of the first epoch in which the rate rises to its full length.
const RUN_UP: f32 = 0.1;

impl<'a> Trainer<'a> {
    /// Starts with a network that knows nothing, or with `model`.
    pub fn new(settings: Settings, examples: &'a Examples, model: Option<Model>) -> Self {
        let model = model.unwrap_or_else(|| Model::random(settings.seed));
        let mut state = Checkpoint { settings, model, descent: Descent::default(), curve: Curve::default() };
        state.curve.classical = classical_error(examples, settings);
        Self { examples, state }
    }

    /// Goes on from a checkpoint.
    pub fn resume(state: Checkpoint, examples: &'a Examples) -> Self {
        Self { examples, state }
    }

    /// Where the training stands.
    pub fn state(&self) -> &Checkpoint {
        &self.state
    }

    /// Learns epoch by epoch until all are done or `after` says to stop. `within` hears of every batch:
    /// the examples learnt from in this epoch and their mean error so far.
    pub fn run<B>(
        &mut self,
        mut within: impl FnMut(usize, f64),
        mut after: impl FnMut(&Checkpoint) -> ControlFlow<B>,
    ) -> Option<B> {
        let already = self.state.curve.points.last().map_or(0.0, |point| point.seconds);
        let start = Instant::now();
        while self.epochs_done() < self.state.settings.epochs {
            let learning = self.epoch(&mut within);
            let before = self.state.curve.points.last().map_or(0, |point| point.examples);
            let point = Point {
                epoch: self.epochs_done() + 1,
                examples: before + self.examples.len() as u64,
                seconds: already + start.elapsed().as_secs_f64(),
                rate: self.rate(1.0),
                learning,
                checking: self.checking_error(),
            };
            self.state.curve.points.push(point);
            if let ControlFlow::Break(reason) = after(&self.state) {
                return Some(reason);
            }
        }
        None
    }

    fn epochs_done(&self) -> u32 {
        self.state.curve.points.last().map_or(0, |point| point.epoch)
    }

    /// The rate when so much of the current epoch is done: half a wave down from the first to the last.
    fn rate(&self, done: f32) -> f32 {
        let Settings { epochs, first_rate, last_rate, .. } = self.state.settings;
        let epochs_done = self.epochs_done() as f32 + done;
        let share = (epochs_done / epochs.max(1) as f32).min(1.0);
        let fall = 0.5 * (1.0 + (share * std::f32::consts::PI).cos());
        (last_rate + (first_rate - last_rate) * fall) * (epochs_done / RUN_UP).clamp(0.01, 1.0)
    }

    /// One pass over all examples in an order of its own; gives the mean error.
    fn epoch(&mut self, within: &mut impl FnMut(usize, f64)) -> f64 {
        let Settings { seed, batch, fading, result_share, threads, .. } = self.state.settings;
        let number = u64::from(self.epochs_done());
        let mut random =
            Xoshiro256PlusPlus::seed_from_u64(seed ^ (number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut order: Vec<u32> = (0..self.examples.len() as u32).collect();
        order.shuffle(&mut random);
        let blend = Blend { result_share };
        let mut gradients: Vec<Gradient> = (0..threads.max(1)).map(|_| Gradient::default()).collect();
        let mut slopes = Vec::new();
        let mut error = 0.0;
        let mut done = 0;
        for batch in order.chunks(batch.max(1)) {
            let rate = self.rate(done as f32 / order.len() as f32);
            let mirror: u64 = random.random();
            self.add_up(batch, blend, mirror, &mut gradients);
            let (total, rest) = gradients.split_first_mut().expect("at least one thread works");
            rest.iter().for_each(|part| total.absorb(part));
            error += total.error;
            total.mean(batch.len(), &mut slopes);
            let descent = &mut self.state.descent;
            self.state.model.change(|weights| descent.step(weights, &slopes, rate, fading));
            done += batch.len();
            within(done, error / done as f64);
        }
        error / done.max(1) as f64
    }

    /// Fills each thread's gradient with its share of the batch.
    fn add_up(&self, batch: &[u32], blend: Blend, mirror: u64, gradients: &mut [Gradient]) {
        let (model, learnt) = (&self.state.model, self.examples.learnt());
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

    fn checking_error(&self) -> f64 {
        let blend = Blend { result_share: self.state.settings.result_share };
        let model = &self.state.model;
        let error = |bytes: &[u8; Sample::SIZE]| model.error(&Example::of(bytes, blend, false));
        mean(self.examples.checked(), self.state.settings.threads, error)
    }
}

/// The mean squared error of the hand-written evaluation on the games to check with.
fn classical_error(examples: &Examples, settings: Settings) -> f64 {
    let blend = Blend { result_share: settings.result_share };
    let error = |bytes: &[u8; Sample::SIZE]| {
        let Ok(sample) = Sample::unpacked(bytes) else { return 0.0 };
        let score = classical::evaluate(&sample.position, &Placement::of(&sample.position));
        let target = blend.target(sample.score.get() as f32, sample.outcome);
        (expected(score.get() as f32 / SCALE as f32) - target).powi(2)
    };
    mean(examples.checked(), settings.threads, error)
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
        Settings {
            epochs: 4,
            batch: 200,
            first_rate: 3e-3,
            result_share: 0.0,
            threads,
            ..Settings::default()
        }
    }

    fn run(trainer: &mut Trainer<'_>, epochs: usize) {
        let stop = |state: &Checkpoint| match state.curve.points.len() >= epochs {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let _ = trainer.run(|_, _| {}, stop);
    }

    #[test]
    fn training_lowers_the_error_on_games_it_never_saw() {
        let examples = examples();
        let mut trainer = Trainer::new(settings(2), &examples, None);
        let before = trainer.checking_error();
        run(&mut trainer, 9);
        let points = &trainer.state().curve.points;
        assert_eq!(points.len(), 4);
        assert!(points[3].checking < before / 4.0, "{before} {points:?}");
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
    fn the_rate_rises_shortly_and_then_falls() {
        let examples = Examples::new();
        let trainer = Trainer::new(settings(1), &examples, None);
        assert!(trainer.rate(0.0) < trainer.rate(0.05));
        assert!(trainer.rate(0.2) > trainer.rate(0.9));
    }
}
