//! The board of one entry: bitboards by group, with legal move and unmove generation.
//!
//! The solver visits every entry of a table, so this is leaner than a [`chuhe_board::Position`]: no piece array, no hash
//! key, only what the groups' bitboards give. A test compares its moves with the board's.

use chuhe_board::{Bitboard, PieceKind, Side, Square, attacks};

use crate::index::{GROUPS, SLOTS};

/// Bitboards by group, and what follows from them.
#[derive(Clone, Copy)]
pub(crate) struct EntryBoard {
    pub(crate) sets: [Bitboard; SLOTS],
    pub(crate) sides: [Bitboard; 2],
    pub(crate) generals: [Square; 2],
}

const CHARIOTS: usize = 1;
const HORSES: usize = 2;
const CANNONS: usize = 3;
const SOLDIERS: usize = 4;

impl EntryBoard {
    /// All pieces.
    #[inline]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    #[inline]
    fn set(&self, side: Side, within: usize) -> Bitboard {
        self.sets[side.index() * GROUPS + within]
    }

    /// Whether a general of `side` on `general` is attacked, or faces the other (flying general), with this occupancy and
    /// without the enemy pieces on `taken`.
    #[inline]
    pub(crate) fn is_exposed(
        &self,
        side: Side,
        general: Square,
        occupied: Bitboard,
        taken: Bitboard,
    ) -> bool {
        let enemy = !side;
        let chariots = (self.set(enemy, CHARIOTS) - taken) | self.generals[enemy.index()];
        let cannons = self.set(enemy, CANNONS) - taken;
        let horses = self.set(enemy, HORSES) - taken;
        let lines = attacks::cross(general);
        if lines.meets(chariots | cannons) {
            let (slide, jump) = attacks::chariot_and_cannon(general, occupied);
            if slide.meets(chariots) || jump.meets(cannons) {
                return true;
            }
        }
        (!horses.is_empty() && attacks::horses_to(general, occupied).meets(horses))
            || attacks::soldiers_to(enemy, general).meets(self.set(enemy, SOLDIERS) - taken)
    }

    /// Whether the general of `side` is in check.
    #[inline]
    pub(crate) fn is_in_check(&self, side: Side) -> bool {
        self.is_exposed(side, self.generals[side.index()], self.occupied(), Bitboard::EMPTY)
    }

    /// Whether the generals face each other.
    pub(crate) fn generals_face(&self) -> bool {
        let [red, black] = self.generals;
        red.file() == black.file() && !attacks::between(red, black).meets(self.occupied())
    }

    /// Whether moving another piece can expose the general of `side`: an enemy piece is on one of its lines, a horse's jump
    /// away, or a soldier gives check.
    #[inline]
    fn is_watched(&self, side: Side) -> bool {
        let enemy = !side;
        let general = self.generals[side.index()];
        let along = self.set(enemy, CHARIOTS) | self.set(enemy, CANNONS) | self.generals[enemy.index()];
        attacks::cross(general).meets(along)
            || attacks::horses_to_unhobbled(general).meets(self.set(enemy, HORSES))
            || attacks::soldiers_to(enemy, general).meets(self.set(enemy, SOLDIERS))
    }

    /// Whether the general of `side` is safe after a move.
    #[inline]
    pub(crate) fn is_safe_after(&self, side: Side, from: Square, to: Square) -> bool {
        let own = self.generals[side.index()];
        let general = if from == own { to } else { own };
        let taken = Bitboard::of(to);
        !self.is_exposed(side, general, (self.occupied() - from) | to, taken)
    }

    /// Whether the general of `side` can be exposed by a move of another piece from here: it is so once the piece is lifted, or
    /// a cannon may jump over the piece where it goes.
    #[inline]
    fn may_expose(&self, side: Side, from: Square) -> bool {
        let lifted = self.occupied() - from;
        !self.set(!side, CANNONS).is_empty()
            || self.is_exposed(side, self.generals[side.index()], lifted, Bitboard::EMPTY)
    }

    /// The legal targets of an attacker of `side`.
    #[inline]
    pub(crate) fn legal_targets(&self, kind: PieceKind, side: Side, from: Square) -> Bitboard {
        let mut targets = targets(kind, side, from, self.occupied()) - self.sides[side.index()];
        if self.is_watched(side) && self.may_expose(side, from) {
            for to in targets {
                if !self.is_safe_after(side, from, to) {
                    targets -= to;
                }
            }
        }
        targets
    }
}

/// The pseudo-legal targets of an attacker, own pieces included.
#[inline]
pub(crate) fn targets(kind: PieceKind, side: Side, from: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Chariot => attacks::chariot(from, occupied),
        PieceKind::Horse => attacks::horse(from, occupied),
        PieceKind::Cannon => attacks::cannon_moves(from, occupied),
        _ => attacks::soldier(side, from),
    }
}

/// The squares from which an attacker can have come without a capture.
#[inline]
pub(crate) fn unmoves(kind: PieceKind, side: Side, to: Square, occupied: Bitboard) -> Bitboard {
    let from = match kind {
        PieceKind::Chariot | PieceKind::Cannon => attacks::chariot(to, occupied),
        PieceKind::Horse => attacks::horses_to(to, occupied),
        _ => attacks::soldiers_to(side, to),
    };
    from - occupied
}
