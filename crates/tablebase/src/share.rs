//! A share of an endgame that is being solved: a range of its rows, with the entries of both sides to move.
//!
//! A first pass looks at every entry once: it marks what is no legal position, counts the legal moves and
//! looks captures up in the smaller tables. Then come rounds, one for each ply: every entry that ends in exactly so
//! many plies is found and its retreats are visited. Whoever can move to a lost position wins a ply later,
//! and whoever sees the last of his moves lead to a won position has lost. Nothing else is ever looked at again.
//!
//! A table may be solved in one share or in many, by threads or by machines. A retreat to an entry of another share is
//! told as an [`Update`]; within a round the order of updates does not matter, so that the outcome is the same
//! however the table is divided.

use std::iter;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};

use chuhe_board::{Side, Square};
use rayon::prelude::*;

use crate::Index;
use crate::captures::Captures;
use crate::cell::{Cell, ILLEGAL, Look, MOVES, ONE_MOVE, RESISTANCE, is_open, outcome, packed};
use crate::group::Code;
use crate::index::GROUPS;
use crate::kind::Metric;
use crate::row::{Entry, Row};
use crate::scene::Legal;
use crate::value::{FREE_WORD, Packed};

/// About how many entries one task looks at.
const CHUNK: usize = 1 << 13;
/// How many plies a chunk's calendar tells apart.
const CALENDAR: usize = 256;
/// Updates for other shares are handed over so many at a time, or fewer at the end of a task.
const PARCEL: usize = 1 << 12;

/// Tells that an entry, of another share, leads to one that was just visited: a number of the index and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update(u64);

impl Update {
    fn new(side: Side, number: u64) -> Self {
        Self(number << 1 | side.index() as u64)
    }

    /// The update as a number, to be sent elsewhere.
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// The update that was sent as this number.
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

/// A range of the rows of an endgame while it is being solved.
pub struct Share {
    pub(crate) index: Arc<Index>,
    pub(crate) captures: Arc<Captures>,
    rows: Range<u64>,
    /// Rows of every share but the last.
    rows_in_share: u64,
    shares: usize,
    /// The number of the first entry.
    first: u64,
    pub(crate) cells: [Vec<AtomicU16>; 2],
    /// For each chunk the plies, modulo [`CALENDAR`], at which one of its entries is due.
    due: [Vec<[AtomicU64; CALENDAR / 64]>; 2],
    rows_in_chunk: u64,
    /// The greatest number of plies that any entry got so far.
    longest: AtomicU16,
}

impl Share {
    /// One of several shares of an endgame; `which` is below `shares`.
    pub(crate) fn new(index: Arc<Index>, captures: Arc<Captures>, which: usize, shares: usize) -> Self {
        let rows_in_share = index.rows().div_ceil(shares as u64);
        let start = (which as u64 * rows_in_share).min(index.rows());
        let rows = start..(start + rows_in_share).min(index.rows());
        let rows_in_chunk = (CHUNK / index.row_len()).max(1) as u64;
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
            shares,
            rows_in_chunk,
            longest: AtomicU16::new(0),
        }
    }

    /// Bytes of memory that solving so many entries takes, without the smaller tables.
    pub(crate) fn memory(len: u64) -> u64 {
        // Two cells an entry, and the values of one side while they are written.
        len.saturating_mul(6)
    }

    /// How positions are numbered.
    pub fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// The numbers of the entries that it holds.
    pub fn numbers(&self) -> Range<u64> {
        self.first..self.first + self.cells[0].len() as u64
    }

    /// The greatest number of plies that any of its entries got so far. Rounds are played as long as the greatest
    /// of all shares is not passed.
    pub fn longest(&self) -> u16 {
        self.longest.load(Relaxed)
    }

    /// Looks at every entry for the first time. `watch` hears how many chunks of how many are done.
    pub fn open(&self, watch: &(dyn Fn(u64, u64) + Sync)) {
        let done = AtomicU64::new(0);
        let chunks = self.chunks();
        (0..chunks).into_par_iter().for_each(|chunk| {
            for row in self.chunk_rows(chunk).filter_map(|row| Row::new(&self.index, row)) {
                row.each(|entry| self.open_entry(entry));
            }
            let done = done.fetch_add(1, Relaxed) + 1;
            if done.is_multiple_of(64) {
                watch(done, chunks as u64);
            }
        });
    }

    fn open_entry(&self, entry: &Entry<'_>) {
        for side in Side::ALL {
            if !entry.scene.is_in_check(!side) {
                let cell = self.first_look(entry, side);
                self.set(side, entry.number - self.first, cell);
            }
        }
    }

    /// What an entry is before any retreat reaches it.
    #[inline]
    fn first_look(&self, entry: &Entry<'_>, side: Side) -> Cell {
        let mut look = Look::default();
        let enemies = entry.scene.sides[(!side).index()];
        let take = |look: &mut Look, slot: usize, code: Code, to: Square| {
            look.capture(self.captures.value(&self.index, entry, side, (slot, code), to));
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

    /// Visits the retreats of every own entry that ends in exactly `ply` plies. What they mean for entries of other
    /// shares is handed to `send`, with the share that must [receive](Self::receive) it before the next round.
    pub fn round(&self, ply: u16, send: &(dyn Fn(usize, &[Update]) + Sync)) {
        for side in Side::ALL {
            self.visit(side, ply, 0..self.chunks(), send);
        }
    }

    /// The part of a round that visits some chunks with `side` to move.
    pub(crate) fn visit(
        &self,
        side: Side,
        ply: u16,
        chunks: Range<usize>,
        send: &(dyn Fn(usize, &[Update]) + Sync),
    ) {
        let day = ply as usize % CALENDAR;
        let due =
            |chunk: &usize| self.due[side.index()][*chunk][day / 64].load(Relaxed) >> (day % 64) & 1 == 1;
        chunks.into_par_iter().filter(due).for_each(|chunk| {
            let mut post = Post { share: self, parcels: vec![Vec::new(); self.shares], send };
            self.visit_chunk(side, chunk, ply, &mut post);
            post.send_all();
        });
    }

    fn visit_chunk(&self, side: Side, chunk: usize, ply: u16, post: &mut Post<'_>) {
        let row_len = self.index.row_len();
        for row_number in self.chunk_rows(chunk) {
            let start = (row_number - self.rows.start) as usize * row_len;
            let cells = &self.cells[side.index()][start..start + row_len];
            let mut due = cells
                .iter()
                .enumerate()
                .filter(|(_, cell)| cell.load(Relaxed) == ply)
                .map(|(place, _)| place);
            let Some(first) = due.next() else { continue };
            let row = Row::new(&self.index, row_number).expect("decided entries are legal");
            let mut entry = row.entry(first).expect("decided entries are legal");
            for place in iter::once(first).chain(due) {
                let is_entry = entry.go_to(place);
                debug_assert!(is_entry, "decided entries are legal");
                entry.each_retreat(!side, |number| {
                    let own = number.wrapping_sub(self.first);
                    if own < self.cells[0].len() as u64 {
                        self.note(!side, own, ply);
                    } else {
                        post.put(Update::new(!side, number));
                    }
                });
            }
        }
    }

    /// Takes in what another share found in the round of `ply`.
    ///
    /// # Panics
    ///
    /// If an update is for an entry of another share.
    pub fn receive(&self, ply: u16, updates: &[Update]) {
        for update in updates {
            assert!(self.numbers().contains(&update.number()), "an update was sent to the wrong share");
            self.note(update.side(), update.number() - self.first, ply);
        }
    }

    /// `side` can move from an entry to one that ends in `ply` plies.
    #[inline]
    fn note(&self, side: Side, own: u64, ply: u16) {
        if ply.is_multiple_of(2) {
            self.note_win(side, own, ply + 1)
        } else {
            self.note_losing_move(side, own, ply + 1)
        }
    }

    /// `side` can move to a lost position: a win, unless a quicker one is known.
    #[inline]
    fn note_win(&self, side: Side, own: u64, ply: u16) {
        let cell = self.cells[side.index()][own as usize].load(Relaxed);
        if is_open(cell) || (cell > ply && cell != ILLEGAL) {
            self.set(side, own, ply);
        }
    }

    /// One of the moves of `side` leads to a won position: a loss if it was the last one.
    #[inline]
    fn note_losing_move(&self, side: Side, own: u64, ply: u16) {
        let cell = &self.cells[side.index()][own as usize];
        if !is_open(cell.load(Relaxed)) {
            return;
        }
        let left = cell.fetch_sub(ONE_MOVE, Relaxed) - ONE_MOVE;
        if left & MOVES == 0 {
            self.set(side, own, ply.max(2 * (left & RESISTANCE)));
        }
    }

    /// Sets a cell, counted from the first of the share, and notes in the calendar when it is due.
    #[inline]
    pub(crate) fn set(&self, side: Side, own: u64, cell: Cell) {
        self.cells[side.index()][own as usize].store(cell, Relaxed);
        if is_open(cell) {
            return;
        }
        let day = cell as usize % CALENDAR;
        let chunk = own as usize / self.index.row_len() / self.rows_in_chunk as usize;
        let word = &self.due[side.index()][chunk][day / 64];
        let bit = 1 << (day % 64);
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
        if cell > self.longest.load(Relaxed) {
            self.longest.fetch_max(cell, Relaxed);
        }
    }

    /// Notes when cells are due that were restored from a checkpoint.
    pub(crate) fn fill_calendar(&self) {
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

    /// The share that holds an entry.
    fn owner(&self, number: u64) -> usize {
        (number / self.index.row_len() as u64 / self.rows_in_share) as usize
    }

    /// What was found for one side to move, entry by entry, as numbers that a file is written from: see
    /// [`Folder::write_shares`](crate::Folder::write_shares).
    pub fn values(&self, side: Side, metric: Metric) -> Vec<u16> {
        let value: fn(Cell, Packed) -> Packed = if metric == Metric::Outcome { outcome } else { packed };
        self.cells[side.index()].iter().map(|cell| value(cell.load(Relaxed), FREE_WORD)).collect()
    }
}

/// What one task has to tell other shares.
struct Post<'a> {
    share: &'a Share,
    parcels: Vec<Vec<Update>>,
    send: &'a (dyn Fn(usize, &[Update]) + Sync),
}

impl Post<'_> {
    #[cold]
    fn put(&mut self, update: Update) {
        let owner = self.share.owner(update.number());
        self.parcels[owner].push(update);
        if self.parcels[owner].len() == PARCEL {
            (self.send)(owner, &self.parcels[owner]);
            self.parcels[owner].clear();
        }
    }

    fn send_all(&mut self) {
        for (owner, parcel) in self.parcels.iter().enumerate().filter(|(_, parcel)| !parcel.is_empty()) {
            (self.send)(owner, parcel);
        }
    }
}
