//! The states of a table's entries, as far as repetition needs them, while the table is solved and afterwards.

use std::sync::atomic::Ordering::Relaxed;

use chuhe_board::{Move, Position, Side};

use crate::index::row::{Entry, Row};
use crate::index::row_moves::RowMoves;
use crate::index::unmoves::Placed;
use crate::marks::Marks;
use crate::parallel::map_parts;
use crate::solve::captures::Captures;
use crate::solve::cell::is_open;
use crate::solve::partition::Partition;
use crate::value::Value;
use crate::{Index, Table};

/// Which entries are decided.
pub(crate) trait EntryStates: Sync {
    fn index(&self) -> &Index;
    fn captures(&self) -> &Captures;
    /// Whether a legal position is undecided.
    fn is_open(&self, side: Side, number: u64) -> bool;
    /// Whether the side to move in a legal position wins within this many plies, repetition rules apart.
    fn wins_within(&self, side: Side, number: u64, plies: u16) -> bool;
}

/// A table that is being solved.
pub(crate) struct Unsolved<'a>(pub(crate) &'a Partition);

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

    fn wins_within(&self, side: Side, number: u64, plies: u16) -> bool {
        let cell = self.0.cells[side.index()][number as usize].load(Relaxed);
        cell <= plies && !cell.is_multiple_of(2)
    }
}

/// A table that was solved, as it was before the entries from some distance on were decided.
pub(crate) struct Solved<'a> {
    pub(crate) table: &'a Table,
    pub(crate) captures: &'a Captures,
    pub(crate) distance: u16,
}

impl EntryStates for Solved<'_> {
    fn index(&self) -> &Index {
        self.table.index()
    }

    fn captures(&self) -> &Captures {
        self.captures
    }

    fn is_open(&self, side: Side, number: u64) -> bool {
        match self.table.value(number, side) {
            Value::Draw | Value::DependsOnChase(_) => true,
            Value::Win(distance) | Value::Loss(distance) => distance >= self.distance,
        }
    }

    fn wins_within(&self, side: Side, number: u64, plies: u16) -> bool {
        matches!(self.table.value(number, side), Value::Win(distance) if distance <= plies)
    }
}

/// What `look` finds in the undecided entries of one side to move, in their order. It also gets the moves of the row.
pub(crate) fn map_open<T: Send>(
    states: &dyn EntryStates,
    side: Side,
    look: impl Fn(&Entry<'_>, &RowMoves) -> Option<T> + Sync,
) -> Vec<T> {
    map_entries(states.index(), side, |number| states.is_open(side, number), look)
}

/// What `look` finds in the legal entries of one side to move whose numbers are wanted, in their order.
pub(crate) fn map_entries<T: Send>(
    index: &Index,
    side: Side,
    is_wanted: impl Fn(u64) -> bool + Sync,
    look: impl Fn(&Entry<'_>, &RowMoves) -> Option<T> + Sync,
) -> Vec<T> {
    let look_at_row = |found: &mut Vec<T>, number: u64| {
        let start = number * index.row_len() as u64;
        let wanted: Vec<usize> =
            (0..index.row_len()).filter(|place| is_wanted(start + *place as u64)).collect();
        if let Some(row) = Row::new(index, number).filter(|_| !wanted.is_empty()) {
            let moves = RowMoves::new(&row, side);
            // Files hold any value where there is no legal position.
            let entries = wanted.into_iter().filter_map(|place| row.entry(place));
            found.extend(
                entries.filter(|entry| !moves.is_illegal(entry)).filter_map(|entry| look(&entry, &moves)),
            );
        }
    };
    let parts = map_parts(0..index.rows(), |rows| {
        let mut found = Vec::new();
        rows.for_each(|row| look_at_row(&mut found, row));
        found
    });
    parts.into_iter().flatten().collect()
}

/// Calls `look` with the entry of this number.
pub(crate) fn at<T>(index: &Index, number: u64, look: impl FnOnce(&Entry<'_>) -> T) -> T {
    let row_len = index.row_len() as u64;
    let row = Row::new(index, number / row_len).expect(LEGAL);
    look(&row.entry((number % row_len) as usize).expect(LEGAL))
}

/// What `look` makes of these entries, given in increasing order. It also gets the moves of `side` in the row.
pub(crate) fn map_numbers<T: Send>(
    index: &Index,
    side: Side,
    numbers: &[u64],
    look: impl Fn(&Entry<'_>, &RowMoves) -> T + Sync,
) -> Vec<T> {
    let parts = map_rows(index, numbers, |made: &mut Vec<T>, row, places| {
        let moves = RowMoves::new(row, side);
        made.extend(places.map(|place| look(&row.entry(place).expect(LEGAL), &moves)));
    });
    parts.into_iter().flatten().collect()
}

/// The undecided entries from which a move of `side` without capture leads to one of these, given in increasing order; their
/// order is kept. Where a file is read, illegal ones may be among them.
pub(crate) fn before(states: &dyn EntryStates, side: Side, numbers: &[u64]) -> Vec<u64> {
    let index = states.index();
    let marks = Marks::none(index);
    map_rows(index, numbers, |_: &mut (), row, places| {
        let placed: Vec<Placed> = places.map(|place| Placed::new(index, place)).collect();
        row.each_unmove(side, &placed, true, |number| {
            if !marks.contains(number) && states.is_open(side, number) {
                marks.insert(number);
            }
        });
    });
    marks.numbers().collect()
}

/// Calls `look` with each row that has some of these entries, given in increasing order, and with their places in it.
fn map_rows<T: Default + Send>(
    index: &Index,
    numbers: &[u64],
    look: impl Fn(&mut T, &Row<'_>, &mut dyn Iterator<Item = usize>) + Sync,
) -> Vec<T> {
    let row_len = index.row_len() as u64;
    map_parts(0..numbers.len() as u64, |part| {
        let mut made = T::default();
        let part = &numbers[part.start as usize..part.end as usize];
        for entries in part.chunk_by(|one, next| one / row_len == next / row_len) {
            let row = Row::new(index, entries[0] / row_len).expect(LEGAL);
            look(&mut made, &row, &mut entries.iter().map(|number| (number % row_len) as usize));
        }
        made
    })
}

const LEGAL: &str = "the pieces of an entry that moves lead to do not collide";

/// The position of an undecided entry.
pub(crate) fn position(states: &dyn EntryStates, side: Side, number: u64) -> Position {
    states.index().position(number, side).expect("an undecided entry is legal")
}

/// The position after a move.
pub(crate) fn after(before: &Position, mv: Move) -> Position {
    let mut after = before.clone();
    let _ = after.play(mv, &mut ());
    after
}
