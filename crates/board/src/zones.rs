//! The parts of the board: banks, palaces and the points that guards may stand on.

use crate::{Bitboard, PieceKind, Side, Square};

/// The half of the board on `side`'s bank of the river.
pub const fn bank(side: Side) -> Bitboard {
    const RED: Bitboard = Bitboard::from_bits((1 << 45) - 1);
    match side {
        Side::Red => RED,
        Side::Black => Bitboard::ALL.without(RED),
    }
}

/// The nine points of `side`'s palace.
pub const fn palace(side: Side) -> Bitboard {
    const POINTS: [Bitboard; 2] = both_sides(&["d0", "e0", "f0", "d1", "e1", "f1", "d2", "e2", "f2"]);
    POINTS[side.index()]
}

/// The five points an advisor of `side` may stand on.
pub const fn advisor_points(side: Side) -> Bitboard {
    const POINTS: [Bitboard; 2] = both_sides(&["d0", "f0", "e1", "d2", "f2"]);
    POINTS[side.index()]
}

/// The seven points an elephant of `side` may stand on.
pub const fn elephant_points(side: Side) -> Bitboard {
    const POINTS: [Bitboard; 2] = both_sides(&["c0", "g0", "a2", "e2", "i2", "c4", "g4"]);
    POINTS[side.index()]
}

/// The points a soldier of `side` can reach in a game: its own files up to the river, then
/// everything beyond it.
pub const fn soldier_points(side: Side) -> Bitboard {
    const FIVE_FILES: [Bitboard; 2] =
        both_sides(&["a3", "c3", "e3", "g3", "i3", "a4", "c4", "e4", "g4", "i4"]);
    FIVE_FILES[side.index()].or(bank(side.opponent()))
}

/// The points a piece of this kind may stand on by the rules. For soldiers these are all points:
/// composed diagrams put them anywhere, so [`soldier_points`] is only a matter of plausibility.
pub const fn allowed(side: Side, kind: PieceKind) -> Bitboard {
    match kind {
        PieceKind::General => palace(side),
        PieceKind::Advisor => advisor_points(side),
        PieceKind::Elephant => elephant_points(side),
        _ => Bitboard::ALL,
    }
}

/// Red's points by their names, and the same points on Black's side.
const fn both_sides(names: &[&str]) -> [Bitboard; 2] {
    let mut sets = [Bitboard::EMPTY; 2];
    let mut index = 0;
    while index < names.len() {
        let name = names[index].as_bytes();
        let square = Square::at(name[0] - b'a', name[1] - b'0').expect("names of points on the board");
        sets[0] = sets[0].or(Bitboard::of(square));
        sets[1] = sets[1].or(Bitboard::of(square.across()));
        index += 1;
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_have_the_sizes_of_the_rule_book() {
        for side in Side::ALL {
            assert_eq!(bank(side).len(), 45);
            assert_eq!(palace(side).len(), 9);
            assert_eq!(advisor_points(side).len(), 5);
            assert_eq!(elephant_points(side).len(), 7);
            assert_eq!(soldier_points(side).len(), 55);
        }
    }

    #[test]
    fn guards_stay_on_their_own_bank() {
        for side in Side::ALL {
            let guards = palace(side) | advisor_points(side) | elephant_points(side);
            assert!((guards - bank(side)).is_empty());
        }
    }
}
