//! A move and a list of moves.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use crate::Square;

/// A move from one point to another.
///
/// Packed into 16 bits so that a transposition entry stays small; the points differ, so the packed
/// value is never zero and `Option<Move>` costs nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

/// The bits of a point in a packed move.
const POINT_BITS: u16 = 7;

impl Move {
    /// The move between two different points.
    ///
    /// # Panics
    /// If the points are the same.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Self {
        match Self::between(from, to) {
            Some(mv) => mv,
            None => panic!("a move ends on another point"),
        }
    }

    /// The move between two points, or `None` if they are the same.
    #[inline]
    pub const fn between(from: Square, to: Square) -> Option<Self> {
        if from.index() == to.index() {
            return None;
        }
        match NonZeroU16::new((from.index() as u16) << POINT_BITS | to.index() as u16) {
            Some(packed) => Some(Self(packed)),
            None => None,
        }
    }

    /// Where the piece comes from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_bit((self.0.get() >> POINT_BITS) as u32)
    }

    /// Where the piece goes.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_bit((self.0.get() & ((1 << POINT_BITS) - 1)) as u32)
    }

    /// The move as a number, for tables and files: 7 bits for `from`, then 7 for `to`; never zero.
    pub const fn packed(self) -> u16 {
        self.0.get()
    }

    /// The move that [`Self::packed`] gave, or `None` if the number is no move.
    pub const fn from_packed(packed: u16) -> Option<Self> {
        match (
            Square::from_index((packed >> POINT_BITS) as usize),
            Square::from_index((packed & ((1 << POINT_BITS) - 1)) as usize),
        ) {
            (Some(from), Some(to)) => Self::between(from, to),
            _ => None,
        }
    }

    /// The move mirrored left to right.
    pub const fn mirrored(self) -> Self {
        Self::new(self.from().mirrored(), self.to().mirrored())
    }

    /// The move with the sides exchanged.
    pub const fn across(self) -> Self {
        Self::new(self.from().across(), self.to().across())
    }
}

/// The move in coordinates with ranks 0–9: `h2e2`. See [`crate::coords`] for other styles.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Room for the moves of any position: with every piece on an open board no side has more than 119.
pub type MoveList = ArrayVec<Move, 128>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_every_move() {
        for from in Square::all() {
            for to in Square::all().filter(|to| *to != from) {
                let mv = Move::new(from, to);
                assert_eq!((mv.from(), mv.to()), (from, to));
                assert_eq!(Move::from_packed(mv.packed()), Some(mv));
            }
        }
    }

    #[test]
    fn numbers_that_are_no_move_are_refused() {
        let moves = (0..=u16::MAX).filter_map(Move::from_packed);
        assert_eq!(moves.count(), 90 * 89);
    }
}
