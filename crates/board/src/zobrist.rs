//! Zobrist keys: the exclusive-or of a constant for every piece on its point and
//! one for the side to move.

use std::fmt;
use std::ops::{BitXor, BitXorAssign};

use crate::{Piece, Side, Square};

/// A 64-bit fingerprint of a position: pieces, points and side to move, not the counters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Key(u64);

impl Key {
    /// The key of an empty board with Red to move.
    pub const EMPTY: Self = Self(0);

    /// The key as a number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The key with this number.
    pub const fn from_number(number: u64) -> Self {
        Self(number)
    }

    /// The part of the key for `piece` on `square`.
    #[inline]
    pub fn of_piece(piece: Piece, square: Square) -> Self {
        PIECES[piece.index()][square.index()]
    }

    /// The part of the key for the side to move.
    #[inline]
    pub fn of_side(side: Side) -> Self {
        match side {
            Side::Red => Self::EMPTY,
            Side::Black => BLACK_TO_MOVE,
        }
    }
}

impl BitXor for Key {
    type Output = Self;

    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitXorAssign for Key {
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Books and tables on disk are keyed by these, so the seed never changes.
const SEED: u64 = 0x6368_7568_655F_7871;

static PIECES: [[Key; Square::COUNT]; 14] = {
    let mut table = [[Key(0); Square::COUNT]; 14];
    let mut piece = 0;
    while piece < 14 {
        let mut square = 0;
        while square < Square::COUNT {
            table[piece][square] = Key(random((piece * Square::COUNT + square) as u64));
            square += 1;
        }
        piece += 1;
    }
    table
};

const BLACK_TO_MOVE: Key = Key(random(14 * Square::COUNT as u64));

/// The number `index` of the SplitMix64 stream.
const fn random(index: u64) -> u64 {
    let mut z = SEED.wrapping_add((index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_parts_are_alike() {
        let mut seen: HashSet<Key> = PIECES.iter().flatten().copied().collect();
        assert!(seen.insert(BLACK_TO_MOVE));
        assert!(seen.insert(Key::EMPTY));
        assert_eq!(seen.len(), 14 * 90 + 2);
    }

    #[test]
    fn keys_on_disk_stay_valid() {
        assert_eq!(BLACK_TO_MOVE.to_string(), "9a1e873b556e15e4");
    }
}
