//! Endgame tables as the search sees them: a trait that the caller of a search implements.

use std::sync::atomic::Ordering;

use chuhe_board::{Position, QUIET_PLY_LIMIT};
use chuhe_eval::Score;

use crate::worker::Worker;

/// The value of a position under perfect play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// A draw.
    Draw,
    /// The side to move wins in this many plies.
    Win(u16),
    /// The side to move loses in this many plies.
    Loss(u16),
}

/// A source of perfect endgame values.
pub trait Endgames: Send + Sync {
    /// The most pieces of a position worth probing, generals included.
    fn most_pieces(&self) -> u32;

    /// The value of a legal position under the rules of play, if it is known.
    fn certainty(&self, position: &Position) -> Option<Certainty>;

    /// For people: the table that holds a position, its value, and the rules under which it holds.
    fn described(&self, _: &Position) -> Option<String> {
        None
    }
}

impl Worker<'_> {
    /// The exact score of a position that the endgame tables know. A win beyond the move limit does not count.
    #[inline]
    pub(crate) fn endgame_cutoff(&mut self, ply: u16) -> Option<Score> {
        let endgames = self.shared.endgames.as_deref()?;
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
        self.shared.tablebase_hits.fetch_add(1, Ordering::Relaxed);
        Some(score)
    }
}
