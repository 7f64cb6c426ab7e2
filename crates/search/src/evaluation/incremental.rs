//! Incrementally updated state: the placement for the classical evaluation, and keys of parts of the
//! position for correction history.

use chuhe_board::{Key, Observer, Piece, PieceKind, Position, Square};
use chuhe_eval::classical::Placement;

/// Updated with every piece placed or lifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Incremental {
    pub(crate) placement: Placement,
    /// The soldiers of both sides.
    pub(crate) soldiers: Key,
    /// All other pieces, by side.
    pub(crate) pieces: [Key; 2],
}

impl Incremental {
    pub(crate) fn of(position: &Position) -> Self {
        let mut incremental = Self::default();
        for (piece, square) in position.pieces_on_board() {
            incremental.placed(piece, square);
        }
        incremental
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let key = Key::of_piece(piece, square);
        if piece.kind() == PieceKind::Soldier {
            self.soldiers ^= key;
        } else {
            self.pieces[piece.side().index()] ^= key;
        }
    }
}

impl Observer for Incremental {
    #[inline]
    fn placed(&mut self, piece: Piece, at: Square) {
        self.placement.placed(piece, at);
        self.toggle(piece, at);
    }

    #[inline]
    fn lifted(&mut self, piece: Piece, from: Square) {
        self.placement.lifted(piece, from);
        self.toggle(piece, from);
    }
}
