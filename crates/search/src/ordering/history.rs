//! History heuristics: quiet, capture and continuation history, and countermoves. Moves that failed high
//! elsewhere in the tree are tried earlier.
#![allow(unsafe_code)]

use chuhe_board::{Bitboard, Move, Piece, PieceKind, Square, zones};
use chuhe_hugepages::{Slab, Zero};

/// A history score with gravity: each bonus moves it towards ±[`Entry::LIMIT`], less the nearer it is.
#[derive(Clone, Copy, Default)]
pub(crate) struct Entry(i16);

// SAFETY: an entry is a plain integer, for which zero is a value.
unsafe impl Zero for Entry {}

impl Entry {
    const LIMIT: i32 = 16_384;

    #[inline]
    fn update(&mut self, bonus: i32) {
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

/// Piece and target of a move: the index of most histories. It says more than origin and target, because a
/// chariot and a cannon make the same moves (Liu 2014, §3.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PieceTo(u16);

/// Pairs of piece and target that occur in a game, little more than half of all. Numbering only these keeps the
/// continuation history within the second-level cache.
const PIECE_TOS: usize = 692;

/// The number of each pair. A soldier that a diagram puts where none can get shares a number.
static INDICES: [[u16; POINTS]; Piece::ALL.len()] = {
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
    assert!(next as usize == PIECE_TOS);
    numbers
};

/// The points a piece can reach in a game.
const fn reachable(piece: Piece) -> Bitboard {
    match piece.kind() {
        PieceKind::Soldier => zones::soldier_points(piece.side()),
        kind => zones::allowed(piece.side(), kind),
    }
}

impl PieceTo {
    /// No move: a null move, or what lies before the root. Its histories stay zero.
    pub(crate) const NONE: Self = Self(PIECE_TOS as u16);

    #[inline]
    pub(crate) fn new(piece: Piece, to: Square) -> Self {
        Self(INDICES[piece.index()][to.index()])
    }

    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Default for PieceTo {
    fn default() -> Self {
        Self::NONE
    }
}

/// The histories of one worker.
pub(crate) struct History {
    quiets: Box<[Entry]>,
    captures: Box<[Entry]>,
    continuations: Slab<Entry>,
    countermoves: Box<[Option<Move>]>,
}

impl History {
    pub(crate) fn new() -> Self {
        Self {
            quiets: vec![Entry::default(); POINTS * POINTS].into(),
            captures: vec![Entry::default(); PIECE_TOS * 7].into(),
            continuations: Slab::new((PIECE_TOS + 1) * PIECE_TOS)
                .expect("a history of one megabyte fits in memory"),
            countermoves: vec![None; PIECE_TOS + 1].into(),
        }
    }

    /// Resets all histories to zero.
    pub(crate) fn clear(&mut self) {
        let Self { quiets, captures, continuations, countermoves } = self;
        quiets.fill(Entry::default());
        captures.fill(Entry::default());
        continuations.fill(Entry::default());
        countermoves.fill(None);
    }

    /// The quiet history at an index of [`Context::quiet_index`](super::Context::quiet_index).
    #[inline]
    pub(crate) fn quiet(&self, index: usize) -> i32 {
        self.quiets[index].get()
    }

    /// The continuation history after an earlier move.
    #[inline]
    pub(crate) fn continuation(&self, before: PieceTo) -> Continuation<'_> {
        let (row, _) = self.continuations[before.index() * PIECE_TOS..]
            .split_first_chunk()
            .expect("the table has a row for every index");
        Continuation(row)
    }

    /// The capture history of taking this kind.
    #[inline]
    pub(crate) fn capture(&self, piece_to: PieceTo, taken: PieceKind) -> i32 {
        self.captures[piece_to.index() * 7 + taken.index()].get()
    }

    /// The countermove: the quiet move that last refuted an earlier one.
    #[inline]
    pub(crate) fn countermove(&self, before: PieceTo) -> Option<Move> {
        self.countermoves[before.index()]
    }

    #[inline]
    pub(crate) fn update_quiet(&mut self, index: usize, bonus: i32) {
        self.quiets[index].update(bonus);
    }

    #[inline]
    pub(crate) fn update_continuation(&mut self, before: PieceTo, piece_to: PieceTo, bonus: i32) {
        if before != PieceTo::NONE {
            self.continuations[before.index() * PIECE_TOS + piece_to.index()].update(bonus);
        }
    }

    #[inline]
    pub(crate) fn update_capture(&mut self, piece_to: PieceTo, taken: PieceKind, bonus: i32) {
        self.captures[piece_to.index() * 7 + taken.index()].update(bonus);
    }

    #[inline]
    pub(crate) fn set_countermove(&mut self, before: PieceTo, mv: Move) {
        if before != PieceTo::NONE {
            self.countermoves[before.index()] = Some(mv);
        }
    }
}

/// The continuation history after one earlier move.
#[derive(Clone, Copy)]
pub(crate) struct Continuation<'a>(&'a [Entry; PIECE_TOS]);

impl Continuation<'_> {
    #[inline]
    pub(crate) fn get(self, piece_to: PieceTo) -> i32 {
        self.0[piece_to.index()].get()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn moves_that_occur_have_an_index_of_their_own() {
        let steps: Vec<PieceTo> = Piece::ALL
            .into_iter()
            .flat_map(|piece| reachable(piece).into_iter().map(move |to| PieceTo::new(piece, to)))
            .collect();
        let numbers: HashSet<usize> = steps.iter().map(|step| step.index()).collect();
        assert_eq!((steps.len(), numbers.len()), (PIECE_TOS, PIECE_TOS));
    }

    #[test]
    fn every_piece_on_every_point_has_an_index() {
        let all =
            Piece::ALL.into_iter().flat_map(|piece| Square::all().map(move |to| PieceTo::new(piece, to)));
        assert!(all.clone().count() == 14 * 90 && all.into_iter().all(|step| step.index() < PIECE_TOS));
    }

    #[test]
    fn an_entry_stays_within_its_limit_and_recovers() {
        let mut entry = Entry::default();
        for _ in 0..1000 {
            entry.update(3000);
        }
        assert!(entry.get() > 15_000 && entry.get() <= Entry::LIMIT);
        for _ in 0..1000 {
            entry.update(-3000);
        }
        assert!(entry.get() < -15_000);
    }
}
