//! Gathering scattered bits by multiplying and shifting, for CPUs without BMI2. The default build uses
//! `gather_pext`; the tests compile both.

use crate::{Bitboard, Square};

/// The first eight points of file `a`.
const EVERY_NINTH: u64 = 0x8040_2010_0804_0201;

/// Which of the straight neighbours in a window are taken: below, left, right, above.
#[inline]
pub(super) fn gather_straight_neighbours(window: u64) -> usize {
    (window >> 1 & 1 | window >> 8 & 2 | window >> 9 & 4 | window >> 16 & 8) as usize
}

/// Which of the diagonal neighbours in a window are taken: the two below, then the two above.
#[inline]
pub(super) fn gather_diagonal_neighbours(window: u64) -> usize {
    (window & 1 | window >> 1 & 2 | window >> 16 & 4 | window >> 17 & 8) as usize
}

/// The points of the file that are in the set, one bit a rank.
#[inline]
pub(super) fn gather_file(file: u8, set: Bitboard) -> u16 {
    let as_first_file = set.bits() >> file;
    // Bit 9k moves to bit 56 + k, where nothing else lands.
    let low = (as_first_file as u64 & EVERY_NINTH).wrapping_mul(0x0101_0101_0101_0101) >> 56;
    let high = (as_first_file >> (8 * Square::FILES)) as u64;
    (low | (high & 1) << 8 | (high & 1 << 9)) as u16
}

/// The points of the file whose bits are set, one bit a rank.
#[inline]
pub(super) fn spread_file(file: u8, ranks: u16) -> Bitboard {
    let ranks = u64::from(ranks);
    let low = (ranks & 0xFF).wrapping_mul(0x0101_0101_0101_0101) & EVERY_NINTH;
    let high = (ranks & 0x100) | (ranks & 0x200) << 8;
    Bitboard::from_board_bits((u128::from(high) << 64 | u128::from(low)) << file)
}
