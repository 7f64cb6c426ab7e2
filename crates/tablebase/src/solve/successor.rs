//! Forward move generation of an entry: its successors within the table and its conversions.

use chuhe_board::Side;

use crate::index::GROUPS;
use crate::index::entry_board::LegalMove;
use crate::index::row::Entry;
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
    #[inline]
    pub(crate) fn each_successor(&self, captures: &Captures, side: Side, mut visit: impl FnMut(Successor)) {
        let enemies = self.board.sides[(!side).index()];
        let mut go = |slot, code, to| {
            visit(if enemies.contains(to) {
                Successor::Capture(captures.value(self.index(), self, side, (slot, code), to))
            } else {
                Successor::Quiet(self.neighbour(slot, code))
            });
        };
        self.each_legal(side, |legal| match legal {
            LegalMove::Attacker { slot, from, targets } => {
                for to in targets {
                    go(slot, self.code_after(slot, from, to), to);
                }
            }
            LegalMove::Guard(step) => go(side.index() * GROUPS, step.code, step.to),
        });
    }
}
