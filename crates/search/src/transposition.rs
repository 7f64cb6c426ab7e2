//! The transposition table: what earlier searches found about a position.
//!
//! Entries are two words that all threads read and write without locks. The first word is the key
//! exclusive-or the second, so a half-written entry fails the comparison and is a miss.
#![allow(unsafe_code)]

use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::thread;

use chuhe_board::{Key, Move};
use chuhe_eval::Score;
use chuhe_hugepages::{Slab, Zero};

use crate::memory;
use crate::report::Bound;

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The move that was best.
    pub mv: Option<Move>,
    /// The score for the side to move. Counted ends are counted from this position.
    pub score: Score,
    /// The static evaluation, if the side to move was not in check.
    pub evaluation: Option<Score>,
    /// How deep the search was that found it.
    pub depth: i32,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Whether the position was once on a principal variation.
    pub pv: bool,
}

#[derive(Default)]
struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

/// The entries that share a place, as many as one cache line holds.
#[derive(Default)]
#[repr(align(64))]
struct Cluster([Entry; 4]);

const _: () = assert!(size_of::<Cluster>() == 64);

// SAFETY: a cluster is eight atomic integers, for which zero is a value; it is aligned to 64 bytes.
unsafe impl Zero for Cluster {}

/// A fixed amount of memory for what searches find, shared by all threads.
pub struct Table {
    clusters: Slab<Cluster>,
    generation: AtomicU8,
}

/// There is not so much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// What was asked for.
    pub mebibytes: usize,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no memory for a table of {} MB", self.mebibytes)
    }
}

impl std::error::Error for OutOfMemory {}

const GENERATIONS: u8 = 32;
/// Depths below zero are kept too: quiescence stores its results.
const DEPTH_OFFSET: i32 = 8;
const NO_EVALUATION: i16 = i16::MIN;

impl Table {
    /// A table of so many mebibytes.
    ///
    /// # Panics
    /// If there is not that much memory; see [`Table::resize`].
    pub fn new(mebibytes: usize) -> Self {
        let none = Slab::new(0).expect("nothing is always there");
        let mut table = Self { clusters: none, generation: AtomicU8::new(0) };
        table.resize(mebibytes).expect("the memory is there");
        table
    }

    /// Changes the size, which forgets everything. If there is not that much memory, nothing changes.
    pub fn resize(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        let refused = OutOfMemory { mebibytes };
        let bytes = mebibytes.max(1).checked_mul(1 << 20).ok_or(refused)?;
        let count = bytes / size_of::<Cluster>();
        // Many systems promise more memory than they have, and end the program when it is used.
        let given_back = size_of_val(&*self.clusters);
        if memory::available().is_some_and(|free| bytes > free.saturating_add(given_back)) {
            return Err(refused);
        }
        self.clusters = Slab::new(count).map_err(|_| refused)?;
        *self.generation.get_mut() = 0;
        Ok(())
    }

    /// Forgets everything, on all the threads given.
    pub fn clear(&mut self, threads: usize) {
        let share = self.clusters.len().div_ceil(threads.max(1));
        thread::scope(|scope| {
            for part in self.clusters.chunks_mut(share) {
                scope.spawn(|| part.fill_with(Cluster::default));
            }
        });
        *self.generation.get_mut() = 0;
    }

    /// Lets entries of earlier searches grow old.
    pub(crate) fn new_search(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// How full the table is with entries of this search, in thousandths.
    pub fn fullness(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(100)];
        let fresh = |entry: &&Entry| {
            let data = entry.data.load(Ordering::Relaxed);
            data != 0 && Packed(data).generation() == generation
        };
        let used = sample.iter().flat_map(|cluster| &cluster.0).filter(fresh).count();
        (used * 1000 / (sample.len() * 4)) as u32
    }

    /// Brings the position's place into the cache ahead of the look-up.
    #[inline]
    pub(crate) fn prefetch(&self, key: Key) {
        self.clusters.prefetch(self.place(key));
    }

    /// What is known about the position with this key.
    #[inline]
    pub(crate) fn find(&self, key: Key) -> Option<Known> {
        self.cluster(key).0.iter().find_map(|entry| {
            let data = entry.data.load(Ordering::Relaxed);
            let check = entry.check.load(Ordering::Relaxed);
            (check ^ data == key.get() && data != 0).then(|| Packed(data).known())
        })
    }

    /// Keeps what was found. Of the entries of the cluster the same position's gives way, else the
    /// one that is least deep and oldest. A shallower result of the same search does not replace a
    /// deeper one of the same position unless it is exact.
    #[inline]
    pub(crate) fn keep(&self, key: Key, mut known: Known) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut place = None;
        let mut least_worth = i32::MAX;
        for entry in &self.cluster(key).0 {
            let data = entry.data.load(Ordering::Relaxed);
            let old = Packed(data);
            if data == 0 || entry.check.load(Ordering::Relaxed) ^ data == key.get() {
                place = Some((entry, old));
                break;
            }
            let age = (GENERATIONS + generation - old.generation()) % GENERATIONS;
            let worth = old.depth() - 4 * i32::from(age);
            if worth < least_worth {
                least_worth = worth;
                place = Some((entry, Packed(0)));
            }
        }
        let Some((entry, old)) = place else {
            return;
        };
        if old.0 != 0 {
            known.mv = known.mv.or(old.mv());
            let fresh = old.generation() == generation;
            if fresh && known.bound != Bound::Exact && known.depth + 4 < old.depth() {
                return;
            }
        }
        let data = Packed::new(&known, generation).0;
        entry.data.store(data, Ordering::Relaxed);
        entry.check.store(key.get() ^ data, Ordering::Relaxed);
    }

    #[inline]
    fn place(&self, key: Key) -> usize {
        ((u128::from(key.get()) * self.clusters.len() as u128) >> 64) as usize
    }

    #[inline]
    fn cluster(&self, key: Key) -> &Cluster {
        &self.clusters[self.place(key)]
    }
}

/// An entry's second word: move 16 bits, score 16, evaluation 16, depth 8, generation 5, principal
/// variation 1, bound 2. Never zero, because no bound is.
#[derive(Clone, Copy)]
pub(crate) struct Packed(u64);

impl Packed {
    /// The word as it was; `None` if no entry is.
    pub(crate) fn from_word(word: u64) -> Option<Self> {
        (word & 3 << 56 != 0).then_some(Self(word))
    }

    pub(crate) const fn get(self) -> u64 {
        self.0
    }

    #[inline]
    pub(crate) fn new(known: &Known, generation: u8) -> Self {
        let mv = known.mv.map_or(0, Move::packed);
        let evaluation = known.evaluation.map_or(NO_EVALUATION, |score| score.get() as i16);
        let depth = (known.depth + DEPTH_OFFSET).clamp(0, 255) as u64;
        let flags = u64::from(generation) << 3 | u64::from(known.pv) << 2 | known.bound as u64;
        Self(
            u64::from(mv)
                | u64::from(known.score.get() as i16 as u16) << 16
                | u64::from(evaluation as u16) << 32
                | depth << 48
                | flags << 56,
        )
    }

    #[inline]
    pub(crate) fn known(self) -> Known {
        let evaluation = (self.0 >> 32) as i16;
        Known {
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

    fn known(depth: i32, bound: Bound) -> Known {
        Known { mv: None, score: Score::DRAW, evaluation: None, depth, bound, pv: false }
    }

    proptest! {
        #[test]
        fn a_packed_entry_gives_back_what_was_put_in(
            number in -30_000i32..30_000, evaluation in proptest::option::of(-20_000i32..20_000),
            depth in -8i32..240, pv: bool, packed: u16, bound in 1u8..=3, generation in 0u8..32,
        ) {
            let bound = [Bound::Upper, Bound::Lower, Bound::Exact][usize::from(bound) - 1];
            let known = Known {
                mv: Move::from_packed(packed),
                score: Score::from_number(number),
                evaluation: evaluation.map(Score::from_number),
                depth,
                bound,
                pv,
            };
            let packed = Packed::new(&known, generation);
            prop_assert_eq!(packed.known(), known);
            prop_assert_eq!(packed.generation(), generation);
        }
    }

    #[test]
    fn deep_results_of_this_search_survive_shallow_ones() {
        let table = Table::new(1);
        let key = Key::from_number(0x1234_5678_9ABC_DEF0);
        table.keep(key, known(12, Bound::Lower));
        table.keep(key, known(3, Bound::Lower));
        assert_eq!(table.find(key).unwrap().depth, 12);
        table.keep(key, known(3, Bound::Exact));
        assert_eq!(table.find(key).unwrap().depth, 3);
    }

    #[test]
    fn the_least_worth_gives_way_in_a_full_cluster() {
        let table = Table::new(1);
        // Keys that differ only in their low bits share a cluster.
        let keys: Vec<Key> = (1..=5).map(Key::from_number).collect();
        for (depth, key) in [9, 4, 7, 8].into_iter().zip(&keys) {
            table.keep(*key, known(depth, Bound::Lower));
        }
        table.keep(keys[4], known(1, Bound::Lower));
        let kept: Vec<bool> = keys.iter().map(|key| table.find(*key).is_some()).collect();
        assert_eq!(kept, [true, false, true, true, true]);
    }

    #[test]
    fn a_size_that_cannot_be_had_changes_nothing() {
        let mut table = Table::new(1);
        table.keep(Key::from_number(7), known(5, Bound::Exact));
        assert_eq!(table.resize(usize::MAX >> 20), Err(OutOfMemory { mebibytes: usize::MAX >> 20 }));
        assert!(table.resize(usize::MAX).is_err());
        assert!(table.find(Key::from_number(7)).is_some());
    }

    #[test]
    fn clearing_forgets_everything() {
        let mut table = Table::new(1);
        table.keep(Key::from_number(7), known(5, Bound::Exact));
        table.clear(2);
        assert_eq!(table.find(Key::from_number(7)), None);
        assert_eq!(table.fullness(), 0);
    }
}
