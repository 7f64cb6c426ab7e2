//! Evaluation cache: recent static evaluations. Most nodes are left before they store a TT entry, and many are
//! reached again.

use chuhe_board::Key;
use chuhe_eval::Score;
use chuhe_hugepages::Slab;

/// Entries; a power of two.
const SIZE: usize = 1 << 15;

/// One evaluation per slot: the score in the low bits of a word, the upper bits of the key above.
pub(crate) struct EvaluationCache {
    entries: Slab<u64>,
}

const SCORE_BITS: u32 = 16;

impl EvaluationCache {
    pub(crate) fn new() -> Self {
        Self { entries: Slab::new(SIZE).expect("a cache of 256 kB fits in memory") }
    }

    /// Empties the cache.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(0);
    }

    /// Prefetches the position's slot.
    #[inline]
    pub(crate) fn prefetch(&self, key: Key) {
        self.entries.prefetch(key.get() as usize % SIZE);
    }

    /// The cached evaluation of the position with this key, or a new one, which is cached.
    #[inline]
    pub(crate) fn get_or(&mut self, key: Key, evaluate: impl FnOnce() -> Score) -> Score {
        let check = key.get() >> SCORE_BITS << SCORE_BITS;
        let entry = &mut self.entries[key.get() as usize % SIZE];
        if (*entry ^ check) >> SCORE_BITS != 0 {
            *entry = check | u64::from(evaluate().get() as u16);
        }
        Score::centisoldiers(i32::from(*entry as i16))
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;

    use super::*;

    #[test]
    fn a_position_is_evaluated_once() {
        let mut cache = EvaluationCache::new();
        let mut position = Position::start();
        for score in [-321, 0, 15_000] {
            let key = position.key();
            assert_eq!(cache.get_or(key, || Score::centisoldiers(score)).get(), score);
            let again = cache.get_or(key, || unreachable!("the evaluation is cached"));
            assert_eq!(again.get(), score);
            let mv = position.moves()[0];
            let _ = position.play(mv, &mut ());
        }
    }
}
