//! Network files.
//!
//! | bytes | what, little-endian |
//! |---|---|
//! | 0–7 | the letters `CHUHENET` |
//! | 8–11 | version, 1 |
//! | 12–19 | width, buckets, inputs, stages, two bytes each |
//! | 20–27 | the XXH3 (64 bits) of everything from byte 32 on |
//! | 28–31 | zeros |
//! | 32– | the weights of the inputs and their bias (two bytes each), of the outputs (two) and their bias (four) |

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::features::{BUCKETS, INPUTS, STAGES};
use super::{LARGEST_INPUT, LARGEST_OUTPUT, Network, WIDTH, Weights};

const MAGIC: &[u8; 8] = b"CHUHENET";
const VERSION: u32 = 1;
const HEADER: usize = 32;
/// What this program's networks look like: width, buckets, inputs, stages.
const SHAPE: [usize; 4] = [WIDTH, BUCKETS, INPUTS, STAGES];
/// How many weights there are of each sort.
const COUNTS: [usize; 4] = [BUCKETS * INPUTS * WIDTH, WIDTH, STAGES * 2 * WIDTH, STAGES];
/// The size of a file in bytes.
const SIZE: usize = HEADER + 2 * (COUNTS[0] + COUNTS[1] + COUNTS[2]) + 4 * COUNTS[3];

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
    #[error("a network of width, buckets, inputs and stages {found:?}, this program needs {SHAPE:?}")]
    Shape {
        /// Its width, buckets, inputs and stages.
        found: [usize; 4],
    },
    /// Bytes are missing or too many.
    #[error("{found} bytes{}, a network has {SIZE}", if *.found > SIZE { " or more" } else { "" })]
    Size {
        /// How many there are, counted until they are too many.
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
        // One byte more than a network tells a file that is too long without reading all of it.
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
        bytes.extend_from_slice(&xxh3_64(&body).to_le_bytes());
        bytes.resize(HEADER, 0);
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
        let version = u32::from_le_bytes(four(&header[8..]));
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let found = [12, 14, 16, 18].map(|at| usize::from(u16::from_le_bytes([header[at], header[at + 1]])));
        if found != SHAPE {
            return Err(NetworkError::Shape { found });
        }
        if bytes.len() != SIZE {
            return Err(NetworkError::Size { found: bytes.len() });
        }
        let (low, high) = (four(&header[20..]), four(&header[24..]));
        let hash = u64::from(u32::from_le_bytes(high)) << 32 | u64::from(u32::from_le_bytes(low));
        if hash != xxh3_64(body) {
            return Err(NetworkError::Hash);
        }
        let (inputs, rest) = body.split_at(2 * COUNTS[0]);
        let (input_bias, rest) = rest.split_at(2 * COUNTS[1]);
        let (outputs, output_bias) = rest.split_at(2 * COUNTS[2]);
        let narrow = |bytes: &[u8]| -> Vec<i16> {
            bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
        };
        Ok(Self {
            inputs: narrow(inputs),
            input_bias: narrow(input_bias),
            outputs: narrow(outputs),
            output_bias: output_bias.chunks_exact(4).map(|bytes| i32::from_le_bytes(four(bytes))).collect(),
        })
    }
}

fn four(bytes: &[u8]) -> [u8; 4] {
    [bytes[0], bytes[1], bytes[2], bytes[3]]
}

fn body(weights: &Weights) -> Vec<u8> {
    let narrow = [&weights.inputs, &weights.input_bias, &weights.outputs];
    let mut body: Vec<u8> = Vec::with_capacity(SIZE);
    body.extend(narrow.into_iter().flatten().flat_map(|weight| weight.to_le_bytes()));
    body.extend(weights.output_bias.iter().flat_map(|weight| weight.to_le_bytes()));
    body
}

/// The fingerprint of the weights, as the file carries it.
pub(super) fn hash(weights: &Weights) -> u64 {
    xxh3_64(&body(weights))
}

/// Whether there are as many weights as a network needs, none of them too large.
pub(super) fn check(weights: &Weights) -> Result<(), NetworkError> {
    let narrow = [
        ("inputs", &weights.inputs, COUNTS[0], LARGEST_INPUT),
        ("inputs' bias", &weights.input_bias, COUNTS[1], LARGEST_INPUT),
        ("outputs", &weights.outputs, COUNTS[2], LARGEST_OUTPUT),
    ];
    for (sort, weights, expected, limit) in narrow {
        if weights.len() != expected {
            return Err(NetworkError::Count { sort, found: weights.len(), expected });
        }
        if let Some(found) = weights.iter().find(|weight| weight.unsigned_abs() > limit.unsigned_abs()) {
            return Err(NetworkError::Large { sort, found: (*found).into(), limit: limit.into() });
        }
    }
    let found = weights.output_bias.len();
    match found == STAGES {
        true => Ok(()),
        false => Err(NetworkError::Count { sort: "outputs' bias", found, expected: STAGES }),
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
        let message = "version 9 of the network format, this program reads version 1";
        assert_eq!(refusal(&changed(8, 9)), message);
        assert!(refusal(&changed(13, 9)).starts_with("a network of width, buckets, inputs and stages ["));
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
