//! Fingerprints by which the same game is recognised when it comes again.

use chuhe_board::{Move, Position};
use chuhe_notation::record::Game;
use xxhash_rust::xxh3::xxh3_64;

/// Shorter games that end in the same position need not be the same.
pub(super) const SHORTEST_TRANSPOSED: usize = 20;
/// Shorter games with the same moves need not be the same if others played them.
pub(super) const SHORTEST_CERTAIN: usize = 40;

/// Fingerprints of a game.
pub(super) struct Fingerprint {
    /// The moves; the same for the mirror image.
    pub(super) trace: i64,
    /// The last position and the number of moves; the same if moves were exchanged.
    pub(super) goal: i64,
}

impl Fingerprint {
    /// The fingerprint of a game that ends in this position.
    pub(super) fn of(game: &Game, end: &Position) -> Self {
        let moves: Vec<Move> = game.main_moves().collect();
        let hash = |start: &Position, mirrored: bool| {
            let mut bytes = start.key().get().to_le_bytes().to_vec();
            for mv in &moves {
                let mv = if mirrored { mv.mirrored() } else { *mv };
                bytes.extend(mv.packed().to_le_bytes());
            }
            xxh3_64(&bytes)
        };
        let trace = hash(game.start(), false).min(hash(&game.start().mirrored(), true));
        let mut bytes = end.merged_key().0.get().to_le_bytes().to_vec();
        bytes.extend((moves.len() as u64).to_le_bytes());
        bytes.extend(game.start().merged_key().0.get().to_le_bytes());
        Self { trace: trace as i64, goal: xxh3_64(&bytes) as i64 }
    }
}
