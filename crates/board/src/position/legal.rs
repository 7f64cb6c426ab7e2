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

use super::Position;
use crate::{Bitboard, Move, PieceKind, Side, Square, attacks};

/// Which moves of the side to move leave its general safe. Made once a position by
/// [`Position::legality`] and shared by all that lists or tests moves there.
#[derive(Clone, Debug)]
pub struct Legality {
    general: Square,
    checkers: Bitboard,
    /// The own pieces that some condition holds.
    bound: Bitboard,
    /// Where all others may go.
    unbound_targets: Bitboard,
}

impl Legality {
    /// The enemy pieces that give check.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Where the general of the side to move stands.
    #[inline]
    pub(super) const fn general(&self) -> Square {
        self.general
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
}

/// What one enemy piece demands of the moves of all pieces but the general.
struct Condition {
    /// The enemy piece, if it gives check.
    checker: Bitboard,
    /// The own pieces for which it is a pin.
    holds: Bitboard,
    /// Where those may go.
    targets: Bitboard,
    /// Where all others may go.
    targets_of_others: Bitboard,
}

impl Condition {
    /// The attacker gives check: every move must end on one of these points.
    #[inline]
    fn check(attacker: Square, targets: Bitboard) -> Self {
        Self { checker: attacker.into(), ..Self::demand(targets) }
    }

    /// Every move must end on one of these points.
    #[inline]
    fn demand(targets: Bitboard) -> Self {
        Self { checker: Bitboard::EMPTY, holds: Bitboard::EMPTY, targets, targets_of_others: targets }
    }

    /// The pieces held must end their moves on one of these points; all others are free.
    #[inline]
    fn pin(holds: Bitboard, targets: Bitboard) -> Self {
        Self { checker: Bitboard::EMPTY, holds, targets, targets_of_others: Bitboard::ALL }
    }
}

impl Position {
    /// The conditions for legal moves of the side to move.
    #[inline]
    pub fn legality(&self) -> Legality {
        let mut legality = Legality {
            general: self.general(self.side_to_move),
            checkers: Bitboard::EMPTY,
            bound: Bitboard::EMPTY,
            unbound_targets: !self.pieces(self.side_to_move),
        };
        self.each_condition(legality.general, |condition| {
            legality.checkers |= condition.checker;
            legality.bound |= condition.holds;
            legality.unbound_targets &= condition.targets_of_others;
        });
        legality
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_in_check(&self) -> bool {
        let general = self.general(self.side_to_move);
        self.is_attacked(general, !self.side_to_move, self.occupied())
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
        } else if legality.bound.contains(from) {
            self.bound_targets(from, legality)
        } else {
            self.steps(from) & legality.unbound_targets
        }
    }

    /// The legal destinations of a piece that is pinned in some way. Few are, so the conditions are
    /// checked again instead of being stored.
    pub(super) fn bound_targets(&self, from: Square, legality: &Legality) -> Bitboard {
        let mut targets = self.steps(from) - self.pieces(self.side_to_move);
        self.each_condition(legality.general, |condition| {
            let holds = condition.holds.contains(from);
            targets &= if holds { condition.targets } else { condition.targets_of_others };
        });
        targets
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
        // The palaces share no rank, so a line between the generals is always a file.
        let attackers = slide & (self.kind(PieceKind::Chariot) | self.kind(PieceKind::General))
            | jump & self.kind(PieceKind::Cannon)
            | attacks::horses_to(general, occupied) & self.kind(PieceKind::Horse)
            | attacks::soldiers_to(by, general) & self.kind(PieceKind::Soldier);
        attackers.meets(self.pieces(by))
    }

    /// Hands over the condition of every enemy piece that has one.
    #[inline]
    fn each_condition(&self, general: Square, mut visit: impl FnMut(Condition)) {
        self.line_conditions(general, &mut visit);
        self.horse_conditions(general, &mut visit);
        self.soldier_conditions(general, &mut visit);
    }

    /// Chariots, cannons and the enemy general on the general's lines.
    #[inline]
    fn line_conditions(&self, general: Square, mut visit: impl FnMut(Condition)) {
        let own = self.pieces(self.side_to_move);
        let occupied = self.occupied();
        let enemies_on_lines = self.pieces(!self.side_to_move) & attacks::cross(general);
        // The palaces share no rank, so a line between the generals is always a file.
        let sliders = self.kind(PieceKind::Chariot) | self.kind(PieceKind::General);

        for attacker in sliders & enemies_on_lines {
            let between = attacks::between(general, attacker);
            let blockers = between & occupied;
            if blockers.is_empty() {
                visit(Condition::check(attacker, between | attacker));
            } else if !blockers.has_several() {
                visit(Condition::pin(blockers & own, between | attacker));
            }
        }
        for attacker in self.kind(PieceKind::Cannon) & enemies_on_lines {
            let between = attacks::between(general, attacker);
            let screens = between & occupied;
            let free = between - occupied;
            match screens.len() {
                0 => visit(Condition::demand(!between)),
                1 => visit(Condition {
                    checker: attacker.into(),
                    holds: screens & own,
                    targets: !between | attacker,
                    targets_of_others: free | attacker,
                }),
                2 => visit(Condition::pin(screens & own, free | attacker)),
                _ => {}
            }
        }
    }

    #[inline]
    fn horse_conditions(&self, general: Square, mut visit: impl FnMut(Condition)) {
        let own = self.pieces(self.side_to_move);
        let horses = attacks::horses_to_unhobbled(general) & self.kind(PieceKind::Horse);
        for horse in horses - own {
            let leg = attacks::horse_leg(horse, general);
            if own.contains(leg) {
                visit(Condition::pin(leg.into(), horse.into()));
            } else if !self.occupied().contains(leg) {
                visit(Condition::check(horse, Bitboard::of(horse) | leg));
            }
        }
    }

    #[inline]
    fn soldier_conditions(&self, general: Square, mut visit: impl FnMut(Condition)) {
        let them = !self.side_to_move;
        let soldiers = attacks::soldiers_to(them, general) & self.pieces_of(them, PieceKind::Soldier);
        for soldier in soldiers {
            visit(Condition::check(soldier, soldier.into()));
        }
    }
}
