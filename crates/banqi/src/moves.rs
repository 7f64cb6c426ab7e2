//! Moves: a flip, or a step or capture from one square to another.

use arrayvec::ArrayVec;

use crate::piece::Piece;
use crate::square::Square;

/// A flip, or a move from a square to another. Packed so that a table entry stays small; a flip goes
/// from a square to itself, as the tournament protocol writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

/// All moves of a position: fewer than 16 pieces have four steps each while 16 are left to flip, and
/// a cannon's jumps replace steps.
pub type MoveList = ArrayVec<Move, 128>;

impl Move {
    /// Turns over the piece on a square.
    pub const fn flip(square: Square) -> Self {
        Self::new(square, square)
    }

    /// Goes to an empty square or takes what stands there.
    pub const fn new(from: Square, to: Square) -> Self {
        Self((from.index() << 5 | to.index()) as u16)
    }

    /// Where it starts.
    pub const fn from(self) -> Square {
        Square::from_index(self.0 as usize >> 5 & 31)
    }

    /// Where it ends.
    pub const fn to(self) -> Square {
        Square::from_index(self.0 as usize & 31)
    }

    /// Whether it turns over a piece.
    pub const fn is_flip(self) -> bool {
        self.0 >> 5 == self.0 & 31
    }

    /// Ten bits.
    pub(crate) const fn bits(self) -> u16 {
        self.0
    }

    pub(crate) const fn from_bits(bits: u16) -> Self {
        Self(bits & 1023)
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
            assert_eq!(Move::from_bits(mv.bits()), mv);
        }
    }
}
