//! Threat evaluation: the distance of hunters to their prey, for eight pieces of prey in parallel.
//!
//! A hunter walks over empty squares only, so the way from prey to hunter is as long as the way from hunter
//! to prey; but from the prey, the hunters at a distance need only be counted, since they all win the same.
//! Everything is an array of eight without a branch: the compiler makes vector instructions of it.

use crate::engine::params::Params;
use crate::piece::{Piece, Side};
use crate::position::Position;
use crate::rules::Captures;
use crate::square::SquareSet;

/// So many sets of squares fit into a vector register.
const LANES: usize = 8;
/// The pieces of a side, a multiple of [`LANES`].
const MOST_PREY: usize = 16;
/// Hunters farther away gain nothing.
const FARTHEST: usize = 9;

/// Sets of squares by the index of a piece, and two more to fill the vector registers.
type ByPiece = [SquareSet; 16];

pub(crate) struct Hunts {
    /// By hunter and prey: all squares where one takes the other by a step.
    takes: [ByPiece; Piece::COUNT],
    /// For hunters that have just moved and for those that are to move.
    drops: [[i32; FARTHEST]; 2],
}

impl Hunts {
    pub(crate) fn new(captures: &Captures, params: &Params) -> Self {
        let mut takes = [ByPiece::default(); Piece::COUNT];
        for hunter in Piece::all() {
            for prey in Piece::all().filter(|&prey| captures.by_step(hunter, prey)) {
                takes[hunter.index()][prey.index()] = SquareSet::ALL;
            }
        }
        Self { takes, drops: [false, true].map(|hunter_moves| drops(params, hunter_moves)) }
    }

    /// What each side's hunters gain, in 256ths of their prey's values.
    #[inline]
    pub(crate) fn gains(&self, position: &Position, values: &[i16; Piece::COUNT]) -> [i32; 2] {
        let hunters = self.hunters(position);
        Side::ALL.map(|side| {
            let drops = &self.drops[usize::from(side == position.mover())];
            Herd::new(position, side.opponent(), &hunters, values).gain(!position.occupied(), drops)
        })
    }

    /// Where the hunters of each piece are.
    #[inline]
    fn hunters(&self, position: &Position) -> ByPiece {
        let mut hunters = ByPiece::default();
        for (hunter, takes) in Piece::all().zip(&self.takes) {
            let squares = position.squares_of(hunter);
            for (hunters, &takes) in hunters.iter_mut().zip(takes) {
                *hunters |= squares & takes;
            }
        }
        hunters
    }
}

/// What a hunter gains more than at the next distance, by the distance less one. Added up over all distances
/// that reach a hunter, it is what the hunter gains at its own.
fn drops(params: &Params, hunter_moves: bool) -> [i32; FARTHEST] {
    let gain = |distance: usize| {
        // A hunter that has moved keeps an even distance, one to move wants an odd one.
        let right_parity = (distance % 2 == 1) == hunter_moves;
        let gain = params.hunt.get(distance).copied().unwrap_or(0);
        if right_parity { gain } else { gain / 3 }
    };
    std::array::from_fn(|place| gain(place + 1) - gain(place + 2))
}

/// A side's pieces as prey.
struct Herd {
    count: usize,
    /// The squares from which a hunter could step onto each.
    beside: [SquareSet; MOST_PREY],
    hunters: [SquareSet; MOST_PREY],
    values: [i32; MOST_PREY],
}

impl Herd {
    #[inline]
    fn new(position: &Position, side: Side, hunters: &ByPiece, values: &[i16; Piece::COUNT]) -> Self {
        let mut herd = Self {
            count: 0,
            beside: [SquareSet::EMPTY; MOST_PREY],
            hunters: [SquareSet::EMPTY; MOST_PREY],
            values: [0; MOST_PREY],
        };
        for square in position.shown(side) {
            let piece = position.piece_on(square).expect("prey is shown");
            let place = herd.count % MOST_PREY;
            herd.beside[place] = square.neighbours();
            herd.hunters[place] = hunters[piece.index()];
            herd.values[place] = values[piece.index()].into();
            herd.count += 1;
        }
        herd
    }

    #[inline]
    fn gain(&self, empty: SquareSet, drops: &[i32; FARTHEST]) -> i32 {
        let (beside, _) = self.beside.as_chunks();
        let (hunters, _) = self.hunters.as_chunks();
        let (values, _) = self.values.as_chunks();
        let eights = beside.iter().zip(hunters).zip(values).take(self.count.div_ceil(LANES));
        eights.map(|((beside, hunters), values)| gain_of_eight(beside, hunters, values, empty, drops)).sum()
    }
}

/// Spreads from eight pieces of prey over empty squares and counts the hunters it reaches.
fn gain_of_eight(
    beside: &[SquareSet; LANES],
    hunters: &[SquareSet; LANES],
    values: &[i32; LANES],
    empty: SquareSet,
    drops: &[i32; FARTHEST],
) -> i32 {
    let mut reached = *beside;
    let mut gains = [0; LANES];
    for drop in drops {
        for lane in 0..LANES {
            gains[lane] += drop * (reached[lane] & hunters[lane]).len() as i32;
            reached[lane] |= (reached[lane] & empty).spread();
        }
    }
    gains.iter().zip(values).map(|(gain, value)| gain * value).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::rules::Rules;

    /// The same from each hunter, square by square.
    fn plain_gain(position: &Position, side: Side, captures: &Captures, values: &[i16; Piece::COUNT]) -> i32 {
        let hunt = Params::default().hunt;
        let mut sum = 0;
        for square in position.shown(side) {
            let hunter = position.piece_on(square).unwrap();
            let mut ring = SquareSet::of(square);
            let mut seen = ring;
            for (distance, gain) in hunt.into_iter().enumerate().skip(1) {
                ring = ring.spread() - seen;
                seen |= ring;
                let right_parity = (distance % 2 == 1) == (side == position.mover());
                let gain = if right_parity { gain } else { gain / 3 };
                let prey = ring.filter_map(|square| position.piece_on(square));
                let prey = prey.filter(|&prey| captures.by_step(hunter, prey));
                sum += gain * prey.map(|prey| i32::from(values[prey.index()])).sum::<i32>();
                ring = ring - position.occupied();
            }
        }
        sum
    }

    #[test]
    fn hunters_gain_the_same_counted_from_their_prey() {
        let captures = Captures::from(&Rules::OLYMPIAD);
        let hunts = Hunts::new(&captures, &Params::default());
        let values = std::array::from_fn(|index| 100 + 7 * index as i16);
        let mut random = Random::new(5);
        for _ in 0..20 {
            let mut position = Position::start();
            for _ in 0..300 {
                let moves = position.moves(&captures);
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.below(moves.len())];
                if mv.is_flip() {
                    let hidden: Vec<_> =
                        Piece::all().filter(|piece| position.pool()[piece.index()] > 0).collect();
                    position.play_flip(mv.from(), hidden[random.below(hidden.len())]);
                } else {
                    position.play_step(mv);
                }
                let plain = Side::ALL.map(|side| plain_gain(&position, side, &captures, &values));
                assert_eq!(hunts.gains(&position, &values), plain, "{position}");
            }
        }
    }
}
