//! Verification: every entry is derived again from its successors by forward moves.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use chuhe_board::Side;

use crate::Table;
use crate::index::row::{Entry, Row};
use crate::index::row_moves::RowMoves;
use crate::kind::Metric;
use crate::marks::Marks;
use crate::parallel::map_parts;
use crate::repetition::MoveRules;
use crate::solve::captures::Captures;
use crate::solve::repetition::bound::Bounds;
use crate::solve::repetition::risk::Risk;
use crate::solve::repetition::states::{Solved, map_entries};
use crate::solve::repetition::{RULE_DISTANCE, bounds, traps};
use crate::solve::risk_of;
use crate::solve::successor::Successor;
use crate::value::Value;

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

/// Derives every entry from its successors, and what the repetition rules decide from the rules. `on_progress` gets the
/// rows done and the rows in all.
pub(crate) fn verify(
    table: &Table,
    captures: &Captures,
    rules: Option<&dyn MoveRules>,
    on_progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<(), Contradiction> {
    let check = Check { table, captures, by_rule: [(); 2].map(|()| Marks::none(table.index())) };
    check.every_entry(on_progress)?;
    let Some(rules) = rules else { return Ok(()) };
    let bounds = check.every_trap(rules)?;
    if rules.knows_chase() { check.every_risk(rules, bounds) } else { Ok(()) }
}

/// A table that is being verified.
struct Check<'a> {
    table: &'a Table,
    captures: &'a Captures,
    /// Entries whose loss does not follow from their successors: they must be traps.
    by_rule: [Marks; 2],
}

impl Check<'_> {
    fn every_entry(&self, on_progress: &(dyn Fn(u64, u64) + Sync)) -> Result<(), Contradiction> {
        let index = self.table.index();
        let (done, rows) = (AtomicU64::new(0), index.rows());
        let parts = map_parts(0..rows, |mut part| {
            part.try_for_each(|number| {
                if let Some(row) = Row::new(index, number) {
                    let moves = Side::ALL.map(|side| RowMoves::new(&row, side));
                    row.try_each(|entry| moves.iter().try_for_each(|moves| self.entry(entry, moves)))?;
                }
                let done = done.fetch_add(1, Relaxed) + 1;
                if done.is_multiple_of(0x1000) {
                    on_progress(done, rows);
                }
                Ok(())
            })
        });
        parts.into_iter().collect()
    }

    fn entry(&self, entry: &Entry<'_>, moves: &RowMoves) -> Result<(), Contradiction> {
        if moves.is_illegal(entry) {
            return Ok(());
        }
        let side = moves.side;
        let found = self.table.value(entry.number, side);
        let derived = self.derive(entry, moves);
        if found == derived || (is_undecided(found) && is_undecided(derived)) {
            return Ok(());
        }
        // In a trap every move that stays in it leads to an entry that is won a ply later.
        let trapped = matches!(found, Value::Loss(distance)
            if distance >= RULE_DISTANCE && derived == Value::Loss(distance + 2));
        if trapped {
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
    fn derive(&self, entry: &Entry<'_>, moves: &RowMoves) -> Value {
        let mut best = Value::Loss(0);
        entry.each_successor_by(moves, self.captures, |successor| {
            let value = match successor {
                Successor::Quiet(number) => self.table.value(number, !moves.side).before(),
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

    /// Losses that their successors do not explain are the traps of the table as it was before; no undecided entry is
    /// one. Returns the bound entries of the table as it stands.
    ///
    /// The table is followed as it was solved, from trap to trap: only what the last ones decided is looked at again.
    fn every_trap(&self, rules: &dyn MoveRules) -> Result<[Bounds; 2], Contradiction> {
        let mut claimed = self.losses_by_rule();
        claimed.entry(u16::MAX).or_default();
        let mut known: Option<(u16, [Bounds; 2])> = None;
        for (distance, claimed) in claimed {
            let states = Solved { table: self.table, captures: self.captures, distance };
            let bounds = match known.take() {
                None => bounds(&states, rules),
                Some((earlier, mut bounds)) => {
                    for bounds in &mut bounds {
                        bounds.refresh(&states, rules, &self.won(!bounds.side, earlier..distance));
                    }
                    bounds
                }
            };
            let traps = traps(&states, rules, &bounds);
            for side in Side::ALL {
                let found: BTreeSet<u64> = traps[side.index()].iter().copied().collect();
                let claimed = &claimed[side.index()];
                if let Some(number) = found.difference(claimed).next() {
                    return Err(self.contradiction(*number, side, Value::Loss(distance.max(RULE_DISTANCE))));
                }
                if let Some(number) = claimed.difference(&found).next() {
                    return Err(self.contradiction(*number, side, Value::Draw));
                }
            }
            known = Some((distance, bounds));
        }
        Ok(known.expect("the table as it stands comes last").1)
    }

    /// The entries whose loss does not follow from their successors, by distance and side to move.
    fn losses_by_rule(&self) -> BTreeMap<u16, [BTreeSet<u64>; 2]> {
        let mut losses: BTreeMap<u16, [BTreeSet<u64>; 2]> = BTreeMap::new();
        for side in Side::ALL {
            for number in self.by_rule[side.index()].numbers() {
                let distance = self.distance(number, side).expect("a loss has a distance");
                losses.entry(distance).or_default()[side.index()].insert(number);
            }
        }
        losses
    }

    /// The legal entries that the side to move wins at these distances.
    fn won(&self, side: Side, distances: Range<u16>) -> Vec<u64> {
        let is_won = |number| matches!(self.table.value(number, side), Value::Win(distance) if distances.contains(&distance));
        map_entries(self.table.index(), side, is_won, |entry, _| Some(entry.number))
    }

    fn distance(&self, number: u64, side: Side) -> Option<u16> {
        match self.table.value(number, side) {
            Value::Win(distance) | Value::Loss(distance) => Some(distance),
            Value::Draw | Value::DependsOnChase(_) => None,
        }
    }

    /// Draws are certain exactly where neither side is at risk.
    fn every_risk(&self, rules: &dyn MoveRules, bounds: [Bounds; 2]) -> Result<(), Contradiction> {
        let states = Solved { table: self.table, captures: self.captures, distance: u16::MAX };
        let risks = bounds.map(|bounds| Risk::find(&states, rules, bounds));
        let index = self.table.index();
        let parts = map_parts(0..index.rows(), |rows| {
            rows.filter_map(|row| Row::new(index, row)).try_for_each(|row| {
                row.try_each(|entry| {
                    Side::ALL.into_iter().try_for_each(|side| self.risk(&risks, entry, side))
                })
            })
        });
        parts.into_iter().collect()
    }

    fn risk(&self, risks: &[Risk; 2], entry: &Entry<'_>, side: Side) -> Result<(), Contradiction> {
        let found = self.table.value(entry.number, side);
        if entry.board.is_in_check(!side) || !is_undecided(found) {
            return Ok(());
        }
        let risk = risk_of(risks, side, entry.number);
        let derived = risk.map_or(Value::Draw, Value::DependsOnChase);
        if found == derived { Ok(()) } else { Err(self.contradiction(entry.number, side, derived)) }
    }
}

/// Whether nobody wins by force without further use of the rules.
fn is_undecided(value: Value) -> bool {
    matches!(value, Value::Draw | Value::DependsOnChase(_))
}
