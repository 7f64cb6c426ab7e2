//! What the search keeps up to date move by move: the placement for the evaluation and keys of parts
//! of the position for the correction of the evaluation.

use chuhe_board::{Key, Observer, Piece, PieceKind, Position, Square};
use chuhe_eval::classical::Placement;

/// Follows the moves of one worker's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Follower {
    pub(crate) placement: Placement,
    /// The soldiers of both sides.
    pub(crate) soldiers: Key,
    /// All other pieces, by side.
    pub(crate) pieces: [Key; 2],
}

impl Follower {
    pub(crate) fn of(position: &Position) -> Self {
        let mut follower = Self::default();
        for (piece, square) in position.pieces_on_board() {
            follower.placed(piece, square);
        }
        follower
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

impl Observer for Follower {
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
