//! Static evaluation: material, threats, cannon aims and mobility, for the side to move.

use crate::engine::hunts::Hunts;
use crate::engine::material::MaterialCache;
use crate::engine::params::Params;
use crate::piece::{Kind, Piece, Side};
use crate::position::Position;
use crate::rules::Captures;
use crate::square::{SquareSet, jumps};

/// The largest evaluation; proven wins score higher.
pub(crate) const LARGEST: i32 = 8000;

pub(crate) struct Evaluator {
    pub(crate) captures: Captures,
    pub(crate) params: Params,
    materials: MaterialCache,
    hunts: Hunts,
}

impl Evaluator {
    pub(crate) fn new(captures: Captures, params: Params) -> Self {
        let hunts = Hunts::new(&captures, &params);
        Self { captures, params, materials: MaterialCache::new(), hunts }
    }

    pub(crate) fn set_captures(&mut self, captures: Captures) {
        if captures != self.captures {
            self.captures = captures;
            self.materials.clear();
            self.hunts = Hunts::new(&captures, &self.params);
        }
    }

    /// The score for the side to move. Outside the window it may be rough.
    #[inline]
    pub(crate) fn score(&mut self, position: &Position, alpha: i32, beta: i32) -> i32 {
        let mover = position.mover();
        let material = *self.materials.of(position, &self.captures, &self.params);
        let sign = if mover == Side::Red { 1 } else { -1 };
        let balance = sign * i32::from(material.balance);
        let mut score = balance;
        let most = self.params.positional;
        if balance - most < beta && balance + most > alpha {
            let [red, black] = self.positional(position, &material.values);
            score += (sign * (red - black)).clamp(-most, most);
        }
        // A side that cannot win has a draw at best.
        let leader = if score > 0 { mover } else { mover.opponent() };
        if !material.can_win[leader.index()] {
            score /= 16;
        }
        score
    }

    /// What taking each piece wins about.
    #[inline]
    pub(crate) fn values(&mut self, position: &Position) -> &[i16; Piece::COUNT] {
        &self.materials.of(position, &self.captures, &self.params).values
    }

    /// What hunts, aims and mobility gain for each side.
    fn positional(&self, position: &Position, values: &[i16; Piece::COUNT]) -> [i32; 2] {
        let hunts = self.hunts.gains(position, values);
        Side::ALL.map(|side| {
            let gains = hunts[side.index()] + self.aims(position, side, values);
            let steps = position.shown(side).count_steps(!position.occupied()) as i32;
            gains / 256 + steps * self.params.mobility
        })
    }

    /// What a side's cannons gain by what they aim at, in 256ths.
    #[inline]
    fn aims(&self, position: &Position, side: Side, values: &[i16; Piece::COUNT]) -> i32 {
        let cannon = Piece::new(side, Kind::Cannon);
        if !self.captures.by_jump(cannon) {
            return 0;
        }
        let enemies = position.shown(side.opponent());
        let aimed = |from| worth(position, jumps(from, position.occupied()) & enemies, values);
        self.params.aim * position.squares_of(cannon).map(aimed).sum::<i32>()
    }
}

/// The values of the pieces on these squares.
#[inline]
fn worth(position: &Position, squares: SquareSet, values: &[i16; Piece::COUNT]) -> i32 {
    squares.filter_map(|square| position.piece_on(square)).map(|piece| i32::from(values[piece.index()])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::deal;
    use crate::game::Game;
    use crate::random::Random;
    use crate::rules::Rules;

    const WIDE: i32 = 20_000;

    /// A position with the colours of all pieces, and the mover's, exchanged.
    fn exchanged(position: &Position) -> Position {
        let text = position.to_string();
        let fields: Vec<&str> = text.split(' ').collect();
        let other = |text: &str| -> String {
            let swap = |letter: char| {
                if letter.is_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
            };
            text.chars().map(swap).collect()
        };
        let side = if fields[1] == "r" { "b" } else { "r" };
        format!("{} {side} {} {}", other(fields[0]), other(fields[2]), fields[3]).parse().unwrap()
    }

    #[test]
    fn colours_do_not_matter_and_a_rough_score_is_on_the_right_side_of_the_window() {
        let mut evaluator = Evaluator::new(Captures::from(&Rules::OLYMPIAD), Params::default());
        let mut random = Random::new(11);
        for seed in 0..20 {
            let (hidden, mut game) = (deal(seed), Game::new(Position::start(), Rules::OLYMPIAD));
            while game.end().is_none() && game.played().len() < 200 {
                let moves = game.moves();
                game.play_choice(moves[random.below(moves.len())], &hidden).unwrap();
                let position = game.position();
                let score = evaluator.score(position, -WIDE, WIDE);
                assert_eq!(evaluator.score(&exchanged(position), -WIDE, WIDE), score, "{position}");
                // What a side that cannot win keeps of its lead is rough on purpose.
                let material = *evaluator.materials.of(position, &evaluator.captures, &evaluator.params);
                let alpha = random.below(2000) as i32 - 1000;
                let rough = evaluator.score(position, alpha, alpha + 1);
                let agrees = (rough > alpha) == (score > alpha);
                assert!(
                    agrees || material.can_win != [true; 2],
                    "{position} at {alpha}: {rough} and {score}"
                );
            }
        }
    }
}
