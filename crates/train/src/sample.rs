//! Training samples: a position with its score and result, packed into 32 bytes.
//!
//! | bytes | what |
//! |---|---|
//! | 0–11 | which points are taken, bit *i* for point *i*, little-endian |
//! | 12–27 | the pieces on them in order, four bits each, low half first |
//! | 28–29 | the score for the side to move, in centisoldiers, little-endian |
//! | 30–31 | bit 0: Black to move; bits 1–2: result for the side to move (0 loss, 1 draw, 2 win); bits 3–15: the ply |

use chuhe_board::{Bitboard, Impossible, Outcome, Piece, Position, Side};
use chuhe_eval::Score;

/// Win, draw or loss (WDL) of a game, relative to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wdl {
    /// The side to move lost.
    Loss,
    /// A draw.
    Draw,
    /// The side to move won.
    Win,
}

impl Wdl {
    /// The outcome of a finished game, seen by a side. A game without a winner is a draw.
    pub fn of(outcome: Outcome, side: Side) -> Self {
        match outcome.winner() {
            Some(winner) if winner == side => Self::Win,
            Some(_) => Self::Loss,
            None => Self::Draw,
        }
    }

    /// The same result seen by the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// 0, ½ or 1 point.
    pub const fn points(self) -> f32 {
        match self {
            Self::Loss => 0.0,
            Self::Draw => 0.5,
            Self::Win => 1.0,
        }
    }
}

/// A position, the score a search gave it and the result of its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position; its counters are not kept.
    pub position: Position,
    /// The score for the side to move.
    pub score: Score,
    /// The result for the side to move.
    pub outcome: Wdl,
    /// Plies since the start of the game, at most 8191.
    pub ply: u16,
}

/// Why 32 bytes are no sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SampleError {
    /// A piece number past the fourteenth.
    #[error("piece number {0} does not exist")]
    Piece(u8),
    /// More than 32 pieces, or bits past the board.
    #[error("the set of taken points is damaged")]
    Points,
    /// A result that is none.
    #[error("the result is damaged")]
    Result,
    /// The pieces make no position.
    #[error(transparent)]
    Impossible(#[from] Impossible),
}

impl Sample {
    /// The size of a packed sample in bytes.
    pub const SIZE: usize = 32;
    /// The last ply that can be kept.
    const LAST_PLY: u16 = 8191;

    /// The sample as bytes.
    pub fn packed(&self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..12].copy_from_slice(&self.position.occupied().bits().to_le_bytes()[..12]);
        for (index, (piece, _)) in self.position.pieces_on_board().enumerate() {
            bytes[12 + index / 2] |= (piece.index() as u8) << (index % 2 * 4);
        }
        bytes[28..30].copy_from_slice(&(self.score.get() as i16).to_le_bytes());
        let flags = self.position.side_to_move() as u16
            | (self.outcome as u16) << 1
            | self.ply.min(Self::LAST_PLY) << 3;
        bytes[30..].copy_from_slice(&flags.to_le_bytes());
        bytes
    }

    /// The sample that [`Self::packed`] made these bytes of.
    pub fn unpacked(bytes: &[u8; Self::SIZE]) -> Result<Self, SampleError> {
        let mut bits = [0; 16];
        bits[..12].copy_from_slice(&bytes[..12]);
        let bits = u128::from_le_bytes(bits);
        let points = Bitboard::from_bits(bits);
        if points.bits() != bits || points.len() > 32 {
            return Err(SampleError::Points);
        }
        let mut pieces = Vec::with_capacity(32);
        for (index, square) in points.into_iter().enumerate() {
            let number = bytes[12 + index / 2] >> (index % 2 * 4) & 0xF;
            let piece = Piece::ALL.get(usize::from(number)).ok_or(SampleError::Piece(number))?;
            pieces.push((*piece, square));
        }
        let flags = u16::from_le_bytes([bytes[30], bytes[31]]);
        let side = if flags & 1 == 0 { Side::Red } else { Side::Black };
        let outcome = match flags >> 1 & 3 {
            0 => Wdl::Loss,
            1 => Wdl::Draw,
            2 => Wdl::Win,
            _ => return Err(SampleError::Result),
        };
        Ok(Self {
            position: Position::from_pieces(pieces, side)?,
            score: Score::from_number(i16::from_le_bytes([bytes[28], bytes[29]]).into()),
            outcome,
            ply: flags >> 3,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn packing_keeps_everything(
            choices in prop::collection::vec(any::<prop::sample::Index>(), 0..100),
            number in -30_000i32..30_000, ply in 0u16..8192, outcome in 0usize..3,
        ) {
            let mut position = Position::start();
            for choice in choices {
                let moves = position.moves();
                if moves.is_empty() {
                    break;
                }
                let _ = position.play(*choice.get(&moves), &mut ());
            }
            let pieces: Vec<_> = position.pieces_on_board().collect();
            let position = Position::from_pieces(pieces, position.side_to_move()).unwrap();
            let outcome = [Wdl::Loss, Wdl::Draw, Wdl::Win][outcome];
            let sample = Sample { position, score: Score::from_number(number), outcome, ply };
            prop_assert_eq!(Sample::unpacked(&sample.packed()), Ok(sample));
        }

        #[test]
        fn damaged_bytes_never_panic(bytes: [u8; 32]) {
            let _ = Sample::unpacked(&bytes);
        }
    }
}
