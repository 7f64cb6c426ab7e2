//! Which moves give check.

use super::Position;
use crate::{Bitboard, Move, PieceKind, attacks};

/// From where the pieces of the side to move attack the enemy general. Made once a position by
/// [`Position::checks`] and shared by all moves that are asked about there.
#[derive(Clone, Debug)]
pub struct Checks {
    chariot: Bitboard,
    cannon: Bitboard,
    horse: Bitboard,
    soldier: Bitboard,
    /// Where coming or going can change what the other pieces attack.
    pivots: Bitboard,
}

impl Checks {
    /// The points from which a piece of this kind attacks the general as the board stands.
    #[inline]
    pub const fn points(&self, kind: PieceKind) -> Bitboard {
        match kind {
            PieceKind::Chariot => self.chariot,
            PieceKind::Cannon => self.cannon,
            PieceKind::Horse => self.horse,
            PieceKind::Soldier => self.soldier,
            PieceKind::General | PieceKind::Advisor | PieceKind::Elephant => Bitboard::EMPTY,
        }
    }
}

impl Position {
    /// From where the side to move can give check.
    #[inline]
    pub fn checks(&self) -> Checks {
        let us = self.side_to_move;
        let general = self.general(!us);
        let (chariot, cannon) = attacks::chariot_and_cannon(general, self.occupied());
        // The first and the second piece on each line: what leaves there opens the line or is a screen less.
        let mut pivots = (chariot | cannon) & self.occupied();
        for facing in chariot & self.pieces_of(us, PieceKind::Cannon) {
            pivots |= attacks::between(general, facing);
        }
        for horse in attacks::horses_to_unhobbled(general) & self.pieces_of(us, PieceKind::Horse) {
            pivots |= attacks::horse_leg(horse, general);
        }
        Checks {
            chariot,
            cannon,
            horse: attacks::horses_to(general, self.occupied()),
            soldier: attacks::soldiers_to(us, general),
            pivots,
        }
    }

    /// Whether a legal move attacks the enemy general: by the piece that moves, or by opening a line,
    /// a leg or a screen for another. `checks` must be this position's.
    #[inline]
    pub fn gives_check(&self, checks: &Checks, mv: Move) -> bool {
        if checks.pivots.contains(mv.from()) || checks.pivots.contains(mv.to()) {
            return self.attacks_general_after(mv);
        }
        self.piece_on(mv.from()).is_some_and(|piece| checks.points(piece.kind()).contains(mv.to()))
    }

    fn attacks_general_after(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let general = self.general(!us);
        let moved = |kind: PieceKind| {
            let own = self.pieces_of(us, kind);
            if own.contains(mv.from()) { (own - mv.from()) | mv.to() } else { own }
        };
        let occupied = (self.occupied() - mv.from()) | mv.to();
        let (slide, jump) = attacks::chariot_and_cannon(general, occupied);
        slide.meets(moved(PieceKind::Chariot))
            || jump.meets(moved(PieceKind::Cannon))
            || attacks::horses_to(general, occupied).meets(moved(PieceKind::Horse))
            || attacks::soldiers_to(us, general).meets(moved(PieceKind::Soldier))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_move_gives_check_if_the_enemy_is_in_check_after_it(
            choices in prop::collection::vec(any::<prop::sample::Index>(), 0..150)
        ) {
            let mut position = Position::start();
            for choice in choices {
                let moves = position.moves();
                if moves.is_empty() {
                    break;
                }
                let checks = position.checks();
                for mv in &moves {
                    let foreseen = position.gives_check(&checks, *mv);
                    let undo = position.play(*mv, &mut ());
                    prop_assert_eq!(position.is_in_check(), foreseen);
                    prop_assert_eq!(!position.legality().checkers().is_empty(), foreseen);
                    position.take_back(undo, &mut ());
                }
                let _ = position.play(*choice.get(&moves), &mut ());
            }
        }
    }
}
