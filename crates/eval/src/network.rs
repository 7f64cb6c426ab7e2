//! The evaluation by a small neural network.
//!
//! [`features`] says what it sees: the pieces on their points, once through each side's eyes. The
//! first layer adds up a row of weights for every piece into one wide sum for each side;
//! [`Accumulators`] keep these sums up to date move by move. The sums are cut to `0..=255` and
//! squared. One output, chosen by the attackers left, weighs these activations, the side to move's
//! first, directly and through a few middle units that see all of them together. All of it is whole
//! numbers, so every CPU gives the same score. `docs/network.md` has the formulas and the file format.

pub mod features;

mod accumulator;
mod file;
mod simd;

pub use accumulator::Accumulators;
pub use file::NetworkError;

use std::fmt;
use std::sync::{Arc, LazyLock};

use chuhe_board::Position;

use crate::Score;
use features::{BUCKETS, INPUTS, STAGES};
use simd::Kernels;

/// How many sums the first layer has for each side.
pub const WIDTH: usize = 256;
/// The sum that counts as one: where the activation is full.
pub const ONE: i32 = 255;
/// The output weight that counts as one.
pub const OUTPUT_ONE: i32 = 128;
/// How many middle units each stage has.
pub const MIDDLE: usize = 16;
/// The activation that counts as one where the middle units see it: a byte.
pub const ACTIVE_ONE: i32 = 127;
/// The weight of a middle unit that counts as one.
pub const MIDDLE_ONE: i32 = 128;
/// The weight of a middle unit in the output that counts as one.
pub const MIDDLE_OUTPUT_ONE: i32 = 1024;
/// The sum of a middle unit that counts as one: where its activation is full.
pub const UNIT_ONE: i32 = ACTIVE_ONE * MIDDLE_ONE;
/// Centisoldiers for one unit of output. At this score the expected result is 1 / (1 + 1/e): the
/// scale that fits the results of self-play best (docs/network.md).
pub const SCALE: i32 = 270;
/// No weight of the first layer is larger, so that the bias and 32 pieces never overflow a sum.
pub const LARGEST_INPUT: i16 = i16::MAX / 33;
/// No output weight is larger, so that its product with a full activation fits 16 bits.
pub const LARGEST_OUTPUT: i16 = 128;
/// No bias of a middle unit is larger: far beyond what its weights can reach, and no sum overflows.
pub const LARGEST_MIDDLE_BIAS: i32 = 1 << 28;

/// One number for each sum of the first layer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Row([i16; WIDTH]);

impl Row {
    const ZERO: Self = Self([0; WIDTH]);

    fn of(numbers: &[i16]) -> Self {
        let mut row = Self::ZERO;
        row.0.copy_from_slice(numbers);
        row
    }
}

/// The numbers that make a network, as the file keeps them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// A row of [`WIDTH`] for each input of each bucket; see [`features::View::row`].
    pub inputs: Vec<i16>,
    /// What the sums start from.
    pub input_bias: Vec<i16>,
    /// For each stage, [`WIDTH`] weights for the side to move and as many for the other.
    pub outputs: Vec<i16>,
    /// What each stage's output starts from; [`ONE`]² · [`OUTPUT_ONE`] is one unit.
    pub output_bias: Vec<i32>,
    /// For each stage and middle unit, [`WIDTH`] weights for the side to move and as many for the other.
    pub middle: Vec<i8>,
    /// What each stage's middle units start from.
    pub middle_bias: Vec<i32>,
    /// What each stage's middle units weigh in its output.
    pub middle_outputs: Vec<i16>,
}

/// The weights of one stage's middle units: those of all units for the same four activations lie together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Middle([[[i8; 4]; MIDDLE]; 2 * WIDTH / 4]);

/// What a stage makes of the activations.
struct Stage {
    outputs: [Row; 2],
    output_bias: i32,
    middle: Middle,
    middle_bias: [i32; MIDDLE],
    middle_outputs: [i16; MIDDLE],
}

/// A network that is ready to evaluate.
pub struct Network {
    inputs: Box<[Row]>,
    input_bias: Row,
    stages: Box<[Stage]>,
    identity: u64,
    kernels: &'static Kernels,
}

/// Networks are told apart by their weights alone.
impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        self.identity == other.identity
    }
}

impl Eq for Network {}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({:016x}, {})", self.identity, self.instructions())
    }
}

impl Network {
    /// A network of these weights, unless there are too few, too many or too large ones.
    pub fn new(weights: &Weights) -> Result<Self, NetworkError> {
        file::check(weights)?;
        Ok(Self {
            inputs: weights.inputs.chunks_exact(WIDTH).map(Row::of).collect(),
            input_bias: Row::of(&weights.input_bias),
            stages: (0..STAGES).map(|stage| Stage::of(weights, stage)).collect(),
            identity: file::hash(weights),
            kernels: simd::best(),
        })
    }

    /// The network that is built in: `nets/default.net`.
    pub fn built_in() -> Arc<Self> {
        static BYTES: &[u8] = include_bytes!("../../../nets/default.net");
        static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
            Arc::new(Network::from_bytes(BYTES).expect("a test loads the built-in network"))
        });
        Arc::clone(&NETWORK)
    }

    /// The fingerprint of the weights: two networks with the same one are the same.
    pub const fn identity(&self) -> u64 {
        self.identity
    }

    /// The instructions that this CPU runs the network with: `avx2`, `scalar` …
    pub fn instructions(&self) -> &'static str {
        self.kernels.name
    }

    /// The worth of the position to the side to move, added up from scratch.
    pub fn evaluate(&self, position: &Position) -> Score {
        Accumulators::new(self, position).evaluate(self, position)
    }

    /// The score of two finished sums, the side to move's first.
    #[inline]
    fn output(&self, own: &Row, other: &Row, stage: usize) -> Score {
        let stage = &self.stages[stage];
        let direct = (self.kernels.output)(own, other, &stage.outputs) + i64::from(stage.output_bias);
        let units = (self.kernels.middle)(own, other, &stage.middle);
        let mut middle = 0;
        for ((unit, bias), weight) in units.into_iter().zip(stage.middle_bias).zip(stage.middle_outputs) {
            let cut = (unit + bias).clamp(0, UNIT_ONE);
            middle += i64::from(cut * cut) * i64::from(weight);
        }
        // Both parts in a finer unit, so that cutting the fractions off does not add up.
        let scale = i64::from(SCALE * FINE);
        let fine = direct * scale / DIRECT_UNIT + middle * scale / MIDDLE_UNIT;
        Score::centisoldiers((fine / i64::from(FINE)) as i32)
    }
}

/// Parts of a centisoldier.
const FINE: i32 = 64;
/// One unit of output, as the activations and as the middle units give it.
const DIRECT_UNIT: i64 = (ONE * ONE * OUTPUT_ONE) as i64;
const MIDDLE_UNIT: i64 = (UNIT_ONE * UNIT_ONE) as i64 * MIDDLE_OUTPUT_ONE as i64;

impl Stage {
    /// The stage's share of weights that were checked.
    fn of(weights: &Weights, stage: usize) -> Self {
        let outputs = &weights.outputs[stage * 2 * WIDTH..][..2 * WIDTH];
        let units = stage * MIDDLE..(stage + 1) * MIDDLE;
        let mut middle = Middle([[[0; 4]; MIDDLE]; 2 * WIDTH / 4]);
        for (unit, weights) in
            weights.middle.chunks_exact(2 * WIDTH).skip(units.start).take(MIDDLE).enumerate()
        {
            for (group, weights) in middle.0.iter_mut().zip(weights.chunks_exact(4)) {
                group[unit].copy_from_slice(weights);
            }
        }
        let mut stage = Self {
            outputs: [Row::of(&outputs[..WIDTH]), Row::of(&outputs[WIDTH..])],
            output_bias: weights.output_bias[stage],
            middle,
            middle_bias: [0; MIDDLE],
            middle_outputs: [0; MIDDLE],
        };
        stage.middle_bias.copy_from_slice(&weights.middle_bias[units.clone()]);
        stage.middle_outputs.copy_from_slice(&weights.middle_outputs[units]);
        stage
    }
}

const _: () = assert!(33 * LARGEST_INPUT as i32 <= i16::MAX as i32);
const _: () = assert!(ONE * LARGEST_OUTPUT as i32 <= i16::MAX as i32);
const _: () = assert!(INPUTS * BUCKETS < u16::MAX as usize);
const _: () = assert!(UNIT_ONE as i64 * UNIT_ONE as i64 <= i32::MAX as i64);

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::features::View;
    use super::*;

    /// Weights that look random and use the whole range now and then.
    pub(crate) fn some_weights(seed: u64) -> Weights {
        let mut state = seed;
        let mut next = move |limit: i32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = (state >> 33) as i32 % (2 * limit + 1) - limit;
            if (state >> 20).is_multiple_of(64) { number } else { number / 16 }
        };
        let mut narrow = |count: usize, limit: i16| -> Vec<i16> {
            (0..count).map(|_| next(limit.into()) as i16).collect()
        };
        let inputs = narrow(BUCKETS * INPUTS * WIDTH, LARGEST_INPUT);
        let input_bias = narrow(WIDTH, LARGEST_INPUT);
        let outputs = narrow(STAGES * 2 * WIDTH, LARGEST_OUTPUT);
        let middle = narrow(STAGES * MIDDLE * 2 * WIDTH, i8::MAX.into());
        let middle_bias = narrow(STAGES * MIDDLE, 9999);
        Weights {
            inputs,
            input_bias,
            outputs,
            output_bias: (0..STAGES as i32).map(|n| n * 99_999).collect(),
            middle: middle.into_iter().map(|weight| weight as i8).collect(),
            middle_bias: middle_bias.into_iter().map(i32::from).collect(),
            middle_outputs: narrow(STAGES * MIDDLE, 9999),
        }
    }

    pub(crate) fn some_network(seed: u64) -> Network {
        Network::new(&some_weights(seed)).expect("the weights are in range")
    }

    /// The formulas of docs/network.md, word by word.
    fn by_the_book(weights: &Weights, position: &Position) -> i32 {
        let views = View::both(position);
        let mover = position.side_to_move();
        let stage = features::stage(position);
        let mut sum = i64::from(weights.output_bias[stage]);
        let mut units: Vec<i32> = weights.middle_bias[stage * MIDDLE..][..MIDDLE].to_vec();
        for (place, side) in [mover, !mover].into_iter().enumerate() {
            for unit in 0..WIDTH {
                let mut total = i32::from(weights.input_bias[unit]);
                for (piece, square) in position.pieces_on_board() {
                    let row = views[side.index()].row(piece, square);
                    total += i32::from(weights.inputs[row * WIDTH + unit]);
                }
                let cut = total.clamp(0, ONE);
                let weight = weights.outputs[(stage * 2 + place) * WIDTH + unit];
                sum += i64::from(cut * cut) * i64::from(weight);
                for (number, middle) in units.iter_mut().enumerate() {
                    let weight = weights.middle[((stage * MIDDLE + number) * 2 + place) * WIDTH + unit];
                    *middle += (cut * cut + 256) / 512 * i32::from(weight);
                }
            }
        }
        let mut middle = 0;
        for (number, unit) in units.into_iter().enumerate() {
            let cut = unit.clamp(0, 127 * 128);
            middle += i64::from(cut * cut) * i64::from(weights.middle_outputs[stage * MIDDLE + number]);
        }
        let direct = sum * 270 * 64 / (255 * 255 * 128);
        let middle = middle * 270 * 64 / (127 * 127 * 128 * 128 * 1024);
        ((direct + middle) / 64) as i32
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn following_the_moves_gives_the_score_by_the_book(
            choices in prop::collection::vec((any::<prop::sample::Index>(), 0..16u8), 0..120), seed: u64,
        ) {
            let weights = some_weights(seed);
            let network = Network::new(&weights).unwrap();
            let mut position = Position::start();
            let mut accumulators = Accumulators::new(&network, &position);
            let mut line = Vec::new();
            for (choice, deed) in choices {
                let moves = position.moves();
                if moves.is_empty() {
                    break;
                }
                let mv = *choice.get(&moves);
                let undo = position.play(mv, &mut ());
                accumulators.play(&position, &undo);
                line.push(undo);
                // Some positions are never evaluated, some moves are taken back, some lines end and others begin.
                if deed < 4 {
                    let score = Score::centisoldiers(by_the_book(&weights, &position));
                    prop_assert_eq!(accumulators.evaluate(&network, &position), score);
                    prop_assert_eq!(network.evaluate(&position), score);
                }
                if (4..8).contains(&deed) {
                    position.take_back(line.pop().unwrap(), &mut ());
                    accumulators.take_back();
                }
                if deed == 8 {
                    accumulators.restart(&network, &position);
                    line.clear();
                }
            }
            while let Some(undo) = line.pop() {
                position.take_back(undo, &mut ());
                accumulators.take_back();
            }
            prop_assert_eq!(accumulators.evaluate(&network, &position), network.evaluate(&position));
        }
    }

    #[test]
    fn the_built_in_network_knows_what_a_chariot_is_worth() {
        let network = Network::built_in();
        let score = |fen: &str| network.evaluate(&fen.parse().unwrap()).get();
        let start = score("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w");
        assert!(start.abs() < 150, "{start}");
        let ahead = score("rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w");
        assert!(ahead > start + 300, "{ahead}");
        let behind = score("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABN1 w");
        assert!(behind < start - 300, "{behind}");
    }

    #[test]
    fn exchanged_sides_do_not_change_the_score() {
        let network = some_network(5);
        for fen in [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
            "2bak4/4a4/4b4/p3n3p/2r6/9/P3P3P/4C1N2/4A4/R1B2KB2 b",
        ] {
            let position: Position = fen.parse().unwrap();
            assert_eq!(network.evaluate(&position.across()), network.evaluate(&position), "{fen}");
        }
    }
}
