//! Distillation data: positions a few random moves away from samples, scored by a static evaluation.
//!
//! Self-play yields a few hundred positions a second, this some hundred thousand. A network pre-trained on the
//! hand-written evaluation needs fewer games to surpass it.

use chuhe_search::Evaluator;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Sample, Wdl};

/// Scatters positions around samples, the same ones for the same seed.
pub struct Scatter {
    evaluator: Evaluator,
    random: Xoshiro256PlusPlus,
}

/// The most random moves from a sample.
const MOST_MOVES: u32 = 3;

impl Scatter {
    /// Scores what it makes by `evaluator`.
    pub fn new(evaluator: Evaluator, seed: u64) -> Self {
        Self { evaluator, random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// A position near the sample, unless the moves led into check or to the end of the game. Its
    /// result is unknown: it is labelled a draw and must be trained on with lambda 0.
    pub fn around(&mut self, sample: &Sample) -> Option<Sample> {
        let mut position = sample.position.clone();
        for _ in 0..self.random.random_range(1..=MOST_MOVES) {
            let moves = position.moves();
            if moves.is_empty() {
                return None;
            }
            let _ = position.play(moves[self.random.random_range(0..moves.len())], &mut ());
        }
        if position.is_in_check() {
            return None;
        }
        let score = self.evaluator.evaluate(&position);
        Some(Sample { position, score, outcome: Wdl::Draw, ply: sample.ply })
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;
    use chuhe_eval::Score;

    use super::*;

    #[test]
    fn scattered_positions_carry_their_own_score() {
        let sample = Sample { position: Position::start(), score: Score::DRAW, outcome: Wdl::Win, ply: 12 };
        let mut scatter = Scatter::new(Evaluator::Classical, 1);
        let made: Vec<Sample> = (0..50).filter_map(|_| scatter.around(&sample)).collect();
        assert!(made.len() > 30);
        for made in &made {
            assert_ne!(made.position.key(), sample.position.key());
            assert_eq!(made.score, Evaluator::Classical.evaluate(&made.position));
            assert_eq!((made.outcome, made.ply), (Wdl::Draw, 12));
        }
    }
}
