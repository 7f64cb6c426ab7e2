//! Forward move generation of an entry: its successors within the table and its conversions.

use std::ops::ControlFlow;

use chuhe_board::{Move, Side, Square};

use crate::index::group::Code;
use crate::index::row::Entry;
use crate::index::row_moves::{LegalMove, RowMoves};
use crate::solve::captures::Captures;
use crate::value::Value;

/// What a legal move leads to.
pub(crate) enum Successor {
    /// Another entry of the same table, with this number.
    Quiet(u64),
    /// A capture, with its value for the side that makes it.
    Capture(Value),
}

/// A move without capture: the group that moves, its new placement, where the piece goes, and the entry it leads to.
pub(crate) struct QuietMove {
    pub(crate) slot: usize,
    pub(crate) code: Code,
    pub(crate) to: Square,
    pub(crate) number: u64,
}

impl Entry<'_> {
    /// Visits the successor of each legal move of `side`.
    pub(crate) fn each_successor(&self, captures: &Captures, side: Side, visit: impl FnMut(Successor)) {
        self.each_successor_by(&self.moves(side), captures, visit);
    }

    /// Visits the successor of each of the legal moves among those of the row.
    #[inline]
    pub(crate) fn each_successor_by(
        &self,
        moves: &RowMoves,
        captures: &Captures,
        mut visit: impl FnMut(Successor),
    ) {
        let side = moves.side;
        let enemies = self.board.sides[(!side).index()];
        let mut go = |slot, code, to| {
            visit(if enemies.contains(to) {
                Successor::Capture(captures.value(self.index(), self, side, (slot, code), to))
            } else {
                Successor::Quiet(self.neighbour(slot, code))
            });
        };
        moves.each_legal(self, |legal| match legal {
            LegalMove::Piece { slot, from, targets } => {
                for to in targets {
                    go(slot, self.code_after(slot, from, to), to);
                }
            }
            LegalMove::Step { slot, code, to } => go(slot, code, to),
        });
    }

    /// Visits each legal move without capture until one says that it is enough.
    #[inline]
    pub(crate) fn try_each_quiet_move(
        &self,
        moves: &RowMoves,
        mut visit: impl FnMut(QuietMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let enemies = self.board.sides[(!moves.side).index()];
        let mut go = |slot, code, to| {
            if enemies.contains(to) {
                return ControlFlow::Continue(());
            }
            visit(QuietMove { slot, code, to, number: self.neighbour(slot, code) })
        };
        moves.try_each_legal(self, |legal| match legal {
            LegalMove::Piece { slot, from, targets } => {
                targets.into_iter().try_for_each(|to| go(slot, self.code_after(slot, from, to), to))
            }
            LegalMove::Step { slot, code, to } => go(slot, code, to),
        })
    }

    /// Visits each legal move without capture.
    #[inline]
    pub(crate) fn each_quiet_move(&self, moves: &RowMoves, mut visit: impl FnMut(QuietMove)) {
        let _ = self.try_each_quiet_move(moves, |quiet| {
            visit(quiet);
            ControlFlow::Continue(())
        });
    }

    /// A move without capture, as the board knows it.
    pub(crate) fn on_board(&self, quiet: &QuietMove) -> Move {
        let after = self.index().groups[quiet.slot].occupied(quiet.code);
        let from = (self.board.sets[quiet.slot] - after).first().expect("a move leaves a square");
        Move::new(from, quiet.to)
    }
}
