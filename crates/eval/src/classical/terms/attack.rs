//! Attack chance 進攻機會: how much of a side's force stands beyond the river or outnumbers the enemy's. It raises what
//! guards are worth to the other side and changes what soldiers are worth (Liu 2014, §3.3.1, tables 15 and 16).

use chuhe_board::{PieceKind, Position, Side, zones};

use super::View;
use crate::classical::{Feature, Ledger};

/// The largest chance.
const MOST: i32 = 8;

#[inline]
pub(super) fn note(view: &View<'_>, ledger: &mut impl Ledger) {
    let position = view.position;
    let enemy = chance(position, !view.side);
    if enemy > 0 {
        for kind in [PieceKind::Advisor, PieceKind::Elephant] {
            let guards = position.pieces_of(view.side, kind);
            ledger.note(view.side, Feature::threatened_guard(kind), guards.len() as i32 * enemy, guards);
        }
    }
    let soldiers = position.pieces_of(view.side, PieceKind::Soldier) & zones::bank(!view.side);
    if soldiers.is_empty() {
        return;
    }
    let own = chance(position, view.side);
    for square in soldiers {
        let from_middle = u32::from(square.file().abs_diff(4));
        let close = square.seen_by(view.side).rank() >= 7;
        ledger.note(view.side, Feature::attacking_soldier(from_middle, close), own, square.into());
    }
}

/// 0 to [`MOST`]: 2 for a chariot or horse beyond the river, 1 for a cannon or soldier, and 2 for each attacker that
/// the enemy lacks, a chariot counting as two.
#[inline]
fn chance(position: &Position, side: Side) -> i32 {
    let bank = zones::bank(!side) & position.pieces(side);
    let mobile = position.kind(PieceKind::Chariot) | position.kind(PieceKind::Horse);
    let others = position.kind(PieceKind::Cannon) | position.kind(PieceKind::Soldier);
    let crossed = 2 * (bank & mobile).len() + (bank & others).len();
    let more = attackers(position, side).saturating_sub(attackers(position, !side));
    (crossed + 2 * more).min(MOST as u32) as i32
}

/// What a side attacks with besides soldiers: a chariot counts as two horses or cannons.
#[inline]
pub(super) fn attackers(position: &Position, side: Side) -> u32 {
    let count = |kind| position.pieces_of(side, kind).len();
    2 * count(PieceKind::Chariot) + count(PieceKind::Horse) + count(PieceKind::Cannon)
}
