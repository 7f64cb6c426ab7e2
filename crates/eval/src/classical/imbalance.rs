//! What follows from material alone: kinds that are worth more or less together and against each
//! other, and book wins.

use chuhe_board::{Bitboard, PieceKind, Side};

use super::endings::Hope;
use super::{Feature, Ledger, Material, progress};

/// All kinds but the general.
const KINDS: [PieceKind; 6] = [
    PieceKind::Advisor,
    PieceKind::Elephant,
    PieceKind::Horse,
    PieceKind::Chariot,
    PieceKind::Cannon,
    PieceKind::Soldier,
];

/// Notes all that follows from the material.
pub(super) fn note_all(material: Material, ledger: &mut impl Ledger) {
    note_kinds(material, ledger);
    for side in Side::ALL {
        let (own, enemy) = (material.side(side), material.side(!side));
        if Hope::of(own, enemy) == Hope::Win {
            ledger.note(side, Feature::WON, progress::of(own, enemy), Bitboard::EMPTY);
        }
    }
}

/// Notes the pairs of kinds of both sides, and the guards that are missing.
pub(super) fn note_kinds(material: Material, ledger: &mut impl Ledger) {
    let [red, black] = material.0.map(|code| KINDS.map(|kind| code.count(kind) as i32));
    note(Side::Red, red, black, ledger);
    note(Side::Black, black, red, ledger);
    for side in Side::ALL {
        let (own, enemy) = (material.side(side), material.side(!side));
        let advisors =
            Feature::advisors_against(own.count(PieceKind::Advisor), enemy.count(PieceKind::Chariot));
        let elephants =
            Feature::elephants_against(own.count(PieceKind::Elephant), enemy.count(PieceKind::Cannon));
        ledger.note(side, advisors, 1, Bitboard::EMPTY);
        ledger.note(side, elephants, 1, Bitboard::EMPTY);
    }
}

fn note(side: Side, own: [i32; 6], enemy: [i32; 6], ledger: &mut impl Ledger) {
    for (first, first_kind) in KINDS.into_iter().enumerate() {
        if own[first] == 0 {
            continue;
        }
        for (second, second_kind) in KINDS.into_iter().enumerate() {
            if second >= first {
                let together = own[first] * (own[second] - i32::from(first == second));
                ledger.note(side, Feature::together(first_kind, second_kind), together, Bitboard::EMPTY);
            }
            if second != first {
                let against = own[first] * enemy[second];
                ledger.note(side, Feature::against(first_kind, second_kind), against, Bitboard::EMPTY);
            }
        }
    }
}
