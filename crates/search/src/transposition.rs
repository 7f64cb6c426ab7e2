//! Transposition table (TT): results of earlier searches by position, shared by all threads without locks.
//!
//! An entry is two words. The first is the key XOR the second, so a torn entry fails the comparison and is a
//! miss (Hyatt's lockless hashing).
#![allow(unsafe_code)]

mod memory;

use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::thread;

use chuhe_board::{Key, Move};
use chuhe_eval::Score;
use chuhe_hugepages::{Slab, Zero};

use crate::report::Bound;

/// What the table holds about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// The best move, or the one that failed high.
    pub mv: Option<Move>,
    /// The score for the side to move; mates are counted from this position.
    pub score: Score,
    /// The static evaluation, if the side to move was not in check.
    pub evaluation: Option<Score>,
    /// The depth of the search that found it.
    pub depth: i32,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Whether the position was ever on a principal variation.
    pub pv: bool,
}

#[derive(Default)]
struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

/// The entries with the same index, as many as a cache line holds.
#[derive(Default)]
#[repr(align(64))]
struct Cluster([Entry; 4]);

const _: () = assert!(size_of::<Cluster>() == 64);

// SAFETY: a cluster is eight `AtomicU64`, for which zero bytes are valid, and its alignment of 64 is below a page's.
unsafe impl Zero for Cluster {}

/// A transposition table of fixed size.
pub struct TranspositionTable {
    clusters: Slab<Cluster>,
    generation: AtomicU8,
}

/// The table does not fit in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// The size asked for.
    pub mebibytes: usize,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not enough memory for a transposition table of {} MB", self.mebibytes)
    }
}

impl std::error::Error for OutOfMemory {}

/// Searches after which the age of an entry wraps around.
const GENERATIONS: u8 = 32;
/// Plies of depth that one search of age costs an entry when one is replaced.
const AGE_WEIGHT: i32 = 4;
/// Plies by which a new result may be shallower than the same search's entry it replaces.
const DEPTH_TOLERANCE: i32 = 4;
/// Stored depths start at −8.
const DEPTH_OFFSET: i32 = 8;
const NO_EVALUATION: i16 = i16::MIN;

impl TranspositionTable {
    /// A table of this many mebibytes.
    ///
    /// # Panics
    /// If it does not fit in memory; see [`TranspositionTable::resize`].
    pub fn new(mebibytes: usize) -> Self {
        let empty = Slab::new(0).expect("an empty allocation cannot fail");
        let mut table = Self { clusters: empty, generation: AtomicU8::new(0) };
        table.resize(mebibytes).expect("the table fits in memory");
        table
    }

    /// Replaces the table by an empty one of another size. If that does not fit in memory, nothing changes.
    pub fn resize(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        let refused = OutOfMemory { mebibytes };
        let bytes = mebibytes.max(1).checked_mul(1 << 20).ok_or(refused)?;
        let count = bytes / size_of::<Cluster>();
        // Systems that overcommit grant more memory than they have and kill the program when it is used.
        let given_back = size_of_val(&*self.clusters);
        if memory::available().is_some_and(|free| bytes > free.saturating_add(given_back)) {
            return Err(refused);
        }
        let mut clusters = Slab::new(count).map_err(|_| refused)?;
        // Pages are allocated when first written. During a search that could take seconds between two looks at the
        // clock and the stop flag.
        clusters.prefault(processors());
        self.clusters = clusters;
        *self.generation.get_mut() = 0;
        Ok(())
    }

    /// Its size in mebibytes.
    pub fn mebibytes(&self) -> usize {
        size_of_val(&*self.clusters) >> 20
    }

    /// Empties the table, on all processors.
    pub fn clear(&mut self) {
        let processors = processors();
        if processors == 1 {
            // Also where there are no threads at all.
            self.clusters.fill_with(Cluster::default);
        } else {
            let chunk = self.clusters.len().div_ceil(processors);
            thread::scope(|scope| {
                for part in self.clusters.chunks_mut(chunk) {
                    scope.spawn(|| part.fill_with(Cluster::default));
                }
            });
        }
        *self.generation.get_mut() = 0;
    }

    /// Starts a new search: entries of earlier ones age.
    pub(crate) fn new_search(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// Entries of the current search, in per mille, from a sample.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(100)];
        let fresh = |entry: &&Entry| {
            let data = entry.data.load(Ordering::Relaxed);
            data != 0 && Packed(data).generation() == generation
        };
        let used = sample.iter().flat_map(|cluster| &cluster.0).filter(fresh).count();
        (used * 1000 / (sample.len() * 4)) as u32
    }

    /// Prefetches the position's cluster.
    #[inline]
    pub(crate) fn prefetch(&self, key: Key) {
        self.clusters.prefetch(self.index(key));
    }

    /// The entry of the position with this key.
    #[inline]
    pub(crate) fn probe(&self, key: Key) -> Option<TtEntry> {
        self.cluster(key).0.iter().find_map(|entry| {
            let data = entry.data.load(Ordering::Relaxed);
            let check = entry.check.load(Ordering::Relaxed);
            (check ^ data == key.get() && data != 0).then(|| Packed(data).entry())
        })
    }

    /// Stores a result. It replaces the same position's entry, or else the shallowest and oldest of the
    /// cluster. Of one search a much shallower result does not replace a deeper one of the same position,
    /// unless it is exact.
    #[inline]
    pub(crate) fn store(&self, key: Key, mut new: TtEntry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut slot = None;
        let mut lowest = i32::MAX;
        for entry in &self.cluster(key).0 {
            let data = entry.data.load(Ordering::Relaxed);
            let old = Packed(data);
            if data == 0 || entry.check.load(Ordering::Relaxed) ^ data == key.get() {
                slot = Some((entry, old));
                break;
            }
            let age = (GENERATIONS + generation - old.generation()) % GENERATIONS;
            let value = old.depth() - AGE_WEIGHT * i32::from(age);
            if value < lowest {
                lowest = value;
                slot = Some((entry, Packed(0)));
            }
        }
        let Some((entry, old)) = slot else {
            return;
        };
        if old.0 != 0 {
            new.mv = new.mv.or(old.mv());
            let fresh = old.generation() == generation;
            if fresh && new.bound != Bound::Exact && new.depth + DEPTH_TOLERANCE < old.depth() {
                return;
            }
        }
        let data = Packed::new(&new, generation).0;
        entry.data.store(data, Ordering::Relaxed);
        entry.check.store(key.get() ^ data, Ordering::Relaxed);
    }

    #[inline]
    fn index(&self, key: Key) -> usize {
        ((u128::from(key.get()) * self.clusters.len() as u128) >> 64) as usize
    }

    #[inline]
    fn cluster(&self, key: Key) -> &Cluster {
        &self.clusters[self.index(key)]
    }
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// An entry's second word: move 16 bits, score 16, evaluation 16, depth 8, generation 5, principal
/// variation 1, bound 2. Never zero, because no bound is.
#[derive(Clone, Copy)]
pub(crate) struct Packed(u64);

impl Packed {
    /// The word of an entry; `None` if it cannot be one.
    pub(crate) fn from_word(word: u64) -> Option<Self> {
        (word & 3 << 56 != 0).then_some(Self(word))
    }

    pub(crate) const fn get(self) -> u64 {
        self.0
    }

    #[inline]
    pub(crate) fn new(entry: &TtEntry, generation: u8) -> Self {
        let mv = entry.mv.map_or(0, Move::packed);
        let evaluation = entry.evaluation.map_or(NO_EVALUATION, |score| score.get() as i16);
        let depth = (entry.depth + DEPTH_OFFSET).clamp(0, 255) as u64;
        let flags = u64::from(generation) << 3 | u64::from(entry.pv) << 2 | entry.bound as u64;
        Self(
            u64::from(mv)
                | u64::from(entry.score.get() as i16 as u16) << 16
                | u64::from(evaluation as u16) << 32
                | depth << 48
                | flags << 56,
        )
    }

    #[inline]
    pub(crate) fn entry(self) -> TtEntry {
        let evaluation = (self.0 >> 32) as i16;
        TtEntry {
            mv: self.mv(),
            score: Score::from_number(i32::from((self.0 >> 16) as i16)),
            evaluation: (evaluation != NO_EVALUATION).then(|| Score::from_number(evaluation.into())),
            depth: self.depth(),
            bound: match self.0 >> 56 & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            pv: self.0 >> 58 & 1 == 1,
        }
    }

    #[inline]
    fn mv(self) -> Option<Move> {
        Move::from_packed(self.0 as u16)
    }

    #[inline]
    fn depth(self) -> i32 {
        (self.0 >> 48 & 0xFF) as i32 - DEPTH_OFFSET
    }

    #[inline]
    fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry(depth: i32, bound: Bound) -> TtEntry {
        TtEntry { mv: None, score: Score::DRAW, evaluation: None, depth, bound, pv: false }
    }

    proptest! {
        #[test]
        fn packing_an_entry_loses_nothing(
            number in -30_000i32..30_000, evaluation in proptest::option::of(-20_000i32..20_000),
            depth in -8i32..240, pv: bool, packed: u16, bound in 1u8..=3, generation in 0u8..32,
        ) {
            let bound = [Bound::Upper, Bound::Lower, Bound::Exact][usize::from(bound) - 1];
            let entry = TtEntry {
                mv: Move::from_packed(packed),
                score: Score::from_number(number),
                evaluation: evaluation.map(Score::from_number),
                depth,
                bound,
                pv,
            };
            let packed = Packed::new(&entry, generation);
            prop_assert_eq!(packed.entry(), entry);
            prop_assert_eq!(packed.generation(), generation);
        }
    }

    #[test]
    fn deep_results_of_this_search_survive_shallow_ones() {
        let table = TranspositionTable::new(1);
        let key = Key::from_number(0x1234_5678_9ABC_DEF0);
        table.store(key, entry(12, Bound::Lower));
        table.store(key, entry(3, Bound::Lower));
        assert_eq!(table.probe(key).unwrap().depth, 12);
        table.store(key, entry(3, Bound::Exact));
        assert_eq!(table.probe(key).unwrap().depth, 3);
    }

    #[test]
    fn the_shallowest_entry_of_a_full_cluster_is_replaced() {
        let table = TranspositionTable::new(1);
        // Keys that differ only in their low bits share a cluster.
        let keys: Vec<Key> = (1..=5).map(Key::from_number).collect();
        for (depth, key) in [9, 4, 7, 8].into_iter().zip(&keys) {
            table.store(*key, entry(depth, Bound::Lower));
        }
        table.store(keys[4], entry(1, Bound::Lower));
        let kept: Vec<bool> = keys.iter().map(|key| table.probe(*key).is_some()).collect();
        assert_eq!(kept, [true, false, true, true, true]);
    }

    /// Also run under ThreadSanitizer and Miri (`tools/sanitize`).
    #[test]
    fn threads_that_race_for_a_cluster_never_see_a_torn_entry() {
        // The smallest: at every access Miri walks through all clusters.
        let clusters = Slab::new(1).unwrap();
        let table = TranspositionTable { clusters, generation: AtomicU8::new(0) };
        thread::scope(|scope| {
            for thread in 1..=4u64 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..if cfg!(miri) { 50 } else { 5000 } {
                        // Seven positions for four places; the score belongs to the position.
                        let number = (round * thread) % 7 + 1;
                        let key = Key::from_number(number);
                        if let Some(found) = table.probe(key) {
                            assert_eq!(found.score.get(), number as i32 * 100);
                        }
                        let score = Score::from_number(number as i32 * 100);
                        let depth = (round % 60) as i32;
                        table.store(key, TtEntry { score, ..entry(depth, Bound::Exact) });
                    }
                });
            }
        });
    }

    #[test]
    fn a_size_beyond_memory_is_refused_and_changes_nothing() {
        let mut table = TranspositionTable::new(1);
        table.store(Key::from_number(7), entry(5, Bound::Exact));
        assert_eq!(table.resize(usize::MAX >> 20), Err(OutOfMemory { mebibytes: usize::MAX >> 20 }));
        assert!(table.resize(usize::MAX).is_err());
        assert!(table.probe(Key::from_number(7)).is_some());
    }

    #[test]
    fn clearing_empties_the_table() {
        let mut table = TranspositionTable::new(1);
        table.store(Key::from_number(7), entry(5, Bound::Exact));
        table.clear();
        assert_eq!(table.probe(Key::from_number(7)), None);
        assert_eq!(table.hashfull(), 0);
    }
}
