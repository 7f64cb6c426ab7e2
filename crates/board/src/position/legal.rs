//! Legality by sets: what a move must heed so that the own general is safe after it.
//!
//! Each enemy piece that bears on the general, at once or through others, puts one condition on the
//! moves of the other pieces, and the conditions do not depend on each other. Let *n* be the number
//! of pieces on the line between attacker and general:
//!
//! | attacker | n | what a move must do |
//! |---|---|---|
//! | chariot, facing general | 0 | take it or step between |
//! | | 1, own | that piece stays on the line or takes it |
//! | cannon | 0 | nothing may step between: it would be the screen |
//! | | 1 | take it, step between, or, for the screen, leave the line |
//! | | 2 | neither piece may leave the line or take the other, unless it takes the cannon |
//! | horse | free leg | take it or step on its leg |
//! | | leg held by an own piece | that piece stays, unless it takes the horse |
//! | soldier | | take it |

use arrayvec::ArrayVec;

use super::Position;
use crate::{Bitboard, Move, PieceKind, Side, Square, attacks};

/// Which moves of the side to move leave its general safe. Made once a position by
/// [`Position::legality`] and shared by all that lists or tests moves there.
#[derive(Clone, Debug)]
pub struct Legality {
    general: Square,
    checkers: Bitboard,
    /// Where a piece may go for all that attackers without [`Bond`] demand.
    common: Bitboard,
    /// The same, and with what the bonds demand of pieces that they do not hold.
    unbound_targets: Bitboard,
    /// The pieces that some bond holds.
    bound: Bitboard,
    bonds: ArrayVec<Bond, 8>,
}

/// A condition that differs for the pieces on a line and all others.
#[derive(Clone, Copy, Debug)]
struct Bond {
    holds: Bitboard,
    targets: Bitboard,
    targets_of_others: Bitboard,
}

impl Legality {
    /// The enemy pieces that give check.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// The own pieces whose moves are restricted by a pin of some kind.
    #[inline]
    pub(super) const fn bound(&self) -> Bitboard {
        self.bound
    }

    /// Where pieces that are not [`Self::bound`] may go. Not for the general.
    #[inline]
    pub(super) const fn unbound_targets(&self) -> Bitboard {
        self.unbound_targets
    }

    /// Where the piece on `from` may go. Not for the general.
    #[inline]
    pub(super) fn targets_from(&self, from: Square) -> Bitboard {
        if !self.bound.contains(from) {
            return self.unbound_targets;
        }
        self.bonds.iter().fold(self.common, |targets, bond| {
            targets & if bond.holds.contains(from) { bond.targets } else { bond.targets_of_others }
        })
    }

    #[inline]
    fn demand(&mut self, targets: Bitboard) {
        self.common &= targets;
        self.unbound_targets &= targets;
    }

    #[inline]
    fn bind(&mut self, holds: Bitboard, targets: Bitboard, targets_of_others: Bitboard) {
        if holds.is_empty() {
            self.demand(targets_of_others);
            return;
        }
        self.bound |= holds;
        self.unbound_targets &= targets_of_others;
        self.bonds.push(Bond { holds, targets, targets_of_others });
    }
}

impl Position {
    /// The conditions for legal moves of the side to move.
    #[inline]
    pub fn legality(&self) -> Legality {
        let own = self.pieces(self.side_to_move);
        let mut legality = Legality {
            general: self.general(self.side_to_move),
            checkers: Bitboard::EMPTY,
            common: Bitboard::ALL - own,
            unbound_targets: Bitboard::ALL - own,
            bound: Bitboard::EMPTY,
            bonds: ArrayVec::new(),
        };
        self.heed_lines(&mut legality);
        self.heed_horses(&mut legality);
        self.heed_soldiers(&mut legality);
        legality
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_in_check(&self) -> bool {
        let general = self.general(self.side_to_move);
        self.is_attacked(general, !self.side_to_move, self.occupied())
    }

    /// Whether a legal move attacks the enemy general: by the piece that moves, or by opening a line,
    /// a leg or a screen for another.
    #[inline]
    pub fn gives_check(&self, mv: Move) -> bool {
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

    /// Whether the move is legal: a move of the side to move that leaves its general safe.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.allows(&self.legality(), mv)
    }

    /// As [`Self::is_legal`], with this position's [`Self::legality`] at hand.
    pub fn allows(&self, legality: &Legality, mv: Move) -> bool {
        if !self.pieces(self.side_to_move).contains(mv.from()) {
            return false;
        }
        self.targets(mv.from(), legality).contains(mv.to())
    }

    /// The legal destinations of the own piece on `from`.
    #[inline]
    pub(super) fn targets(&self, from: Square, legality: &Legality) -> Bitboard {
        if from == legality.general {
            self.general_targets(legality)
        } else {
            self.steps(from) & legality.targets_from(from)
        }
    }

    /// The legal destinations of the general: every step is looked at with the general gone from
    /// where it stands, so that it cannot hide behind itself.
    #[inline]
    pub(super) fn general_targets(&self, legality: &Legality) -> Bitboard {
        let us = self.side_to_move;
        let occupied = self.occupied() - legality.general;
        let mut targets = attacks::general(legality.general) - self.pieces(us);
        for to in targets {
            if self.is_attacked(to, !us, occupied) {
                targets -= to;
            }
        }
        targets
    }

    /// Whether `by` attacks the point of an enemy general, its own general's look along the file
    /// included: the four look-ups backwards from the general.
    #[inline]
    fn is_attacked(&self, general: Square, by: Side, occupied: Bitboard) -> bool {
        let (slide, jump) = attacks::chariot_and_cannon(general, occupied);
        let lookers = self.kind(PieceKind::General) & Bitboard::file(general.file());
        let attackers = slide & (self.kind(PieceKind::Chariot) | lookers)
            | jump & self.kind(PieceKind::Cannon)
            | attacks::horses_to(general, occupied) & self.kind(PieceKind::Horse)
            | attacks::soldiers_to(by, general) & self.kind(PieceKind::Soldier);
        attackers.meets(self.pieces(by))
    }

    /// Chariots, cannons and the enemy general on the general's lines.
    #[inline]
    fn heed_lines(&self, legality: &mut Legality) {
        let general = legality.general;
        let own = self.pieces(self.side_to_move);
        let occupied = self.occupied();
        let file = Bitboard::file(general.file());
        let lines = file | Bitboard::rank(general.rank());
        let sliders = self.kind(PieceKind::Chariot) & lines | self.kind(PieceKind::General) & file;

        for attacker in sliders - own {
            let between = attacks::between(general, attacker);
            let blockers = between & occupied;
            if blockers.is_empty() {
                legality.checkers |= attacker;
                legality.demand(between | attacker);
            } else if !blockers.has_several() {
                legality.bind(blockers & own, between | attacker, Bitboard::ALL);
            }
        }
        for attacker in (self.kind(PieceKind::Cannon) & lines) - own {
            let between = attacks::between(general, attacker);
            let screens = between & occupied;
            let free = between - occupied;
            match screens.len() {
                0 => legality.demand(!between),
                1 => {
                    legality.checkers |= attacker;
                    legality.bind(screens & own, !between | attacker, free | attacker);
                }
                2 => legality.bind(screens & own, free | attacker, Bitboard::ALL),
                _ => {}
            }
        }
    }

    #[inline]
    fn heed_horses(&self, legality: &mut Legality) {
        let general = legality.general;
        let own = self.pieces(self.side_to_move);
        let horses = attacks::horses_to_unhobbled(general) & self.kind(PieceKind::Horse);
        for horse in horses - own {
            let leg = attacks::horse_leg(horse, general);
            if own.contains(leg) {
                legality.bind(leg.into(), horse.into(), Bitboard::ALL);
            } else if !self.occupied().contains(leg) {
                legality.checkers |= horse;
                legality.demand(Bitboard::of(horse) | leg);
            }
        }
    }

    #[inline]
    fn heed_soldiers(&self, legality: &mut Legality) {
        let them = !self.side_to_move;
        let soldiers =
            attacks::soldiers_to(them, legality.general) & self.pieces_of(them, PieceKind::Soldier);
        for soldier in soldiers {
            legality.checkers |= soldier;
            legality.demand(soldier.into());
        }
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
                for mv in &moves {
                    let foreseen = position.gives_check(*mv);
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
