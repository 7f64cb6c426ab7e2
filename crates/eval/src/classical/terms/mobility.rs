//! Mobility 靈活度 (Liu 2014, §3.3.3; Deep Elephant; Xu & Wang 2006, §5).

use chuhe_board::{Bitboard, PieceKind, attacks};

use super::View;
use crate::classical::reach::Attacker;
use crate::classical::{Feature, Ledger};

#[inline]
pub(super) fn note(view: &View<'_>, ledger: &mut impl Ledger) {
    // Points guarded by a cheaper piece do not count.
    let guarded = view.enemy.by(PieceKind::Soldier)
        | view.enemy.by(PieceKind::Advisor)
        | view.enemy.by(PieceKind::Elephant);
    let denied_to_chariots = guarded | view.enemy.by(PieceKind::Horse) | view.enemy.by(PieceKind::Cannon);
    for attacker in view.own.attackers() {
        let points = match attacker.kind {
            PieceKind::Chariot => attacker.steps - denied_to_chariots,
            PieceKind::Cannon => attacker.steps - guarded,
            _ => note_horse(view, attacker, ledger),
        };
        ledger.note(view.side, Feature::mobility(attacker.kind, points.len()), 1, attacker.square.into());
    }
    let own = view.position.pieces(view.side);
    for kind in [PieceKind::Advisor, PieceKind::Elephant] {
        view.note_points(ledger, Feature::steps(kind), view.own.by(kind) - own);
    }
    // A soldier's step forward is nothing special.
    let (steps, soldiers) =
        (view.own.by(PieceKind::Soldier) - own, view.position.kind(PieceKind::Soldier) & own);
    let more = steps.len() as i32 - soldiers.len() as i32;
    ledger.note(view.side, Feature::steps(PieceKind::Soldier), more, steps);
}

/// The free points of a horse; those that own pieces keep it from are half free, those that the enemy
/// keeps it from are denied (Liu 2014, §3.3.3).
#[inline]
fn note_horse(view: &View<'_>, horse: &Attacker, ledger: &mut impl Ledger) -> Bitboard {
    let square = horse.square;
    let all = attacks::horse(square, Bitboard::EMPTY);
    let past_enemies = attacks::horse(square, view.position.pieces(!view.side));
    let free = horse.steps - view.enemy.all;
    let denied = (all - past_enemies) | (all & view.enemy.all);
    let half_free = all - free - denied;
    ledger.note(view.side, Feature::half_free(half_free.len()), 1, half_free);
    ledger.note(view.side, Feature::denied(denied.len()), 1, denied);
    free
}
