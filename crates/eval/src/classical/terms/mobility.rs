//! How freely chariots, cannons and horses move.

use chuhe_board::PieceKind;

use super::View;
use crate::classical::{Feature, Ledger};

#[inline]
pub(super) fn note(view: &View<'_>, ledger: &mut impl Ledger) {
    // A point that a cheaper piece guards is no place to go.
    let guarded = view.enemy.by(PieceKind::Soldier)
        | view.enemy.by(PieceKind::Advisor)
        | view.enemy.by(PieceKind::Elephant);
    let denied_to_chariots = guarded | view.enemy.by(PieceKind::Horse) | view.enemy.by(PieceKind::Cannon);
    for attacker in view.own.attackers() {
        let denied = if attacker.kind == PieceKind::Chariot { denied_to_chariots } else { guarded };
        let points = (attacker.steps - denied).len();
        ledger.note(view.side, Feature::mobility(attacker.kind, points), 1, attacker.square.into());
    }
}
