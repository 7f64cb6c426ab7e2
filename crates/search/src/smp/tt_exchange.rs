//! What a search tells other machines of its table, and what they tell it.
//!
//! Search threads never wait here: they write deep entries into a ring of atomic words and go on, even if nobody
//! reads them. Whoever carries the post reads the ring at his own pace and loses what was overwritten meanwhile.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use chuhe_board::Key;

use crate::Table;
use crate::table::{Known, Packed};

/// An entry of a transposition table on its way to another machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedEntry {
    /// The position.
    pub key: Key,
    /// What is known about it.
    pub known: Known,
}

impl SharedEntry {
    /// The bytes of an entry.
    pub const SIZE: usize = 16;

    /// The entry as two words.
    pub fn packed(&self) -> [u64; 2] {
        [self.key.get(), Packed::new(&self.known, 0).get()]
    }

    /// The entry that [`Self::packed`] gave; any other words give some entry or none, and no entry harms a search.
    pub fn from_packed([key, data]: [u64; 2]) -> Option<Self> {
        Some(Self { key: Key::from_number(key), known: Packed::from_word(data)?.known() })
    }
}

/// The post of one pool.
#[derive(Debug)]
pub struct Mailbox {
    least_depth: i32,
    ring: Box<[Slot]>,
    /// How many entries were ever written to the ring.
    written: AtomicU64,
    /// How many were read; only the carrier's thread writes it.
    read: AtomicU64,
    arrived: Mutex<Vec<SharedEntry>>,
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

/// Entries that the ring holds: some tens of milliseconds of many threads.
const CAPACITY: usize = 1 << 14;

impl Mailbox {
    /// A mailbox that posts entries of this depth and deeper ones.
    pub fn new(least_depth: i32) -> Self {
        Self {
            least_depth,
            ring: (0..CAPACITY).map(|_| Slot::default()).collect(),
            written: AtomicU64::new(0),
            read: AtomicU64::new(0),
            arrived: Mutex::default(),
            nodes: AtomicU64::new(0),
        }
    }

    /// Posts an entry if it is deep enough. Never waits.
    #[inline]
    pub(crate) fn post(&self, key: Key, known: &Known) {
        if known.depth < self.least_depth {
            return;
        }
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let data = Packed::new(known, 0).get();
        let slot = &self.ring[number as usize % CAPACITY];
        slot.key.store(key.get(), Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
        slot.check.store(key.get() ^ data ^ (number + 1), Ordering::Release);
    }

    /// Takes the entries that were posted since the last time. Only one thread may carry the post.
    pub fn collect(&self) -> Vec<SharedEntry> {
        let written = self.written.load(Ordering::Acquire);
        let first = self.read.load(Ordering::Relaxed).max(written.saturating_sub(CAPACITY as u64));
        self.read.store(written, Ordering::Relaxed);
        (first..written).filter_map(|number| self.ring[number as usize % CAPACITY].take(number)).collect()
    }

    /// Hands over what other machines know; the search takes it into its table soon.
    pub fn deliver(&self, entries: impl IntoIterator<Item = SharedEntry>) {
        self.arrived.lock().unwrap_or_else(PoisonError::into_inner).extend(entries);
    }

    /// Positions that the last search has looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    pub(crate) fn set_nodes(&self, nodes: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
    }

    /// Takes what was delivered into the table. Not called by threads that search.
    pub(crate) fn take_in(&self, table: &Table) {
        let arrived = std::mem::take(&mut *self.arrived.lock().unwrap_or_else(PoisonError::into_inner));
        for SharedEntry { key, known } in arrived {
            table.keep(key, known);
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

    fn known(depth: i32) -> Known {
        Known { mv: None, score: Score::DRAW, evaluation: None, depth, bound: Bound::Lower, pv: false }
    }

    #[test]
    fn only_deep_entries_are_posted_and_each_is_collected_once() {
        let mailbox = Mailbox::new(6);
        for depth in [5, 6, 7] {
            mailbox.post(Key::from_number(depth as u64), &known(depth));
        }
        let keys: Vec<u64> = mailbox.collect().iter().map(|entry| entry.key.get()).collect();
        assert_eq!(keys, [6, 7]);
        assert!(mailbox.collect().is_empty());
    }

    #[test]
    fn a_full_ring_loses_the_oldest() {
        let mailbox = Mailbox::new(0);
        for number in 0..CAPACITY as u64 + 10 {
            mailbox.post(Key::from_number(number), &known(1));
        }
        let collected = mailbox.collect();
        assert_eq!(collected.len(), CAPACITY);
        assert_eq!(collected[0].key.get(), 10);
    }

    #[test]
    fn what_is_delivered_comes_into_the_table() {
        let (mailbox, table) = (Mailbox::new(0), Table::new(1));
        let key = Key::from_number(77);
        mailbox.deliver([SharedEntry { key, known: known(9) }]);
        mailbox.take_in(&table);
        assert_eq!(table.find(key), Some(known(9)));
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
