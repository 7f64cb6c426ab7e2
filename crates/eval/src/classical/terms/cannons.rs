//! Cannons and chariots on the enemy general's lines.

use chuhe_board::{Bitboard, PieceKind, Side, attacks};

use super::View;
use crate::classical::{Feature, Ledger};

#[inline]
pub(super) fn note(view: &View<'_>, ledger: &mut impl Ledger) {
    let position = view.position;
    let general = position.general(!view.side);
    let occupied = position.occupied();
    let file = Bitboard::file(general.file());
    let lines = file | Bitboard::rank(general.rank());
    let horses = position.pieces_of(!view.side, PieceKind::Horse);
    for attacker in view.own.attackers().filter(|attacker| lines.contains(attacker.square)) {
        let on_file = file.contains(attacker.square);
        let between = attacks::between(attacker.square, general);
        let blockers = between & occupied;
        let points = Bitboard::of(attacker.square) | blockers;
        match (attacker.kind, blockers.len()) {
            (PieceKind::Cannon, 0) => ledger.note(view.side, Feature::hollow_cannon(on_file), 1, points),
            (PieceKind::Cannon, 2) => {
                ledger.note(view.side, Feature::loaded_cannon(on_file), 1, points);
                let choked = blockers & horses & attacks::general(general);
                view.note_points(ledger, Feature::CHOKED_HORSE, choked);
            }
            (PieceKind::Chariot, 1) => {
                let pinned = blockers & position.pieces(!view.side);
                view.note_points(ledger, Feature::PINNED, pinned);
            }
            _ => {}
        }
    }
    let back_rank = Bitboard::rank(if view.side == Side::Red { 9 } else { 0 });
    let sunk = position.pieces_of(view.side, PieceKind::Cannon) & back_rank;
    view.note_points(ledger, Feature::BOTTOM_CANNON, sunk);
}
