//! Control points 控制點: empty points that a side attacks with more pieces than the other, by distance from the enemy
//! general (Deep Elephant, evaluation (4); Liu 2014, §3.2.4).

use chuhe_board::{Bitboard, Square};

use super::View;
use crate::classical::{Feature, Ledger};

#[inline]
pub(super) fn note(view: &View<'_>, ledger: &mut impl Ledger) {
    let controlled = view.own.outnumbers(view.enemy) - view.position.occupied();
    let contested = controlled & view.enemy.all;
    let rings = &RINGS[view.position.general(!view.side).index()];
    for (number, ring) in rings.iter().enumerate() {
        view.note_points(ledger, Feature::control(number as u16, false), (controlled & *ring) - contested);
        view.note_points(ledger, Feature::control(number as u16, true), contested & *ring);
    }
}

/// For each point those one, two and three steps of a king away, and all beyond.
static RINGS: [[Bitboard; 4]; Square::COUNT] = {
    let mut table = [[Bitboard::EMPTY; 4]; Square::COUNT];
    let mut centre = 0;
    while centre < Square::COUNT {
        let mut index = 0;
        while index < Square::COUNT {
            let (Some(a), Some(b)) = (Square::from_index(centre), Square::from_index(index)) else {
                panic!("tables have 90 entries");
            };
            let files = a.file().abs_diff(b.file());
            let ranks = a.rank().abs_diff(b.rank());
            let distance = if files > ranks { files } else { ranks };
            if distance > 0 {
                let ring = if distance > 3 { 3 } else { distance as usize - 1 };
                table[centre][ring] = table[centre][ring].or(Bitboard::of(b));
            }
            index += 1;
        }
        centre += 1;
    }
    table
};
