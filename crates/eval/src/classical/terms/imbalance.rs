//! Kinds that are worth more or less together, and against each other.

use chuhe_board::{Bitboard, PieceKind, Side};

use super::View;
use crate::classical::{Feature, Ledger};

/// All kinds but the general.
const KINDS: [PieceKind; 6] = [
    PieceKind::Advisor,
    PieceKind::Elephant,
    PieceKind::Horse,
    PieceKind::Chariot,
    PieceKind::Cannon,
    PieceKind::Soldier,
];

#[inline]
pub(super) fn note(view: &View<'_>, ledger: &mut impl Ledger) {
    let count = |side: Side| KINDS.map(|kind| view.position.pieces_of(side, kind).len() as i32);
    let (own, enemy) = (count(view.side), count(!view.side));
    for (first, first_kind) in KINDS.into_iter().enumerate() {
        if own[first] == 0 {
            continue;
        }
        for (second, second_kind) in KINDS.into_iter().enumerate() {
            if second >= first {
                let together = own[first] * (own[second] - i32::from(first == second));
                ledger.note(view.side, Feature::together(first_kind, second_kind), together, Bitboard::EMPTY);
            }
            if second != first {
                let against = own[first] * enemy[second];
                ledger.note(view.side, Feature::against(first_kind, second_kind), against, Bitboard::EMPTY);
            }
        }
    }
}
