//! In which order a node tries its moves: the table's move, big victims of small hunters, killers, history.

use arrayvec::ArrayVec;

use crate::engine::search::MOST_PLIES;
use crate::moves::{MOST_MOVES, Move, MoveList};
use crate::piece::Piece;
use crate::position::Position;

/// The higher, the earlier: as many as there are moves, in their order.
pub(crate) type Ranks = ArrayVec<i32, MOST_MOVES>;

const CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;
/// History stays below killers.
const MOST_HISTORY: i32 = 1 << 20;

/// Ranks captures: what is taken counts most, then what would be lost if it were retaken.
#[inline]
pub(crate) fn rank_captures(
    ranks: &mut Ranks,
    captures: &[Move],
    position: &Position,
    values: &[i16; Piece::COUNT],
) {
    let worth = |square| {
        let piece = position.piece_on(square).expect("a capture starts and ends on a piece");
        i32::from(values[piece.index()])
    };
    ranks.extend(captures.iter().map(|mv| CAPTURE + 16 * worth(mv.to()) - worth(mv.from())));
}

/// Brings the best of the moves not yet tried to its place.
#[inline]
pub(crate) fn pick(list: &mut MoveList, ranks: &mut Ranks, place: usize) -> Move {
    let (mut best, mut best_rank) = (place, ranks[place]);
    for (index, &rank) in ranks.iter().enumerate().skip(place + 1) {
        if rank > best_rank {
            (best, best_rank) = (index, rank);
        }
    }
    list.swap(place, best);
    ranks.swap(place, best);
    list[place]
}

/// How moves without a capture did elsewhere in the tree.
pub(crate) struct Lessons {
    /// By the squares of a move: the depths at which it was good enough, squared and added up.
    history: Box<[i32; Move::COUNT]>,
    /// The last two that were good enough at each ply.
    killers: [[Option<Move>; 2]; MOST_PLIES],
}

impl Lessons {
    pub(crate) fn new() -> Self {
        Self { history: Box::new([0; Move::COUNT]), killers: [[None; 2]; MOST_PLIES] }
    }

    /// Ranks moves that take nothing.
    #[inline]
    pub(crate) fn rank(&self, ranks: &mut Ranks, quiet: &[Move], ply: usize) {
        let [killer, older] = self.killers[ply];
        ranks.extend(quiet.iter().map(|&mv| {
            let is_killer = Some(mv) == killer || Some(mv) == older;
            if is_killer { KILLER } else { self.history[mv.index()] }
        }));
    }

    /// Remembers that such a move was good enough.
    pub(crate) fn learn(&mut self, mv: Move, depth: i32, ply: usize) {
        let entry = &mut self.history[mv.index()];
        *entry += depth * depth;
        if *entry > MOST_HISTORY {
            self.history.iter_mut().for_each(|entry| *entry /= 2);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}
