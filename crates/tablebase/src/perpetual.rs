//! Perpetual check loses: what the rule changes in a table that was solved without it.
//!
//! What no round decides goes on for ever. By the rule a side loses that from some point on gives check with every move
//! while the other side does not. So a side, the checker, is lost in a trap: a set of undecided entries in which
//!
//! 1. the checker, to move, has no move but those that lose and those that give check and stay in the set;
//! 2. the other, to move and in check, has a move that stays in the set,
//! 3. and can bring about again and again that it has not given check itself.
//!
//! The largest trap is what is left when everything is taken away that breaks a condition. Its entries get a
//! distance beyond all that were found before, and more rounds find what can be forced into it; that may make new traps.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use chuhe_board::Side;
use rayon::prelude::*;

use crate::captures::Captures;
use crate::cell::{ILLEGAL, is_open};
use crate::row::{Entry, Row};
use crate::share::Share;
use crate::successor::Successor;
use crate::value::Value;
use crate::{Index, Table};

/// Distances from here on mark wins that rest on the rule; they tell an order, not plies.
pub const RULE_DISTANCE: u16 = 300;

/// Lets the side to move lose in all traps of a share that holds a whole table and has no rounds left. Returns the
/// round that comes next, or `None` if there was no trap.
pub(crate) fn let_checkers_lose(share: &Share) -> Option<u16> {
    let distance = (longest(share) + 1).next_multiple_of(2).max(RULE_DISTANCE);
    let mut found = false;
    for checker in Side::ALL {
        let trap = Trap::find(&Unsolved(share), checker);
        trap.checkers.each(|number| share.set(checker, number, distance));
        found |= !trap.checkers.is_empty();
    }
    found.then_some(distance)
}

/// The longest distance of any cell. [`Share::longest`] also counts wins that got shorter since.
fn longest(share: &Share) -> u16 {
    let decided = |cell: u16| if is_open(cell) || cell == ILLEGAL { 0 } else { cell };
    share.cells.par_iter().flatten().map(|cell| decided(cell.load(Relaxed))).max().unwrap_or(0)
}

/// The entries of a whole table, as far as traps are concerned.
pub(crate) trait Standing: Sync {
    fn index(&self) -> &Index;
    fn captures(&self) -> &Captures;
    /// Whether a legal position is undecided.
    fn is_open(&self, side: Side, number: u64) -> bool;
    /// Whether the side to move wins a legal position that is not open.
    fn is_won(&self, side: Side, number: u64) -> bool;
}

/// A table that is being solved.
struct Unsolved<'a>(&'a Share);

impl Standing for Unsolved<'_> {
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

impl Standing for Solved<'_> {
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

/// A trap for a side that gives check for ever.
pub(crate) struct Trap {
    /// The entries in which the checker is to move.
    pub(crate) checkers: Marks,
    /// Those in which the other is to move, in check.
    checked: Marks,
}

impl Trap {
    /// The largest trap for a checker.
    pub(crate) fn find(standing: &impl Standing, checker: Side) -> Self {
        let trap = Self { checkers: Marks::none(standing.index()), checked: Marks::none(standing.index()) };
        if !standing.index().material().has_attackers(checker) {
            return trap;
        }
        each_open(standing, !checker, |entry| {
            if entry.scene.is_in_check(!checker) {
                trap.checked.insert(entry.number);
            }
        });
        each_open(standing, checker, |entry| {
            if trap.holds_checker(standing, entry, checker) {
                trap.checkers.insert(entry.number);
            }
        });
        while !trap.checkers.is_empty() && trap.shrink(standing, checker) {}
        trap
    }

    /// Takes away what breaks a condition; whether there was anything.
    fn shrink(&self, standing: &impl Standing, checker: Side) -> bool {
        let victims_left = self.checked.retain(|number| {
            at(standing.index(), number, |entry| leads_to(standing, entry, !checker, &self.checkers))
        });
        let checkers_left = self.checkers.retain(|number| {
            at(standing.index(), number, |entry| self.holds_checker(standing, entry, checker))
        });
        if victims_left || checkers_left {
            return true;
        }
        let calm = self.calm(standing, checker);
        let victims_left = self.checked.retain(|number| calm.checked.contains(number));
        let checkers_left = self.checkers.retain(|number| calm.checkers.contains(number));
        victims_left || checkers_left
    }

    /// The first condition.
    fn holds_checker(&self, standing: &impl Standing, entry: &Entry<'_>, checker: Side) -> bool {
        let mut held = true;
        entry.each_successor(standing.captures(), checker, |successor| {
            held = held
                && match successor {
                    Successor::Capture(value) => matches!(value, Value::Loss(_)),
                    Successor::Quiet(number) if standing.is_open(!checker, number) => {
                        self.checked.contains(number)
                    }
                    Successor::Quiet(number) => standing.is_won(!checker, number),
                };
        });
        held
    }

    /// The part of the trap in which the checked side can force that the checker is not in check.
    fn calm(&self, standing: &impl Standing, checker: Side) -> Self {
        let calm = Self { checkers: Marks::none(standing.index()), checked: Marks::none(standing.index()) };
        self.checkers.each(|number| {
            if at(standing.index(), number, |entry| !entry.scene.is_in_check(checker)) {
                calm.checkers.insert(number);
            }
        });
        let mut grows = true;
        while grows {
            let more_checked = self.checked.copy(&calm.checked, |number| {
                at(standing.index(), number, |entry| leads_to(standing, entry, !checker, &calm.checkers))
            });
            let more_checkers = self.checkers.copy(&calm.checkers, |number| {
                at(standing.index(), number, |entry| calm.holds_checker(standing, entry, checker))
            });
            grows = more_checked || more_checkers;
        }
        calm
    }
}

/// Whether a quiet move of `side` leads to a marked entry.
fn leads_to(standing: &impl Standing, entry: &Entry<'_>, side: Side, marks: &Marks) -> bool {
    let mut found = false;
    entry.each_successor(standing.captures(), side, |successor| {
        found = found || matches!(successor, Successor::Quiet(number) if marks.contains(number));
    });
    found
}

/// Looks at the entry with this number.
pub(crate) fn at<T>(index: &Index, number: u64, look: impl FnOnce(&Entry<'_>) -> T) -> T {
    let row_len = index.row_len() as u64;
    let row = Row::new(index, number / row_len).expect("marked entries are legal");
    look(&row.entry((number % row_len) as usize).expect("marked entries are legal"))
}

/// Looks at every undecided position of one side to move.
fn each_open(standing: &impl Standing, side: Side, look: impl Fn(&Entry<'_>) + Sync) {
    let index = standing.index();
    (0..index.rows()).into_par_iter().for_each(|number| {
        let Some(row) = Row::new(index, number) else { return };
        let start = number * index.row_len() as u64;
        for place in 0..index.row_len() {
            if !standing.is_open(side, start + place as u64) {
                continue;
            }
            // Files hold any value where there is no legal position.
            if let Some(entry) = row.entry(place).filter(|entry| !entry.scene.is_in_check(!side)) {
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

    /// Keeps the marks that `keep` says; whether any was taken away.
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

    /// Marks in `other` what is marked here, not there, and chosen; whether there was any.
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
