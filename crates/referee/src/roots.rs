//! Roots (根): what protects a piece. A root is real if the protector can in fact take back when the
//! piece is taken, and false if it only seems so. It is found out by trying: take, then look for a
//! legal recapture.

use chuhe_board::{Bitboard, Position, Side, Square};

use crate::safety::Imagined;

/// The real roots of the piece on `to` against a capture by the piece on `from`: the pieces that can
/// legally take back.
///
/// A recapture that loses the game is still a recapture. One that exposes the own general is none,
/// be it by a pin, by a pin that the capture itself made, or by facing generals. If the owner is in
/// check already, that check is not held against it: what counts is whether the root is free.
///
/// ```
/// use chuhe_board::{Position, coords::points};
/// use chuhe_referee::roots::real_roots;
///
/// // The advisor seems to protect the horse, but leaving the file would expose its general.
/// let position: Position = "4k4/4a4/3n5/9/9/3R5/9/9/4R4/3K5 w".parse().unwrap();
/// let [from, to] = ["d4", "d7"].map(|name| points(name).first().unwrap());
/// assert!(real_roots(&position, from, to).is_empty());
/// ```
pub fn real_roots(position: &Position, from: Square, to: Square) -> Bitboard {
    let Some(taker) = position.piece_on(from) else {
        return Bitboard::EMPTY;
    };
    let owner = !taker.side();
    let taken = Imagined::now(position).after_capture(from, to);
    taken
        .attackers(owner, to)
        .into_iter()
        .filter(|root| may_retake(position, taken, owner, *root, to))
        .collect()
}

/// Real and false roots together: the pieces that reach the point `to` once the piece on `from` has
/// taken there, whether or not they may legally move.
pub fn all_roots(position: &Position, from: Square, to: Square) -> Bitboard {
    position.piece_on(from).map_or(Bitboard::EMPTY, |taker| {
        Imagined::now(position).after_capture(from, to).attackers(!taker.side(), to)
    })
}

fn may_retake(position: &Position, taken: Imagined<'_>, owner: Side, root: Square, to: Square) -> bool {
    let general = position.general(owner);
    let retaken = taken.after_capture(root, to);
    if root == general {
        return retaken.bearing_on(owner, to).is_empty();
    }
    let already = Imagined::now(position).bearing_on(owner, general);
    (retaken.bearing_on(owner, general) - already).is_empty()
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{parse_square, points};

    use super::*;

    fn roots(fen: &str, from: &str, to: &str) -> [Bitboard; 2] {
        let position: Position = fen.parse().unwrap();
        let [from, to] = [from, to].map(|name| parse_square(name).unwrap());
        [real_roots(&position, from, to), all_roots(&position, from, to)]
    }

    #[test]
    fn a_free_protector_is_a_real_root() {
        assert_eq!(roots("3k5/9/4b4/9/2c6/2R6/9/9/9/4K4 w", "c4", "c5"), [points("e7"), points("e7")]);
    }

    #[test]
    fn a_protector_pinned_by_a_cannon_is_a_false_root() {
        assert_eq!(roots("4k4/4a4/4b4/9/2c6/2R6/9/4C4/9/3K5 w", "c4", "c5"), [Bitboard::EMPTY, points("e7")]);
    }

    #[test]
    fn a_cannon_that_needs_the_attacker_as_its_screen_is_no_root() {
        assert_eq!(roots("3k5/9/9/9/9/1c7/1R7/9/1c7/4K4 w", "b3", "b4"), [Bitboard::EMPTY; 2]);
    }

    #[test]
    fn a_chariot_behind_the_attacker_is_a_root() {
        assert_eq!(roots("3k5/9/9/9/9/1c7/1R7/9/1r7/4K4 w", "b3", "b4"), [points("b1"); 2]);
    }

    #[test]
    fn a_recapture_that_loses_the_game_still_protects() {
        // If the chariot on d8 takes back, Red mates on d9.
        let fen = "3k5/3r5/9/9/9/9/c2R1R3/9/9/4K4 w";
        assert_eq!(roots(fen, "d3", "a3")[0], Bitboard::EMPTY);
        let fen = "4k4/9/9/9/9/9/c7R/9/r8/3K4R w";
        assert_eq!(roots(fen, "i3", "a3")[0], points("a1"));
    }

    #[test]
    fn a_general_protects_only_points_it_may_enter() {
        assert_eq!(roots("9/4k4/4n4/9/9/4R4/9/9/9/3K5 w", "e4", "e7")[0], points("e8"));
        assert_eq!(roots("9/4k4/4n4/9/9/4R4/9/9/4R4/3K5 w", "e4", "e7")[0], Bitboard::EMPTY);
    }
}
