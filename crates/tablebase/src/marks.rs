//! Sets of entries, one bit each.

use std::iter;
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
            let mut word = word.load(Relaxed);
            iter::from_fn(move || {
                let bit = (word != 0).then(|| u64::from(word.trailing_zeros()))?;
                word &= word - 1;
                Some(64 * place + bit)
            })
        })
    }

    pub(crate) fn insert(&self, number: u64) {
        self.0[(number / 64) as usize].fetch_or(1 << (number % 64), Relaxed);
    }

    pub(crate) fn remove(&self, number: u64) {
        self.0[(number / 64) as usize].fetch_and(!(1 << (number % 64)), Relaxed);
    }
}

/// A set of entries that no longer changes: numbers each of them by its rank in their order.
pub(crate) struct Ranks {
    words: Vec<u64>,
    /// How many entries come before each word.
    before: Vec<u32>,
}

impl Ranks {
    /// # Panics
    ///
    /// If there are 2^32 entries or more.
    pub(crate) fn new(marks: Marks) -> Self {
        let words: Vec<u64> = marks.0.into_iter().map(AtomicU64::into_inner).collect();
        let mut count = 0_u32;
        let before = words.iter().map(|word| {
            let before = count;
            count = count.checked_add(word.count_ones()).expect("memory holds fewer entries than 2^32");
            before
        });
        let before = before.collect();
        Self { words, before }
    }

    /// The ranks of these entries.
    pub(crate) fn of(index: &Index, numbers: impl Iterator<Item = u64>) -> Self {
        let marks = Marks::none(index);
        numbers.for_each(|number| marks.insert(number));
        Self::new(marks)
    }

    /// The rank of an entry, if it is in the set.
    #[inline]
    pub(crate) fn rank(&self, number: u64) -> Option<usize> {
        let (place, bit) = ((number / 64) as usize, number % 64);
        let word = self.words[place];
        let below = word & ((1 << bit) - 1);
        (word >> bit & 1 == 1).then(|| self.before[place] as usize + below.count_ones() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_number_the_members_in_order() {
        let index = Index::new(&"KP-KP".parse().unwrap());
        let members = [0, 1, 63, 64, 127, 4000, index.len() - 1];
        let marks = Marks::none(&index);
        members.iter().for_each(|&number| marks.insert(number));
        assert_eq!(marks.numbers().collect::<Vec<_>>(), members);
        let ranks = Ranks::new(marks);
        for (rank, number) in members.into_iter().enumerate() {
            assert_eq!(ranks.rank(number), Some(rank));
        }
        assert_eq!([2, 62, 65, 4001].map(|number| ranks.rank(number)), [None; 4]);
    }
}
