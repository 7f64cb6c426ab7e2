//! A partition of a table that is being solved: a range of its rows, for both sides to move.
//!
//! Initialisation visits every entry once: it marks illegal positions, counts the legal moves and looks captures up in the
//! smaller tables. Propagation then goes ply by ply: for every entry decided at exactly this ply, its unmoves are
//! generated. A position with a move to a lost one is won a ply later; a position whose last open move leads to a won one
//! is lost. No entry is visited again.
//!
//! A table may be solved in one partition or in many, on threads or machines. An unmove into another partition becomes an
//! [`Update`]. Within a ply the order of updates does not matter, so the result does not depend on the partitioning.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};

use chuhe_board::{Side, Square};

use crate::Index;
use crate::index::group::Code;
use crate::index::row::{Entry, Row};
use crate::index::row_moves::{LegalMove, MoveCount, RowMoves};
use crate::index::unmoves::Placed;
use crate::kind::Metric;
use crate::parallel;
use crate::solve::captures::Captures;
use crate::solve::cell::{Cell, ILLEGAL, Initial, MOVES, ONE_MOVE, RESISTANCE, is_open, packed, wdl};
use crate::solve::repetition::states::at;
use crate::solve::successor::Successor;
use crate::value::{FREE_WORD, Packed};

/// Approximate number of entries per task.
const CHUNK: usize = 1 << 13;
/// The schedule of a chunk is kept modulo this many plies.
const SCHEDULE_PLIES: usize = 256;
/// Updates for other partitions are sent in batches of this size.
const BATCH: usize = 1 << 12;

/// An entry of another partition has a move to one that was just propagated: its number and side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update(u64);

impl Update {
    fn new(side: Side, number: u64) -> Self {
        Self(number << 1 | side.index() as u64)
    }

    /// The update as a number, for sending.
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// The update of a received number.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    pub(crate) const fn number(self) -> u64 {
        self.0 >> 1
    }

    const fn side(self) -> Side {
        Side::ALL[(self.0 & 1) as usize]
    }
}

/// A range of rows of a table while it is being solved.
pub struct Partition {
    pub(crate) index: Arc<Index>,
    pub(crate) captures: Arc<Captures>,
    rows: Range<u64>,
    /// Rows of every partition but the last.
    rows_in_share: u64,
    partitions: usize,
    /// The number of the first entry.
    first: u64,
    pub(crate) cells: [Vec<AtomicU16>; 2],
    /// For each chunk the plies, modulo [`SCHEDULE_PLIES`], at which an entry is due for propagation.
    due: [Vec<[AtomicU64; SCHEDULE_PLIES / 64]>; 2],
    rows_in_chunk: u64,
    entries_in_chunk: u64,
    /// The longest distance so far.
    longest: AtomicU16,
}

impl Partition {
    /// Partition `which` of `partitions`.
    pub(crate) fn new(index: Arc<Index>, captures: Arc<Captures>, which: usize, partitions: usize) -> Self {
        let rows_in_share = index.rows().div_ceil(partitions as u64);
        let start = (which as u64 * rows_in_share).min(index.rows());
        let rows = start..(start + rows_in_share).min(index.rows());
        let rows_in_chunk = (CHUNK / index.row_len()).max(1) as u64;
        let entries_in_chunk = rows_in_chunk * index.row_len() as u64;
        let chunks = (rows.end - rows.start).div_ceil(rows_in_chunk);
        let len = (rows.end - rows.start) * index.row_len() as u64;
        Self {
            cells: [(); 2].map(|()| (0..len).map(|_| AtomicU16::new(ILLEGAL)).collect()),
            due: [(); 2].map(|()| (0..chunks).map(|_| Default::default()).collect()),
            first: rows.start * index.row_len() as u64,
            index,
            captures,
            rows,
            rows_in_share,
            partitions,
            rows_in_chunk,
            entries_in_chunk,
            longest: AtomicU16::new(0),
        }
    }

    /// Bytes of memory to solve `len` entries, without the smaller tables.
    pub(crate) fn memory(len: u64) -> u64 {
        // Two cells an entry, and the values of one side while they are written.
        len.saturating_mul(6)
    }

    /// How positions are numbered.
    pub fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// The numbers of its entries.
    pub fn numbers(&self) -> Range<u64> {
        self.first..self.first + self.cells[0].len() as u64
    }

    /// The longest distance so far. Propagation ends after the longest of all partitions.
    pub fn longest(&self) -> u16 {
        self.longest.load(Relaxed)
    }

    /// Initialises every entry. `on_progress` gets the chunks done and the chunks in all.
    pub fn initialise(&self, on_progress: &(dyn Fn(u64, u64) + Sync)) {
        let done = AtomicU64::new(0);
        let chunks = self.chunks();
        parallel::for_each(0..chunks, &|chunk| {
            for row in self.chunk_rows(chunk).filter_map(|row| Row::new(&self.index, row)) {
                let moves = Side::ALL.map(|side| RowMoves::new(&row, side));
                let counts = moves.each_ref().map(|moves| MoveCount::new(&row, moves));
                row.each(|entry| counts.iter().for_each(|count| self.initialise_entry(entry, count)));
            }
            let done = done.fetch_add(1, Relaxed) + 1;
            if done.is_multiple_of(64) {
                on_progress(done, chunks as u64);
            }
        });
    }

    #[inline]
    fn initialise_entry(&self, entry: &Entry<'_>, count: &MoveCount<'_>) {
        if !count.moves.is_illegal(entry) {
            let cell = self.initial_cell(entry, count);
            self.set(count.moves.side, entry.number - self.first, cell);
        }
    }

    /// The state of an entry before propagation: its move count and the values of its captures.
    #[inline]
    fn initial_cell(&self, entry: &Entry<'_>, count: &MoveCount<'_>) -> Cell {
        let side = count.moves.side;
        let mut initial = Initial::default();
        let enemies = entry.board.sides[(!side).index()];
        let capture = |initial: &mut Initial, slot: usize, code: Code, to: Square| {
            initial.capture(self.captures.value(&self.index, entry, side, (slot, code), to));
        };
        let quiet = count.each_other(entry, |legal| match legal {
            LegalMove::Piece { slot, from, targets } => {
                initial.moves += (targets - enemies).len() as Cell;
                for to in targets & enemies {
                    capture(&mut initial, slot, entry.code_after(slot, from, to), to);
                }
            }
            LegalMove::Step { slot, code, to } if enemies.contains(to) => {
                capture(&mut initial, slot, code, to);
            }
            LegalMove::Step { .. } => initial.moves += 1,
        });
        initial.moves += quiet as Cell;
        initial.cell()
    }

    /// Propagates every own entry decided at `ply`. Updates for other partitions go to `send`, with the partition that
    /// must [apply](Self::apply) them before the next ply.
    pub fn propagate(&self, ply: u16, send: &(dyn Fn(usize, &[Update]) + Sync)) {
        for side in Side::ALL {
            self.propagate_chunks(side, ply, 0..self.chunks(), send);
        }
    }

    /// Propagates the entries of some chunks with `side` to move.
    pub(crate) fn propagate_chunks(
        &self,
        side: Side,
        ply: u16,
        chunks: Range<usize>,
        send: &(dyn Fn(usize, &[Update]) + Sync),
    ) {
        let slot = ply as usize % SCHEDULE_PLIES;
        parallel::for_each(chunks, &|chunk| {
            if self.due[side.index()][chunk][slot / 64].load(Relaxed) >> (slot % 64) & 1 == 0 {
                return;
            }
            let mut outbox = Outbox { partition: self, batches: vec![Vec::new(); self.partitions], send };
            self.propagate_chunk(side, chunk, ply, &mut outbox);
            outbox.flush();
        });
    }

    fn propagate_chunk(&self, side: Side, chunk: usize, ply: u16, outbox: &mut Outbox<'_>) {
        let row_len = self.index.row_len();
        let mut due = Vec::new();
        for row_number in self.chunk_rows(chunk) {
            let start = (row_number - self.rows.start) as usize * row_len;
            let cells = &self.cells[side.index()][start..start + row_len];
            let places = cells.iter().enumerate().filter(|(_, cell)| cell.load(Relaxed) == ply);
            due.clear();
            due.extend(places.map(|(place, _)| Placed::new(&self.index, place)));
            if due.is_empty() {
                continue;
            }
            let row = Row::new(&self.index, row_number).expect("decided entries are legal");
            // A win needs one move.
            row.each_unmove(!side, &due, ply.is_multiple_of(2), |number| {
                let own = number.wrapping_sub(self.first);
                if own < self.cells[0].len() as u64 {
                    self.update(!side, own, ply);
                } else {
                    outbox.push(Update::new(!side, number));
                }
            });
        }
    }

    /// Applies updates that another partition found at `ply`.
    ///
    /// # Panics
    ///
    /// If an update is for an entry of another partition.
    pub fn apply(&self, ply: u16, updates: &[Update]) {
        for update in updates {
            assert!(self.numbers().contains(&update.number()), "an update was sent to the wrong partition");
            self.update(update.side(), update.number() - self.first, ply);
        }
    }

    /// `side` has a move from an entry to one decided at `ply`.
    #[inline]
    fn update(&self, side: Side, own: u64, ply: u16) {
        if ply.is_multiple_of(2) {
            self.record_win(side, own, ply + 1)
        } else {
            self.record_losing_move(side, own, ply + 1)
        }
    }

    /// `side` has a move to a lost position: a win, unless a shorter one is known.
    #[inline]
    fn record_win(&self, side: Side, own: u64, ply: u16) {
        let cell = self.cells[side.index()][own as usize].load(Relaxed);
        if is_open(cell) || (cell > ply && cell != ILLEGAL) {
            self.set(side, own, ply);
        }
    }

    /// One of the moves of `side` leads to a won position: a loss if it was the last one.
    #[inline]
    fn record_losing_move(&self, side: Side, own: u64, ply: u16) {
        let cell = &self.cells[side.index()][own as usize];
        if !is_open(cell.load(Relaxed)) {
            return;
        }
        let left = cell.fetch_sub(ONE_MOVE, Relaxed) - ONE_MOVE;
        if left & MOVES == 0 {
            let resistance = left & RESISTANCE;
            let resistance =
                if resistance == RESISTANCE { self.looked_up(side, own) } else { 2 * resistance };
            self.set(side, own, ply.max(resistance));
        }
    }

    /// The longest losing capture of an entry, in plies, where its cell does not hold it.
    #[cold]
    fn looked_up(&self, side: Side, own: u64) -> u16 {
        at(&self.index, self.first + own, |entry| {
            let mut initial = Initial::default();
            entry.each_successor(&self.captures, side, |successor| {
                if let Successor::Capture(value) = successor {
                    initial.capture(value);
                }
            });
            initial.longest_losing_capture()
        })
    }

    /// Sets a cell, counted from the first of the partition, and schedules its propagation.
    #[inline]
    pub(crate) fn set(&self, side: Side, own: u64, cell: Cell) {
        self.cells[side.index()][own as usize].store(cell, Relaxed);
        if is_open(cell) {
            return;
        }
        let slot = cell as usize % SCHEDULE_PLIES;
        let chunk = (own / self.entries_in_chunk) as usize;
        let word = &self.due[side.index()][chunk][slot / 64];
        let bit = 1 << (slot % 64);
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
        if cell > self.longest.load(Relaxed) {
            self.longest.fetch_max(cell, Relaxed);
        }
    }

    /// Schedules the cells that were restored from a checkpoint.
    pub(crate) fn schedule_all(&self) {
        for side in Side::ALL {
            for (own, cell) in self.cells[side.index()].iter().enumerate() {
                let cell = cell.load(Relaxed);
                if cell != ILLEGAL {
                    self.set(side, own as u64, cell);
                }
            }
        }
    }

    pub(crate) fn chunks(&self) -> usize {
        self.due[0].len()
    }

    pub(crate) fn chunk_rows(&self, chunk: usize) -> Range<u64> {
        let start = self.rows.start + chunk as u64 * self.rows_in_chunk;
        start..(start + self.rows_in_chunk).min(self.rows.end)
    }

    /// The partition that holds an entry.
    fn owner(&self, number: u64) -> usize {
        (number / self.index.row_len() as u64 / self.rows_in_share) as usize
    }

    /// The values for one side to move, as packed numbers; see
    /// [`Folder::write_partitions`](crate::Folder::write_partitions).
    pub fn values(&self, side: Side, metric: Metric) -> Vec<u16> {
        let value: fn(Cell, Packed) -> Packed = if metric == Metric::Wdl { wdl } else { packed };
        self.cells[side.index()].iter().map(|cell| value(cell.load(Relaxed), FREE_WORD)).collect()
    }
}

/// The updates of one task for other partitions.
struct Outbox<'a> {
    partition: &'a Partition,
    batches: Vec<Vec<Update>>,
    send: &'a (dyn Fn(usize, &[Update]) + Sync),
}

impl Outbox<'_> {
    #[cold]
    fn push(&mut self, update: Update) {
        let owner = self.partition.owner(update.number());
        self.batches[owner].push(update);
        if self.batches[owner].len() == BATCH {
            (self.send)(owner, &self.batches[owner]);
            self.batches[owner].clear();
        }
    }

    fn flush(&mut self) {
        for (owner, batch) in self.batches.iter().enumerate().filter(|(_, batch)| !batch.is_empty()) {
            (self.send)(owner, batch);
        }
    }
}
