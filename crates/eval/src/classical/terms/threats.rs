//! Threats and protection.

use chuhe_board::PieceKind;

use super::View;
use crate::classical::{Feature, Ledger};

/// Attackers from the cheapest to the dearest.
const RISING: [PieceKind; 7] = [
    PieceKind::Soldier,
    PieceKind::Advisor,
    PieceKind::Elephant,
    PieceKind::Horse,
    PieceKind::Cannon,
    PieceKind::Chariot,
    PieceKind::General,
];

#[inline]
pub(super) fn note(view: &View<'_>, ledger: &mut impl Ledger) {
    let position = view.position;
    let targets = (position.pieces(!view.side) & view.own.all) - position.kind(PieceKind::General);
    for target in targets {
        let Some(piece) = position.piece_on(target) else {
            continue;
        };
        let cheapest = RISING.into_iter().find(|kind| view.own.by(*kind).contains(target));
        let protected = view.enemy.all.contains(target);
        if let Some(attacker) = cheapest {
            ledger.note(view.side, Feature::threat(attacker, piece.kind(), protected), 1, target.into());
        }
    }
    for kind in [PieceKind::Horse, PieceKind::Cannon, PieceKind::Chariot] {
        let protected = position.pieces_of(view.side, kind) & view.own.all;
        view.note_points(ledger, Feature::protected(kind), protected);
    }
}
