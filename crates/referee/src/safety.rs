//! Which pieces bear on a general, on the board as it is and as it would be after captures: the
//! ground on which captures and recaptures are found legal or not without playing them.

use chuhe_board::{Bitboard, Position, Side, Square, attacks};

/// The board as it would be after some captures.
///
/// A piece that takes leaves its point empty and stands on the other; what it could do there does
/// not matter, only what can be done about it. So it is enough to know which points are occupied and
/// which pieces still act from where they stood.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Imagined<'a> {
    position: &'a Position,
    occupied: Bitboard,
    acting: Bitboard,
}

impl<'a> Imagined<'a> {
    /// The board as it is.
    pub(crate) fn now(position: &'a Position) -> Self {
        Self { position, occupied: position.occupied(), acting: position.occupied() }
    }

    /// The board after the piece on `from` has taken what stands on `to`.
    pub(crate) fn after_capture(self, from: Square, to: Square) -> Self {
        Self { occupied: self.occupied - from, acting: self.acting - from - to, ..self }
    }

    /// The pieces of `side` that attack `square`, a step of its general included.
    pub(crate) fn attackers(self, side: Side, square: Square) -> Bitboard {
        self.position.attackers_to(square, self.occupied) & self.position.pieces(side) & self.acting
    }

    /// The enemy pieces that attack `side`'s general if it stands on `general`; the enemy general's
    /// look along an open file counts.
    pub(crate) fn bearing_on(self, side: Side, general: Square) -> Bitboard {
        let other = self.position.general(!side);
        let mut bearing = self.attackers(!side, general);
        if general.file() == other.file() && !attacks::between(general, other).meets(self.occupied) {
            bearing |= other;
        }
        bearing
    }
}

/// The pieces that give check to `side`, whoever is to move.
pub(crate) fn checkers(position: &Position, side: Side) -> Bitboard {
    Imagined::now(position).bearing_on(side, position.general(side))
}

/// Whether `side`'s piece on `from` may take the piece on `to`, which it reaches, without exposing its
/// own general to a piece that does not attack it already.
///
/// A check that stands is not held against the capture: it has to be answered first, but neither does
/// giving check meet an attack elsewhere, nor does answering it make one.
pub(crate) fn may_take(position: &Position, side: Side, from: Square, to: Square) -> bool {
    let general = position.general(side);
    let taken = Imagined::now(position).after_capture(from, to);
    if from == general {
        return taken.bearing_on(side, to).is_empty();
    }
    (taken.bearing_on(side, general) - checkers(position, side)).is_empty()
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{parse_square, points};

    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    fn takes(fen: &str, from: &str, to: &str) -> bool {
        let position = position(fen);
        let from = parse_square(from).unwrap();
        let side = position.piece_on(from).unwrap().side();
        may_take(&position, side, from, parse_square(to).unwrap())
    }

    #[test]
    fn a_pinned_piece_may_take_only_its_pinner() {
        let pinned = "4k4/9/4r4/9/9/4R3n/9/9/9/4K4 w";
        assert!(takes(pinned, "e4", "e7"));
        assert!(!takes(pinned, "e4", "i4"));
    }

    #[test]
    fn a_standing_check_takes_no_attack_away() {
        assert!(takes("3k5/9/9/9/R7n/9/9/9/9/r3K4 w", "a5", "i5"));
    }

    #[test]
    fn generals_may_not_be_left_facing() {
        assert!(!takes("4k4/9/9/9/9/4C1p1n/9/9/9/4K4 w", "e4", "i4"));
        assert!(takes("3k5/9/9/9/9/4C1p1n/9/9/9/4K4 w", "e4", "i4"));
    }

    #[test]
    fn an_open_file_counts_as_an_attack_of_the_other_general() {
        let position = position("4k4/9/9/9/9/4N4/9/9/9/4K4 w");
        let open =
            Imagined::now(&position).after_capture(parse_square("e4").unwrap(), parse_square("a4").unwrap());
        assert_eq!(open.bearing_on(Side::Black, parse_square("e9").unwrap()), points("e0"));
    }
}
