//! Retrograde analysis: from the ends of the game backwards.
//!
//! A first pass looks at every entry once: it marks what is no legal position, counts the legal moves and
//! looks captures up in the smaller tables. Then, ply by ply, every entry that ends in exactly so many
//! plies is found and its retreats are visited: whoever can move to a lost position wins a ply later,
//! and whoever sees the last of his moves lead to a won position has lost. Nothing else is ever looked at again.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use chuhe_board::{Side, Square};
use rayon::prelude::*;

use crate::captures::Captures;
use crate::checkpoint;
use crate::group::Code;
use crate::index::GROUPS;
use crate::kind::Metric;
use crate::row::{Entry, Row};
use crate::scene::Legal;
use crate::table::Table;
use crate::value::{FREE_BYTE, FREE_WORD, Packed, Value, Values};
use crate::{Index, Material};

/// What is known of an entry while its table is being solved, in 16 bits:
///
/// * open: the top bit, then 7 bits for the moves that are not known to lose, then 8 bits for the
///   longest resistance that a losing capture offers, in moves of the winner;
/// * decided: the plies to the end, even for a loss, odd for a win, which may still get shorter;
/// * no legal position: [`ILLEGAL`].
type Cell = u16;

const OPEN: Cell = 0x8000;
const ONE_MOVE: Cell = 0x0100;
const MOVES: Cell = 0x7F00;
const RESISTANCE: Cell = 0x00FF;
const ILLEGAL: Cell = 0x7FFF;
/// The longest win that a cell can hold together with its resistance.
const LONGEST: u16 = 2 * RESISTANCE - 1;

/// About how many entries one task looks at.
const CHUNK: usize = 1 << 13;
/// How many plies a chunk's calendar tells apart.
const CALENDAR: usize = 256;

/// How long a build may lose when it is killed.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(20);

/// Why an endgame cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// A win takes longer than cells can count.
    #[error("{material} has wins of more than {LONGEST} plies, which tables cannot hold")]
    TooLong {
        /// The endgame.
        material: Material,
    },
    /// There is not enough memory.
    #[error("{material} takes {needed} bytes of memory to solve; {allowed} are allowed")]
    Memory {
        /// The endgame.
        material: Material,
        /// What it takes.
        needed: u64,
        /// What was given.
        allowed: u64,
    },
}

impl SolveError {
    /// Fails if an endgame cannot be solved in so much memory, of which `held` is taken already.
    pub(crate) fn check_memory(material: &Material, held: u64, allowed: u64) -> Result<(), Self> {
        let entries = Index::len_of(material).unwrap_or(u64::MAX);
        let needed = held.saturating_add(Solver::memory(entries));
        if needed <= allowed { Ok(()) } else { Err(Self::Memory { material: *material, needed, allowed }) }
    }
}

/// How far a table has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Looking at every entry; so many of so many are done.
    Opening(u64, u64),
    /// Visiting what ends in so many plies; the longest known so far comes second.
    Ply(u16, u16),
}

/// An endgame while it is being solved.
pub(crate) struct Solver<'a> {
    index: &'a Index,
    captures: &'a Captures,
    cells: [Vec<AtomicU16>; 2],
    /// For each chunk the plies, modulo [`CALENDAR`], at which one of its entries is due.
    due: [Vec<[AtomicU64; CALENDAR / 64]>; 2],
    rows_in_chunk: usize,
    /// The greatest number of plies that any entry got so far.
    longest: AtomicU16,
}

impl<'a> Solver<'a> {
    pub(crate) fn new(index: &'a Index, captures: &'a Captures) -> Self {
        let rows_in_chunk = (CHUNK / index.row_len()).max(1);
        let chunks = index.rows().div_ceil(rows_in_chunk as u64);
        Self {
            index,
            captures,
            cells: [(); 2].map(|()| (0..index.len()).map(|_| AtomicU16::new(ILLEGAL)).collect()),
            due: [(); 2].map(|()| (0..chunks).map(|_| Default::default()).collect()),
            rows_in_chunk,
            longest: AtomicU16::new(0),
        }
    }

    /// Bytes of memory that solving takes, without the smaller tables.
    pub(crate) fn memory(len: u64) -> u64 {
        // Two cells an entry, and the bytes of one side while they are written.
        len.saturating_mul(5)
    }

    /// Solves the endgame. What was saved at `checkpoint` by a build that was killed is taken up again.
    pub(crate) fn run(
        &mut self,
        checkpoint: Option<&Path>,
        watch: &(dyn Fn(Stage) + Sync),
    ) -> Result<(), SolveError> {
        let mut ply = match checkpoint.and_then(|path| checkpoint::restore(path, &self.cells)) {
            Some(ply) => {
                self.fill_calendar();
                ply
            }
            None => {
                self.open_all(watch);
                0
            }
        };
        let mut saved = Instant::now();
        while ply <= self.longest.load(Relaxed) {
            watch(Stage::Ply(ply, self.longest.load(Relaxed)));
            self.visit_ply(ply);
            ply += 1;
            if let Some(path) = checkpoint.filter(|_| saved.elapsed() > CHECKPOINT_INTERVAL) {
                // Without a checkpoint a killed build starts anew; that is no reason to stop this one.
                let _ = checkpoint::save(path, ply, &self.cells);
                saved = Instant::now();
            }
        }
        if self.longest.load(Relaxed) >= LONGEST {
            return Err(SolveError::TooLong { material: *self.index.material() });
        }
        Ok(())
    }

    /// Notes when restored cells are due.
    fn fill_calendar(&self) {
        for side in Side::ALL {
            for (number, cell) in self.cells[side.index()].iter().enumerate() {
                let cell = cell.load(Relaxed);
                if cell != ILLEGAL {
                    self.set(side, number as u64, cell);
                }
            }
        }
    }

    fn chunks(&self) -> usize {
        self.due[0].len()
    }

    fn rows(&self, chunk: usize) -> std::ops::Range<u64> {
        let start = (chunk * self.rows_in_chunk) as u64;
        start..(start + self.rows_in_chunk as u64).min(self.index.rows())
    }

    fn chunk_of(&self, number: u64) -> usize {
        number as usize / self.index.row_len() / self.rows_in_chunk
    }

    /// Looks at every entry for the first time.
    fn open_all(&self, watch: &(dyn Fn(Stage) + Sync)) {
        let done = AtomicU64::new(0);
        (0..self.chunks()).into_par_iter().for_each(|chunk| {
            for row in self.rows(chunk).filter_map(|row| Row::new(self.index, row)) {
                for entry in (0..self.index.row_len()).filter_map(|place| row.entry(place)) {
                    self.open(&entry);
                }
            }
            let done = done.fetch_add(1, Relaxed) + 1;
            if done % 64 == 0 {
                watch(Stage::Opening(done, self.chunks() as u64));
            }
        });
    }

    fn open(&self, entry: &Entry<'_>) {
        for side in Side::ALL {
            if !entry.scene.is_in_check(!side) {
                let cell = self.first_look(entry, side);
                self.set(side, entry.number, cell);
            }
        }
    }

    /// What an entry is before any retreat reaches it.
    #[inline]
    fn first_look(&self, entry: &Entry<'_>, side: Side) -> Cell {
        let mut look = Look { moves: 0, quickest: None, resistance: 0 };
        let enemies = entry.scene.sides[(!side).index()];
        let take = |look: &mut Look, slot: usize, code: Code, to: Square| {
            look.capture(self.captures.value(self.index, entry, side, (slot, code), to));
        };
        entry.each_legal(side, |legal| match legal {
            Legal::Attacker { slot, from, targets } => {
                look.moves += (targets - enemies).len() as Cell;
                for to in targets & enemies {
                    take(&mut look, slot, entry.code_after(slot, from, to), to);
                }
            }
            Legal::Guard(step) if enemies.contains(step.to) => {
                take(&mut look, side.index() * GROUPS, step.code, step.to);
            }
            Legal::Guard(_) => look.moves += 1,
        });
        look.cell()
    }

    /// Sets a cell and notes in the calendar when it is due.
    #[inline]
    fn set(&self, side: Side, number: u64, cell: Cell) {
        self.cells[side.index()][number as usize].store(cell, Relaxed);
        if cell & OPEN != 0 {
            return;
        }
        let day = cell as usize % CALENDAR;
        let word = &self.due[side.index()][self.chunk_of(number)][day / 64];
        let bit = 1 << (day % 64);
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
        if cell > self.longest.load(Relaxed) {
            self.longest.fetch_max(cell, Relaxed);
        }
    }

    /// Visits the retreats of every entry that ends in exactly so many plies.
    fn visit_ply(&self, ply: u16) {
        let day = ply as usize % CALENDAR;
        for side in Side::ALL {
            let due =
                |chunk: &usize| self.due[side.index()][*chunk][day / 64].load(Relaxed) >> (day % 64) & 1 == 1;
            (0..self.chunks())
                .into_par_iter()
                .filter(due)
                .for_each(|chunk| self.visit_chunk(side, chunk, ply));
        }
    }

    fn visit_chunk(&self, side: Side, chunk: usize, ply: u16) {
        let row_len = self.index.row_len();
        for row_number in self.rows(chunk) {
            let start = row_number as usize * row_len;
            let cells = &self.cells[side.index()][start..start + row_len];
            let mut row = None;
            for (place, _) in cells.iter().enumerate().filter(|(_, cell)| cell.load(Relaxed) == ply) {
                let row = row.get_or_insert_with(|| {
                    Row::new(self.index, row_number).expect("decided entries are legal")
                });
                let entry = row.entry(place).expect("decided entries are legal");
                if ply % 2 == 0 {
                    entry.each_retreat(!side, |number| self.note_win(!side, number, ply + 1));
                } else {
                    entry.each_retreat(!side, |number| self.note_losing_move(!side, number, ply + 1));
                }
            }
        }
    }

    /// `side` can move to a lost position: a win, unless a quicker one is known.
    #[inline]
    fn note_win(&self, side: Side, number: u64, ply: u16) {
        let cell = self.cells[side.index()][number as usize].load(Relaxed);
        if cell & OPEN != 0 || (cell > ply && cell != ILLEGAL) {
            self.set(side, number, ply);
        }
    }

    /// One of the moves of `side` leads to a won position: a loss if it was the last one.
    #[inline]
    fn note_losing_move(&self, side: Side, number: u64, ply: u16) {
        let cell = &self.cells[side.index()][number as usize];
        if cell.load(Relaxed) & OPEN == 0 {
            return;
        }
        let left = cell.fetch_sub(ONE_MOVE, Relaxed) - ONE_MOVE;
        if left & MOVES == 0 {
            self.set(side, number, ply.max(2 * (left & RESISTANCE)));
        }
    }

    /// The values of both sides in the metric that was solved for; the cells are used up.
    pub(crate) fn into_table(self, index: Arc<Index>, metric: Metric) -> Table {
        let longest = self.longest.load(Relaxed);
        let values = self.cells.map(|cells| {
            let cells = cells.into_par_iter().map(AtomicU16::into_inner);
            Some(if metric == Metric::Outcome {
                Values::Bytes(cells.map(|cell| outcome(cell, FREE_BYTE.into()) as u8).collect())
            } else if longest < u16::from(FREE_BYTE) - 1 {
                Values::Bytes(cells.map(|cell| packed(cell, FREE_BYTE.into()) as u8).collect())
            } else {
                Values::Words(cells.map(|cell| packed(cell, FREE_WORD)).collect())
            })
        });
        Table::new(index, values)
    }
}

/// The packed value of a cell, `free` if it stands for no legal position.
fn packed(cell: Cell, free: Packed) -> Packed {
    match cell {
        ILLEGAL => free,
        _ if cell & OPEN != 0 => Value::Draw.packed(),
        plies => plies + 1,
    }
}

/// The same without the distance.
fn outcome(cell: Cell, free: Packed) -> Packed {
    match packed(cell, free) {
        packed if packed == free => free,
        packed => Value::from_packed(packed).outcome().packed(),
    }
}

/// What the first look at an entry gathers.
struct Look {
    /// Moves that do not lose at once: quiet ones, and captures that draw.
    moves: Cell,
    /// The quickest win by a capture, in plies.
    quickest: Option<u16>,
    /// The longest resistance after a losing capture, in moves of the winner.
    resistance: Cell,
}

impl Look {
    fn capture(&mut self, value: Value) {
        match value {
            Value::Draw => self.moves += 1,
            Value::Win(plies) => {
                self.quickest = Some(self.quickest.map_or(plies, |quickest| quickest.min(plies)))
            }
            Value::Loss(plies) => self.resistance = self.resistance.max(plies / 2),
        }
    }

    fn cell(&self) -> Cell {
        match (self.quickest, self.moves) {
            (Some(plies), _) => plies,
            (None, 0) => 2 * self.resistance,
            (None, moves) => OPEN | moves * ONE_MOVE | self.resistance,
        }
    }
}
