//! Forward move generation of an entry: its successors within the table and its conversions.

use chuhe_board::Side;

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
}
