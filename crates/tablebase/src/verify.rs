//! Checking a table: every entry again from its successors.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use chuhe_board::Side;
use rayon::prelude::*;

use crate::captures::Captures;
use crate::index::GROUPS;
use crate::kind::Metric;
use crate::row::{Entry, Row};
use crate::scene::Legal;
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

/// Derives every entry from its successors. `watch` hears how many rows of how many are done.
pub(crate) fn verify(
    table: &Table,
    metric: Metric,
    captures: &Captures,
    watch: &(dyn Fn(u64, u64) + Sync),
) -> Result<(), Contradiction> {
    let index = table.index();
    let (done, rows) = (AtomicU64::new(0), index.rows());
    let first = Mutex::new(None);
    let result = (0..rows).into_par_iter().try_for_each(|number| {
        if let Some(row) = Row::new(index, number) {
            for entry in (0..index.row_len()).filter_map(|place| row.entry(place)) {
                for side in Side::ALL {
                    if let Some(found) = contradiction(table, metric, captures, &entry, side) {
                        *first.lock().expect("nobody panics here") = Some(found);
                        return None;
                    }
                }
            }
        }
        let done = done.fetch_add(1, Relaxed) + 1;
        if done % 0x1000 == 0 {
            watch(done, rows);
        }
        Some(())
    });
    match (result, first.into_inner().expect("nobody panics here")) {
        (None, Some(contradiction)) => Err(contradiction),
        _ => Ok(()),
    }
}

fn contradiction(
    table: &Table,
    metric: Metric,
    captures: &Captures,
    entry: &Entry<'_>,
    side: Side,
) -> Option<Contradiction> {
    if entry.scene.is_in_check(!side) {
        return None;
    }
    let found = table.value(entry.number, side);
    let derived = derive(table, metric, captures, entry, side);
    if found == derived {
        return None;
    }
    let position = table.index().position(entry.number, side);
    let fen = position.map_or_else(String::new, |position| position.to_string());
    Some(Contradiction { number: entry.number, side, fen, found, derived })
}

/// The best that the legal moves offer; no move is a loss.
#[inline]
fn derive(table: &Table, metric: Metric, captures: &Captures, entry: &Entry<'_>, side: Side) -> Value {
    let index: &Index = table.index();
    let enemies = entry.scene.sides[(!side).index()];
    let mut best = Value::Loss(0);
    let mut offer = |value: Value| {
        if value.preference() > best.preference() {
            best = value;
        }
    };
    let quiet = |number: u64| table.value(number, !side).before();
    entry.each_legal(side, |legal| match legal {
        Legal::Attacker { slot, from, targets } => {
            for to in targets {
                let code = entry.code_after(slot, from, to);
                offer(if enemies.contains(to) {
                    captures.value(index, entry, side, (slot, code), to)
                } else {
                    quiet(entry.neighbour(slot, code))
                });
            }
        }
        Legal::Guard(step) => {
            let guards = side.index() * GROUPS;
            offer(if enemies.contains(step.to) {
                captures.value(index, entry, side, (guards, step.code), step.to)
            } else {
                quiet(entry.neighbour(guards, step.code))
            });
        }
    });
    match metric {
        Metric::Outcome => best.outcome(),
        Metric::Mate | Metric::Conversion => best,
    }
}
