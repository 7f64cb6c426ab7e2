//! Correcting the static evaluation by how far it was off in similar positions: the same soldiers, or
//! the same pieces of one side.

use chuhe_board::{Key, Side};
use chuhe_eval::Score;
use chuhe_hugepages::Slab;

use crate::follower::Follower;

/// Entries per table and side; a power of two.
const SIZE: usize = 1 << 14;
/// Corrections are kept in fractions of a centisoldier.
const GRAIN: i32 = 256;
const LIMIT: i32 = 128 * GRAIN;

/// The average error of the evaluation by parts of the position, for each side to move.
pub(crate) struct Correction {
    errors: Slab<i16>,
}

impl Correction {
    pub(crate) fn new() -> Self {
        Self { errors: Slab::new(SIZE * 3 * 2).expect("a few kilobytes are there") }
    }

    /// Forgets everything.
    pub(crate) fn forget(&mut self) {
        self.errors.fill(0);
    }

    /// The evaluation with `share`/256 of the known errors added.
    #[inline]
    pub(crate) fn corrected(&self, raw: Score, side: Side, follower: &Follower, share: i32) -> Score {
        let sum: i32 = places(side, follower).into_iter().map(|place| i32::from(self.errors[place])).sum();
        Score::centisoldiers(raw.get() + sum * share / (256 * GRAIN))
    }

    /// Learns that the search found `error` centisoldiers more than the evaluation.
    #[inline]
    pub(crate) fn learn(&mut self, side: Side, follower: &Follower, depth: i32, error: i32) {
        let weight = depth.clamp(1, 16);
        for place in places(side, follower) {
            let old = i32::from(self.errors[place]);
            let target = (error * GRAIN).clamp(-LIMIT, LIMIT);
            let new = old + (target - old) * weight / 256;
            self.errors[place] = new.clamp(-LIMIT, LIMIT - 1) as i16;
        }
    }
}

#[inline]
fn places(side: Side, follower: &Follower) -> [usize; 3] {
    let place = |table: usize, key: Key| (table * 2 + side.index()) * SIZE + key.get() as usize % SIZE;
    [place(0, follower.soldiers), place(1, follower.pieces[0]), place(2, follower.pieces[1])]
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;

    use super::*;

    #[test]
    fn repeated_errors_are_learnt_and_bounded() {
        let follower = Follower::of(&Position::start());
        let mut correction = Correction::new();
        for _ in 0..500 {
            correction.learn(Side::Red, &follower, 8, 60);
        }
        let corrected = correction.corrected(Score::DRAW, Side::Red, &follower, 85);
        assert!((40..=60).contains(&corrected.get()), "{corrected}");
        assert_eq!(correction.corrected(Score::DRAW, Side::Black, &follower, 85), Score::DRAW);
        for _ in 0..500 {
            correction.learn(Side::Red, &follower, 16, 30_000);
        }
        assert!(correction.corrected(Score::DRAW, Side::Red, &follower, 256).get() <= 3 * 128);
    }
}
