//! Why a move cannot be played.

use crate::{Move, Piece, PieceKind, Position, Side, Square, attacks};

/// What is wrong with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The side to move has nothing there.
    #[error("no piece of {} stands on {}", .0, .1)]
    NoPiece(Side, Square),
    /// The goal is taken by an own piece.
    #[error("an own piece stands on {0}")]
    OwnPiece(Square),
    /// The piece does not move like that.
    #[error("a {0} does not move from {1} to {2} there")]
    NotItsMove(Piece, Square, Square),
    /// The own general would be attacked or face the other.
    #[error("it leaves {0}'s general attacked")]
    GeneralExposed(Side),
}

impl Position {
    /// What is wrong with a move; nothing if it is legal.
    ///
    /// ```
    /// use chuhe_board::{Position, coords::{RankStyle, parse_move}};
    ///
    /// let mv = parse_move("a0a4", RankStyle::FromZero).unwrap();
    /// let fault = Position::start().fault(mv).unwrap();
    /// assert_eq!(fault.to_string(), "a red chariot does not move from a0 to a4 there");
    /// ```
    pub fn fault(&self, mv: Move) -> Option<Fault> {
        if self.is_legal(mv) {
            return None;
        }
        let side = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let piece = match self.piece_on(from) {
            Some(piece) if piece.side() == side => piece,
            _ => return Some(Fault::NoPiece(side, from)),
        };
        if self.pieces(side).contains(to) {
            return Some(Fault::OwnPiece(to));
        }
        Some(match self.goes(piece, mv) {
            true => Fault::GeneralExposed(side),
            false => Fault::NotItsMove(piece, from, to),
        })
    }

    /// Whether the piece moves like that when the safety of the general is left aside.
    fn goes(&self, piece: Piece, mv: Move) -> bool {
        let takes = self.piece_on(mv.to()).is_some();
        let kind = match piece.kind() {
            PieceKind::Cannon if !takes => PieceKind::Chariot,
            kind => kind,
        };
        attacks::of(kind, piece.side(), mv.from(), self.occupied()).contains(mv.to())
    }
}
