//! Soldiers beyond the river, and soldiers side by side.

use chuhe_board::{Bitboard, PieceKind, zones};

use super::View;
use crate::classical::{Feature, Ledger};

#[inline]
pub(super) fn note(view: &View<'_>, ledger: &mut impl Ledger) {
    let soldiers = view.position.pieces_of(view.side, PieceKind::Soldier);
    let crossed = soldiers & zones::bank(!view.side);
    ledger.note(view.side, Feature::crossed_soldiers(crossed.len()), 1, crossed);
    // Before the river soldiers stand two files apart, so neighbours have crossed.
    let left = soldiers - Bitboard::file(8);
    let right = Bitboard::from_bits(left.bits() << 1) & soldiers;
    let linked = right | Bitboard::from_bits(right.bits() >> 1);
    ledger.note(view.side, Feature::linked_soldiers(right.len()), 1, linked);
}
