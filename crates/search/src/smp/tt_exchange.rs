//! TT exchange: deep transposition table entries sent to and received from other machines.
//!
//! Search threads never wait here: they write deep entries into a ring of atomic words whether or not anyone
//! reads them. The reader drains the ring at its own pace and loses what was overwritten meanwhile.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use chuhe_board::Key;

use crate::transposition::{Packed, TranspositionTable, TtEntry};

/// A TT entry on its way to another machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedEntry {
    /// The position.
    pub key: Key,
    /// Its TT entry.
    pub entry: TtEntry,
}

impl SharedEntry {
    /// Size in bytes.
    pub const SIZE: usize = 16;

    /// The entry as two words.
    pub fn packed(&self) -> [u64; 2] {
        [self.key.get(), Packed::new(&self.entry, 0).get()]
    }

    /// The inverse of [`Self::packed`]. Any other words give some entry or none; no entry harms a search.
    pub fn from_packed([key, data]: [u64; 2]) -> Option<Self> {
        Some(Self { key: Key::from_number(key), entry: Packed::from_word(data)?.entry() })
    }
}

/// The TT exchange of one pool.
#[derive(Debug)]
pub struct TtExchange {
    min_depth: i32,
    ring: Box<[Slot]>,
    /// Entries ever written to the ring.
    written: AtomicU64,
    /// Entries read; written only by the reader's thread.
    read: AtomicU64,
    received: Mutex<Vec<SharedEntry>>,
    nodes: AtomicU64,
}

/// An entry of the ring. The check is the exclusive-or of the other words and the entry's number, so that a slot that
/// is being overwritten is not taken for an entry.
#[derive(Debug, Default)]
struct Slot {
    key: AtomicU64,
    data: AtomicU64,
    check: AtomicU64,
}

/// Entries in the ring: some tens of milliseconds of many threads.
const CAPACITY: usize = 1 << 14;

impl TtExchange {
    /// An exchange of entries at least this deep.
    pub fn new(min_depth: i32) -> Self {
        Self {
            min_depth,
            ring: (0..CAPACITY).map(|_| Slot::default()).collect(),
            written: AtomicU64::new(0),
            read: AtomicU64::new(0),
            received: Mutex::default(),
            nodes: AtomicU64::new(0),
        }
    }

    /// Posts an entry if it is deep enough. Never blocks.
    #[inline]
    pub(crate) fn post(&self, key: Key, entry: &TtEntry) {
        if entry.depth < self.min_depth {
            return;
        }
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let data = Packed::new(entry, 0).get();
        let slot = &self.ring[number as usize % CAPACITY];
        slot.key.store(key.get(), Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
        slot.check.store(key.get() ^ data ^ (number + 1), Ordering::Release);
    }

    /// Takes the entries posted since the last call. Only one thread may read.
    pub fn collect(&self) -> Vec<SharedEntry> {
        let written = self.written.load(Ordering::Acquire);
        let first = self.read.load(Ordering::Relaxed).max(written.saturating_sub(CAPACITY as u64));
        self.read.store(written, Ordering::Relaxed);
        (first..written).filter_map(|number| self.ring[number as usize % CAPACITY].take(number)).collect()
    }

    /// Queues entries from other machines; the pool stores them in its table within a millisecond.
    pub fn deliver(&self, entries: impl IntoIterator<Item = SharedEntry>) {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).extend(entries);
    }

    /// Nodes of the current or last search.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    pub(crate) fn set_nodes(&self, nodes: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
    }

    /// Stores the delivered entries. Not called by search threads.
    pub(crate) fn store_received(&self, tt: &TranspositionTable) {
        let received = std::mem::take(&mut *self.received.lock().unwrap_or_else(PoisonError::into_inner));
        for SharedEntry { key, entry } in received {
            tt.store(key, entry);
        }
    }
}

impl Slot {
    fn take(&self, number: u64) -> Option<SharedEntry> {
        let check = self.check.load(Ordering::Acquire);
        let (key, data) = (self.key.load(Ordering::Relaxed), self.data.load(Ordering::Relaxed));
        if check != key ^ data ^ (number + 1) {
            return None;
        }
        SharedEntry::from_packed([key, data])
    }
}

#[cfg(test)]
mod tests {
    use chuhe_eval::Score;
    use proptest::prelude::*;

    use super::*;
    use crate::Bound;

    fn entry(depth: i32) -> TtEntry {
        TtEntry { mv: None, score: Score::DRAW, evaluation: None, depth, bound: Bound::Lower, pv: false }
    }

    #[test]
    fn only_deep_entries_are_posted_and_each_is_collected_once() {
        let exchange = TtExchange::new(6);
        for depth in [5, 6, 7] {
            exchange.post(Key::from_number(depth as u64), &entry(depth));
        }
        let keys: Vec<u64> = exchange.collect().iter().map(|entry| entry.key.get()).collect();
        assert_eq!(keys, [6, 7]);
        assert!(exchange.collect().is_empty());
    }

    #[test]
    fn a_full_ring_loses_the_oldest() {
        let exchange = TtExchange::new(0);
        for number in 0..CAPACITY as u64 + 10 {
            exchange.post(Key::from_number(number), &entry(1));
        }
        let collected = exchange.collect();
        assert_eq!(collected.len(), CAPACITY);
        assert_eq!(collected[0].key.get(), 10);
    }

    #[test]
    fn delivered_entries_reach_the_table() {
        let (exchange, tt) = (TtExchange::new(0), TranspositionTable::new(1));
        let key = Key::from_number(77);
        exchange.deliver([SharedEntry { key, entry: entry(9) }]);
        exchange.store_received(&tt);
        assert_eq!(tt.probe(key), Some(entry(9)));
    }

    proptest! {
        #[test]
        fn any_words_are_an_entry_or_none(words: [u64; 2]) {
            if let Some(entry) = SharedEntry::from_packed(words) {
                prop_assert_eq!(SharedEntry::from_packed(entry.packed()), Some(entry));
            }
        }
    }
}
