//! Evaluations that were worked out lately. Most nodes are left before their result is worth an entry
//! of the table, and many are reached again.

use chuhe_board::Key;
use chuhe_eval::Score;
use chuhe_hugepages::Slab;

/// Entries; a power of two.
const SIZE: usize = 1 << 15;

/// The last evaluation kept at each place: the score in the low bits of a word, most of the key above.
pub(crate) struct Evaluations {
    entries: Slab<u64>,
}

const SCORE_BITS: u32 = 16;

impl Evaluations {
    pub(crate) fn new() -> Self {
        Self { entries: Slab::new(SIZE).expect("a few kilobytes are there") }
    }

    /// Forgets everything.
    pub(crate) fn forget(&mut self) {
        self.entries.fill(0);
    }

    /// Brings the position's place into the cache ahead of the look-up.
    #[inline]
    pub(crate) fn prefetch(&self, key: Key) {
        self.entries.prefetch(key.get() as usize % SIZE);
    }

    /// The evaluation of the position with this key: the one kept, or else a new one, which is kept.
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
        let mut evaluations = Evaluations::new();
        let mut position = Position::start();
        for score in [-321, 0, 15_000] {
            let key = position.key();
            assert_eq!(evaluations.get_or(key, || Score::centisoldiers(score)).get(), score);
            let again = evaluations.get_or(key, || unreachable!("it is known"));
            assert_eq!(again.get(), score);
            let mv = position.moves()[0];
            let _ = position.play(mv, &mut ());
        }
    }
}
