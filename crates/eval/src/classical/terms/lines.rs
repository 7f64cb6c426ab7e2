//! Line patterns: hollow cannon 空頭炮, cannon over two 當頭炮, bottom cannon 沉底炮, iron bolt 鐵門閂, choked horse
//! 炮鎮窩心馬, pins 栓鍊 (Liu 2014, §3.3.2; Xu & Wang 2006, §5).

use chuhe_board::{Bitboard, PieceKind, Side, Square, attacks};

use super::View;
use crate::classical::reach::Attacker;
use crate::classical::{Feature, Ledger};

#[inline]
pub(super) fn note(view: &View<'_>, ledger: &mut impl Ledger) {
    let general = view.position.general(!view.side);
    for attacker in view.own.attackers() {
        if attacker.kind == PieceKind::Horse {
            continue;
        }
        if attacks::cross(general).contains(attacker.square) {
            note_line(view, attacker, general, ledger);
        }
        let chariots = view.position.pieces_of(!view.side, PieceKind::Chariot);
        for chariot in chariots & attacks::cross(attacker.square) {
            note_pin(view, attacker, chariot, false, ledger);
        }
    }
}

/// A chariot or cannon on the general's file or rank.
#[inline]
fn note_line(view: &View<'_>, attacker: &Attacker, general: Square, ledger: &mut impl Ledger) {
    note_pin(view, attacker, general, true, ledger);
    if attacker.kind != PieceKind::Cannon {
        return;
    }
    let on_file = attacker.square.file() == general.file();
    let between = attacks::between(attacker.square, general);
    let blockers = between & view.position.occupied();
    let points = Bitboard::of(attacker.square) | blockers;
    match blockers.len() {
        0 if on_file => ledger.note(view.side, Feature::hollow_cannon(between.len()), 1, points),
        0 if general.rank() == back_rank(view) => note_bottom_cannon(view, attacker, general, ledger),
        0 => ledger.note(view.side, Feature::HOLLOW_ON_RANK, 1, points),
        2 => {
            ledger.note(view.side, Feature::loaded_cannon(on_file), 1, points);
            if on_file {
                note_choked_horse(view, attacker, general, blockers, ledger);
                note_iron_bolt(view, general, points, ledger);
            }
        }
        _ => {}
    }
}

/// Choked horse 炮鎮窩心馬: a horse between the cannon and its general blocks the palace centre and is pinned.
#[inline]
fn note_choked_horse(
    view: &View<'_>,
    cannon: &Attacker,
    general: Square,
    blockers: Bitboard,
    ledger: &mut impl Ledger,
) {
    let horses = view.position.pieces_of(!view.side, PieceKind::Horse);
    let choked = blockers & horses & attacks::general(general);
    if choked.is_empty() {
        return;
    }
    let file = Bitboard::file(general.file());
    let second = (view.position.pieces_of(view.side, PieceKind::Cannon) & file) - cannon.square;
    let feature = if second.is_empty() { Feature::CHOKED_HORSE } else { Feature::CHOKED_BY_TWO };
    ledger.note(view.side, feature, 1, choked | cannon.square | second);
}

/// Iron bolt 鐵門閂: the cannon pins what stands before the general; control of a point beside it threatens mate.
#[inline]
fn note_iron_bolt(view: &View<'_>, general: Square, line: Bitboard, ledger: &mut impl Ledger) {
    let beside = attacks::general(general) & Bitboard::rank(general.rank());
    let own_general = view.position.general(view.side);
    let looked_at: Bitboard = (beside & Bitboard::file(own_general.file()))
        .into_iter()
        .filter(|point| !attacks::between(own_general, *point).meets(view.position.occupied()))
        .collect();
    let held = beside & (view.own.all | looked_at);
    if !held.is_empty() {
        ledger.note(view.side, Feature::IRON_BOLT, held.len() as i32, held | line);
    }
}

/// Pins 栓鍊: an enemy piece that would expose what stands behind it, dearer the nearer the two stand. One piece before
/// a chariot's target, two before a cannon's.
#[inline]
fn note_pin(
    view: &View<'_>,
    attacker: &Attacker,
    target: Square,
    on_general: bool,
    ledger: &mut impl Ledger,
) {
    let by_cannon = attacker.kind == PieceKind::Cannon;
    let blockers = attacks::between(attacker.square, target) & view.position.occupied();
    if blockers.len() != 1 + u32::from(by_cannon) {
        return;
    }
    let enemies = blockers & view.position.pieces(!view.side);
    for pinned in enemies {
        if let Some(piece) = view.position.piece_on(pinned) {
            let points = Bitboard::of(pinned) | attacker.square | target;
            let gap = attacks::between(pinned, target).len();
            ledger.note(view.side, Feature::pin(by_cannon, on_general, piece.kind(), gap), 1, points);
        }
    }
}

/// Bottom cannon 沉底炮: on the general's back rank with nothing between. Any piece that steps between checks and
/// leaves with another; a general that cannot step off the rank cannot evade it.
#[inline]
fn note_bottom_cannon(view: &View<'_>, cannon: &Attacker, general: Square, ledger: &mut impl Ledger) {
    let files = u32::from(cannon.square.file().abs_diff(general.file()));
    let off_the_rank = attacks::general(general) - Bitboard::rank(general.rank());
    let shut_in = (off_the_rank - view.position.pieces(!view.side) - view.own.all).is_empty();
    ledger.note(view.side, Feature::bottom_cannon(files, shut_in), 1, Bitboard::of(cannon.square) | general);
}

/// The rank on which the enemy's general starts.
#[inline]
const fn back_rank(view: &View<'_>) -> u8 {
    match view.side {
        Side::Red => 9,
        Side::Black => 0,
    }
}
