//! Sets of entries, one bit each.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::Index;

/// A set of entries of one side to move.
pub(crate) struct Marks(Vec<AtomicU64>);

impl Marks {
    pub(crate) fn none(index: &Index) -> Self {
        Self((0..index.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| word.load(Relaxed) == 0)
    }

    pub(crate) fn contains(&self, number: u64) -> bool {
        self.0[(number / 64) as usize].load(Relaxed) >> (number % 64) & 1 == 1
    }

    /// The marked entries, in order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u64> {
        (0..).zip(&self.0).flat_map(|(place, word)| {
            let word = word.load(Relaxed);
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * place + bit)
        })
    }

    pub(crate) fn insert(&self, number: u64) {
        self.0[(number / 64) as usize].fetch_or(1 << (number % 64), Relaxed);
    }
}
