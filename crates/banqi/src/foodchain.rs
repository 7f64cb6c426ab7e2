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

/// Plies without a flip or a capture after which a player with nothing to win flips all the same. The thesis does not say
/// what happens when no flip is safe for either side; waiting for the other would always be a draw.
const PATIENCE: u16 = 6;

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
        let moves = progressing_moves(game);
        let flip = flip::best(&board, &values, &mut watch, if moves.is_empty() { 1.0 } else { FLIP_SHARE });
        if moves.is_empty() {
            return flip.map(|flip| flip.mv).expect("the side to move has a move or a flip");
        }
        let evaluation = Evaluation::new(&board, values, self.features);
        let mut searcher = Searcher::new(board, evaluation, &mut self.table, watch);
        let (mv, score) = searcher.deepen(moves);
        // (Hsieh 2010, §3.9): flip if the worst outcome is not worse than the best move. Both count captures only.
        let gain = evaluation::captured(score);
        let waited = position.quiet_plies() >= PATIENCE && gain <= 0;
        match flip {
            Some(flip) if flip.worst >= gain || waited => flip.mv,
            _ => mv,
        }
    }
}

/// The moves that lead to no position of this game again, or all if every one does: the thesis's evaluation sees no difference
/// between waiting and hunting beyond its depth, and two players who wait draw.
fn progressing_moves(game: &Game) -> Vec<Move> {
    let all: Vec<Move> = game.sensible_moves().into_iter().filter(|mv| !mv.is_flip()).collect();
    let is_new = |mv: &Move| {
        let mut next = game.position().clone();
        next.play_step(*mv);
        !game.keys().contains(&next.key())
    };
    let new: Vec<Move> = all.iter().copied().filter(is_new).collect();
    if new.is_empty() { all } else { new }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::Played;
    use crate::rules::Rules;
    use crate::square::{Square, SquareStyle};

    fn game(text: &str) -> Game {
        Game::new(text.parse().unwrap(), Rules::FOODCHAIN)
    }

    fn choice(text: &str) -> Move {
        let limits = Limits { nodes: Some(2000), ..Limits::default() };
        FoodChainEngine::new(Features::ALL).choose(&game(text), &limits)
    }

    fn wide(text: &str) -> Square {
        Square::parse(text, SquareStyle::Wide).unwrap()
    }

    #[test]
    fn a_flip_that_cannot_be_worse_is_taken() {
        assert_eq!(choice("G7/8/8/7? r p 0"), Move::flip(wide("h4")));
    }

    #[test]
    fn a_risky_flip_waits_but_not_for_ever() {
        // The general that lies beside the advisor would take it.
        assert!(!choice("g?6/8/8/8 b K 0").is_flip());
        assert!(!choice("g?6/8/8/8 b K 5").is_flip());
        assert_eq!(choice("g?6/8/8/8 b K 6"), Move::flip(wide("b1")));
    }

    #[test]
    fn a_capture_comes_before_a_flip() {
        assert!(!choice("Gp6/8/8/7? r p 6").is_flip());
    }

    #[test]
    fn no_move_leads_to_a_position_of_the_game_again() {
        let mut game = game("K7/8/8/7g r - 0");
        for [from, to] in [["a1", "a2"], ["h4", "h3"], ["a2", "a1"]] {
            game.play(Played::Step(wide(from), wide(to))).unwrap();
        }
        let back = Move::new(wide("h3"), wide("h4"));
        assert!(game.moves().contains(&back));
        assert!(!progressing_moves(&game).contains(&back));
    }
}
