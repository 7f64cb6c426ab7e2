//! The chase rule 長捉 (Hsieh 2010): the tenth consecutive chase of one piece loses.
//!
//! A move chases every enemy piece that the moved piece could take next. The count of a chased piece
//! follows it as it flees and ends when a move of the chaser no longer chases it.

use crate::moves::Move;
use crate::piece::Side;
use crate::position::Position;
use crate::rules::Captures;
use crate::square::{Square, SquareSet, jumps};

/// The running chases of both sides.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chases {
    /// By chaser: where the chased piece stands and how often it was chased running.
    running: [Vec<(Square, u8)>; 2],
}

impl Chases {
    /// A side flipped: its chases end.
    pub(crate) fn flip(&mut self, flipper: Side) {
        self.running[flipper.index()].clear();
    }

    /// A step was played and led to `after`. Returns the longest chase of the side that moved.
    pub(crate) fn step(&mut self, captures: &Captures, after: &Position, mv: Move) -> u8 {
        let chaser = after.mover().opponent();
        for (chased, _) in &mut self.running[chaser.opponent().index()] {
            if *chased == mv.from() {
                *chased = mv.to();
            }
        }
        let before = std::mem::take(&mut self.running[chaser.index()]);
        let count_before =
            |square| before.iter().find(|(chased, _)| *chased == square).map_or(0, |&(_, n)| n);
        let now: Vec<_> = threatened_by(captures, after, mv.to())
            .map(|square| (square, count_before(square).saturating_add(1)))
            .collect();
        let longest = now.iter().map(|&(_, count)| count).max().unwrap_or(0);
        self.running[chaser.index()] = now;
        longest
    }
}

/// What the piece on a square could take.
fn threatened_by(captures: &Captures, position: &Position, from: Square) -> SquareSet {
    let Some(hunter) = position.piece_on(from) else { return SquareSet::EMPTY };
    let enemies = position.shown(hunter.side().opponent());
    let by_step = from.neighbours() & position.squares_of_mask(captures.prey(hunter));
    let by_jump =
        if captures.by_jump(hunter) { jumps(from, position.occupied()) & enemies } else { SquareSet::EMPTY };
    by_step | by_jump
}
