//! The network file format.
//!
//! | bytes | what, little-endian |
//! |---|---|
//! | 0–7 | the letters `CHUHENET` |
//! | 8–11 | version, 2 |
//! | 12–21 | width, input buckets, inputs, output buckets, hidden units, two bytes each |
//! | 22–23 | zeros |
//! | 24–31 | the XXH3 (64 bits) of everything from byte 32 on |
//! | 32– | feature transformer weights and bias (two bytes each), output weights (two) and bias (four), hidden layer weights (one), bias (four) and output weights (two) |

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::features::{INPUT_BUCKETS, INPUTS, OUTPUT_BUCKETS};
use super::{HIDDEN, LARGEST_HIDDEN_BIAS, LARGEST_INPUT, LARGEST_OUTPUT, Network, WIDTH, Weights};

const MAGIC: &[u8; 8] = b"CHUHENET";
const VERSION: u32 = 2;
const HEADER: usize = 32;
/// What this program's networks look like: width, input buckets, inputs, output buckets, hidden units.
const SHAPE: [usize; 5] = [WIDTH, INPUT_BUCKETS, INPUTS, OUTPUT_BUCKETS, HIDDEN];
/// The number of weights of each layer, in the order of the file.
const INPUT_WEIGHTS: usize = INPUT_BUCKETS * INPUTS * WIDTH;
const OUTPUT_WEIGHTS: usize = OUTPUT_BUCKETS * 2 * WIDTH;
const UNITS: usize = OUTPUT_BUCKETS * HIDDEN;
const HIDDEN_WEIGHTS: usize = UNITS * 2 * WIDTH;
/// The size of a file in bytes.
const SIZE: usize = HEADER
    + 2 * (INPUT_WEIGHTS + WIDTH + OUTPUT_WEIGHTS)
    + 4 * OUTPUT_BUCKETS
    + HIDDEN_WEIGHTS
    + (4 + 2) * UNITS;

/// Why a file or a set of weights is no network for this program.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("not a network of Chuhe")]
    Foreign,
    /// It was written by another version of the format.
    #[error("version {0} of the network format, this program reads version {VERSION}")]
    Version(u32),
    /// The network has another shape.
    #[error(
        "a network of width, input buckets, inputs, output buckets and hidden units {found:?}, this program needs {SHAPE:?}"
    )]
    Shape {
        /// Its width, input buckets, inputs, output buckets and hidden units.
        found: [usize; 5],
    },
    /// Bytes are missing or too many.
    #[error("{found} bytes{}, a network has {SIZE}", if *.found > SIZE { " or more" } else { "" })]
    Size {
        /// The size, counted until it is too large.
        found: usize,
    },
    /// The weights are not those that were written.
    #[error("the weights do not match their fingerprint: the file is damaged")]
    Hash,
    /// There are too few or too many weights.
    #[error("{found} weights of the {sort}, a network has {expected}")]
    Count {
        /// Which weights.
        sort: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A weight could make sums overflow.
    #[error("a weight of the {sort} is {found}, at most {limit} is possible")]
    Large {
        /// Which weights.
        sort: &'static str,
        /// The weight.
        found: i32,
        /// The largest that is safe.
        limit: i32,
    },
}

impl Network {
    /// Reads a network file. The error does not name it.
    pub fn read(path: &Path) -> Result<Self, NetworkError> {
        let mut bytes = Vec::new();
        // One byte more than a network shows that a file is too long without reading all of it.
        File::open(path)?.take(SIZE as u64 + 1).read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes)
    }

    /// The network that a file holds.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        Self::new(&Weights::from_bytes(bytes)?)
    }
}

impl Weights {
    /// The weights as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = body(self);
        let mut bytes = Vec::with_capacity(HEADER + body.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend(SHAPE.iter().flat_map(|&number| (number as u16).to_le_bytes()));
        bytes.extend_from_slice(&[0; 2]);
        bytes.extend_from_slice(&xxh3_64(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// The weights that a file holds. Whether they are in range is for [`Network::new`] to say.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        if !bytes.starts_with(MAGIC) {
            return Err(NetworkError::Foreign);
        }
        let Some((header, body)) = bytes.split_at_checked(HEADER) else {
            return Err(NetworkError::Size { found: bytes.len() });
        };
        let mut header = Reader(&header[MAGIC.len()..]);
        let version = u32::from_le_bytes(header.number());
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let found = SHAPE.map(|_| usize::from(u16::from_le_bytes(header.number())));
        if found != SHAPE {
            return Err(NetworkError::Shape { found });
        }
        if bytes.len() != SIZE {
            return Err(NetworkError::Size { found: bytes.len() });
        }
        let [_, _] = header.number();
        if u64::from_le_bytes(header.number()) != xxh3_64(body) {
            return Err(NetworkError::Hash);
        }
        let mut body = Reader(body);
        Ok(Self {
            inputs: body.numbers(INPUT_WEIGHTS, i16::from_le_bytes),
            input_bias: body.numbers(WIDTH, i16::from_le_bytes),
            outputs: body.numbers(OUTPUT_WEIGHTS, i16::from_le_bytes),
            output_bias: body.numbers(OUTPUT_BUCKETS, i32::from_le_bytes),
            hidden: body.numbers(HIDDEN_WEIGHTS, i8::from_le_bytes),
            hidden_bias: body.numbers(UNITS, i32::from_le_bytes),
            hidden_outputs: body.numbers(UNITS, i16::from_le_bytes),
        })
    }
}

/// Bytes of a file whose size was checked.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number<const SIZE: usize>(&mut self) -> [u8; SIZE] {
        let (number, rest) = self.0.split_first_chunk().expect("the size was checked");
        self.0 = rest;
        *number
    }

    fn numbers<T, const SIZE: usize>(&mut self, count: usize, number: fn([u8; SIZE]) -> T) -> Vec<T> {
        (0..count).map(|_| number(self.number())).collect()
    }
}

fn body(weights: &Weights) -> Vec<u8> {
    let mut body: Vec<u8> = Vec::with_capacity(SIZE);
    let narrow = [&weights.inputs, &weights.input_bias, &weights.outputs];
    body.extend(narrow.into_iter().flatten().flat_map(|weight| weight.to_le_bytes()));
    body.extend(weights.output_bias.iter().flat_map(|weight| weight.to_le_bytes()));
    body.extend(weights.hidden.iter().flat_map(|weight| weight.to_le_bytes()));
    body.extend(weights.hidden_bias.iter().flat_map(|weight| weight.to_le_bytes()));
    body.extend(weights.hidden_outputs.iter().flat_map(|weight| weight.to_le_bytes()));
    body
}

/// The fingerprint of the weights, as the file carries it.
pub(super) fn hash(weights: &Weights) -> u64 {
    xxh3_64(&body(weights))
}

/// Whether there are as many weights as a network needs, none of them too large.
pub(super) fn check(weights: &Weights) -> Result<(), NetworkError> {
    check_sort("inputs", &weights.inputs, INPUT_WEIGHTS, LARGEST_INPUT.into())?;
    check_sort("inputs' bias", &weights.input_bias, WIDTH, LARGEST_INPUT.into())?;
    check_sort("outputs", &weights.outputs, OUTPUT_WEIGHTS, LARGEST_OUTPUT.into())?;
    check_sort("outputs' bias", &weights.output_bias, OUTPUT_BUCKETS, i32::MAX)?;
    check_sort("hidden units", &weights.hidden, HIDDEN_WEIGHTS, i8::MAX.into())?;
    check_sort("hidden units' bias", &weights.hidden_bias, UNITS, LARGEST_HIDDEN_BIAS)?;
    check_sort("outputs for hidden units", &weights.hidden_outputs, UNITS, i16::MAX.into())
}

fn check_sort<T: Copy + Into<i32>>(
    sort: &'static str,
    weights: &[T],
    expected: usize,
    limit: i32,
) -> Result<(), NetworkError> {
    if weights.len() != expected {
        return Err(NetworkError::Count { sort, found: weights.len(), expected });
    }
    let too_large = |found: &i32| found.unsigned_abs() > limit.unsigned_abs();
    match weights.iter().map(|&weight| weight.into()).find(too_large) {
        Some(found) => Err(NetworkError::Large { sort, found, limit }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::tests::some_weights;

    fn refusal(bytes: &[u8]) -> String {
        Network::from_bytes(bytes).expect_err("it is refused").to_string()
    }

    #[test]
    fn a_file_keeps_every_weight() {
        let weights = some_weights(3);
        let bytes = weights.to_bytes();
        assert_eq!(bytes.len(), SIZE);
        assert_eq!(Weights::from_bytes(&bytes).unwrap(), weights);
        let network = Network::from_bytes(&bytes).unwrap();
        assert_eq!(network.identity(), Network::new(&weights).unwrap().identity());
    }

    #[test]
    fn wrong_and_damaged_files_are_refused_with_the_reason() {
        let bytes = some_weights(4).to_bytes();
        assert_eq!(refusal(b"an opening book"), "not a network of Chuhe");
        assert_eq!(refusal(&[]), "not a network of Chuhe");
        assert!(refusal(&bytes[..20]).starts_with("20 bytes, a network has "));
        assert!(refusal(&bytes[..bytes.len() - 1]).contains(" bytes, a network has "));
        assert!(refusal(&[&bytes[..], b"!"].concat()).contains(" or more, a network has "));
        let changed = |at: usize, to: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = to;
            bytes
        };
        let message = "version 9 of the network format, this program reads version 2";
        assert_eq!(refusal(&changed(8, 9)), message);
        assert!(
            refusal(&changed(13, 9))
                .starts_with("a network of width, input buckets, inputs, output buckets and hidden units [")
        );
        let damaged = changed(5000, bytes[5000] ^ 1);
        assert_eq!(refusal(&damaged), "the weights do not match their fingerprint: the file is damaged");
    }

    #[test]
    fn weights_that_could_overflow_are_refused() {
        let mut weights = some_weights(4);
        weights.inputs[77] = -LARGEST_INPUT - 1;
        let message = "a weight of the inputs is -993, at most 992 is possible";
        assert_eq!(refusal(&weights.to_bytes()), message);
        weights.inputs[77] = i16::MIN;
        assert!(Network::new(&weights).is_err());
        weights.inputs[77] = 0;
        weights.hidden[5] = i8::MIN;
        assert_eq!(
            refusal(&weights.to_bytes()),
            "a weight of the hidden units is -128, at most 127 is possible"
        );
        weights.inputs.pop();
        assert!(matches!(Network::new(&weights), Err(NetworkError::Count { .. })));
    }

    #[test]
    fn files_that_cannot_be_read_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("absent.net");
        assert!(matches!(Network::read(&path), Err(NetworkError::Io(_))));
        std::fs::write(&path, some_weights(4).to_bytes()).unwrap();
        assert!(Network::read(&path).is_ok());
    }
}
