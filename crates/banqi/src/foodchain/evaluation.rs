//! The evaluation (Hsieh 2010, §3.8): captured material, then threat, then placement.

use crate::foodchain::Features;
use crate::foodchain::board::{FoodChainBoard, piece_of};
use crate::foodchain::values::Values;
use crate::piece::{Kind, Piece, Side};
use crate::square::{Square, SquareSet};

/// The weight of a step of distance; the thesis leaves it open.
const DISTANCE_WEIGHT: i32 = 20;
/// Captures count first, threat and placement only between equal captures ("captures are the main point, threat assists"):
/// a unit of captured value outweighs all they can add up to.
const CAPTURE_WEIGHT: i32 = 1 << 13;

/// Table 3-2: corners and edges are worth less.
#[rustfmt::skip]
const PLACEMENT: [i32; 32] = [
    2, 3, 3, 3, 3, 3, 3, 2,
    3, 4, 4, 5, 5, 4, 4, 3,
    3, 4, 4, 5, 5, 4, 4, 3,
    2, 3, 3, 3, 3, 3, 3, 2,
];

/// What is fixed during a search: no flip happens inside its tree.
pub(super) struct Evaluation {
    values: Values,
    features: Features,
    /// The number of each square's region; 0 under face-down pieces.
    regions: [u8; 32],
}

impl Evaluation {
    pub(super) fn new(board: &FoodChainBoard, values: Values, features: Features) -> Self {
        Self { values, features, regions: regions(board.down) }
    }

    /// What capturing the piece adds to a score.
    pub(super) fn capture(&self, piece: Piece) -> i32 {
        self.values[piece.index()] * CAPTURE_WEIGHT
    }

    /// Threat and placement for the side to move, less than half a unit of captured value.
    pub(super) fn score(&self, board: &FoodChainBoard) -> i32 {
        let side = board.side();
        let score = self.one_side(board, side) - self.one_side(board, side.opponent());
        score.clamp(1 - CAPTURE_WEIGHT / 2, CAPTURE_WEIGHT / 2 - 1)
    }

    fn one_side(&self, board: &FoodChainBoard, side: Side) -> i32 {
        let mut score = 0;
        for (number, square) in board.pieces(side) {
            if self.features.placement {
                score += PLACEMENT[square.index()];
            }
            if !self.features.threat {
                continue;
            }
            for (victim, at) in board.pieces(side.opponent()) {
                if board.takes(number, victim) {
                    score +=
                        self.threat(piece_of(number), square, piece_of(victim), at, side == board.side());
                }
            }
        }
        score
    }

    /// The victim's value over the weighted distance, if the hunter gets there: a hunter that has just moved
    /// keeps an even distance, one that is to move wants an odd one. Only cannons threaten across regions.
    fn threat(&self, hunter: Piece, from: Square, victim: Piece, to: Square, hunter_moves: bool) -> i32 {
        let distance = i32::from(from.distance(to));
        let right_parity = (distance % 2 == 1) == hunter_moves;
        let reachable =
            hunter.kind() == Kind::Cannon || self.regions[from.index()] == self.regions[to.index()];
        if right_parity && reachable { self.values[victim.index()] / (distance * DISTANCE_WEIGHT) } else { 0 }
    }
}

/// The captured value in a score: the scale on which moves and flips are compared.
pub(super) fn captured(score: i32) -> i32 {
    (score + CAPTURE_WEIGHT / 2).div_euclid(CAPTURE_WEIGHT)
}

/// Spreads from square to square around face-down pieces and numbers what is connected.
fn regions(down: SquareSet) -> [u8; 32] {
    let mut regions = [0; 32];
    let mut number = 0;
    let mut left = !down;
    while let Some(first) = left.next() {
        number += 1;
        let mut region = SquareSet::of(first);
        loop {
            let grown = (region | region.spread()) - down;
            if grown == region {
                break;
            }
            region = grown;
        }
        left = left - region;
        region.for_each(|square| regions[square.index()] = number);
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::foodchain::values::dynamic_values;
    use crate::position::Position;
    use crate::rules::{Captures, Rules};

    fn score(text: &str, features: Features) -> i32 {
        let position: Position = text.parse().unwrap();
        let captures = Captures::from(&Rules::FOODCHAIN);
        let board = FoodChainBoard::new(&position, &captures);
        let values = dynamic_values(position.alive(), &captures);
        Evaluation::new(&board, values, features).score(&board)
    }

    const THREAT: Features = Features { dynamic_values: true, threat: true, placement: false };
    const PLACES: Features = Features { dynamic_values: true, threat: false, placement: true };

    /// Figures 3-28 and 3-29: with the prey to move an even distance threatens and an odd one does not.
    #[test]
    fn a_hunter_that_has_moved_threatens_at_an_even_distance_only() {
        // Black's elephant hunts Red's chariot along the only open row.
        let row = |row: &str, side: char| {
            score(&format!("{row}/????????/????????/???????? {side} KG2M2RN2C2P2kg2mr2n2c2p2 0"), THREAT)
        };
        // The elephant has just moved and the chariot is to flee.
        assert!(row("m1R5", 'r') < 0, "two steps away");
        assert_eq!(row("m2R4", 'r'), 0, "three steps away");
        // The elephant to move: an odd distance is the one it can use.
        assert_eq!(row("m1R5", 'b'), 0);
        assert!(row("m2R4", 'b') > 0);
    }

    #[test]
    fn threat_is_the_value_over_the_weighted_distance() {
        let position: Position = "m1P5/8/8/8 r - 0".parse().unwrap();
        let values = dynamic_values(position.alive(), &Captures::from(&Rules::FOODCHAIN));
        let soldier = values[Piece::from_letter('P').unwrap().index()];
        assert_eq!(score("m1P5/8/8/8 r - 0", THREAT), -(soldier / (2 * DISTANCE_WEIGHT)));
    }

    #[test]
    fn threat_and_placement_never_outweigh_a_capture() {
        for (value, rest) in [(0, -7), (142, 4095), (-142, -4095), (16_000, -4095)] {
            assert_eq!(captured(value * CAPTURE_WEIGHT + rest), value);
        }
    }

    /// Figures 3-30 and 3-31: face-down pieces cut the board into regions.
    #[test]
    fn only_cannons_threaten_across_regions() {
        let wall = |hunter: char| format!("{hunter}?P5/1?6/1?6/1?6 r G1M1R1N1 0");
        assert_eq!(score(&wall('m'), THREAT), 0);
        assert!(score(&wall('c'), THREAT) < 0);
        assert!(score("m1P5/1?6/1?6/1?6 r G1M1R1 0", THREAT) < 0, "the gap in the wall joins the regions");
    }

    /// Figure 3-32: pieces in the corner count 2, at the edge 3.
    #[test]
    fn placement_is_that_of_table_3_2() {
        assert_eq!(score("p7/3p4/8/K7 b - 0", PLACES), 2 + 5 - 2);
    }

    #[test]
    fn regions_are_what_face_down_pieces_leave_connected() {
        let position: Position = "1?6/?7/8/8 r Pp 0".parse().unwrap();
        let numbers = regions(position.face_down());
        assert_eq!(numbers[0], 1);
        assert_eq!((numbers[1], numbers[8]), (0, 0));
        assert!(numbers[2..8].iter().chain(&numbers[9..]).all(|&number| number == 2));
    }
}
