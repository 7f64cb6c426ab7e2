//! How far the game has come, by the attackers left.

use chuhe_board::{PieceKind, Position};

/// How full the board is of attackers: [`Phase::FULL`] at the start, 0 when only soldiers are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Phase(i32);

impl Phase {
    /// The weight of the opening on the full board.
    pub const FULL: i32 = 32;

    /// The phase of a position.
    pub fn of(position: &Position) -> Self {
        PieceKind::ALL.into_iter().fold(Self(0), |phase, kind| {
            Self(phase.0 + Self::of_kind(kind).0 * position.kind(kind).len() as i32)
        })
    }

    /// What one piece of the kind adds: a chariot counts as two horses or cannons.
    #[inline]
    pub(super) const fn of_kind(kind: PieceKind) -> Self {
        Self(match kind {
            PieceKind::Chariot => 4,
            PieceKind::Horse | PieceKind::Cannon => 2,
            _ => 0,
        })
    }

    #[inline]
    pub(super) const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    #[inline]
    pub(super) const fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0)
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
