//! What has worked before: moves that caused cuts elsewhere in the tree are tried earlier here.
#![allow(unsafe_code)]

use chuhe_board::{Bitboard, Move, Piece, PieceKind, Square, zones};
use chuhe_hugepages::{Slab, Zero};

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

const POINTS: usize = Square::COUNT;

/// A piece and where it went: the key of most tables. What went where says more about a move than
/// from where to where, because a chariot and a cannon make the same steps (Shark, section 3.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step(u16);

/// How many steps can be made in a game: little more than half of all pieces to all points. So the largest
/// table fits the second-level cache.
const STEPS: usize = 692;

/// The numbers of the steps by piece and point. A soldier that a diagram puts where none can get shares a number.
static NUMBERS: [[u16; POINTS]; Piece::ALL.len()] = {
    let mut numbers = [[0; POINTS]; Piece::ALL.len()];
    let (mut piece, mut next) = (0, 0);
    while piece < numbers.len() {
        let reachable = reachable(Piece::ALL[piece]).bits();
        let mut point = 0;
        while point < POINTS {
            next += (reachable >> point & 1) as u16;
            numbers[piece][point] = if next == 0 { 0 } else { next - 1 };
            point += 1;
        }
        piece += 1;
    }
    assert!(next as usize == STEPS);
    numbers
};

/// The points a piece can reach in a game.
const fn reachable(piece: Piece) -> Bitboard {
    match piece.kind() {
        PieceKind::Soldier => zones::soldier_points(piece.side()),
        kind => zones::allowed(piece.side(), kind),
    }
}

impl Step {
    /// No step: a pass, or what lies before the root. Nothing is ever learnt about it.
    pub(crate) const PASS: Self = Self(STEPS as u16);

    #[inline]
    pub(crate) fn new(piece: Piece, to: Square) -> Self {
        Self(NUMBERS[piece.index()][to.index()])
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

    /// How well quiet steps did as answers to an earlier one.
    #[inline]
    pub(crate) fn answers(&self, before: Step) -> Answers<'_> {
        let (row, _) =
            self.continuations[before.index() * STEPS..].split_first_chunk().expect("a row for every step");
        Answers(row)
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

/// The record of all answers to one step.
#[derive(Clone, Copy)]
pub(crate) struct Answers<'a>(&'a [Tally; STEPS]);

impl Answers<'_> {
    /// How well this one did.
    #[inline]
    pub(crate) fn worth(self, step: Step) -> i32 {
        self.0[step.index()].get()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn steps_that_can_be_made_have_numbers_of_their_own() {
        let steps: Vec<Step> = Piece::ALL
            .into_iter()
            .flat_map(|piece| reachable(piece).into_iter().map(move |to| Step::new(piece, to)))
            .collect();
        let numbers: HashSet<usize> = steps.iter().map(|step| step.index()).collect();
        assert_eq!((steps.len(), numbers.len()), (STEPS, STEPS));
    }

    #[test]
    fn every_piece_on_every_point_has_a_number() {
        let all = Piece::ALL.into_iter().flat_map(|piece| Square::all().map(move |to| Step::new(piece, to)));
        assert!(all.clone().count() == 14 * 90 && all.into_iter().all(|step| step.index() < STEPS));
    }

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
