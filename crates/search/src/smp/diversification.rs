//! How the threads of a crowd differ, so that they do not all look at the same things at the same time.

/// A thread's place in the crowd that searches the same position, on one machine or many. The first place searches as
/// a thread alone would.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    place: usize,
}

/// How many depths a place looks at, then leaves out, in turn; places share the cycles evenly.
const CYCLES: [(u32, u32); 12] =
    [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (2, 3), (3, 0), (3, 1), (3, 2), (3, 3), (3, 4), (3, 5)];
/// Depths below this are never left out: they take no time and bring order.
const SHALLOW: u32 = 6;

impl Spread {
    /// The first thread of the pool at this place, from 0.
    pub const fn new(place: usize) -> Self {
        Self { place }
    }

    /// The place of one of a pool's so many threads, if this is the pool's.
    pub(crate) const fn of_thread(self, index: usize, threads: usize) -> Self {
        Self { place: self.place * threads + index }
    }

    /// Whether an iteration of this depth is left to others.
    pub(crate) fn skips(self, depth: u32) -> bool {
        let Some(place) = self.place.checked_sub(1) else { return false };
        let (size, phase) = CYCLES[place % CYCLES.len()];
        depth >= SHALLOW && (depth + phase) / size % 2 == 1
    }

    /// Puts the moves of the root in the order of this place: each begins with others of equal promise.
    pub(crate) fn arrange<T>(self, moves: &mut [T]) {
        if !moves.is_empty() {
            // A step that is no divisor of usual numbers of moves spreads the places over all of them.
            moves.rotate_left(self.place * 7 % moves.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_place_leaves_nothing_out() {
        assert!((0..100).all(|depth| !Spread::default().skips(depth)));
        let mut moves = [1, 2, 3];
        Spread::default().arrange(&mut moves);
        assert_eq!(moves, [1, 2, 3]);
    }

    #[test]
    fn every_depth_is_looked_at_by_half_of_many_places() {
        for depth in SHALLOW..60 {
            let looking = (1..=CYCLES.len()).filter(|&place| !Spread::new(place).skips(depth)).count();
            assert_eq!(looking, CYCLES.len() / 2, "depth {depth}");
        }
    }
}
