//! Perpetual check 長將: the side that checks perpetually loses, applied to a solved table.
//!
//! Entries that propagation leaves undecided are played on without end. By the rule a side loses if from some point on each of
//! its moves gives check while the other side's do not. The checker is lost in a *trap* (as in the theory of parity
//! games): a set of undecided entries in which
//!
//! 1. the checker, to move, has only moves that lose or that give check and stay in the set;
//! 2. the other side, to move and in check, has a move that stays in the set;
//! 3. the other side can force, again and again, that it has not given check itself (an attractor).
//!
//! The largest trap is the greatest fixed point: entries that break a condition are removed until none does. The rest get
//! a distance beyond all others, and propagation continues from them, which may create new traps.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use chuhe_board::Side;
use rayon::prelude::*;

use crate::index::row::{Entry, Row};
use crate::solve::captures::Captures;
use crate::solve::cell::{ILLEGAL, is_open};
use crate::solve::partition::Partition;
use crate::solve::successor::Successor;
use crate::value::Value;
use crate::{Index, Table};

/// Distances from here on mark wins by the rule: an order, not a number of plies.
pub const RULE_DISTANCE: u16 = 300;

/// Marks the checker's entries of all traps as lost, in a fully propagated table. Returns the next ply to propagate, or
/// `None` without a trap.
pub(crate) fn mark_traps_lost(partition: &Partition) -> Option<u16> {
    let distance = (longest(partition) + 1).next_multiple_of(2).max(RULE_DISTANCE);
    let mut found = false;
    for checker in Side::ALL {
        let trap = Trap::find(&Unsolved(partition), checker);
        trap.checkers.each(|number| partition.set(checker, number, distance));
        found |= !trap.checkers.is_empty();
    }
    found.then_some(distance)
}

/// The longest distance of any cell. [`Partition::longest`] also counts wins that got shorter since.
fn longest(partition: &Partition) -> u16 {
    let decided = |cell: u16| if is_open(cell) || cell == ILLEGAL { 0 } else { cell };
    partition.cells.par_iter().flatten().map(|cell| decided(cell.load(Relaxed))).max().unwrap_or(0)
}

/// The states of a table's entries, as far as traps need them.
pub(crate) trait EntryStates: Sync {
    fn index(&self) -> &Index;
    fn captures(&self) -> &Captures;
    /// Whether a legal position is undecided.
    fn is_open(&self, side: Side, number: u64) -> bool;
    /// Whether the side to move wins a legal position that is not open.
    fn is_won(&self, side: Side, number: u64) -> bool;
}

/// A table that is being solved.
struct Unsolved<'a>(&'a Partition);

impl EntryStates for Unsolved<'_> {
    fn index(&self) -> &Index {
        &self.0.index
    }

    fn captures(&self) -> &Captures {
        &self.0.captures
    }

    fn is_open(&self, side: Side, number: u64) -> bool {
        is_open(self.0.cells[side.index()][number as usize].load(Relaxed))
    }

    fn is_won(&self, side: Side, number: u64) -> bool {
        !self.0.cells[side.index()][number as usize].load(Relaxed).is_multiple_of(2)
    }
}

/// A table that was solved: its draws are undecided.
pub(crate) struct Solved<'a> {
    pub(crate) table: &'a Table,
    pub(crate) captures: &'a Captures,
}

impl EntryStates for Solved<'_> {
    fn index(&self) -> &Index {
        self.table.index()
    }

    fn captures(&self) -> &Captures {
        self.captures
    }

    fn is_open(&self, side: Side, number: u64) -> bool {
        self.table.value(number, side) == Value::Draw
    }

    fn is_won(&self, side: Side, number: u64) -> bool {
        matches!(self.table.value(number, side), Value::Win(_))
    }
}

/// A trap for a side that checks perpetually.
pub(crate) struct Trap {
    /// The entries in which the checker is to move.
    pub(crate) checkers: Marks,
    /// Those in which the other is to move, in check.
    checked: Marks,
}

impl Trap {
    /// The largest trap for a checker.
    pub(crate) fn find(states: &impl EntryStates, checker: Side) -> Self {
        let trap = Self { checkers: Marks::none(states.index()), checked: Marks::none(states.index()) };
        if !states.index().material().has_attackers(checker) {
            return trap;
        }
        each_open(states, !checker, |entry| {
            if entry.board.is_in_check(!checker) {
                trap.checked.insert(entry.number);
            }
        });
        each_open(states, checker, |entry| {
            if trap.holds_checker(states, entry, checker) {
                trap.checkers.insert(entry.number);
            }
        });
        while !trap.checkers.is_empty() && trap.shrink(states, checker) {}
        trap
    }

    /// Removes entries that break a condition. Returns whether there were any.
    fn shrink(&self, states: &impl EntryStates, checker: Side) -> bool {
        let checked_removed = self.checked.retain(|number| {
            at(states.index(), number, |entry| leads_to(states, entry, !checker, &self.checkers))
        });
        let checkers_removed = self
            .checkers
            .retain(|number| at(states.index(), number, |entry| self.holds_checker(states, entry, checker)));
        if checked_removed || checkers_removed {
            return true;
        }
        let attractor = self.attractor(states, checker);
        let checked_removed = self.checked.retain(|number| attractor.checked.contains(number));
        let checkers_removed = self.checkers.retain(|number| attractor.checkers.contains(number));
        checked_removed || checkers_removed
    }

    /// The first condition.
    fn holds_checker(&self, states: &impl EntryStates, entry: &Entry<'_>, checker: Side) -> bool {
        let mut held = true;
        entry.each_successor(states.captures(), checker, |successor| {
            held = held
                && match successor {
                    Successor::Capture(value) => matches!(value, Value::Loss(_)),
                    Successor::Quiet(number) if states.is_open(!checker, number) => {
                        self.checked.contains(number)
                    }
                    Successor::Quiet(number) => states.is_won(!checker, number),
                };
        });
        held
    }

    /// The attractor of condition 3: where the checked side can force that the checker is not in check.
    fn attractor(&self, states: &impl EntryStates, checker: Side) -> Self {
        let attractor = Self { checkers: Marks::none(states.index()), checked: Marks::none(states.index()) };
        self.checkers.each(|number| {
            if at(states.index(), number, |entry| !entry.board.is_in_check(checker)) {
                attractor.checkers.insert(number);
            }
        });
        let mut grows = true;
        while grows {
            let more_checked = self.checked.copy(&attractor.checked, |number| {
                at(states.index(), number, |entry| leads_to(states, entry, !checker, &attractor.checkers))
            });
            let more_checkers = self.checkers.copy(&attractor.checkers, |number| {
                at(states.index(), number, |entry| attractor.holds_checker(states, entry, checker))
            });
            grows = more_checked || more_checkers;
        }
        attractor
    }
}

/// Whether a quiet move of `side` leads to a marked entry.
fn leads_to(states: &impl EntryStates, entry: &Entry<'_>, side: Side, marks: &Marks) -> bool {
    let mut found = false;
    entry.each_successor(states.captures(), side, |successor| {
        found = found || matches!(successor, Successor::Quiet(number) if marks.contains(number));
    });
    found
}

/// Calls `look` with the entry of this number.
pub(crate) fn at<T>(index: &Index, number: u64, look: impl FnOnce(&Entry<'_>) -> T) -> T {
    let row_len = index.row_len() as u64;
    let row = Row::new(index, number / row_len).expect("marked entries are legal");
    look(&row.entry((number % row_len) as usize).expect("marked entries are legal"))
}

/// Calls `look` with every undecided entry of one side to move.
fn each_open(states: &impl EntryStates, side: Side, look: impl Fn(&Entry<'_>) + Sync) {
    let index = states.index();
    (0..index.rows()).into_par_iter().for_each(|number| {
        let Some(row) = Row::new(index, number) else { return };
        let start = number * index.row_len() as u64;
        for place in 0..index.row_len() {
            if !states.is_open(side, start + place as u64) {
                continue;
            }
            // Files hold any value where there is no legal position.
            if let Some(entry) = row.entry(place).filter(|entry| !entry.board.is_in_check(!side)) {
                look(&entry);
            }
        }
    });
}

/// A set of entries of one side to move.
pub(crate) struct Marks(Vec<AtomicU64>);

impl Marks {
    pub(crate) fn none(index: &Index) -> Self {
        Self((0..index.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| word.load(Relaxed) == 0)
    }

    pub(crate) fn contains(&self, number: u64) -> bool {
        self.0[(number / 64) as usize].load(Relaxed) >> (number % 64) & 1 == 1
    }

    /// The first marked entry.
    pub(crate) fn first(&self) -> Option<u64> {
        let (place, word) = (0..).zip(&self.0).find(|(_, word)| word.load(Relaxed) != 0)?;
        Some(64 * place + u64::from(word.load(Relaxed).trailing_zeros()))
    }

    /// The first entry that is marked here and not there.
    pub(crate) fn first_not_in(&self, other: &Self) -> Option<u64> {
        let words = self.0.iter().zip(&other.0).map(|(a, b)| a.load(Relaxed) & !b.load(Relaxed));
        let (place, word) = (0..).zip(words).find(|(_, word)| *word != 0)?;
        Some(64 * place + u64::from(word.trailing_zeros()))
    }

    pub(crate) fn insert(&self, number: u64) {
        self.0[(number / 64) as usize].fetch_or(1 << (number % 64), Relaxed);
    }

    /// Visits the marked entries.
    pub(crate) fn each(&self, visit: impl Fn(u64) + Sync) {
        self.retain(|number| {
            visit(number);
            true
        });
    }

    /// Removes marks that `keep` rejects. Returns whether there were any.
    fn retain(&self, keep: impl Fn(u64) -> bool + Sync) -> bool {
        let shrink = |(place, word): (usize, &AtomicU64)| {
            let mut left = word.load(Relaxed);
            let before = left;
            for bit in (0..64).filter(|bit| before >> bit & 1 == 1) {
                if !keep(place as u64 * 64 + bit) {
                    left &= !(1 << bit);
                }
            }
            word.store(left, Relaxed);
            left != before
        };
        self.0.par_iter().enumerate().with_min_len(64).map(shrink).reduce(|| false, |a, b| a || b)
    }

    /// Marks in `other` what is marked here but not there, and chosen. Returns whether there was any.
    fn copy(&self, other: &Self, choose: impl Fn(u64) -> bool + Sync) -> bool {
        let grow = |(place, word): (usize, &AtomicU64)| {
            let candidates = word.load(Relaxed) & !other.0[place].load(Relaxed);
            let mut chosen = 0;
            for bit in (0..64).filter(|bit| candidates >> bit & 1 == 1) {
                if choose(place as u64 * 64 + bit) {
                    chosen |= 1 << bit;
                }
            }
            other.0[place].fetch_or(chosen, Relaxed);
            chosen != 0
        };
        self.0.par_iter().enumerate().with_min_len(64).map(grow).reduce(|| false, |a, b| a || b)
    }
}
