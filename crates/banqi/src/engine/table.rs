//! The transposition table, shared by all threads without locks.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU64, Ordering};

use chuhe_hugepages::{Slab, Zero};

use crate::moves::Move;

/// What a score says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    Upper,
    Lower,
    Exact,
}

/// What is remembered of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Memory {
    pub(crate) score: i16,
    pub(crate) depth: i8,
    pub(crate) bound: Bound,
    pub(crate) best: Option<Move>,
}

/// A key and data are stored apart; the key is mixed with the data, so that a torn pair fits no position.
#[derive(Default)]
struct Slot {
    mixed: AtomicU64,
    data: AtomicU64,
}

// SAFETY: a slot is two atomic integers, for which zero is a value.
unsafe impl Zero for Slot {}

pub(crate) struct Table {
    slots: Slab<Slot>,
}

impl Table {
    /// A table of about so many megabytes.
    ///
    /// # Panics
    /// If there is not so much memory.
    pub(crate) fn new(megabytes: usize) -> Self {
        let count = (megabytes.max(1) << 20) / size_of::<Slot>();
        let count = if count.is_power_of_two() { count } else { count.next_power_of_two() / 2 };
        Self { slots: Slab::new(count).expect("the memory is there") }
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

    /// Brings the position's slot into the cache ahead of the look-up.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        self.slots.prefetch(self.place(key));
    }

    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Memory> {
        let slot = self.slot(key);
        let data = slot.data.load(Ordering::Relaxed);
        let fits = slot.mixed.load(Ordering::Relaxed) ^ data == key && data != 0;
        fits.then(|| unpack(data))
    }

    /// A newer result always replaces: games are short and the table is large for them.
    #[inline]
    pub(crate) fn store(&self, key: u64, memory: Memory) {
        let slot = self.slot(key);
        let data = pack(memory);
        slot.mixed.store(key ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }
}

fn pack(memory: Memory) -> u64 {
    let best = u64::from(Move::bits(memory.best));
    let bound = match memory.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(memory.score as u16) << 32 | u64::from(memory.depth as u8) << 16 | bound << 12 | best
}

fn unpack(data: u64) -> Memory {
    let bound = match data >> 12 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        _ => Bound::Exact,
    };
    let best = Move::from_bits(data as u16);
    Memory { score: (data >> 32) as i16, depth: (data >> 16) as i8, bound, best }
}

#[cfg(test)]
use crate::square::Square;

#[test]
fn what_is_stored_comes_back() {
    let table = Table::new(1);
    let best = Some(Move::new(Square::from_index(24), Square::from_index(9)));
    for memory in [
        Memory { score: -9999, depth: -1, bound: Bound::Upper, best },
        Memory { score: 42, depth: 60, bound: Bound::Lower, best: None },
        Memory { score: 0, depth: 0, bound: Bound::Exact, best },
    ] {
        table.store(12345, memory);
        assert_eq!(table.probe(12345), Some(memory));
        assert_eq!(table.probe(54321), None);
    }
    table.clear();
    assert_eq!(table.probe(12345), None);
}
