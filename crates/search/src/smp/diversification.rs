//! Lazy-SMP diversification: pools skip different depths and threads start with different root moves, so that they do
//! not all search the same tree at the same time. The threads of one pool skip nothing: the first to complete an
//! iteration does so for all of them.

/// A thread's place among all that search the same position, on one machine or many. Place 0 searches as a single
/// thread would.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Diversification {
    pool: usize,
    place: usize,
}

/// Skip patterns by pool: depths searched, then skipped, in turn, and the phase.
const CYCLES: [(u32, u32); 12] =
    [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (2, 3), (3, 0), (3, 1), (3, 2), (3, 3), (3, 4), (3, 5)];
/// Depths below this are never skipped: they take no time and order the moves.
const SHALLOW: u32 = 6;

impl Diversification {
    /// The first thread of the pool at this place, from 0.
    pub const fn new(pool: usize) -> Self {
        Self { pool, place: pool }
    }

    /// The place of a pool's thread, if this is the pool's place and every pool has `threads` threads.
    pub(crate) const fn of_thread(self, index: usize, threads: usize) -> Self {
        Self { pool: self.pool, place: self.pool * threads + index }
    }

    /// Whether the thread skips an iteration of this depth.
    pub(crate) fn skips(self, depth: u32) -> bool {
        let Some(pool) = self.pool.checked_sub(1) else { return false };
        let (size, phase) = CYCLES[pool % CYCLES.len()];
        depth >= SHALLOW && (depth + phase) / size % 2 == 1
    }

    /// Rotates the root moves, so that each place starts with a different one.
    pub(crate) fn rotate<T>(self, moves: &mut [T]) {
        if !moves.is_empty() {
            // A stride that divides few usual move counts spreads the places over all moves.
            moves.rotate_left(self.place * 7 % moves.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_place_skips_nothing() {
        assert!((0..100).all(|depth| !Diversification::default().skips(depth)));
        let mut moves = [1, 2, 3];
        Diversification::default().rotate(&mut moves);
        assert_eq!(moves, [1, 2, 3]);
    }

    #[test]
    fn every_depth_is_searched_by_half_of_many_pools() {
        for depth in SHALLOW..60 {
            let searching =
                (1..=CYCLES.len()).filter(|&pool| !Diversification::new(pool).skips(depth)).count();
            assert_eq!(searching, CYCLES.len() / 2, "depth {depth}");
        }
    }
}
