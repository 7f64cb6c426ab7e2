//! Bound entries: undecided, and the side to move has no harmless move that keeps it from losing.

use std::ops::ControlFlow;

use chuhe_board::Side;

use super::idle::IdleMoves;
use super::states::{EntryStates, after, before, map_entries, map_numbers, position};
use crate::index::row::Entry;
use crate::index::row_moves::RowMoves;
use crate::marks::{Marks, Ranks};
use crate::repetition::{MoveDeed, MoveRules, Tracks};
use crate::solve::successor::{QuietMove, Successor};
use crate::value::{Bounds as ValueBounds, Value};

/// A move that stays among the undecided entries.
pub(crate) struct Edge {
    pub(crate) to: u64,
    pub(crate) deed: MoveDeed,
}

/// A bound entry.
pub(crate) struct Bound {
    pub(crate) number: u64,
    /// Its moves that may not lose, without captures.
    pub(crate) edges: Vec<Edge>,
    /// Whether there is a capture that may not lose.
    may_capture: bool,
    /// The offences that all moves are part of, save those that lose; none if there is a capture that may not lose.
    pub(crate) tracks: Tracks,
    /// Whether it became bound, or lost moves, since traps were last looked for.
    pub(crate) is_new: bool,
}

/// The bound entries of one side to move.
pub(crate) struct Bounds {
    pub(crate) side: Side,
    /// In increasing order.
    pub(crate) entries: Vec<Bound>,
    ranks: Ranks,
    /// The undecided entries that plainly idle moves lead to.
    idle: Marks,
}

impl Bounds {
    /// All bound entries.
    pub(crate) fn find(states: &dyn EntryStates, rules: &dyn MoveRules, side: Side) -> Self {
        let idle = IdleMoves::find(states, rules, side);
        let is_wanted = |number| states.is_open(side, number) && !idle.before.contains(number);
        let entries = map_entries(states.index(), side, is_wanted, |entry, moves| {
            look(states, rules, entry, moves, &|_| true)
        });
        Self { side, ranks: ranks(states, &entries), entries, idle: idle.after }
    }

    /// The place of an entry among the bound ones.
    #[inline]
    pub(crate) fn rank(&self, number: u64) -> Option<usize> {
        self.ranks.rank(number)
    }

    /// Looks again at what may have changed since entries were decided: `won` are those that the other side, to move, wins, in
    /// increasing order. From those that it loses nothing undecided is a move away.
    pub(crate) fn refresh(&mut self, states: &dyn EntryStates, rules: &dyn MoveRules, won: &[u64]) {
        let side = self.side;
        won.iter().for_each(|number| self.idle.remove(*number));
        let mut reached = before(states, side, won);
        for bound in &mut self.entries {
            bound.is_new = false;
        }
        reached.retain(|number| match self.ranks.rank(*number) {
            Some(rank) => {
                self.entries[rank].drop_decided(states, !side);
                false
            }
            None => true,
        });
        self.entries.retain(|bound| states.is_open(side, bound.number));
        self.look_at(states, rules, &reached, &|_| true);
    }

    /// Looks again at the entries from which a move leads to one of these, in increasing order, which are no longer good.
    pub(crate) fn look_again(
        &mut self,
        states: &dyn EntryStates,
        rules: &dyn MoveRules,
        targets: &[u64],
        is_good: &(dyn Fn(u64) -> bool + Sync),
    ) {
        let mut reached = before(states, self.side, targets);
        // What is bound stays so.
        reached.retain(|number| self.ranks.rank(*number).is_none());
        self.look_at(states, rules, &reached, is_good);
    }

    /// Adds those of the entries that are bound.
    fn look_at(
        &mut self,
        states: &dyn EntryStates,
        rules: &dyn MoveRules,
        numbers: &[u64],
        is_good: &(dyn Fn(u64) -> bool + Sync),
    ) {
        let looked = map_numbers(states.index(), self.side, numbers, |entry, moves| {
            // Files hold any value where there is no legal position.
            let is_free = moves.is_illegal(entry) || self.has_plainly_idle_move(entry, moves, is_good);
            if is_free { None } else { look(states, rules, entry, moves, is_good) }
        });
        self.entries.extend(looked.into_iter().flatten());
        self.entries.sort_by_key(|bound| bound.number);
        self.ranks = ranks(states, &self.entries);
    }

    /// Whether a plainly idle move leads from an undecided entry to a good one. If not, there may still be an idle move.
    fn has_plainly_idle_move(
        &self,
        entry: &Entry<'_>,
        moves: &RowMoves,
        is_good: &(dyn Fn(u64) -> bool + Sync),
    ) -> bool {
        let found = entry.try_each_quiet_move(moves, |QuietMove { number, .. }| {
            let is_one = self.idle.contains(number) && is_good(number);
            if is_one { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found.is_break()
    }

    /// Offences that some entry is bound to.
    pub(crate) fn tracks(&self) -> Tracks {
        Tracks(self.entries.iter().fold(0, |all, bound| all | bound.tracks.0))
    }
}

fn ranks(states: &dyn EntryStates, entries: &[Bound]) -> Ranks {
    Ranks::of(states.index(), entries.iter().map(|bound| bound.number))
}

impl Bound {
    /// Drops the moves to entries that are decided by now; `side` is to move there.
    fn drop_decided(&mut self, states: &dyn EntryStates, side: Side) {
        let count = self.edges.len();
        self.edges.retain(|edge| states.is_open(side, edge.to));
        if self.edges.len() < count {
            self.is_new = true;
            self.tracks = self.common_tracks();
        }
    }

    fn common_tracks(&self) -> Tracks {
        let start = if self.may_capture { Tracks::NONE } else { Tracks::ALL };
        self.edges.iter().fold(start, |tracks, edge| tracks & edge.deed.tracks)
    }
}

/// The moves of an undecided entry if it is bound: no idle move leads to a good entry, and no capture is safe.
fn look(
    states: &dyn EntryStates,
    rules: &dyn MoveRules,
    entry: &Entry<'_>,
    moves: &RowMoves,
    is_good: &(dyn Fn(u64) -> bool + Sync),
) -> Option<Bound> {
    let mut bound = Bound {
        number: entry.number,
        edges: Vec::new(),
        may_capture: false,
        tracks: Tracks::NONE,
        is_new: true,
    };
    let mut captures_safely = false;
    entry.each_successor_by(moves, states.captures(), |successor| match successor {
        Successor::Quiet(_) | Successor::Capture(Value::Loss(_)) => {}
        Successor::Capture(Value::DependsOnChase(ValueBounds::AtMostDraw | ValueBounds::Unknown)) => {
            bound.may_capture = true;
        }
        Successor::Capture(_) => captures_safely = true,
    });
    if captures_safely {
        return None;
    }
    let before = position(states, moves.side, entry.number);
    let looked = entry.try_each_quiet_move(moves, |quiet| {
        if states.is_open(!moves.side, quiet.number) {
            let mv = entry.on_board(&quiet);
            let deed = rules.deed(&before, mv, &after(&before, mv));
            if deed.is_idle() && is_good(quiet.number) {
                return ControlFlow::Break(());
            }
            bound.edges.push(Edge { to: quiet.number, deed });
        }
        ControlFlow::Continue(())
    });
    if looked.is_break() {
        return None;
    }
    bound.tracks = bound.common_tracks();
    Some(bound)
}
