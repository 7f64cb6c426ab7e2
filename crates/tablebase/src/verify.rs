//! Verification: every entry is derived again from its successors by forward moves.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use chuhe_board::Side;
use rayon::prelude::*;

use crate::index::row::{Entry, Row};
use crate::kind::{Metric, Rules};
use crate::solve::captures::Captures;
use crate::solve::perpetual_check::{EntryStates, Marks, RULE_DISTANCE, Solved, Trap, at};
use crate::solve::successor::Successor;
use crate::value::Value;
use crate::{Index, Table};

/// An entry that does not follow from its successors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("entry {number}, {side} to move ({fen}): the table says {found}, its successors {derived}")]
pub struct Contradiction {
    /// The entry.
    pub number: u64,
    /// Who is to move.
    pub side: Side,
    /// The position.
    pub fen: String,
    /// What the table says.
    pub found: Value,
    /// What follows from its successors.
    pub derived: Value,
}

/// Derives every entry from its successors. `on_progress` gets the rows done and the rows in all.
pub(crate) fn verify(
    table: &Table,
    captures: &Captures,
    on_progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<(), Contradiction> {
    let check = Check { table, captures, by_rule: [(); 2].map(|()| Marks::none(table.index())) };
    check.every_entry(on_progress)?;
    if table.kind().rules == Rules::PerpetualCheck { check.every_trap() } else { Ok(()) }
}

/// A table that is being verified.
struct Check<'a> {
    table: &'a Table,
    captures: &'a Captures,
    /// Entries that are lost by perpetual check.
    by_rule: [Marks; 2],
}

impl Check<'_> {
    fn every_entry(&self, on_progress: &(dyn Fn(u64, u64) + Sync)) -> Result<(), Contradiction> {
        let index = self.table.index();
        let (done, rows) = (AtomicU64::new(0), index.rows());
        (0..rows).into_par_iter().try_for_each(|number| {
            if let Some(row) = Row::new(index, number) {
                row.try_each(|entry| Side::ALL.into_iter().try_for_each(|side| self.entry(entry, side)))?;
            }
            let done = done.fetch_add(1, Relaxed) + 1;
            if done.is_multiple_of(0x1000) {
                on_progress(done, rows);
            }
            Ok(())
        })
    }

    fn entry(&self, entry: &Entry<'_>, side: Side) -> Result<(), Contradiction> {
        if entry.board.is_in_check(!side) {
            return Ok(());
        }
        let found = self.table.value(entry.number, side);
        let derived = self.derive(entry, side);
        if found == derived {
            return Ok(());
        }
        if self.is_lost_by_rule(entry, side, found, derived) {
            self.by_rule[side.index()].insert(entry.number);
            return Ok(());
        }
        Err(self.contradiction(entry.number, side, derived))
    }

    fn contradiction(&self, number: u64, side: Side, derived: Value) -> Contradiction {
        let position = self.table.index().position(number, side);
        let fen = position.map_or_else(String::new, |position| position.to_string());
        Contradiction { number, side, fen, found: self.table.value(number, side), derived }
    }

    /// The best that the legal moves offer; no move is a loss.
    #[inline]
    fn derive(&self, entry: &Entry<'_>, side: Side) -> Value {
        let mut best = Value::Loss(0);
        entry.each_successor(self.captures, side, |successor| {
            let value = match successor {
                Successor::Quiet(number) => self.table.value(number, !side).before(),
                Successor::Capture(value) => value,
            };
            if value.preference() > best.preference() {
                best = value;
            }
        });
        match self.table.kind().metric {
            Metric::Wdl => best.wdl(),
            Metric::Dtm | Metric::Dtc => best,
        }
    }

    /// Whether an entry that its successors do not explain can be lost by perpetual check: its checking moves do not shorten
    /// the distance, all other moves do.
    fn is_lost_by_rule(&self, entry: &Entry<'_>, side: Side, found: Value, derived: Value) -> bool {
        let Value::Loss(distance) = found else { return false };
        if self.table.kind().rules != Rules::PerpetualCheck
            || distance < RULE_DISTANCE
            || derived != Value::Loss(distance + 2)
        {
            return false;
        }
        let mut lost = true;
        entry.each_successor(self.captures, side, |successor| match successor {
            Successor::Quiet(number) if self.table.value(number, !side) == Value::Win(distance + 1) => {
                lost = lost && at(self.table.index(), number, |next| next.board.is_in_check(!side));
            }
            Successor::Quiet(_) => {}
            Successor::Capture(value) => lost = lost && value != Value::Loss(distance + 2),
        });
        lost
    }

    /// No draw may be a trap, and the losses by the rule must be one.
    fn every_trap(&self) -> Result<(), Contradiction> {
        let draws = Solved { table: self.table, captures: self.captures };
        for checker in Side::ALL {
            if let Some(number) = Trap::find(&draws, checker).checkers.first() {
                return Err(self.contradiction(number, checker, Value::Loss(RULE_DISTANCE)));
            }
            let trap = Trap::find(&RuleUndecided { check: self, checker }, checker);
            if let Some(number) = self.by_rule[checker.index()].first_not_in(&trap.checkers) {
                return Err(self.contradiction(number, checker, Value::Draw));
            }
        }
        Ok(())
    }
}

/// The table as if its wins and losses by the rule were undecided.
struct RuleUndecided<'a> {
    check: &'a Check<'a>,
    checker: Side,
}

impl EntryStates for RuleUndecided<'_> {
    fn index(&self) -> &Index {
        self.check.table.index()
    }

    fn captures(&self) -> &Captures {
        self.check.captures
    }

    fn is_open(&self, side: Side, number: u64) -> bool {
        if side == self.checker {
            return self.check.by_rule[side.index()].contains(number);
        }
        matches!(self.check.table.value(number, side), Value::Win(distance) if distance > RULE_DISTANCE)
    }

    fn is_won(&self, side: Side, number: u64) -> bool {
        matches!(self.check.table.value(number, side), Value::Win(_))
    }
}
