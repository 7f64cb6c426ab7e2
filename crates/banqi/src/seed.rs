//! The engine of seed 001, kept as the opponent to beat.
//!
//! Alpha-beta over the shown pieces with a pass in place of flips, values from the food chain, threat
//! by the parity of distances inside a region, and a rule for when and where to flip. What the text
//! leaves open (kind weights, the weight of distances, the depth of the flip search) is chosen here and
//! said so. Level `static` is the same without those ideas.

mod board;
mod evaluation;
mod flip;
mod search;
mod values;

pub use values::dynamic_values;

use crate::game::Game;
use crate::limits::{Limits, Watch};
use crate::moves::Move;
use crate::piece::FULL_SET;
use board::SeedBoard;
use evaluation::Evaluation;
use search::Searcher;

/// Which of the seed's ideas play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeedIdeas {
    /// Values from the food chain of what is left, not of a full set.
    pub dynamic_values: bool,
    /// Threat inside regions.
    pub threat: bool,
    /// Table 3-2.
    pub placement: bool,
}

impl SeedIdeas {
    /// The engine of the seed.
    pub const SEED: Self = Self { dynamic_values: true, threat: true, placement: true };
    /// Its predecessor: fixed values and nothing else.
    pub const STATIC: Self = Self { dynamic_values: false, threat: false, placement: false };
}

/// The seed's engine.
pub struct SeedEngine {
    ideas: SeedIdeas,
    table: search::Table,
}

/// The share of the time that may go into flips; moves get the rest.
const FLIP_SHARE: f64 = 0.3;

impl SeedEngine {
    /// An engine with these ideas.
    pub fn new(ideas: SeedIdeas) -> Self {
        Self { ideas, table: search::Table::new() }
    }

    /// The move of the side to move, which must have one.
    pub fn choose(&mut self, game: &Game, limits: &Limits) -> Move {
        let position = game.position();
        let counts = if self.ideas.dynamic_values { position.alive() } else { &FULL_SET };
        let values = dynamic_values(counts, game.captures());
        let board = SeedBoard::new(position, game.captures());
        let mut watch = Watch::new(*limits);
        let moves: Vec<Move> = game.sensible_moves().into_iter().filter(|mv| !mv.is_flip()).collect();
        let flip = flip::best(&board, &values, &mut watch, if moves.is_empty() { 1.0 } else { FLIP_SHARE });
        if moves.is_empty() {
            return flip.map(|flip| flip.mv).expect("a side to move can move or flip");
        }
        let evaluation = Evaluation::new(&board, values, self.ideas);
        let mut searcher = Searcher::new(board, evaluation, &mut self.table, watch);
        let (mv, score) = searcher.deepen(moves);
        // Seed 001, 3.9: flip if even the worst outcome beats the best move.
        match flip {
            Some(flip) if flip.worst > score => flip.mv,
            _ => mv,
        }
    }
}
