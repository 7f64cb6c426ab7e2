//! The combinatorial number system: the k-element subsets of a set, numbered without gaps.

use arrayvec::ArrayVec;
use chuhe_board::{Bitboard, Square};

/// The largest subset: five soldiers, or a general with four defenders.
pub(super) const MAX_PIECES: usize = 5;

/// The squares of the pieces of one group.
pub(super) type Placement = ArrayVec<Square, MAX_PIECES>;

/// Binomial coefficients: `CHOOSE[k][n]` is n over k.
pub(super) const CHOOSE: [[u32; Square::COUNT + 1]; MAX_PIECES + 1] = {
    let mut table = [[0; Square::COUNT + 1]; MAX_PIECES + 1];
    let mut n = 0;
    while n <= Square::COUNT {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MAX_PIECES && n > 0 {
            table[k][n] = table[k][n - 1] + table[k - 1][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of `k`-element subsets of an `n`-element set.
pub(super) fn choose(n: u32, k: u8) -> u64 {
    CHOOSE[k as usize][n as usize].into()
}

/// The rank of a subset, given by its elements in rising order, among all subsets of its size.
#[inline]
pub(super) fn subset_rank(elements: &[u8]) -> u32 {
    elements.iter().zip(1..).map(|(&element, k): (&u8, usize)| CHOOSE[k][element as usize]).sum()
}

/// All subsets of `count` squares by rising rank, each with its squares in order.
pub(super) fn subsets(squares: Bitboard, count: u8) -> Vec<Placement> {
    if count == 0 {
        return vec![Placement::new()];
    }
    let mut all = Vec::new();
    for highest in squares {
        for mut subset in subsets(squares & below(highest), count - 1) {
            subset.push(highest);
            all.push(subset);
        }
    }
    all
}

/// The number of a square among those of a zone.
pub(super) fn number_within(zone: Bitboard, square: Square) -> Option<u8> {
    zone.contains(square).then(|| (zone & below(square)).len() as u8)
}

fn below(square: Square) -> Bitboard {
    Bitboard::from_bits((1 << square.index()) - 1)
}
