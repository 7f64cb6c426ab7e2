//! Listing and counting legal moves.

use super::{Legality, Position};
use crate::{Bitboard, Move, MoveList, PieceKind, Square, attacks};

/// Which moves to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All legal moves.
    All,
    /// Moves that take a piece.
    Captures,
    /// Moves that take nothing.
    Quiets,
}

impl Position {
    /// All legal moves. None means that the side to move has lost, in check or not.
    ///
    /// ```
    /// # use chuhe_board::Position;
    /// assert_eq!(Position::start().moves().len(), 44);
    /// ```
    pub fn moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.list_moves(&self.legality(), Wanted::All, &mut list);
        list
    }

    /// Appends the wanted legal moves to the list; `legality` must be this position's.
    #[inline]
    pub fn list_moves(&self, legality: &Legality, wanted: Wanted, list: &mut MoveList) {
        let wanted = match wanted {
            Wanted::All => Bitboard::ALL,
            Wanted::Captures => self.pieces(!self.side_to_move),
            Wanted::Quiets => !self.occupied(),
        };
        self.each_mover(legality, |from, targets| {
            list.extend((targets & wanted).into_iter().map(|to| Move::new(from, to)));
        });
    }

    /// How many legal moves there are, counted without listing them.
    #[inline]
    pub fn count_moves(&self) -> u64 {
        let mut count = 0;
        self.each_mover(&self.legality(), |_, targets| count += u64::from(targets.len()));
        count
    }

    /// Whether there is any legal move; if not, the side to move has lost.
    pub fn has_moves(&self) -> bool {
        let legality = self.legality();
        self.pieces(self.side_to_move).into_iter().any(|from| !self.targets(from, &legality).is_empty())
    }

    /// Hands over each piece of the side to move with its legal destinations.
    #[inline]
    fn each_mover(&self, legality: &Legality, mut visit: impl FnMut(Square, Bitboard)) {
        let us = self.side_to_move;
        let occupied = self.occupied();
        let enemies = self.pieces(!us);
        let free = self.pieces(us) - legality.bound();
        let targets = legality.unbound_targets();

        for from in free & self.kind(PieceKind::Chariot) {
            visit(from, attacks::chariot(from, occupied) & targets);
        }
        for from in free & self.kind(PieceKind::Cannon) {
            visit(from, cannon_steps(from, occupied, enemies) & targets);
        }
        for from in free & self.kind(PieceKind::Horse) {
            visit(from, attacks::horse(from, occupied) & targets);
        }
        for from in free & self.kind(PieceKind::Soldier) {
            visit(from, attacks::soldier(us, from) & targets);
        }
        for from in free & self.kind(PieceKind::Advisor) {
            visit(from, attacks::advisor(from) & targets);
        }
        for from in free & self.kind(PieceKind::Elephant) {
            visit(from, attacks::elephant(from, occupied) & targets);
        }
        for from in legality.bound() {
            visit(from, self.steps(from) & legality.targets_from(from));
        }
        visit(self.general(us), self.general_targets(legality));
    }

    /// Where the piece on `from` could go if nothing had to be heeded but how it moves; for all but
    /// cannons this includes points of own pieces.
    #[inline]
    pub(super) fn steps(&self, from: Square) -> Bitboard {
        let Some(piece) = self.piece_on(from) else {
            return Bitboard::EMPTY;
        };
        match piece.kind() {
            PieceKind::Cannon => cannon_steps(from, self.occupied(), self.pieces(!piece.side())),
            kind => attacks::of(kind, piece.side(), from, self.occupied()),
        }
    }
}

/// Where a cannon moves: to empty points as a chariot does, to enemies over one screen.
#[inline]
fn cannon_steps(from: Square, occupied: Bitboard, enemies: Bitboard) -> Bitboard {
    let (slide, jump) = attacks::chariot_and_cannon(from, occupied);
    (slide - occupied) | (jump & enemies)
}
