//! Move ordering: hash move, captures by MVV-LVA, killers, history.

use arrayvec::ArrayVec;

use crate::engine::search::MAX_PLY;
use crate::moves::{MOST_MOVES, Move, MoveList};
use crate::piece::Piece;
use crate::position::Position;

const CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;
/// History stays below killers.
const MAX_HISTORY: i32 = 1 << 20;

/// The moves of a node with their ordering scores, picked one at a time, the best first.
#[derive(Default)]
pub(crate) struct MovePicker {
    list: MoveList,
    scores: ArrayVec<i32, MOST_MOVES>,
    picked: usize,
}

impl MovePicker {
    /// Captures alone, for quiescence search.
    #[inline]
    pub(crate) fn captures(list: MoveList, position: &Position, values: &[i16; Piece::COUNT]) -> Self {
        let mut picker = Self { list, ..Self::default() };
        picker.score_captures(picker.list.len(), position, values);
        picker
    }

    /// All moves; the first `captures` of the list are captures.
    #[inline]
    pub(crate) fn new(
        list: MoveList,
        captures: usize,
        position: &Position,
        values: &[i16; Piece::COUNT],
        history: &History,
        ply: usize,
    ) -> Self {
        let mut picker = Self { list, ..Self::default() };
        picker.score_captures(captures, position, values);
        picker.scores.extend(picker.list[captures..].iter().map(|&mv| history.score(mv, ply)));
        picker
    }

    /// Puts the hash move first, if it is one of the moves.
    #[inline]
    pub(crate) fn put_first(&mut self, hash_move: Option<Move>) {
        if let Some(place) = self.list.iter().position(|&mv| Some(mv) == hash_move) {
            self.scores[place] = i32::MAX;
        }
    }

    /// MVV-LVA: the most valuable victim first, then the least valuable attacker.
    #[inline]
    fn score_captures(&mut self, count: usize, position: &Position, values: &[i16; Piece::COUNT]) {
        let value = |square| {
            let piece = position.piece_on(square).expect("a capture starts and ends on a piece");
            i32::from(values[piece.index()])
        };
        let scores = self.list[..count].iter().map(|mv| CAPTURE + 16 * value(mv.to()) - value(mv.from()));
        self.scores.extend(scores);
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The number of moves picked so far.
    pub(crate) fn picked(&self) -> usize {
        self.picked
    }

    /// The best move not picked yet.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Move> {
        let place = self.picked;
        let (mut best, mut best_score) = (place, *self.scores.get(place)?);
        for (index, &score) in self.scores.iter().enumerate().skip(place + 1) {
            if score > best_score {
                (best, best_score) = (index, score);
            }
        }
        self.list.swap(place, best);
        self.scores.swap(place, best);
        self.picked += 1;
        Some(self.list[place])
    }
}

/// Butterfly history and killer moves.
pub(crate) struct History {
    /// By the squares of a move: the sum of squared depths at which it failed high.
    butterfly: Box<[i32; Move::COUNT]>,
    killers: [[Option<Move>; 2]; MAX_PLY],
}

impl History {
    pub(crate) fn new() -> Self {
        Self { butterfly: Box::new([0; Move::COUNT]), killers: [[None; 2]; MAX_PLY] }
    }

    /// The ordering score of a quiet move.
    #[inline]
    fn score(&self, mv: Move, ply: usize) -> i32 {
        let is_killer = self.killers[ply].contains(&Some(mv));
        if is_killer { KILLER } else { self.butterfly[mv.index()] }
    }

    /// Records a quiet move that failed high.
    pub(crate) fn record_cutoff(&mut self, mv: Move, depth: i32, ply: usize) {
        let entry = &mut self.butterfly[mv.index()];
        *entry += depth * depth;
        if *entry > MAX_HISTORY {
            self.butterfly.iter_mut().for_each(|entry| *entry /= 2);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}
