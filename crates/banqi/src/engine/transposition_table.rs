//! The transposition table, shared by all threads without locks.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU64, Ordering};

use chuhe_hugepages::{Slab, Zero};

use crate::moves::Move;

/// The kind of a stored score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    Upper,
    Lower,
    Exact,
}

/// A stored result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TtEntry {
    pub(crate) score: i16,
    pub(crate) depth: i8,
    pub(crate) bound: Bound,
    pub(crate) best: Option<Move>,
}

/// The key is stored XORed with the data, so that a torn write matches no position.
#[derive(Default)]
struct Slot {
    mixed: AtomicU64,
    data: AtomicU64,
}

// SAFETY: a slot is two atomic integers, for which zero is a value.
unsafe impl Zero for Slot {}

pub(crate) struct TranspositionTable {
    slots: Slab<Slot>,
}

impl TranspositionTable {
    /// A table of at most `megabytes`, rounded down to a power of two.
    ///
    /// # Panics
    /// If the allocation fails.
    pub(crate) fn new(megabytes: usize) -> Self {
        let count = (megabytes.max(1) << 20) / size_of::<Slot>();
        let count = if count.is_power_of_two() { count } else { count.next_power_of_two() / 2 };
        Self { slots: Slab::new(count).expect("the allocation succeeds") }
    }

    pub(crate) fn clear(&self) {
        for slot in self.slots.iter() {
            slot.mixed.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }

    #[inline]
    fn slot(&self, key: u64) -> &Slot {
        &self.slots[self.place(key)]
    }

    /// Prefetches the slot of a position.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        self.slots.prefetch(self.place(key));
    }

    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<TtEntry> {
        let slot = self.slot(key);
        let data = slot.data.load(Ordering::Relaxed);
        let fits = slot.mixed.load(Ordering::Relaxed) ^ data == key && data != 0;
        fits.then(|| unpack(data))
    }

    /// Always replaces: games are short and the table is large for them.
    #[inline]
    pub(crate) fn store(&self, key: u64, entry: TtEntry) {
        let slot = self.slot(key);
        let data = pack(entry);
        slot.mixed.store(key ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }
}

fn pack(entry: TtEntry) -> u64 {
    let best = u64::from(Move::bits(entry.best));
    let bound = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.score as u16) << 32 | u64::from(entry.depth as u8) << 16 | bound << 12 | best
}

fn unpack(data: u64) -> TtEntry {
    let bound = match data >> 12 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        _ => Bound::Exact,
    };
    let best = Move::from_bits(data as u16);
    TtEntry { score: (data >> 32) as i16, depth: (data >> 16) as i8, bound, best }
}

#[cfg(test)]
use crate::square::Square;

#[test]
fn stored_entries_come_back() {
    let table = TranspositionTable::new(1);
    let best = Some(Move::new(Square::from_index(24), Square::from_index(9)));
    for entry in [
        TtEntry { score: -9999, depth: -1, bound: Bound::Upper, best },
        TtEntry { score: 42, depth: 60, bound: Bound::Lower, best: None },
        TtEntry { score: 0, depth: 0, bound: Bound::Exact, best },
    ] {
        table.store(12345, entry);
        assert_eq!(table.probe(12345), Some(entry));
        assert_eq!(table.probe(54321), None);
    }
    table.clear();
    assert_eq!(table.probe(12345), None);
}

/// Also run under ThreadSanitizer and Miri (`tools/sanitize`).
#[test]
fn threads_that_race_for_a_slot_never_see_a_torn_entry() {
    // The smallest: at every access Miri walks through all slots.
    let table = TranspositionTable { slots: Slab::new(1).unwrap() };
    std::thread::scope(|scope| {
        for thread in 1..=4 {
            let table = &table;
            scope.spawn(move || {
                for round in 0..if cfg!(miri) { 50 } else { 5000 } {
                    // Seven positions for one slot; the score belongs to the position.
                    let number = (round * thread) % 7 + 1;
                    let key = (number as u64) << 32;
                    if let Some(found) = table.probe(key) {
                        assert_eq!(found.score, number * 100);
                    }
                    let depth = (round % 60) as i8;
                    table.store(key, TtEntry { score: number * 100, depth, bound: Bound::Exact, best: None });
                }
            });
        }
    });
}
