//! Deals: the hidden arrangement of the 32 pieces.

use crate::piece::{FULL_SET, Piece};
use crate::random::Random;

/// What lies on each square, in order.
pub type Deal = [Piece; 32];

/// The deal of a number: the same on every machine.
pub fn deal(seed: u64) -> Deal {
    let mut pieces: Vec<Piece> =
        Piece::all().flat_map(|piece| std::iter::repeat_n(piece, FULL_SET[piece.index()].into())).collect();
    Random::new(seed).shuffle(&mut pieces);
    pieces.try_into().expect("a set has 32 pieces")
}
