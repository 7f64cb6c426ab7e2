//! The moves of one side in all entries of a row.
//!
//! The entries of a row differ only in the innermost group. Every move of another piece is generated once for the row, on the
//! board without that group, with a zone: as long as the innermost group stays out of it, the move is as legal as there. For
//! the few entries in the zone the board of the entry decides. Cannons may jump over the innermost group; their moves, like
//! those of the innermost group itself, are generated entry by entry.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use chuhe_board::{Bitboard, PieceKind, Side, Square, attacks};

use crate::index::GROUPS;
use crate::index::entry_board::{EntryBoard, targets};
use crate::index::group::Code;
use crate::index::row::{Entry, Row};
use crate::material::ATTACKERS;

/// The moves of one side in a row.
pub(crate) struct RowMoves {
    pub(crate) side: Side,
    /// The innermost group.
    inner: usize,
    /// Whether the other general can be taken, so that an entry is illegal.
    illegal: Exposure,
    moves: Vec<RowMove>,
    /// The groups whose moves are generated entry by entry.
    loose: ArrayVec<(usize, PieceKind), 2>,
}

/// A move of a piece outside the innermost group.
#[derive(Clone, Copy)]
struct RowMove {
    slot: usize,
    /// The placement of its group after it.
    code: Code,
    from: Square,
    to: Square,
    /// Squares that must be empty.
    path: Bitboard,
    /// Whether it leaves its general exposed; the zone is that of the whole move.
    exposes: Exposure,
}

/// Whether a general is exposed.
#[derive(Clone, Copy)]
struct Exposure {
    /// Where the innermost group attacks it.
    fatal: Bitboard,
    /// Where else the innermost group may matter.
    zone: Bitboard,
    /// Whether it is exposed without the innermost group.
    is_exposed: bool,
}

/// Legal moves in an entry.
pub(crate) enum LegalMove {
    /// A piece with all its legal targets.
    Piece { slot: usize, from: Square, targets: Bitboard },
    /// One move, with the placement of its group after it.
    Step { slot: usize, code: Code, to: Square },
}

impl RowMoves {
    /// The moves of `side` in a row.
    pub(crate) fn new(row: &Row<'_>, side: Side) -> Self {
        let inner = row.index.inner();
        let board = &row.outer;
        let waiting = board.generals[(!side).index()];
        let mut moves = Self {
            side,
            inner,
            illegal: Exposure::of(board, inner, !side, waiting, board.occupied(), Bitboard::EMPTY),
            moves: Vec::with_capacity(32),
            loose: ArrayVec::new(),
        };
        for (within, kind) in (1..).zip(ATTACKERS) {
            let slot = side.index() * GROUPS + within;
            if slot == inner || (kind == PieceKind::Cannon && !board.sets[slot].is_empty()) {
                moves.loose.push((slot, kind));
                continue;
            }
            let group = &row.index.groups[slot];
            for (member, &from) in group.squares(row.codes[slot]).iter().enumerate() {
                for to in targets(kind, side, from, board.occupied()) - board.sides[side.index()] {
                    let code =
                        group.moved(row.codes[slot], member, to).expect("moves end on squares of the piece");
                    moves.add(board, (slot, code), (from, to), way(kind, from, to));
                }
            }
        }
        let slot = side.index() * GROUPS;
        for step in row.index.groups[slot].steps(row.codes[slot]) {
            let path = step.eye.map_or(Bitboard::EMPTY, Bitboard::of);
            if !board.sides[side.index()].contains(step.to) && !board.occupied().meets(path) {
                moves.add(board, (slot, step.code), (step.from, step.to), path);
            }
        }
        moves
    }

    fn add(
        &mut self,
        board: &EntryBoard,
        (slot, code): (usize, Code),
        (from, to): (Square, Square),
        path: Bitboard,
    ) {
        let own = board.generals[self.side.index()];
        let general = if from == own { to } else { own };
        let occupied = (board.occupied() - from) | to;
        let mut exposes = Exposure::of(board, self.inner, self.side, general, occupied, Bitboard::of(to));
        exposes.zone |= path | to;
        self.moves.push(RowMove { slot, code, from, to, path, exposes });
    }

    /// Whether an entry is no legal position with this side to move.
    #[inline]
    pub(crate) fn is_illegal(&self, entry: &Entry<'_>) -> bool {
        self.illegal.unless_in_zone(entry.board.sets[self.inner], || entry.board.is_in_check(!self.side))
    }

    /// Visits the legal moves in an entry of the row.
    #[inline]
    pub(crate) fn each_legal(&self, entry: &Entry<'_>, mut visit: impl FnMut(LegalMove)) {
        let board = &entry.board;
        for &step in &self.moves {
            self.visit_legal(step, board, &mut visit);
        }
        self.each_loose(board, visit);
    }

    /// Visits the legal moves in an entry of the row until one says that it is enough.
    #[inline]
    pub(crate) fn try_each_legal(
        &self,
        entry: &Entry<'_>,
        mut visit: impl FnMut(LegalMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let board = &entry.board;
        for &step in &self.moves {
            let mut flow = ControlFlow::Continue(());
            self.visit_legal(step, board, &mut |legal| flow = visit(legal));
            flow?;
        }
        for &(slot, kind) in &self.loose {
            for from in board.sets[slot] {
                let targets = board.legal_targets(kind, self.side, from);
                visit(LegalMove::Piece { slot, from, targets })?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn visit_legal(&self, step: RowMove, board: &EntryBoard, visit: &mut impl FnMut(LegalMove)) {
        let RowMove { slot, code, from, to, path, exposes } = step;
        let is_illegal = exposes.unless_in_zone(board.sets[self.inner], || {
            board.occupied().meets(path)
                || board.sides[self.side.index()].contains(to)
                || !board.is_safe_after(self.side, from, to)
        });
        if !is_illegal {
            visit(LegalMove::Step { slot, code, to });
        }
    }

    #[inline]
    fn each_loose(&self, board: &EntryBoard, mut visit: impl FnMut(LegalMove)) {
        for &(slot, kind) in &self.loose {
            for from in board.sets[slot] {
                let targets = board.legal_targets(kind, self.side, from);
                visit(LegalMove::Piece { slot, from, targets });
            }
        }
    }
}

/// The moves of one side in a row, prepared for counting: those that the innermost group does not touch are counted at once.
pub(crate) struct MoveCount<'a> {
    pub(crate) moves: &'a RowMoves,
    /// By its number among the moves: whether one is legal and quiet, or legal and a capture, where it is not touched.
    quiet: u128,
    captures: u128,
    /// The moves whose legality may change when a piece of the innermost group stands on a square.
    touched: [u128; Square::COUNT],
}

impl<'a> MoveCount<'a> {
    /// Counts the moves of a row.
    ///
    /// # Panics
    ///
    /// If there are more than 128 of them, which takes more pieces than any table can have.
    pub(crate) fn new(row: &Row<'_>, moves: &'a RowMoves) -> Self {
        assert!(moves.moves.len() <= 128, "tables have few pieces");
        let mut count = Self { moves, quiet: 0, captures: 0, touched: [0; Square::COUNT] };
        for (number, step) in moves.moves.iter().enumerate() {
            let bit = 1 << number;
            if !step.exposes.is_exposed {
                let is_capture = row.outer.occupied().contains(step.to);
                *(if is_capture { &mut count.captures } else { &mut count.quiet }) |= bit;
            }
            for square in step.exposes.fatal | step.exposes.zone {
                count.touched[square.index()] |= bit;
            }
        }
        count
    }

    /// Visits the legal moves in an entry but for quiet ones that are not touched, and returns the number of those.
    #[inline]
    pub(crate) fn each_other(&self, entry: &Entry<'_>, mut visit: impl FnMut(LegalMove)) -> u32 {
        let (moves, board) = (self.moves, &entry.board);
        let inner = board.sets[moves.inner].into_iter();
        let touched = inner.fold(0, |touched, square| touched | self.touched[square.index()]);
        let mut others = touched | self.captures;
        while others != 0 {
            moves.visit_legal(moves.moves[others.trailing_zeros() as usize], board, &mut visit);
            others &= others - 1;
        }
        moves.each_loose(board, visit);
        (self.quiet & !touched).count_ones()
    }
}

impl Exposure {
    /// The exposure of a general on a board without the innermost group, with this occupancy and without the enemy
    /// pieces on `taken`.
    fn of(
        board: &EntryBoard,
        inner: usize,
        side: Side,
        general: Square,
        occupied: Bitboard,
        taken: Bitboard,
    ) -> Self {
        let enemy = !side;
        let set = |kind| board.sets[crate::index::slot(enemy, kind)] - taken;
        // The innermost group may stand between the general and what attacks it, or be a cannon's screen.
        let along = set(PieceKind::Chariot) | set(PieceKind::Cannon) | board.generals[enemy.index()];
        let lines = along & attacks::cross(general);
        let mut zone =
            lines.into_iter().fold(Bitboard::EMPTY, |zone, from| zone | attacks::between(from, general));
        let horses = set(PieceKind::Horse) & attacks::horses_to_unhobbled(general);
        zone |=
            horses.into_iter().fold(Bitboard::EMPTY, |zone, from| zone | attacks::horse_leg(from, general));
        let mut fatal = Bitboard::EMPTY;
        if inner / GROUPS == enemy.index() {
            match ATTACKERS[inner % GROUPS - 1] {
                PieceKind::Chariot => fatal = attacks::chariot(general, occupied) - taken,
                PieceKind::Soldier => fatal = attacks::soldiers_to(enemy, general) - taken,
                // One may stand in the way of another.
                PieceKind::Horse => zone |= attacks::horses_to_unhobbled(general),
                _ => zone |= attacks::cross(general),
            }
        }
        Self { fatal, zone, is_exposed: board.is_exposed(side, general, occupied, taken) }
    }

    #[inline]
    fn unless_in_zone(self, inner: Bitboard, in_zone: impl FnOnce() -> bool) -> bool {
        inner.meets(self.fatal) || if inner.meets(self.zone) { in_zone() } else { self.is_exposed }
    }
}

/// The squares that must be empty for an attacker to go from one square to another without a jump.
#[inline]
pub(crate) fn way(kind: PieceKind, from: Square, to: Square) -> Bitboard {
    match kind {
        PieceKind::Chariot | PieceKind::Cannon => attacks::between(from, to),
        PieceKind::Horse => Bitboard::of(attacks::horse_leg(from, to)),
        _ => Bitboard::EMPTY,
    }
}
