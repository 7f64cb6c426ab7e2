//! Piece-square tables: material and placement, updated incrementally.

use chuhe_board::{Observer, Piece, Position, Side, Square};

use super::{Feature, Ledger, Material, Tapered, weight};

/// Material and placement, kept up to date move by move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Placement {
    total: Tapered,
    material: Material,
}

impl Placement {
    /// The placement of a position, counted from scratch.
    pub fn of(position: &Position) -> Self {
        let mut placement = Self::default();
        for (piece, square) in position.pieces_on_board() {
            placement.placed(piece, square);
        }
        placement
    }

    /// Red's total less Black's.
    #[inline]
    pub(super) const fn total(&self) -> Tapered {
        self.total
    }

    /// The pieces on the board.
    #[inline]
    pub const fn material(&self) -> Material {
        self.material
    }
}

impl Observer for Placement {
    #[inline]
    fn placed(&mut self, piece: Piece, at: Square) {
        self.total += VALUES[piece.index()][at.index()];
        self.material.0[piece.side().index()].add(piece.kind());
    }

    #[inline]
    fn lifted(&mut self, piece: Piece, from: Square) {
        self.total -= VALUES[piece.index()][from.index()];
        self.material.0[piece.side().index()].remove(piece.kind());
    }
}

/// Notes material and placement of every piece.
pub(super) fn note_all(position: &Position, ledger: &mut impl Ledger) {
    for (piece, square) in position.pieces_on_board() {
        let (side, kind) = (piece.side(), piece.kind());
        ledger.note(side, Feature::material(kind), 1, square.into());
        ledger.note(side, Feature::placement(kind, side, square), 1, square.into());
    }
}

/// What each piece is worth on each point, Black's pieces counted against Red.
static VALUES: [[Tapered; Square::COUNT]; 14] = {
    let mut table = [[Tapered::ZERO; Square::COUNT]; 14];
    let mut piece = 0;
    while piece < 14 {
        let mut square = 0;
        while square < Square::COUNT {
            table[piece][square] = value(Piece::ALL[piece], square);
            square += 1;
        }
        piece += 1;
    }
    table
};

const fn value(piece: Piece, square: usize) -> Tapered {
    let square = Square::from_index(square).expect("tables have 90 entries");
    let material = weight(Feature::material(piece.kind()));
    let placement = weight(Feature::placement(piece.kind(), piece.side(), square));
    let sign = match piece.side() {
        Side::Red => 1,
        Side::Black => -1,
    };
    Tapered::new(
        (sign * (material.opening() + placement.opening())) as i16,
        (sign * (material.middle() + placement.middle())) as i16,
        (sign * (material.ending() + placement.ending())) as i16,
    )
}
