//! Ledgers: receivers of the features that the evaluation finds.

use chuhe_board::{Bitboard, Side};

use super::{Feature, Tapered, weight};

/// Receives every feature of a position.
pub trait Ledger {
    /// `side` has the feature `times` times, because of these points.
    fn note(&mut self, side: Side, feature: Feature, times: i32, points: Bitboard);
}

/// Sums the weights: for playing.
#[derive(Default)]
pub(super) struct Sum {
    sides: [Tapered; 2],
}

impl Sum {
    /// Red's total less Black's.
    #[inline]
    pub(super) fn total(&self) -> Tapered {
        self.sides[0] - self.sides[1]
    }
}

impl Ledger for Sum {
    #[inline]
    fn note(&mut self, side: Side, feature: Feature, times: i32, _: Bitboard) {
        self.sides[side.index()] += weight(feature) * times;
    }
}

/// One feature found in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// Whose feature it is.
    pub side: Side,
    /// What was found.
    pub feature: Feature,
    /// How many times.
    pub times: i32,
    /// The points of the board that show it.
    pub points: Bitboard,
}

impl Note {
    /// What the note adds for its side.
    pub fn worth(&self) -> Tapered {
        weight(self.feature) * self.times
    }
}

/// Keeps every note: for explaining and tuning.
#[derive(Clone, Debug, Default)]
pub struct Notes(Vec<Note>);

impl Notes {
    /// The notes in the order they were taken.
    pub fn iter(&self) -> impl Iterator<Item = &Note> {
        self.0.iter()
    }

    /// Red's total less Black's.
    pub fn total(&self) -> Tapered {
        let signed = |note: &Note| if note.side == Side::Red { note.worth() } else { -note.worth() };
        self.iter().map(signed).sum()
    }
}

impl Ledger for Notes {
    fn note(&mut self, side: Side, feature: Feature, times: i32, points: Bitboard) {
        self.0.push(Note { side, feature, times, points });
    }
}
