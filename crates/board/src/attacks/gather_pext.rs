//! Gathering scattered bits with the BMI2 instructions PEXT and PDEP: the default build.
//! `gather_portable` has the same functions for CPUs without them.
#![allow(unsafe_code)]

use std::arch::x86_64::{_pdep_u64, _pext_u64};

use crate::Bitboard;

/// Which of the straight neighbours in a window are taken: below, left, right, above.
#[inline]
pub(super) fn gather_straight_neighbours(window: u64) -> usize {
    gather(window, 1 << 1 | 1 << 9 | 1 << 11 | 1 << 19) as usize
}

/// Which of the diagonal neighbours in a window are taken: the two below, then the two above.
#[inline]
pub(super) fn gather_diagonal_neighbours(window: u64) -> usize {
    gather(window, 1 << 0 | 1 << 2 | 1 << 18 | 1 << 20) as usize
}

/// The points of the file that are in the set, one bit a rank.
#[inline]
pub(super) fn gather_file(file: u8, set: Bitboard) -> u16 {
    let (set, points) = (set.bits(), Bitboard::file(file).bits());
    let low = gather(set as u64, points as u64);
    let high = gather((set >> 64) as u64, (points >> 64) as u64);
    (low | high << ranks_in_low_half(file)) as u16
}

/// The points of the file whose bits are set, one bit a rank.
#[inline]
pub(super) fn spread_file(file: u8, ranks: u16) -> Bitboard {
    let (ranks, points) = (u64::from(ranks), Bitboard::file(file).bits());
    let low = spread(ranks, points as u64);
    let high = spread(ranks >> ranks_in_low_half(file), (points >> 64) as u64);
    Bitboard::from_board_bits(u128::from(high) << 64 | u128::from(low))
}

/// How many points of a file are among the first 64 of the board: seven, and on file `a` eight.
#[inline]
fn ranks_in_low_half(file: u8) -> u32 {
    if file == 0 { 8 } else { 7 }
}

/// The bits of `bits` under `mask`, packed to the right.
#[inline]
fn gather(bits: u64, mask: u64) -> u64 {
    // SAFETY: this file is compiled only where BMI2 is a target feature of the whole build.
    unsafe { _pext_u64(bits, mask) }
}

/// The lowest bits of `bits`, spread over the bits of `mask`.
#[inline]
fn spread(bits: u64, mask: u64) -> u64 {
    // SAFETY: as above.
    unsafe { _pdep_u64(bits, mask) }
}
