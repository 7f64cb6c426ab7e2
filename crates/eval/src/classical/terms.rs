//! The features that ask how the pieces work together: mobility, attacks on the palace, cannons on
//! the general's lines, threats and protection.

use chuhe_board::{Bitboard, PieceKind, Position, Side, attacks, zones};

use super::{Feature, Ledger};

/// Notes all features that are not placement.
#[inline]
pub(super) fn note_all(position: &Position, ledger: &mut impl Ledger) {
    let red = Reach::of(position, Side::Red, ledger);
    let black = Reach::of(position, Side::Black, ledger);
    note_side(position, Side::Red, &red, &black, ledger);
    note_side(position, Side::Black, &black, &red, ledger);
}

/// What a side's pieces attack.
struct Reach {
    all: Bitboard,
    /// By soldiers, advisors and elephants.
    by_minors: Bitboard,
    /// By horses and cannons.
    by_mediums: Bitboard,
}

impl Reach {
    /// Walks over the pieces of a side once, noting mobility and palace attacks on the way.
    #[inline]
    fn of(position: &Position, side: Side, ledger: &mut impl Ledger) -> Self {
        let occupied = position.occupied();
        let own = position.pieces(side);
        let palace = zones::palace(!side);
        let mut reach =
            Self { all: Bitboard::EMPTY, by_minors: Bitboard::EMPTY, by_mediums: Bitboard::EMPTY };

        for from in position.pieces_of(side, PieceKind::Chariot) {
            let attacked = attacks::chariot(from, occupied);
            ledger.note(side, Feature::chariot_mobility((attacked - own).len()), 1, from.into());
            note_palace_attack(ledger, side, PieceKind::Chariot, attacked & palace);
            reach.all |= attacked;
        }
        for from in position.pieces_of(side, PieceKind::Cannon) {
            let (slide, attacked) = attacks::chariot_and_cannon(from, occupied);
            ledger.note(side, Feature::cannon_mobility((slide - occupied).len()), 1, from.into());
            note_palace_attack(ledger, side, PieceKind::Cannon, attacked & palace);
            reach.by_mediums |= attacked;
        }
        for from in position.pieces_of(side, PieceKind::Horse) {
            let attacked = attacks::horse(from, occupied);
            ledger.note(side, Feature::horse_mobility((attacked - own).len()), 1, from.into());
            note_palace_attack(ledger, side, PieceKind::Horse, attacked & palace);
            reach.by_mediums |= attacked;
        }
        for from in position.pieces_of(side, PieceKind::Soldier) {
            let attacked = attacks::soldier(side, from);
            note_palace_attack(ledger, side, PieceKind::Soldier, attacked & palace);
            reach.by_minors |= attacked;
        }
        for from in position.pieces_of(side, PieceKind::Advisor) {
            reach.by_minors |= attacks::advisor(from);
        }
        for from in position.pieces_of(side, PieceKind::Elephant) {
            reach.by_minors |= attacks::elephant(from, occupied);
        }
        reach.all |= reach.by_mediums | reach.by_minors | attacks::general(position.general(side));
        reach
    }
}

#[inline]
fn note_palace_attack(ledger: &mut impl Ledger, side: Side, kind: PieceKind, points: Bitboard) {
    ledger.note(side, Feature::palace_attack(kind), points.len() as i32, points);
}

#[inline]
fn note_side(position: &Position, side: Side, own: &Reach, enemy: &Reach, ledger: &mut impl Ledger) {
    note_cannon_lines(position, side, ledger);
    note_threats(position, side, own, enemy, ledger);
    note_guards(position, side, ledger);

    let soldiers = position.pieces_of(side, PieceKind::Soldier) & zones::bank(!side);
    let linked: Bitboard =
        soldiers.into_iter().filter(|soldier| soldiers.meets(attacks::soldier(side, *soldier))).collect();
    ledger.note(side, Feature::LINKED_SOLDIERS, linked.len() as i32, linked);

    let free = attacks::general(position.general(side)) - position.pieces(side) - enemy.all;
    ledger.note(side, Feature::GENERAL_FREEDOM, free.len() as i32, free);
}

/// Cannons that bear on the enemy general or his back rank.
#[inline]
fn note_cannon_lines(position: &Position, side: Side, ledger: &mut impl Ledger) {
    let general = position.general(!side);
    let cannons = position.pieces_of(side, PieceKind::Cannon);
    let lines = Bitboard::file(general.file()) | Bitboard::rank(general.rank());
    for cannon in cannons & lines {
        match (attacks::between(cannon, general) & position.occupied()).len() {
            0 => ledger.note(side, Feature::HOLLOW_CANNON, 1, cannon.into()),
            2 => ledger.note(side, Feature::LOADED_CANNON, 1, cannon.into()),
            _ => {}
        }
    }
    let back_rank = Bitboard::rank(if side == Side::Red { 9 } else { 0 });
    let sunk = cannons & back_rank;
    ledger.note(side, Feature::BOTTOM_CANNON, sunk.len() as i32, sunk);
}

#[inline]
fn note_threats(position: &Position, side: Side, own: &Reach, enemy: &Reach, ledger: &mut impl Ledger) {
    let chariots = position.kind(PieceKind::Chariot);
    let majors = chariots | position.kind(PieceKind::Horse) | position.kind(PieceKind::Cannon);
    let enemies = position.pieces(!side) - position.kind(PieceKind::General);
    let mut note = |feature, points: Bitboard| ledger.note(side, feature, points.len() as i32, points);

    note(Feature::THREAT_BY_MINOR, enemies & majors & own.by_minors);
    note(Feature::CHARIOT_THREATENED, enemies & chariots & own.by_mediums);
    let hanging = (enemies & own.all) - enemy.all;
    note(Feature::HANGING, hanging - position.kind(PieceKind::Soldier));
    note(Feature::HANGING_SOLDIER, hanging & position.kind(PieceKind::Soldier));
    note(Feature::PROTECTED, position.pieces(side) & majors & own.all);
}

/// Attackers that gain from guards missing on the other side.
#[inline]
fn note_guards(position: &Position, side: Side, ledger: &mut impl Ledger) {
    let attackers = |kind| position.pieces_of(side, kind);
    let missing = |kind: PieceKind| (kind.full_count() - position.pieces_of(!side, kind).len()) as i32;
    let mut note = |feature, pieces: Bitboard, times: i32| {
        ledger.note(side, feature, pieces.len() as i32 * times, pieces);
    };
    let advisors = missing(PieceKind::Advisor);
    let elephants = missing(PieceKind::Elephant);
    note(Feature::CHARIOT_AND_MISSING_ADVISOR, attackers(PieceKind::Chariot), advisors);
    note(Feature::HORSE_AND_MISSING_ADVISOR, attackers(PieceKind::Horse), advisors);
    note(Feature::CANNON_AND_MISSING_ELEPHANT, attackers(PieceKind::Cannon), elephants);
    let guards = position.kind(PieceKind::Advisor) | position.kind(PieceKind::Elephant);
    note(Feature::CANNON_AND_GUARDS, attackers(PieceKind::Cannon), guards.len() as i32);
}
