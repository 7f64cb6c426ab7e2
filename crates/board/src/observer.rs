//! The observer that is notified of changes to the board.

use crate::{Piece, Square};

/// Notified of every change to the board, so that incremental state such as network accumulators can
/// follow without the board knowing them.
pub trait Observer {
    /// A piece was put on an empty point.
    fn placed(&mut self, piece: Piece, at: Square);
    /// A piece was taken off its point.
    fn lifted(&mut self, piece: Piece, from: Square);
}

/// Watches nothing: for rules, tests and tablebases.
impl Observer for () {
    #[inline]
    fn placed(&mut self, _: Piece, _: Square) {}

    #[inline]
    fn lifted(&mut self, _: Piece, _: Square) {}
}
