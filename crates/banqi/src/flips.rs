//! Flips: which piece turns up, and the odds that a flip wins or loses material.

use crate::game::Game;
use crate::piece::{Piece, Side};
use crate::position::Position;
use crate::random::Random;
use crate::rules::Captures;
use crate::square::{Square, SquareSet, jumps};

/// The odds of a flip for the side to move, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlipOdds {
    /// The face-down square.
    pub square: Square,
    /// The piece is the mover's own.
    pub own: u32,
    /// The mover can capture more than before.
    pub gain: u32,
    /// The opponent can capture more than before.
    pub danger: u32,
}

/// A uniformly random face-down piece; `None` if all are face up.
pub fn draw(position: &Position, random: &mut Random) -> Option<Piece> {
    let pool: Vec<Piece> = Piece::all()
        .flat_map(|piece| std::iter::repeat_n(piece, position.pool()[piece.index()].into()))
        .collect();
    (!pool.is_empty()).then(|| pool[random.below(pool.len())])
}

/// The odds of every flip; empty before the first flip, when all are alike, and after the end.
pub fn odds(game: &Game) -> Vec<FlipOdds> {
    let position = game.position();
    let Some(mover) = position.side_to_move().filter(|_| game.end().is_none()) else {
        return Vec::new();
    };
    let captures = game.captures();
    let before = Side::ALL.map(|side| capturable(position, captures, side));
    position.face_down().map(|square| odds_on(position, captures, mover, before, square)).collect()
}

fn odds_on(
    position: &Position,
    captures: &Captures,
    mover: Side,
    before: [SquareSet; 2],
    square: Square,
) -> FlipOdds {
    let [mut own, mut gain, mut danger, mut total] = [0; 4];
    for piece in Piece::all() {
        let count = u32::from(position.pool()[piece.index()]);
        if count == 0 {
            continue;
        }
        let mut after = position.clone();
        after.play_flip(square, piece);
        let has_more = |side: Side| !(capturable(&after, captures, side) - before[side.index()]).is_empty();
        total += count;
        own += if piece.side() == mover { count } else { 0 };
        gain += if has_more(mover) { count } else { 0 };
        danger += if has_more(mover.opponent()) { count } else { 0 };
    }
    let thousandths = |part: u32| 1000 * part / total.max(1);
    FlipOdds { square, own: thousandths(own), gain: thousandths(gain), danger: thousandths(danger) }
}

/// The pieces a side could capture if it were to move.
fn capturable(position: &Position, captures: &Captures, by: Side) -> SquareSet {
    let victims = position.shown(by.opponent());
    victims.filter(|&square| is_capturable(position, captures, by, square)).collect()
}

fn is_capturable(position: &Position, captures: &Captures, by: Side, square: Square) -> bool {
    let Some(victim) = position.piece_on(square) else { return false };
    let by_step = (square.neighbours() & position.shown(by))
        .any(|from| position.piece_on(from).is_some_and(|attacker| captures.by_step(attacker, victim)));
    // Jumps are symmetric: the cannons that reach a square are those the square reaches.
    let by_jump = (jumps(square, position.occupied()) & position.shown(by))
        .any(|from| position.piece_on(from).is_some_and(|attacker| captures.by_jump(attacker)));
    by_step || by_jump
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::moves::Played;
    use crate::rules::Rules;
    use crate::square::SquareStyle;
    use crate::text::parse_move;

    use super::*;

    fn game_after(text: &str) -> Game {
        let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
        let (mv, shown) = parse_move(text, SquareStyle::Wide).unwrap();
        game.play(Played::Flip(mv.from(), shown.unwrap())).unwrap();
        game
    }

    #[test]
    fn a_flip_draws_from_the_face_down_pieces() {
        let game = game_after("a1(K)");
        let mut random = Random::new(7);
        let mut shown = BTreeSet::new();
        for _ in 0..300 {
            let piece = draw(game.position(), &mut random).unwrap();
            assert_ne!(piece.letter(), 'K', "there is only one");
            shown.insert(piece.letter());
        }
        assert!(shown.len() > 9, "{shown:?}");
    }

    #[test]
    fn gain_and_danger_are_found_beside_shown_pieces() {
        // Red's general on a1, Black to move: a black soldier beside it captures it next.
        let odds = odds(&game_after("a1(K)"));
        let at = |text: &str| *odds.iter().find(|odds| odds.square.text(SquareStyle::Wide) == text).unwrap();
        // 16 of the 31 are Black's.
        assert_eq!(at("b1").own, 1000 * 16 / 31);
        // Five soldiers and the general capture the general from the next square.
        assert_eq!(at("b1").gain, 1000 * 6 / 31);
        // The red general captures every black piece beside it but soldiers.
        assert_eq!(at("b1").danger, 1000 * 11 / 31);
        // Nothing reaches a far corner, and only a cannon jumps over one piece.
        assert_eq!((at("h4").gain, at("h4").danger), (0, 0));
        assert_eq!(at("c1").gain, 1000 * 2 / 31);
    }
}
