//! Input features: every piece on its point, from each side's perspective.
//!
//! A side sees the board from its own bank, pieces as own or other. If its general stands on the right half of
//! the palace, the board is mirrored, so that the general is always on file `d` or `e`. The chariots that each side
//! has left choose the input bucket; of the choices compared in `docs/experiments/network.md` this one learnt best.

use chuhe_board::{Piece, PieceKind, Position, Side, Square, zones};

/// A side has none, one or two chariots.
const CHARIOTS: usize = 3;
/// Input buckets: feature-transformer weights by the chariots of both sides.
pub const INPUT_BUCKETS: usize = CHARIOTS * CHARIOTS;
/// Pairs of a piece, own or other, and a point that it may stand on.
pub const INPUTS: usize = count_inputs();
/// Output buckets, by the attackers left on the board.
pub const OUTPUT_BUCKETS: usize = 4;

/// One side's perspective: which input a piece on a point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    side: Side,
    mirrored: bool,
    bucket: u8,
}

impl View {
    /// Different views of one side.
    pub(super) const COUNT: usize = 2 * INPUT_BUCKETS;

    /// The view of `side` with its general on `general` and these chariot counts, its own first.
    #[inline]
    pub const fn of(side: Side, general: Square, chariots: [usize; 2]) -> Self {
        let [own, other] = chariots;
        debug_assert!(own < CHARIOTS && other < CHARIOTS, "a side has two chariots at most");
        let bucket = own * CHARIOTS + other;
        Self { side, mirrored: general.seen_by(side).file() > 4, bucket: bucket as u8 }
    }

    /// The views of both sides of a position, Red's first.
    #[inline]
    pub fn both(position: &Position) -> [Self; 2] {
        let chariots = |side| position.pieces_of(side, PieceKind::Chariot).len() as usize;
        Side::ALL.map(|side| Self::of(side, position.general(side), [chariots(side), chariots(!side)]))
    }

    /// Whether a move of these pieces may change a view.
    #[inline]
    pub(super) fn depends_on(moved: Piece, captured: Option<Piece>) -> bool {
        let chariot = |piece: Piece| piece.kind() == PieceKind::Chariot;
        moved.kind() == PieceKind::General || captured.is_some_and(chariot)
    }

    /// The view of the mirrored board. For a general on its middle file both are valid.
    #[must_use]
    pub const fn in_mirror(self) -> Self {
        Self { mirrored: !self.mirrored, ..self }
    }

    /// The input bucket, below [`INPUT_BUCKETS`].
    pub const fn bucket(self) -> usize {
        self.bucket as usize
    }

    /// The index of a piece on a point within an input bucket, below [`INPUTS`].
    #[inline]
    pub fn input(self, piece: Piece, square: Square) -> usize {
        let point = square.seen_by(self.side);
        let point = if self.mirrored { point.mirrored() } else { point };
        let other = piece.side() != self.side;
        usize::from(NUMBERS[usize::from(other)][piece.kind().index()][point.index()])
    }

    /// The index of a piece on a point among the inputs of all buckets.
    #[inline]
    pub fn row(self, piece: Piece, square: Square) -> usize {
        self.bucket() * INPUTS + self.input(piece, square)
    }

    /// 0 to [`Self::COUNT`]` - 1`: for tables with an entry for each view of one side.
    #[inline]
    pub(super) const fn index(self) -> usize {
        self.bucket() * 2 + self.mirrored as usize
    }
}

/// The output bucket of a position, below [`OUTPUT_BUCKETS`]: the fewer chariots, horses and cannons are left, the
/// lower.
#[inline]
pub fn output_bucket(position: &Position) -> usize {
    let attackers = position.kind(PieceKind::Chariot)
        | position.kind(PieceKind::Horse)
        | position.kind(PieceKind::Cannon);
    output_bucket_of(attackers.len() as usize)
}

/// The output bucket with this many chariots, horses and cannons on the board.
#[inline]
pub const fn output_bucket_of(attackers: usize) -> usize {
    let bucket = attackers / 3;
    if bucket < OUTPUT_BUCKETS { bucket } else { OUTPUT_BUCKETS - 1 }
}

/// The index of each own and each other kind on each point. Points that the kind may not enter have none; no position
/// asks for them.
static NUMBERS: [[[u16; Square::COUNT]; 7]; 2] = {
    let mut numbers = [[[0; Square::COUNT]; 7]; 2];
    let mut next = 0;
    let mut owner = 0;
    while owner < 2 {
        let mut kind = 0;
        while kind < 7 {
            let allowed = zones::allowed(Side::ALL[owner], PieceKind::ALL[kind]);
            let mut square = 0;
            while square < Square::COUNT {
                if allowed.contains(Square::from_index(square).expect("tables have 90 entries")) {
                    numbers[owner][kind][square] = next;
                    next += 1;
                }
                square += 1;
            }
            kind += 1;
        }
        owner += 1;
    }
    numbers
};

const fn count_inputs() -> usize {
    let mut count = 0;
    let mut kind = 0;
    while kind < 7 {
        count += 2 * zones::allowed(Side::Red, PieceKind::ALL[kind]).len() as usize;
        kind += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(position: &Position, view: View) -> Vec<usize> {
        let mut rows: Vec<usize> =
            position.pieces_on_board().map(|(piece, square)| view.row(piece, square)).collect();
        rows.sort_unstable();
        rows
    }

    #[test]
    fn every_piece_on_every_point_has_a_number_of_its_own() {
        let view = View::of(Side::Black, Square::at(4, 9).unwrap(), [2, 2]);
        let mut seen = vec![false; INPUTS];
        for piece in Piece::ALL {
            for square in zones::allowed(piece.side(), piece.kind()) {
                let input = view.input(piece, square);
                assert!(!seen[input], "{piece} on {square}");
                seen[input] = true;
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
    }

    #[test]
    fn both_sides_see_the_start_alike() {
        let position = Position::start();
        let [red, black] = View::both(&position);
        assert_eq!(inputs(&position, red), inputs(&position, black));
    }

    #[test]
    fn a_mirrored_board_looks_the_same_unless_the_general_is_in_the_middle() {
        let position: Position = "2bak4/4a4/4b4/p3n3p/2r6/9/P3P3P/4C1N2/4A4/R1B2KB2 b".parse().unwrap();
        let mirrored = position.mirrored();
        let [red, black] = View::both(&position);
        let [red_mirrored, black_mirrored] = View::both(&mirrored);
        assert_eq!(inputs(&position, red), inputs(&mirrored, red_mirrored));
        assert_ne!(inputs(&position, black), inputs(&mirrored, black_mirrored));
        assert_eq!(inputs(&position, black), inputs(&mirrored, black_mirrored.in_mirror()));
    }

    #[test]
    fn output_buckets_fall_with_the_attackers() {
        let buckets: Vec<usize> = (0..=12).map(output_bucket_of).collect();
        assert_eq!(buckets, [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3]);
        assert_eq!(output_bucket(&Position::start()), OUTPUT_BUCKETS - 1);
    }
}
