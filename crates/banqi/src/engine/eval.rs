//! The evaluation of our engine: material, hunts, aims and mobility, for the side to move.

use crate::engine::material::MaterialCache;
use crate::engine::params::Params;
use crate::piece::{Kind, Piece, Side};
use crate::position::Position;
use crate::rules::Captures;
use crate::square::{SquareSet, jumps};

/// No evaluation is larger; wins are.
pub(crate) const LARGEST: i32 = 8000;
/// What hunts, aims and mobility can change at most; they are not counted where that cannot matter.
const POSITIONAL: i32 = 300;

pub(crate) struct Evaluator {
    pub(crate) captures: Captures,
    pub(crate) params: Params,
    materials: MaterialCache,
}

impl Evaluator {
    pub(crate) fn new(captures: Captures, params: Params) -> Self {
        Self { captures, params, materials: MaterialCache::new() }
    }

    pub(crate) fn set_captures(&mut self, captures: Captures) {
        if captures != self.captures {
            self.captures = captures;
            self.materials.clear();
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
        if balance - POSITIONAL < beta && balance + POSITIONAL > alpha {
            let own = self.one_side(position, mover, &material.values);
            let other = self.one_side(position, mover.opponent(), &material.values);
            score += (own - other).clamp(-POSITIONAL, POSITIONAL);
        }
        // Who cannot win hopes for a draw at best.
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

    fn one_side(&self, position: &Position, side: Side, values: &[i16; Piece::COUNT]) -> i32 {
        let empty = !position.occupied();
        let enemies = position.shown(side.opponent());
        let hunter_moves = side == position.mover();
        let mut hunts = 0;
        let mut steps = 0;
        for kind in Kind::ALL {
            let hunter = Piece::new(side, kind);
            let squares = position.squares_of(hunter);
            if squares.is_empty() {
                continue;
            }
            let jumper = self.captures.by_jump(hunter);
            let prey = position.squares_of_mask(self.captures.prey(hunter));
            for square in squares {
                steps += (square.neighbours() & empty).len() as i32;
                if jumper {
                    let aimed = jumps(square, position.occupied()) & enemies;
                    hunts += self.params.aim * worth(position, aimed, values);
                }
                if !prey.is_empty() {
                    hunts += self.hunt(position, square.neighbours(), empty, prey, hunter_moves, values);
                }
            }
        }
        hunts / 256 + steps * self.params.mobility
    }

    /// Spreads over empty squares from a hunter's neighbours and weighs the prey it meets.
    #[inline]
    fn hunt(
        &self,
        position: &Position,
        neighbours: SquareSet,
        empty: SquareSet,
        mut prey: SquareSet,
        hunter_moves: bool,
        values: &[i16; Piece::COUNT],
    ) -> i32 {
        let mut sum = 0;
        let mut front = neighbours;
        let mut seen = SquareSet::EMPTY;
        for (distance, &weight) in self.params.hunt.iter().enumerate().skip(1) {
            let met = front & prey;
            if !met.is_empty() {
                // A hunter that has moved keeps an even distance, one to move wants an odd one.
                let right_parity = (distance % 2 == 1) == hunter_moves;
                let weight = if right_parity { weight } else { weight / 3 };
                sum += weight * worth(position, met, values);
                prey = prey - met;
                if prey.is_empty() {
                    break;
                }
            }
            seen |= front;
            front = (front & empty).spread() - seen;
            if front.is_empty() {
                break;
            }
        }
        sum
    }
}

/// The values of the pieces on these squares.
#[inline]
fn worth(position: &Position, squares: SquareSet, values: &[i16; Piece::COUNT]) -> i32 {
    squares.filter_map(|square| position.piece_on(square)).map(|piece| i32::from(values[piece.index()])).sum()
}
