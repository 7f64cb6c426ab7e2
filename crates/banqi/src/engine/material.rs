//! What pieces are worth while certain pieces are alive: attack and defence.
//!
//! Seed 001 counted only what a piece can take and left open how to count what can take it. Here a value
//! shrinks with the prey that is gone and grows with the hunters that are gone.

use crate::engine::params::Params;
use crate::piece::{Counts, FULL_SET, Piece, Side};
use crate::position::Position;
use crate::rules::Captures;

/// Values and prospects of one set of pieces alive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Material {
    key: u64,
    pub(crate) values: [i16; Piece::COUNT],
    /// Red's sum less Black's, shown or not.
    pub(crate) balance: i16,
    /// Whether a side could ever take everything the other has, by Red's index first.
    pub(crate) can_win: [bool; 2],
}

impl Material {
    fn new(key: u64, alive: &Counts, captures: &Captures, params: &Params) -> Self {
        let mut values = [0; Piece::COUNT];
        let mut sums = [0; 2];
        for piece in Piece::all() {
            let value = value(piece, alive, captures, params);
            values[piece.index()] = value as i16;
            sums[piece.side().index()] += value * i32::from(alive[piece.index()]);
        }
        let total: i32 = alive.iter().map(|&count| i32::from(count)).sum();
        // The same lead counts for more the less is left to win it back with.
        let lead = (sums[0] - sums[1]) * (32 + (32 - total)) / 32;
        let balance = lead.clamp(-LARGEST, LARGEST) as i16;
        let can_win = Side::ALL.map(|side| can_take_all(side, alive, captures));
        Self { key, values, balance, can_win }
    }

    /// Rare, and so kept out of the way of the look-up.
    #[cold]
    fn replace(&mut self, key: u64, alive: &Counts, captures: &Captures, params: &Params) {
        *self = Self::new(key, alive, captures, params);
    }
}

/// The largest balance: wins lie above it with room for what else is counted.
const LARGEST: i32 = 6000;

fn value(piece: Piece, alive: &Counts, captures: &Captures, params: &Params) -> i32 {
    let base = params.base[piece.kind().index()];
    let prey = |counts: &Counts| -> i32 {
        enemies(piece)
            .filter(|&victim| captures.at_all(piece, victim))
            .map(|victim| i32::from(counts[victim.index()]) * params.base[victim.kind().index()])
            .sum()
    };
    let hunters = |counts: &Counts| -> i32 {
        enemies(piece)
            .filter(|&hunter| captures.at_all(hunter, piece))
            .map(|hunter| i32::from(counts[hunter.index()]))
            .sum()
    };
    let attack = 100 - params.attack + params.attack * prey(alive) / prey(&FULL_SET).max(1);
    let safety = 100 + params.safety - params.safety * hunters(alive) / hunters(&FULL_SET).max(1);
    base * attack * safety / 10_000
}

fn enemies(piece: Piece) -> impl Iterator<Item = Piece> {
    Piece::all().filter(move |other| other.side() != piece.side())
}

/// Whether each enemy piece alive has a hunter alive on this side. One piece alone catches one that has to
/// move, but not two: the second keeps the distance odd.
fn can_take_all(side: Side, alive: &Counts, captures: &Captures) -> bool {
    let is_alive = |piece: &Piece| alive[piece.index()] > 0;
    let own = || Piece::all().filter(move |piece| piece.side() == side).filter(is_alive);
    let count = |of: Side| -> u8 { alive[of.index() * 7..][..7].iter().sum() };
    let huntable = Piece::all()
        .filter(|piece| piece.side() != side)
        .filter(is_alive)
        .all(|victim| own().any(|hunter| captures.at_all(hunter, victim)));
    huntable && (count(side) > 1 || count(side.opponent()) == 1)
}

/// Remembers the last few thousand sets of pieces.
pub(crate) struct MaterialCache {
    entries: Vec<Material>,
}

impl MaterialCache {
    const SIZE: usize = 1 << 12;

    pub(crate) fn new() -> Self {
        // No set of pieces has this key: three bits a piece are used.
        let empty = Material { key: u64::MAX, values: [0; Piece::COUNT], balance: 0, can_win: [true; 2] };
        Self { entries: vec![empty; Self::SIZE] }
    }

    #[inline]
    pub(crate) fn of(&mut self, position: &Position, captures: &Captures, params: &Params) -> &Material {
        let key = position.alive_packed();
        let slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize;
        let entry = &mut self.entries[slot];
        if entry.key != key {
            entry.replace(key, position.alive(), captures, params);
        }
        entry
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    fn material(text: &str) -> Material {
        let position: Position = text.parse().unwrap();
        Material::new(0, position.alive(), &Captures::from(&Rules::OLYMPIAD), &Params::default())
    }

    fn value(material: &Material, letter: char) -> i16 {
        material.values[Piece::from_letter(letter).unwrap().index()]
    }

    #[test]
    fn a_full_set_is_balanced_and_has_the_base_values() {
        let full = material(&Position::start().to_string());
        assert_eq!(full.balance, 0);
        assert_eq!(i32::from(value(&full, 'K')), Params::default().base[0]);
        assert_eq!(value(&full, 'p'), value(&full, 'P'));
    }

    #[test]
    fn a_general_grows_when_the_soldiers_are_gone_and_shrinks_without_prey() {
        let soldiers = material("KG6/MMpppppg/8/8 r - 0");
        let none = material("KG6/MM5g/8/8 r - 0");
        let no_prey = material("KG6/MMppppp1/8/8 r - 0");
        assert!(value(&none, 'K') > value(&soldiers, 'K'));
        assert!(value(&no_prey, 'K') < value(&soldiers, 'K'));
    }

    #[test]
    fn a_side_wins_only_what_it_can_take() {
        assert_eq!(material("KM6/8/8/7p r - 0").can_win, [true, false]);
        assert_eq!(material("K7/8/8/7p r - 0").can_win, [false, true]);
        assert_eq!(material("G7/8/8/6pp r - 0").can_win, [false, false]);
        assert_eq!(material("MM6/8/8/6gg r - 0").can_win, [false, true]);
        assert_eq!(material("MC6/8/8/6gg r - 0").can_win, [true, true]);
    }
}
