//! Soldiers beside each other and in front of their pieces.

use chuhe_board::{Bitboard, PieceKind, attacks, zones};

use super::View;
use crate::classical::{Feature, Ledger};

#[inline]
pub(super) fn note(view: &View<'_>, ledger: &mut impl Ledger) {
    let soldiers = view.position.pieces_of(view.side, PieceKind::Soldier);
    let crossed = soldiers & zones::bank(!view.side);
    let linked: Bitboard =
        crossed.into_iter().filter(|soldier| crossed.meets(attacks::soldier(view.side, *soldier))).collect();
    view.note_points(ledger, Feature::LINKED_SOLDIERS, linked);
    ledger.note(view.side, Feature::crossed_soldiers(crossed.len()), 1, crossed);
}
