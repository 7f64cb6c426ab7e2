//! Zobrist keys of other programs: a random number for each piece on each point, and one for the side to move.

use std::fs;
use std::path::Path;

use chuhe_board::{Position, Side, Square};

use super::OpenError;

/// The keys that a book goes by.
#[derive(Clone, Debug)]
pub enum Keys {
    /// Our own, as in books that we exported.
    Own,
    /// Those of another program.
    Numbers(Numbers),
}

/// The random numbers of another program.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// For each piece (`K A B N R C P`, then Black's) the 256 points of a board of 16 × 16.
    pieces: Vec<u64>,
    side: u64,
    /// The side to move whose key includes `side`.
    hashed_side: Side,
}

/// Why a file has no keys.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 1 + 14 x 256 numbers of 16 hexadecimal digits after 0x, found {found}")]
pub struct BadKeys {
    /// How many there are.
    pub found: usize,
}

const POINTS: usize = 256;
const PIECES: usize = 14;

impl Keys {
    /// ElephantEye's: its numbers are the key stream of RC4 with a key of zeros, three words of 32 bits for the side
    /// and for each piece on each point, of which its books use the third. The side's is included for Black.
    pub fn elephant_eye() -> Self {
        let mut stream = KeyStream::new();
        let mut lock = || {
            let _ = (stream.word(), stream.word());
            u64::from(stream.word())
        };
        let side = lock();
        let pieces = (0..PIECES * POINTS).map(|_| lock()).collect();
        Self::Numbers(Numbers { pieces, side, hashed_side: Side::Black })
    }

    /// Keys from any text that has them as `0x` and 16 digits each: first the number for Red to move, then 256 for
    /// each piece in the order `K A B N R C P k a b n r c p`, as for `.obk` and PFBook files.
    pub fn from_text(text: &str) -> Result<Self, BadKeys> {
        let numbers: Vec<u64> = text
            .split(|character: char| !character.is_ascii_alphanumeric())
            .filter_map(|word| word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")))
            .filter_map(|digits| digits.get(..16).filter(|_| digits.len() <= 17))
            .filter_map(|digits| u64::from_str_radix(digits, 16).ok())
            .collect();
        match numbers.split_first() {
            Some((side, pieces)) if pieces.len() == PIECES * POINTS => {
                Ok(Self::Numbers(Numbers { pieces: pieces.to_vec(), side: *side, hashed_side: Side::Red }))
            }
            _ => Err(BadKeys { found: numbers.len() }),
        }
    }

    /// Reads [`Self::from_text`] of a file.
    pub fn read(path: &Path) -> Result<Self, OpenError> {
        let failed = |reason: String| OpenError::Keys { path: path.to_owned(), reason };
        let bytes = fs::read(path).map_err(|error| failed(error.to_string()))?;
        Self::from_text(&String::from_utf8_lossy(&bytes)).map_err(|error| failed(error.to_string()))
    }

    /// The key of a position; mirror images have different ones.
    pub(super) fn key(&self, position: &Position) -> u64 {
        let Self::Numbers(numbers) = self else { return position.key().get() };
        let side = if position.side_to_move() == numbers.hashed_side { numbers.side } else { 0 };
        position
            .pieces_on_board()
            .map(|(piece, square)| {
                let piece = piece.side().index() * PIECES / 2 + piece.kind().index();
                numbers.pieces[piece * POINTS + usize::from(point(square))]
            })
            .fold(side, |key, number| key ^ number)
    }
}

/// A point on a board of 16 × 16 whose rank 3 is Black's first and whose file 3 is Red's left one.
pub(super) const fn point(square: Square) -> u8 {
    (12 - square.rank()) << 4 | (square.file() + 3)
}

/// The point that [`point`] gave.
pub(super) fn square(point: u8) -> Option<Square> {
    Square::at((point & 15).checked_sub(3)?, 12_u8.checked_sub(point >> 4)?)
}

/// RC4's key stream for a key of zeros.
struct KeyStream {
    state: [u8; 256],
    x: u8,
    y: u8,
}

impl KeyStream {
    fn new() -> Self {
        let mut state: [u8; 256] = std::array::from_fn(|index| index as u8);
        let mut other = 0_u8;
        for index in 0..state.len() {
            other = other.wrapping_add(state[index]);
            state.swap(index, other.into());
        }
        Self { state, x: 0, y: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.x = self.x.wrapping_add(1);
        let one = self.state[usize::from(self.x)];
        self.y = self.y.wrapping_add(one);
        let other = self.state[usize::from(self.y)];
        self.state.swap(self.x.into(), self.y.into());
        self.state[usize::from(one.wrapping_add(other))]
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_that_of_rc4() {
        // The published test vector for a key of eight zeros; zeros give the same stream at any length.
        let mut stream = KeyStream::new();
        let bytes: Vec<u8> = (0..8).map(|_| stream.byte()).collect();
        assert_eq!(bytes, [0xDE, 0x18, 0x89, 0x41, 0xA3, 0x37, 0x5D, 0x3A]);
    }

    #[test]
    fn points_come_back() {
        assert!(Square::all().all(|at| square(point(at)) == Some(at)));
        assert_eq!((0..=255).filter_map(square).count(), 90);
    }

    #[test]
    fn keys_are_read_from_any_text_that_has_them() {
        let mut text = "long side = 0x0000000000000001L; int[] points = { 0x33, 0x34 };\n".to_owned();
        text.extend((0..PIECES * POINTS).map(|index| format!("0x{:016X}L, ", index as u64 * 8)));
        let keys = Keys::from_text(&text).unwrap();
        let one = "4k4/9/9/9/9/9/9/9/9/3K5 w".parse().unwrap();
        let other = "4k4/9/9/9/9/9/9/9/9/3K5 b".parse().unwrap();
        assert_eq!(keys.key(&one) ^ keys.key(&other), 1);
        // The general of Red on d0 is point 0xC6, that of Black on e9 is point 0x37.
        assert_eq!(keys.key(&other), (0xC6 * 8) ^ ((7 * 256 + 0x37) * 8));
        assert_eq!(Keys::from_text("0x0000000000000001").unwrap_err().found, 1);
    }
}
