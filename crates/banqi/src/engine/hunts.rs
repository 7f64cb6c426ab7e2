//! How near a side's hunters are to their prey, measured from eight pieces of prey at once.
//!
//! A hunter walks over empty squares only, so the way from prey to hunter is as long as the way from hunter
//! to prey; but from the prey, the hunters at a distance need only be counted, since they all win the same.
//! Everything is an array of eight without a branch: the compiler makes vector instructions of it.

use crate::engine::params::Params;
use crate::piece::{Kind, Piece, Side};
use crate::position::Position;
use crate::rules::Captures;
use crate::square::SquareSet;

/// So many sets of squares fit into a vector register.
const LANES: usize = 8;
/// Hunters farther away gain nothing.
const FARTHEST: usize = 9;

/// What hunters gain at each distance, if they have just moved and if they are to move: see [`drops`].
type Drops = [[i32; FARTHEST]; 2];

pub(crate) struct Hunts {
    /// By the kind of the hunter and of the prey: all squares where one takes the other by a step.
    takes: [[SquareSet; LANES]; 7],
    drops: Drops,
}

impl Hunts {
    pub(crate) fn new(captures: &Captures, params: &Params) -> Self {
        let takes = Kind::ALL.map(|hunter| {
            let mut takes = [SquareSet::EMPTY; LANES];
            for prey in Kind::ALL {
                if captures.by_step(Piece::new(Side::Red, hunter), Piece::new(Side::Black, prey)) {
                    takes[prey.index()] = SquareSet::ALL;
                }
            }
            takes
        });
        Self { takes, drops: [false, true].map(|hunter_moves| drops(params, hunter_moves)) }
    }

    /// What a side's hunters gain, in 256ths of their prey's values.
    pub(crate) fn gain(&self, position: &Position, side: Side, values: &[i16; Piece::COUNT]) -> i32 {
        let hunters = self.hunters(position, side);
        let mut herds = [Herd::default(); 2];
        for (place, square) in position.shown(side.opponent()).enumerate() {
            let piece = position.piece_on(square).expect("prey is shown");
            let (herd, lane) = (&mut herds[place / LANES % 2], place % LANES);
            herd.beside[lane] = square.neighbours();
            herd.hunters[lane] = hunters[piece.kind().index()];
            herd.values[lane] = values[piece.index()].into();
        }
        let empty = !position.occupied();
        let drops = &self.drops[usize::from(side == position.mover())];
        let [first, second] = &herds;
        let mut gain = first.gain(empty, drops);
        if !second.beside[0].is_empty() {
            gain += second.gain(empty, drops);
        }
        gain
    }

    /// Where a side's hunters of each kind of prey are.
    #[inline]
    fn hunters(&self, position: &Position, side: Side) -> [SquareSet; LANES] {
        let mut hunters = [SquareSet::EMPTY; LANES];
        for (kind, takes) in Kind::ALL.into_iter().zip(&self.takes) {
            let squares = position.squares_of(Piece::new(side, kind));
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

/// Up to eight pieces of prey.
#[derive(Clone, Copy, Default)]
struct Herd {
    /// The squares from which a hunter could step onto it.
    beside: [SquareSet; LANES],
    hunters: [SquareSet; LANES],
    values: [i32; LANES],
}

impl Herd {
    /// Spreads from all the prey over empty squares and counts the hunters it reaches.
    #[inline]
    fn gain(&self, empty: SquareSet, drops: &[i32; FARTHEST]) -> i32 {
        let mut reached = self.beside;
        let mut gains = [0; LANES];
        for &drop in drops {
            for lane in 0..LANES {
                gains[lane] += drop * (reached[lane] & self.hunters[lane]).len() as i32;
                reached[lane] |= (reached[lane] & empty).spread();
            }
        }
        gains.iter().zip(&self.values).map(|(gain, value)| gain * value).sum()
    }
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
                for side in Side::ALL {
                    let plain = plain_gain(&position, side, &captures, &values);
                    assert_eq!(hunts.gain(&position, side, &values), plain, "{position}");
                }
            }
        }
    }
}
