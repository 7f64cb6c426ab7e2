//! Where the legal moves of an entry lead.

use chuhe_board::Side;

use crate::captures::Captures;
use crate::index::GROUPS;
use crate::row::Entry;
use crate::scene::Legal;
use crate::value::Value;

/// What a legal move leads to.
pub(crate) enum Successor {
    /// Another entry of the same table, with this number.
    Quiet(u64),
    /// A smaller endgame; the capture is worth so much to the side that makes it.
    Capture(Value),
}

impl Entry<'_> {
    /// Hands over where each legal move of `side` leads.
    #[inline]
    pub(crate) fn each_successor(&self, captures: &Captures, side: Side, mut visit: impl FnMut(Successor)) {
        let enemies = self.scene.sides[(!side).index()];
        let mut go = |slot, code, to| {
            visit(if enemies.contains(to) {
                Successor::Capture(captures.value(self.index(), self, side, (slot, code), to))
            } else {
                Successor::Quiet(self.neighbour(slot, code))
            });
        };
        self.each_legal(side, |legal| match legal {
            Legal::Attacker { slot, from, targets } => {
                for to in targets {
                    go(slot, self.code_after(slot, from, to), to);
                }
            }
            Legal::Guard(step) => go(side.index() * GROUPS, step.code, step.to),
        });
    }
}
