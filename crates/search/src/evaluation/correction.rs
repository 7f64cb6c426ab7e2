//! Correction history: corrects the static evaluation by its past error in similar positions, those with
//! the same soldiers or the same pieces of one side.

use chuhe_board::{Key, Side};
use chuhe_eval::Score;
use chuhe_hugepages::Slab;

use super::Incremental;

/// Entries per table and side; a power of two.
const SIZE: usize = 1 << 14;
/// Errors are stored in fractions of a centisoldier.
const GRAIN: i32 = 256;
const LIMIT: i32 = 128 * GRAIN;

/// The average error of the evaluation by parts of the position, for each side to move.
pub(crate) struct CorrectionHistory {
    errors: Slab<i16>,
}

impl CorrectionHistory {
    pub(crate) fn new() -> Self {
        Self { errors: Slab::new(SIZE * 3 * 2).expect("a table of 192 kB fits in memory") }
    }

    /// Resets all errors to zero.
    pub(crate) fn clear(&mut self) {
        self.errors.fill(0);
    }

    /// The evaluation with `share`/256 of the known errors added.
    #[inline]
    pub(crate) fn corrected(&self, raw: Score, side: Side, keys: &Incremental, share: i32) -> Score {
        let sum: i32 = slots(side, keys).into_iter().map(|slot| i32::from(self.errors[slot])).sum();
        Score::centisoldiers(raw.get() + sum * share / (256 * GRAIN))
    }

    /// Moves the stored errors towards `error`, the search's score less the evaluation, by `weight`/256.
    #[inline]
    pub(crate) fn update(&mut self, side: Side, keys: &Incremental, weight: i32, error: i32) {
        for slot in slots(side, keys) {
            let old = i32::from(self.errors[slot]);
            let target = (error * GRAIN).clamp(-LIMIT, LIMIT);
            let new = old + (target - old) * weight / 256;
            self.errors[slot] = new.clamp(-LIMIT, LIMIT - 1) as i16;
        }
    }
}

#[inline]
fn slots(side: Side, keys: &Incremental) -> [usize; 3] {
    let slot = |table: usize, key: Key| (table * 2 + side.index()) * SIZE + key.get() as usize % SIZE;
    [slot(0, keys.soldiers), slot(1, keys.pieces[0]), slot(2, keys.pieces[1])]
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;

    use super::*;

    #[test]
    fn repeated_errors_are_corrected_within_bounds() {
        let keys = Incremental::of(&Position::start());
        let mut correction = CorrectionHistory::new();
        for _ in 0..500 {
            correction.update(Side::Red, &keys, 8, 60);
        }
        let corrected = correction.corrected(Score::DRAW, Side::Red, &keys, 85);
        assert!((40..=60).contains(&corrected.get()), "{corrected}");
        assert_eq!(correction.corrected(Score::DRAW, Side::Black, &keys, 85), Score::DRAW);
        for _ in 0..500 {
            correction.update(Side::Red, &keys, 16, 30_000);
        }
        assert!(correction.corrected(Score::DRAW, Side::Red, &keys, 256).get() <= 3 * 128);
    }
}
