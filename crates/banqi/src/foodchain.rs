//! The food-chain engine (Hsieh 2010), kept as a reference opponent.
//!
//! Alpha-beta over the revealed pieces with a pass in place of flips, dynamic piece values from the food chain, threat by
//! the parity of distances inside a region, and a rule for when and where to flip. The thesis leaves some numbers open
//! (kind weights, the weight of distances, the depth of the flip search); they are chosen here and marked. Level `static`
//! is the predecessor: the same engine without these features.

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
use board::FoodChainBoard;
use evaluation::Evaluation;
use search::Searcher;

/// The features of the thesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Features {
    /// Values from the food chain of the remaining pieces, not of a full set.
    pub dynamic_values: bool,
    /// Threat inside regions.
    pub threat: bool,
    /// Placement values (Hsieh 2010, table 3-2).
    pub placement: bool,
}

impl Features {
    /// The engine of the thesis.
    pub const ALL: Self = Self { dynamic_values: true, threat: true, placement: true };
    /// Its predecessor: static values and nothing else.
    pub const STATIC: Self = Self { dynamic_values: false, threat: false, placement: false };
}

/// The food-chain engine.
pub struct FoodChainEngine {
    features: Features,
    table: search::Table,
}

/// The fraction of the time for flips; moves get the rest.
const FLIP_SHARE: f64 = 0.3;

impl FoodChainEngine {
    /// An engine with these features.
    pub fn new(features: Features) -> Self {
        Self { features, table: search::Table::new() }
    }

    /// The move of the side to move, which must have one.
    pub fn choose(&mut self, game: &Game, limits: &Limits) -> Move {
        let position = game.position();
        let counts = if self.features.dynamic_values { position.alive() } else { &FULL_SET };
        let values = dynamic_values(counts, game.captures());
        let board = FoodChainBoard::new(position, game.captures());
        let mut watch = Watch::new(*limits);
        let moves: Vec<Move> = game.sensible_moves().into_iter().filter(|mv| !mv.is_flip()).collect();
        let flip = flip::best(&board, &values, &mut watch, if moves.is_empty() { 1.0 } else { FLIP_SHARE });
        if moves.is_empty() {
            return flip.map(|flip| flip.mv).expect("the side to move has a move or a flip");
        }
        let evaluation = Evaluation::new(&board, values, self.features);
        let mut searcher = Searcher::new(board, evaluation, &mut self.table, watch);
        let (mv, score) = searcher.deepen(moves);
        // (Hsieh 2010, §3.9): flip if even the worst outcome beats the best move.
        match flip {
            Some(flip) if flip.worst > score => flip.mv,
            _ => mv,
        }
    }
}
