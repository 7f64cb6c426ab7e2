//! What has worked before: moves that caused cuts elsewhere in the tree are tried earlier here.
#![allow(unsafe_code)]

use chuhe_board::{Move, Piece, PieceKind, Square};
use chuhe_slab::{Slab, Zero};

/// A number that learns: each bonus moves it towards ±[`Tally::LIMIT`], less the nearer it is.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally(i16);

// SAFETY: a tally is an integer, for which zero is a value.
unsafe impl Zero for Tally {}

impl Tally {
    const LIMIT: i32 = 16_384;

    #[inline]
    fn learn(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-Self::LIMIT, Self::LIMIT);
        let value = i32::from(self.0);
        self.0 = (value + bonus - value * bonus.abs() / Self::LIMIT) as i16;
    }

    #[inline]
    fn get(self) -> i32 {
        self.0.into()
    }
}

const PIECES: usize = 14;
const POINTS: usize = Square::COUNT;

/// A piece and where it went: the key of most tables. What went where says more about a move than
/// from where to where, because a chariot and a cannon make the same steps (Shark, section 3.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step(u16);

const STEPS: usize = PIECES * POINTS;

impl Step {
    /// No step: a pass, or what lies before the root. Nothing is ever learnt about it.
    pub(crate) const PASS: Self = Self(STEPS as u16);

    #[inline]
    pub(crate) const fn new(piece: Piece, to: Square) -> Self {
        Self((piece.index() * POINTS + to.index()) as u16)
    }

    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Default for Step {
    fn default() -> Self {
        Self::PASS
    }
}

/// The memory of one worker.
pub(crate) struct History {
    quiets: Box<[Tally]>,
    captures: Box<[Tally]>,
    continuations: Slab<Tally>,
    counters: Box<[Option<Move>]>,
}

impl History {
    pub(crate) fn new() -> Self {
        Self {
            quiets: vec![Tally::default(); POINTS * POINTS].into(),
            captures: vec![Tally::default(); STEPS * 7].into(),
            continuations: Slab::new((STEPS + 1) * STEPS).expect("a few megabytes are there"),
            counters: vec![None; STEPS + 1].into(),
        }
    }

    /// Forgets everything.
    pub(crate) fn forget(&mut self) {
        let Self { quiets, captures, continuations, counters } = self;
        quiets.fill(Tally::default());
        captures.fill(Tally::default());
        continuations.fill(Tally::default());
        counters.fill(None);
    }

    /// How well the quiet move whose record is kept here did anywhere.
    #[inline]
    pub(crate) fn quiet(&self, place: usize) -> i32 {
        self.quiets[place].get()
    }

    /// How well a quiet step did as the answer to an earlier step.
    #[inline]
    pub(crate) fn continuation(&self, before: Step, step: Step) -> i32 {
        self.continuations[before.index() * STEPS + step.index()].get()
    }

    /// How well it did to take this kind with this step.
    #[inline]
    pub(crate) fn capture(&self, step: Step, taken: PieceKind) -> i32 {
        self.captures[step.index() * 7 + taken.index()].get()
    }

    /// The quiet move that refuted a step last.
    #[inline]
    pub(crate) fn counter(&self, before: Step) -> Option<Move> {
        self.counters[before.index()]
    }

    #[inline]
    pub(crate) fn learn_quiet(&mut self, place: usize, bonus: i32) {
        self.quiets[place].learn(bonus);
    }

    #[inline]
    pub(crate) fn learn_continuation(&mut self, before: Step, step: Step, bonus: i32) {
        if before != Step::PASS {
            self.continuations[before.index() * STEPS + step.index()].learn(bonus);
        }
    }

    #[inline]
    pub(crate) fn learn_capture(&mut self, step: Step, taken: PieceKind, bonus: i32) {
        self.captures[step.index() * 7 + taken.index()].learn(bonus);
    }

    #[inline]
    pub(crate) fn learn_counter(&mut self, before: Step, mv: Move) {
        if before != Step::PASS {
            self.counters[before.index()] = Some(mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_stays_within_its_limit_and_unlearns() {
        let mut tally = Tally::default();
        for _ in 0..1000 {
            tally.learn(3000);
        }
        assert!(tally.get() > 15_000 && tally.get() <= Tally::LIMIT);
        for _ in 0..1000 {
            tally.learn(-3000);
        }
        assert!(tally.get() < -15_000);
    }
}
