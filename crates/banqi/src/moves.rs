//! Moves: a flip, or a step or capture from one square to another.

use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use crate::piece::Piece;
use crate::square::Square;

/// A flip, or a move from a square to another. Packed so that a table entry stays small; a flip goes
/// from a square to itself, as the tournament protocol writes it. A bit above the squares is always set, so
/// that `Option<Move>` costs nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

/// Set in every move.
const SOME: u16 = 1 << 10;

/// No position has more moves: fewer than 16 pieces have four steps each while 16 are left to flip, and
/// a cannon's jumps replace steps.
pub(crate) const MOST_MOVES: usize = 128;

/// All moves of a position.
pub type MoveList = ArrayVec<Move, MOST_MOVES>;

impl Move {
    /// Turns over the piece on a square.
    pub const fn flip(square: Square) -> Self {
        Self::new(square, square)
    }

    /// Goes to an empty square or takes what stands there.
    pub const fn new(from: Square, to: Square) -> Self {
        Self::from_index(from.index() << 5 | to.index())
    }

    /// Where it starts.
    pub const fn from(self) -> Square {
        Square::from_index(self.index() >> 5)
    }

    /// Where it ends.
    pub const fn to(self) -> Square {
        Square::from_index(self.index() & 31)
    }

    /// Whether it turns over a piece.
    pub const fn is_flip(self) -> bool {
        self.index() >> 5 == self.index() & 31
    }

    /// How many pairs of squares there are.
    pub(crate) const COUNT: usize = Square::COUNT * Square::COUNT;

    /// The pair of squares as a number below [`Self::COUNT`].
    pub(crate) const fn index(self) -> usize {
        self.0.get() as usize % Self::COUNT
    }

    const fn from_index(index: usize) -> Self {
        Self(NonZeroU16::new(index as u16 | SOME).expect("a bit is set"))
    }

    /// Eleven bits, which are zero for no move.
    pub(crate) fn bits(mv: Option<Self>) -> u16 {
        mv.map_or(0, |mv| mv.0.get())
    }

    /// The move of such bits; others are looked at no further.
    pub(crate) fn from_bits(bits: u16) -> Option<Self> {
        (bits & SOME != 0).then(|| Self::from_index(bits as usize % Self::COUNT))
    }
}

/// What happened on a ply: the move and, for a flip, what it showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Played {
    /// A piece was turned over.
    Flip(Square, Piece),
    /// A piece moved, and took what stood there.
    Step(Square, Square),
}

impl Played {
    /// The move without its outcome.
    pub const fn choice(self) -> Move {
        match self {
            Self::Flip(square, _) => Move::flip(square),
            Self::Step(from, to) => Move::new(from, to),
        }
    }
}

#[test]
fn a_move_keeps_its_squares() {
    for from in Square::all() {
        for to in Square::all() {
            let mv = Move::new(from, to);
            assert_eq!((mv.from(), mv.to(), mv.is_flip()), (from, to, from == to));
            assert_eq!(Move::from_bits(Move::bits(Some(mv))), Some(mv));
        }
    }
}
