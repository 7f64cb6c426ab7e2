//! NNUE: the efficiently updatable neural network that plays.
//!
//! [`features`] defines the inputs: each piece on its point, once from each side's perspective. The feature
//! transformer adds one row of weights per piece into an accumulator for each side; [`Accumulators`] update them
//! move by move. Squared clipped ReLU (SCReLU) activates them. One output bucket, chosen by the attackers left,
//! weighs the activations, the side to move's first, directly and through a small hidden layer. Everything is
//! quantised to integers, so every CPU gives the same score. `docs/network.md` has the formulas and the file format.

pub mod features;

mod accumulator;
mod file;
mod simd;

pub use accumulator::Accumulators;
pub use file::NetworkError;

use std::fmt;
use std::sync::Arc;

use chuhe_board::Position;

use crate::Score;
use features::{INPUT_BUCKETS, INPUTS, OUTPUT_BUCKETS};
use simd::Kernels;

/// The width of an accumulator.
pub const WIDTH: usize = 256;
/// Quantisation of the accumulator: the value of 1, where the activation saturates.
pub const ONE: i32 = 255;
/// Quantisation of the output weights.
pub const OUTPUT_ONE: i32 = 128;
/// Hidden units per output bucket.
pub const HIDDEN: usize = 16;
/// Quantisation of the activations as the hidden layer sees them: bytes.
pub const ACTIVE_ONE: i32 = 127;
/// Quantisation of the hidden layer's weights.
pub const HIDDEN_ONE: i32 = 128;
/// Quantisation of the hidden layer's output weights.
pub const HIDDEN_OUTPUT_ONE: i32 = 1024;
/// Quantisation of a hidden unit's pre-activation: where SCReLU saturates.
pub const UNIT_ONE: i32 = ACTIVE_ONE * HIDDEN_ONE;
/// Centisoldiers per unit of output. The sigmoid of score / scale fits the results of self-play best
/// (docs/experiments/network.md).
pub const SCALE: i32 = 270;
/// Limit of the feature transformer's weights, so that the bias and 32 pieces never overflow an accumulator.
pub const LARGEST_INPUT: i16 = i16::MAX / 33;
/// Limit of the output weights, so that a product with a saturated activation fits 16 bits.
pub const LARGEST_OUTPUT: i16 = 128;
/// Limit of the hidden biases: far beyond what the weights can reach, and no sum overflows.
pub const LARGEST_HIDDEN_BIAS: i32 = 1 << 28;

/// An accumulator, or a row of weights for one.
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

/// The quantised weights, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Feature transformer: a row of [`WIDTH`] for each input of each input bucket; see [`features::View::row`].
    pub inputs: Vec<i16>,
    /// Bias of the feature transformer.
    pub input_bias: Vec<i16>,
    /// Output layer: for each output bucket, [`WIDTH`] weights for the side to move and as many for the other.
    pub outputs: Vec<i16>,
    /// Bias of each output bucket; [`ONE`]² · [`OUTPUT_ONE`] is one unit.
    pub output_bias: Vec<i32>,
    /// Hidden layer: for each output bucket and unit, [`WIDTH`] weights for the side to move and as many for the other.
    pub hidden: Vec<i8>,
    /// Bias of each hidden unit.
    pub hidden_bias: Vec<i32>,
    /// Weight of each hidden unit in the output.
    pub hidden_outputs: Vec<i16>,
}

/// The hidden layer of one output bucket, interleaved: the weights of all units for the same four activations are
/// adjacent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct HiddenWeights([[[i8; 4]; HIDDEN]; 2 * WIDTH / 4]);

/// The layers behind the accumulators, for one output bucket.
struct OutputBucket {
    outputs: [Row; 2],
    output_bias: i32,
    hidden: HiddenWeights,
    hidden_bias: [i32; HIDDEN],
    hidden_outputs: [i16; HIDDEN],
}

#[cfg(target_arch = "wasm32")]
static SUPPLIED: std::sync::OnceLock<Arc<Network>> = std::sync::OnceLock::new();

/// A network that is ready to evaluate.
pub struct Network {
    inputs: Box<[Row]>,
    input_bias: Row,
    output_buckets: Box<[OutputBucket]>,
    identity: u64,
    kernels: &'static Kernels,
}

/// Networks are equal if their weights are.
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
    /// A network of these weights; fails if there are too few, too many or too large ones.
    pub fn new(weights: &Weights) -> Result<Self, NetworkError> {
        file::check(weights)?;
        Ok(Self {
            inputs: weights.inputs.chunks_exact(WIDTH).map(Row::of).collect(),
            input_bias: Row::of(&weights.input_bias),
            output_buckets: (0..OUTPUT_BUCKETS).map(|bucket| OutputBucket::of(weights, bucket)).collect(),
            identity: file::hash(weights),
            kernels: simd::best(),
        })
    }

    /// The network that is built in: `nets/default.net`.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn built_in() -> Arc<Self> {
        static NETWORK: std::sync::LazyLock<Arc<Network>> = std::sync::LazyLock::new(|| {
            Arc::new(
                Network::from_bytes(Network::built_in_file()).expect("a test loads the built-in network"),
            )
        });
        Arc::clone(&NETWORK)
    }

    /// The file of the built-in network.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn built_in_file() -> &'static [u8] {
        static BYTES: &[u8] = include_bytes!("../../../nets/default.net");
        BYTES
    }

    /// The network that the host has supplied.
    ///
    /// # Panics
    /// Before [`Network::supply`]; [`Network::is_supplied`] tells.
    #[cfg(target_arch = "wasm32")]
    pub fn built_in() -> Arc<Self> {
        Arc::clone(SUPPLIED.get().expect("the host supplies the network before anything evaluates with it"))
    }

    /// Supplies the built-in network, which the browser loads on demand. Only the first one counts.
    #[cfg(target_arch = "wasm32")]
    pub fn supply(bytes: &[u8]) -> Result<(), NetworkError> {
        let network = Self::from_bytes(bytes)?;
        let _ = SUPPLIED.set(Arc::new(network));
        Ok(())
    }

    /// Compares the kernels with their scalar twins. Returns the names of the instruction sets.
    #[cfg(target_arch = "wasm32")]
    pub fn check_kernels() -> Result<Vec<&'static str>, String> {
        simd::check()
    }

    /// Whether there is a network.
    #[cfg(target_arch = "wasm32")]
    pub fn is_supplied() -> bool {
        SUPPLIED.get().is_some()
    }

    /// The fingerprint of the weights: two networks with the same one are the same.
    pub const fn identity(&self) -> u64 {
        self.identity
    }

    /// The SIMD instruction set in use: `avx2`, `scalar` …
    pub fn instructions(&self) -> &'static str {
        self.kernels.name
    }

    /// Evaluates the position for the side to move, with fresh accumulators.
    pub fn evaluate(&self, position: &Position) -> Score {
        Accumulators::new(self, position).evaluate(self, position)
    }

    /// The layers behind the accumulators, the side to move's first.
    #[inline]
    fn output(&self, own: &Row, other: &Row, bucket: usize) -> Score {
        let bucket = &self.output_buckets[bucket];
        let direct = (self.kernels.output)(own, other, &bucket.outputs) + i64::from(bucket.output_bias);
        let units = (self.kernels.hidden)(own, other, &bucket.hidden);
        let mut hidden = 0;
        for ((unit, bias), weight) in units.into_iter().zip(bucket.hidden_bias).zip(bucket.hidden_outputs) {
            let cut = (unit + bias).clamp(0, UNIT_ONE);
            hidden += i64::from(cut * cut) * i64::from(weight);
        }
        // Both parts in a finer unit, so that truncation errors do not add up.
        let scale = i64::from(SCALE * FINE);
        let fine = direct * scale / DIRECT_UNIT + hidden * scale / HIDDEN_UNIT;
        Score::centisoldiers((fine / i64::from(FINE)) as i32)
    }
}

/// Parts of a centisoldier.
const FINE: i32 = 64;
/// One unit of output, from the activations and from the hidden layer.
const DIRECT_UNIT: i64 = (ONE * ONE * OUTPUT_ONE) as i64;
const HIDDEN_UNIT: i64 = (UNIT_ONE * UNIT_ONE) as i64 * HIDDEN_OUTPUT_ONE as i64;

impl OutputBucket {
    /// The layers of one bucket of checked weights.
    fn of(weights: &Weights, bucket: usize) -> Self {
        let outputs = &weights.outputs[bucket * 2 * WIDTH..][..2 * WIDTH];
        let units = bucket * HIDDEN..(bucket + 1) * HIDDEN;
        let mut hidden = HiddenWeights([[[0; 4]; HIDDEN]; 2 * WIDTH / 4]);
        for (unit, weights) in
            weights.hidden.chunks_exact(2 * WIDTH).skip(units.start).take(HIDDEN).enumerate()
        {
            for (group, weights) in hidden.0.iter_mut().zip(weights.chunks_exact(4)) {
                group[unit].copy_from_slice(weights);
            }
        }
        let mut bucket = Self {
            outputs: [Row::of(&outputs[..WIDTH]), Row::of(&outputs[WIDTH..])],
            output_bias: weights.output_bias[bucket],
            hidden,
            hidden_bias: [0; HIDDEN],
            hidden_outputs: [0; HIDDEN],
        };
        bucket.hidden_bias.copy_from_slice(&weights.hidden_bias[units.clone()]);
        bucket.hidden_outputs.copy_from_slice(&weights.hidden_outputs[units]);
        bucket
    }
}

const _: () = assert!(33 * LARGEST_INPUT as i32 <= i16::MAX as i32);
const _: () = assert!(ONE * LARGEST_OUTPUT as i32 <= i16::MAX as i32);
const _: () = assert!(INPUTS * INPUT_BUCKETS < u16::MAX as usize);
const _: () = assert!(UNIT_ONE as i64 * UNIT_ONE as i64 <= i32::MAX as i64);

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::features::View;
    use super::*;

    /// Pseudo-random weights that use the whole range now and then.
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
        let inputs = narrow(INPUT_BUCKETS * INPUTS * WIDTH, LARGEST_INPUT);
        let input_bias = narrow(WIDTH, LARGEST_INPUT);
        let outputs = narrow(OUTPUT_BUCKETS * 2 * WIDTH, LARGEST_OUTPUT);
        let hidden = narrow(OUTPUT_BUCKETS * HIDDEN * 2 * WIDTH, i8::MAX.into());
        let hidden_bias = narrow(OUTPUT_BUCKETS * HIDDEN, 9999);
        Weights {
            inputs,
            input_bias,
            outputs,
            output_bias: (0..OUTPUT_BUCKETS as i32).map(|n| n * 99_999).collect(),
            hidden: hidden.into_iter().map(|weight| weight as i8).collect(),
            hidden_bias: hidden_bias.into_iter().map(i32::from).collect(),
            hidden_outputs: narrow(OUTPUT_BUCKETS * HIDDEN, 9999),
        }
    }

    pub(crate) fn some_network(seed: u64) -> Network {
        Network::new(&some_weights(seed)).expect("the weights are in range")
    }

    /// The formulas of docs/network.md, unoptimised.
    fn by_the_book(weights: &Weights, position: &Position) -> i32 {
        let views = View::both(position);
        let mover = position.side_to_move();
        let bucket = features::output_bucket(position);
        let mut sum = i64::from(weights.output_bias[bucket]);
        let mut units: Vec<i32> = weights.hidden_bias[bucket * HIDDEN..][..HIDDEN].to_vec();
        for (place, side) in [mover, !mover].into_iter().enumerate() {
            for unit in 0..WIDTH {
                let mut total = i32::from(weights.input_bias[unit]);
                for (piece, square) in position.pieces_on_board() {
                    let row = views[side.index()].row(piece, square);
                    total += i32::from(weights.inputs[row * WIDTH + unit]);
                }
                let cut = total.clamp(0, ONE);
                let weight = weights.outputs[(bucket * 2 + place) * WIDTH + unit];
                sum += i64::from(cut * cut) * i64::from(weight);
                for (number, hidden) in units.iter_mut().enumerate() {
                    let weight = weights.hidden[((bucket * HIDDEN + number) * 2 + place) * WIDTH + unit];
                    *hidden += (cut * cut + 256) / 512 * i32::from(weight);
                }
            }
        }
        let mut hidden = 0;
        for (number, unit) in units.into_iter().enumerate() {
            let cut = unit.clamp(0, 127 * 128);
            hidden += i64::from(cut * cut) * i64::from(weights.hidden_outputs[bucket * HIDDEN + number]);
        }
        let direct = sum * 270 * 64 / (255 * 255 * 128);
        let hidden = hidden * 270 * 64 / (127 * 127 * 128 * 128 * 1024);
        ((direct + hidden) / 64) as i32
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
