//! The 32 squares, sets of them, and how they lie to each other.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub};

/// One of the 32 squares, numbered by rows (Hsieh 2010): `a1` is 0, `h1` 7, `a2` 8, `h4` 31.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// How a square is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SquareStyle {
    /// Files a–h and ranks 1–4, (Hsieh 2010).
    #[default]
    Wide,
    /// Files a–d and ranks 1–8, as in tournament records. `a1` is the same corner; the files are
    /// the other style's ranks.
    Tall,
}

impl Square {
    /// How many there are.
    pub const COUNT: usize = 32;

    /// The square in column 0–7 and row 0–3 of the wide board.
    pub const fn at(column: u8, row: u8) -> Option<Self> {
        if column < 8 && row < 4 { Some(Self(row * 8 + column)) } else { None }
    }

    /// Every square in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    pub(crate) const fn from_index(index: usize) -> Self {
        assert!(index < Self::COUNT);
        Self(index as u8)
    }

    /// 0–31.
    pub const fn index(self) -> usize {
        // The mask lets the compiler drop the bounds check.
        (self.0 & 31) as usize
    }

    /// 0–7 from the left of the wide board.
    pub const fn column(self) -> u8 {
        self.0 % 8
    }

    /// 0–3 from the top of the wide board.
    pub const fn row(self) -> u8 {
        self.0 / 8
    }

    /// Steps from one square to the other on an empty board.
    pub const fn distance(self, other: Self) -> u8 {
        self.column().abs_diff(other.column()) + self.row().abs_diff(other.row())
    }

    /// The squares beside it.
    pub const fn neighbours(self) -> SquareSet {
        NEIGHBOURS[self.index()]
    }

    /// Two characters in the style asked for.
    pub fn text(self, style: SquareStyle) -> String {
        let (file, rank) = match style {
            SquareStyle::Wide => (self.column(), self.row()),
            SquareStyle::Tall => (self.row(), self.column()),
        };
        format!("{}{}", (b'a' + file) as char, rank + 1)
    }

    /// Reads two characters; upper case will do as well.
    pub fn parse(text: &str, style: SquareStyle) -> Option<Self> {
        let &[file, rank] = text.as_bytes() else { return None };
        let file = file.to_ascii_lowercase().checked_sub(b'a')?;
        let rank = rank.checked_sub(b'1')?;
        match style {
            SquareStyle::Wide => Self::at(file, rank),
            SquareStyle::Tall => Self::at(rank, file),
        }
    }
}

/// A set of squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SquareSet(u32);

impl SquareSet {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const ALL: Self = Self(u32::MAX);

    /// Just this one.
    pub const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// Whether it has the square.
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether it has none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many it has.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Adds a square.
    pub const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.index();
    }

    /// Takes a square out.
    pub const fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square.index());
    }

    /// The squares to the left, to the right, below and above squares of the set.
    const fn shifted(self) -> [u32; 4] {
        const NOT_LEFT: u32 = !0x0101_0101;
        const NOT_RIGHT: u32 = !0x8080_8080;
        [(self.0 & NOT_LEFT) >> 1, (self.0 & NOT_RIGHT) << 1, self.0 << 8, self.0 >> 8]
    }

    /// All squares beside squares of the set.
    #[must_use]
    pub const fn spread(self) -> Self {
        let [left, right, below, above] = self.shifted();
        Self(left | right | below | above)
    }

    /// How many steps lead from squares of the set to squares of the other.
    pub(crate) fn count_steps(self, to: Self) -> u32 {
        self.shifted().map(|squares| (squares & to.0).count_ones()).iter().sum()
    }
}

impl Iterator for SquareSet {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(square)
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let mut set = Self::EMPTY;
        squares.into_iter().for_each(|square| set.insert(square));
        set
    }
}

impl BitOr for SquareSet {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for SquareSet {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for SquareSet {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitAndAssign for SquareSet {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl Sub for SquareSet {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for SquareSet {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

const NEIGHBOURS: [SquareSet; Square::COUNT] = {
    let mut table = [SquareSet::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        table[index] = SquareSet(1 << index).spread();
        index += 1;
    }
    table
};

/// Where a cannon's jumps end: the second piece in each of the four directions.
#[inline]
pub fn jumps(from: Square, occupied: SquareSet) -> SquareSet {
    let row_shift = from.row() * 8;
    let row = (occupied.0 >> row_shift) as u8;
    let along_row = u32::from(ROW_JUMPS[from.column() as usize][row as usize]) << row_shift;
    let column = gather_column(occupied.0 >> from.column());
    let along_column = COLUMN_JUMPS[from.row() as usize][column] << from.column();
    SquareSet(along_row | along_column)
}

/// The lowest bits of the four rows, side by side.
const fn gather_column(rows: u32) -> usize {
    ((rows & 0x0101_0101).wrapping_mul(0x0102_0408) >> 24 & 15) as usize
}

/// For each place in a line of pieces, the second piece on either side.
const fn line_jumps(place: usize, length: usize, pieces: usize) -> usize {
    let mut targets = 0;
    let mut seen = 0;
    let mut at = place + 1;
    while at < length {
        if pieces >> at & 1 != 0 {
            seen += 1;
            if seen == 2 {
                targets |= 1 << at;
            }
        }
        at += 1;
    }
    seen = 0;
    at = place;
    while at > 0 {
        at -= 1;
        if pieces >> at & 1 != 0 {
            seen += 1;
            if seen == 2 {
                targets |= 1 << at;
            }
        }
    }
    targets
}

static ROW_JUMPS: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut pieces = 0;
        while pieces < 256 {
            table[place][pieces] = line_jumps(place, 8, pieces) as u8;
            pieces += 1;
        }
        place += 1;
    }
    table
};

/// The same for columns, the answer spread out to whole rows.
static COLUMN_JUMPS: [[u32; 16]; 4] = {
    let mut table = [[0; 16]; 4];
    let mut place = 0;
    while place < 4 {
        let mut pieces = 0;
        while pieces < 16 {
            let line = line_jumps(place, 4, pieces);
            let mut row = 0;
            while row < 4 {
                if line >> row & 1 != 0 {
                    table[place][pieces] |= 1 << (row * 8);
                }
                row += 1;
            }
            pieces += 1;
        }
        place += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str) -> Square {
        Square::parse(text, SquareStyle::Wide).unwrap()
    }

    #[test]
    fn squares_are_numbered_as_in_the_thesis() {
        assert_eq!(wide("a1").index(), 0);
        assert_eq!(wide("H1").index(), 7);
        assert_eq!(wide("d1").index(), 3);
        assert_eq!(wide("E3").index(), 20);
        assert_eq!(wide("h4").index(), 31);
    }

    #[test]
    fn both_styles_name_the_same_corner_a1() {
        for square in Square::all() {
            for style in [SquareStyle::Wide, SquareStyle::Tall] {
                assert_eq!(Square::parse(&square.text(style), style), Some(square));
            }
        }
        assert_eq!(wide("a2").text(SquareStyle::Tall), "b1");
        assert_eq!(wide("h1").text(SquareStyle::Tall), "a8");
        for bad in ["", "a", "a5", "i1", "a0", "11", "a1a", "é"] {
            assert_eq!(Square::parse(bad, SquareStyle::Wide), None, "{bad}");
        }
    }

    #[test]
    fn neighbours_are_the_squares_one_step_away() {
        for from in Square::all() {
            let expected = Square::all().filter(|to| from.distance(*to) == 1).collect();
            assert_eq!(from.neighbours(), expected);
        }
    }

    #[test]
    fn a_cannon_jumps_exactly_one_piece_along_rows_and_columns() {
        let occupied = ["a1", "b1", "e1", "g1", "c2", "c4"].map(wide).into_iter().collect();
        // From c1: left over b1 to a1, right over e1 to g1, down over c2 to c4.
        let expected = ["a1", "g1", "c4"].map(wide).into_iter().collect();
        assert_eq!(jumps(wide("c1"), occupied), expected);
    }
}
