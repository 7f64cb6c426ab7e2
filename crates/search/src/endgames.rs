//! Endgames that are known for certain. Whoever starts a search brings them along; the search knows only
//! this trait.

use std::sync::atomic::Ordering;

use chuhe_board::{Position, QUIET_PLY_LIMIT};
use chuhe_eval::Score;

use crate::worker::Worker;

/// The outcome of a position when both sides play their best, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// Nobody wins.
    Draw,
    /// The side to move wins in so many plies.
    Win(u16),
    /// The side to move loses in so many plies.
    Loss(u16),
}

/// Knows some endgames.
pub trait Endgames: Send + Sync {
    /// The most pieces of a position worth asking for, generals included.
    fn most_pieces(&self) -> u32;

    /// What is certain about a legal position under the rules of play, if anything is.
    fn certainty(&self, position: &Position) -> Option<Certainty>;
}

impl Worker<'_> {
    /// The exact score of a position that is known for certain. An end that lies beyond the limit of quiet
    /// plies is none.
    #[inline]
    pub(crate) fn settled_by_endgames(&mut self, ply: u16) -> Option<Score> {
        let endgames = self.shared.endgames?;
        if self.position.occupied().len() > endgames.most_pieces() {
            return None;
        }
        let certainty = endgames.certainty(&self.position)?;
        let quiet = self.position.quiet_plies();
        let score = match certainty {
            Certainty::Draw => Score::DRAW,
            Certainty::Win(plies) if quiet + plies <= QUIET_PLY_LIMIT => Score::won_in(ply + plies),
            Certainty::Loss(plies) if quiet + plies <= QUIET_PLY_LIMIT => Score::lost_in(ply + plies),
            _ => return None,
        };
        self.shared.endgame_hits.fetch_add(1, Ordering::Relaxed);
        Some(score)
    }
}
