//! Palace attack and general safety (Xu & Wang 2006, §5).

use chuhe_board::{PieceKind, attacks, zones};

use super::View;
use crate::classical::{Feature, Ledger};

#[inline]
pub(super) fn note(view: &View<'_>, ledger: &mut impl Ledger) {
    note_attacks(view, ledger);
    note_checks(view, ledger);
    let general = view.position.general(view.side);
    let free = attacks::general(general) - view.position.pieces(view.side) - view.enemy.all;
    ledger.note(view.side, Feature::general_freedom(free.len()), 1, free);
}

/// Points of the palace under attack, and how many pieces take part against how many guards.
#[inline]
fn note_attacks(view: &View<'_>, ledger: &mut impl Ledger) {
    let palace = zones::palace(!view.side);
    let mut partners = 0;
    for attacker in view.own.attackers() {
        let points = attacker.attacked & palace;
        if !points.is_empty() {
            partners += 1;
            view.note_points(ledger, Feature::palace_attack(attacker.kind), points);
        }
    }
    let by_soldiers = view.own.by(PieceKind::Soldier) & palace;
    if !by_soldiers.is_empty() {
        partners += 1;
        view.note_points(ledger, Feature::palace_attack(PieceKind::Soldier), by_soldiers);
    }
    let count = |kind| view.position.pieces_of(!view.side, kind).len();
    let guards = count(PieceKind::Advisor) + count(PieceKind::Elephant);
    ledger.note(view.side, Feature::partners_in_attack(partners, guards), 1, palace);

    let general = view.position.general(!view.side);
    let weak = (attacks::general(general) & view.own.all) - view.enemy.by_subjects;
    view.note_points(ledger, Feature::WEAK_RING, weak);
}

/// Checks that can be given from points where the enemy does not take.
#[inline]
fn note_checks(view: &View<'_>, ledger: &mut impl Ledger) {
    let occupied = view.position.occupied();
    let general = view.position.general(!view.side);
    let (slide, jump) = attacks::chariot_and_cannon(general, occupied);
    let from = |kind| match kind {
        PieceKind::Chariot => slide,
        PieceKind::Cannon => jump,
        _ => attacks::horses_to(general, occupied),
    };
    for attacker in view.own.attackers() {
        let checks = (attacker.steps & from(attacker.kind)) - view.enemy.all;
        if !checks.is_empty() {
            view.note_points(ledger, Feature::safe_check(attacker.kind), checks);
        }
    }
}
