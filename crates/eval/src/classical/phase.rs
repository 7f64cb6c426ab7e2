//! Game phase: opening, middle game and ending, interpolated (tapered evaluation; Deep Elephant).

use chuhe_board::{Bitboard, PieceKind, Position, Side, Square};

use super::{Material, MaterialCode};

/// The weights of the three phases of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Phase {
    /// The weight of the opening against both others.
    opening: i32,
    /// The weight of the middle game against the ending.
    middle: i32,
}

/// Chariots, horses and cannons of both sides.
const DEVELOPABLE: i32 = 12;
/// With this many of them out the opening is over.
const DEVELOPED: i32 = 10;

impl Phase {
    /// The largest weight.
    pub const FULL: i32 = 32;

    /// The phase of a position.
    pub fn of(position: &Position) -> Self {
        Self::from_parts(Self::attackers(Material::of(position)), position)
    }

    /// The phase of a position whose attackers are counted already.
    #[inline]
    pub(super) fn from_parts(attackers: i32, position: &Position) -> Self {
        let developed = DEVELOPABLE - at_home(position) as i32;
        let opening = (DEVELOPED - developed).max(0) * Self::FULL / DEVELOPED;
        Self { opening, middle: attackers }
    }

    /// The phase after the opening with this many attackers.
    pub(super) const fn ending(attackers: i32) -> Self {
        Self { opening: 0, middle: attackers }
    }

    /// How many attackers there are: [`Self::FULL`] at the start, a chariot counting as two horses or
    /// cannons.
    pub(super) fn attackers(material: Material) -> i32 {
        let weight = |kind: PieceKind| match kind {
            PieceKind::Chariot => 4,
            PieceKind::Horse | PieceKind::Cannon => 2,
            _ => 0,
        };
        let of_side = |code: MaterialCode| -> i32 {
            PieceKind::ALL.into_iter().map(|kind| weight(kind) * code.count(kind) as i32).sum()
        };
        material.0.map(of_side).into_iter().sum()
    }

    /// The weight of the opening, 0 to [`Self::FULL`].
    #[inline]
    pub const fn opening(self) -> i32 {
        self.opening
    }

    /// The weight of the middle game against the ending, 0 to [`Self::FULL`].
    #[inline]
    pub const fn middle(self) -> i32 {
        self.middle
    }

    /// The shares of opening, middle game and ending; their sum is 1.
    pub fn shares(self) -> [f32; 3] {
        let full = Self::FULL as f32;
        let (opening, middle) = (self.opening as f32 / full, self.middle as f32 / full);
        [opening, (1.0 - opening) * middle, (1.0 - opening) * (1.0 - middle)]
    }
}

/// The chariots, horses and cannons that stand where they stood at the start.
#[inline]
fn at_home(position: &Position) -> u32 {
    let of_side = |side: Side| {
        let [chariots, horses, cannons] = HOMES[side.index()];
        let at_home = chariots & position.kind(PieceKind::Chariot)
            | horses & position.kind(PieceKind::Horse)
            | cannons & position.kind(PieceKind::Cannon);
        at_home & position.pieces(side)
    };
    (of_side(Side::Red) | of_side(Side::Black)).len()
}

/// By side, where chariots, horses and cannons stand at the start.
static HOMES: [[Bitboard; 3]; 2] = [homes(0, 2), homes(9, 7)];

const fn homes(back_rank: u8, cannon_rank: u8) -> [Bitboard; 3] {
    [pair(0, back_rank), pair(1, back_rank), pair(1, cannon_rank)]
}

const fn pair(file: u8, rank: u8) -> Bitboard {
    let (Some(left), Some(right)) = (Square::at(file, rank), Square::at(Square::FILES - 1 - file, rank))
    else {
        panic!("homes are on the board");
    };
    Bitboard::of(left).or(Bitboard::of(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(fen: &str) -> Phase {
        Phase::of(&fen.parse().unwrap())
    }

    #[test]
    fn the_full_board_is_the_opening_and_bare_generals_the_ending() {
        assert_eq!(Phase::of(&Position::start()).shares(), [1.0, 0.0, 0.0]);
        assert_eq!(phase("3k5/9/9/9/9/9/9/9/9/4K4 w").shares(), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn the_opening_ends_when_ten_pieces_are_out() {
        // One chariot and one cannon at home.
        let over = phase("r3kab1n/9/4b2c1/9/9/4R4/9/2C1B1N2/4N3R/2BAKA3 w");
        assert_eq!(over.opening(), 0);
        // A red cannon as well.
        let not_quite = phase("r3kab1n/9/4b2c1/9/9/4R4/9/1C2B1N2/4N3R/2BAKA3 w");
        assert!(not_quite.opening() > 0 && not_quite.opening() < Phase::FULL / 4);
    }
}
