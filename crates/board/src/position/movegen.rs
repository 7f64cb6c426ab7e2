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
        let mut visit = |from, targets: Bitboard| {
            list.extend((targets & wanted).into_iter().map(|to| Move::new(from, to)));
        };
        self.each_officer(legality, &mut visit);
        for from in self.free_soldiers(legality) {
            visit(from, attacks::soldier(self.side_to_move, from) & legality.unbound_targets());
        }
    }

    /// How many legal moves there are, counted without listing them.
    #[inline]
    pub fn count_moves(&self) -> u64 {
        let legality = self.legality();
        let mut count = 0;
        self.each_officer(&legality, |_, targets| count += targets.len());
        for targets in attacks::soldier_steps(self.side_to_move, self.free_soldiers(&legality)) {
            count += (targets & legality.unbound_targets()).len();
        }
        u64::from(count)
    }

    /// Whether there is any legal move; if not, the side to move has lost.
    pub fn has_moves(&self) -> bool {
        let legality = self.legality();
        self.pieces(self.side_to_move).into_iter().any(|from| !self.targets(from, &legality).is_empty())
    }

    /// The soldiers of the side to move that no pin restricts.
    #[inline]
    fn free_soldiers(&self, legality: &Legality) -> Bitboard {
        self.pieces_of(self.side_to_move, PieceKind::Soldier) - legality.bound()
    }

    /// Hands over each piece of the side to move, but for [`Self::free_soldiers`], with its legal
    /// destinations.
    #[inline]
    fn each_officer(&self, legality: &Legality, mut visit: impl FnMut(Square, Bitboard)) {
        let us = self.side_to_move;
        let occupied = self.occupied();
        let free = self.pieces(us) - legality.bound();
        let targets = legality.unbound_targets();

        for from in free & self.kind(PieceKind::Chariot) {
            visit(from, attacks::chariot(from, occupied) & targets);
        }
        for from in free & self.kind(PieceKind::Cannon) {
            visit(from, attacks::cannon_moves(from, occupied) & targets);
        }
        for from in free & self.kind(PieceKind::Horse) {
            visit(from, attacks::horse(from, occupied) & targets);
        }
        for from in free & self.kind(PieceKind::Advisor) {
            visit(from, attacks::advisor(from) & targets);
        }
        for from in free & self.kind(PieceKind::Elephant) {
            visit(from, attacks::elephant(from, occupied) & targets);
        }
        for from in legality.bound() {
            visit(from, self.bound_targets(from, legality));
        }
        visit(legality.general(), self.general_targets(legality));
    }

    /// Where the piece on `from` could go if nothing had to be heeded but how it moves; points of own
    /// pieces are included.
    #[inline]
    pub(super) fn steps(&self, from: Square) -> Bitboard {
        let Some(piece) = self.piece_on(from) else {
            return Bitboard::EMPTY;
        };
        match piece.kind() {
            PieceKind::Cannon => attacks::cannon_moves(from, self.occupied()),
            kind => attacks::of(kind, piece.side(), from, self.occupied()),
        }
    }
}
