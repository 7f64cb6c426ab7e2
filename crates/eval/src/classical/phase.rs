//! How far the game has come, by the attackers left.

use chuhe_board::{PieceKind, Position};

use super::Material;

/// How full the board is of attackers: [`Phase::FULL`] at the start, 0 when only soldiers are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Phase(i32);

impl Phase {
    /// The weight of the opening on the full board.
    pub const FULL: i32 = 32;

    /// The phase of a position.
    pub fn of(position: &Position) -> Self {
        Self::of_material(Material::of(position))
    }

    /// The phase with this material: a chariot counts as two horses or cannons.
    pub(super) fn of_material(material: Material) -> Self {
        let weight = |kind: PieceKind| match kind {
            PieceKind::Chariot => 4,
            PieceKind::Horse | PieceKind::Cannon => 2,
            _ => 0,
        };
        let of_side = |code: super::MaterialCode| -> i32 {
            PieceKind::ALL.into_iter().map(|kind| weight(kind) * code.count(kind) as i32).sum()
        };
        Self(material.0.map(of_side).into_iter().sum())
    }

    /// The phase in which the opening has this weight.
    #[inline]
    pub(super) const fn with_weight(weight: i32) -> Self {
        Self(weight)
    }

    /// The weight of the opening, 0 to [`Self::FULL`].
    #[inline]
    pub const fn weight(self) -> i32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_full_board_is_the_opening_and_bare_generals_the_ending() {
        assert_eq!(Phase::of(&Position::start()).weight(), Phase::FULL);
        let bare: Position = "3k5/9/9/9/9/9/9/9/9/4K4 w".parse().unwrap();
        assert_eq!(Phase::of(&bare).weight(), 0);
    }
}
