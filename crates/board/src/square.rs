//! The ninety points of the board.

use std::fmt;

use crate::Side;

/// One of the 90 points of the board, counted rank by rank from Red's left corner: `a0` is 0, `i9`
/// is 89.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// How many points there are.
    pub const COUNT: usize = 90;
    /// How many files there are, `a` to `i` from Red's left.
    pub const FILES: u8 = 9;
    /// How many ranks there are, 0 to 9 from Red's back rank.
    pub const RANKS: u8 = 10;

    /// The point on file `file` (0–8) and rank `rank` (0–9), or `None` off the board.
    pub const fn at(file: u8, rank: u8) -> Option<Self> {
        if file < Self::FILES && rank < Self::RANKS { Some(Self(rank * Self::FILES + file)) } else { None }
    }

    /// The point with this index (0–89), or `None`.
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self(index as u8)) } else { None }
    }

    /// The point that a set's bit stands for.
    pub(crate) const fn from_bit(bit: u32) -> Self {
        debug_assert!(bit < Self::COUNT as u32);
        Self(bit as u8)
    }

    /// All points, rank by rank.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..Self::COUNT as u8).map(Self)
    }

    /// 0 to 89: for tables with an entry for each point.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file, 0 to 8 from Red's left.
    pub const fn file(self) -> u8 {
        self.0 % Self::FILES
    }

    /// The rank, 0 to 9 from Red's back rank.
    pub const fn rank(self) -> u8 {
        self.0 / Self::FILES
    }

    /// The point `files` to the right and `ranks` up the board, if there is one.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let (Some(file), Some(rank)) =
            (self.file().checked_add_signed(files), self.rank().checked_add_signed(ranks))
        else {
            return None;
        };
        Self::at(file, rank)
    }

    /// The point mirrored left to right: `a3` for `i3`.
    pub const fn mirrored(self) -> Self {
        Self(self.rank() * Self::FILES + (Self::FILES - 1 - self.file()))
    }

    /// The point mirrored across the river: `a9` for `a0`.
    pub const fn across(self) -> Self {
        Self((Self::RANKS - 1 - self.rank()) * Self::FILES + self.file())
    }

    /// The point as `side` sees it: unchanged for Red, across the river for Black.
    pub const fn seen_by(self, side: Side) -> Self {
        match side {
            Side::Red => self,
            Side::Black => self.across(),
        }
    }

    /// Whose half of the board the point lies in.
    pub const fn bank(self) -> Side {
        if self.rank() < Self::RANKS / 2 { Side::Red } else { Side::Black }
    }
}

/// The point in ICCS coordinates: `a0` to `i9`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_count_from_reds_left_corner() {
        let squares: Vec<Square> = Square::all().collect();
        assert_eq!(squares.len(), 90);
        assert_eq!(squares[0].to_string(), "a0");
        assert_eq!(squares[89].to_string(), "i9");
        for (index, square) in squares.into_iter().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(Square::at(square.file(), square.rank()), Some(square));
        }
    }

    #[test]
    fn steps_end_at_the_edge() {
        let corner = Square::at(0, 0).unwrap();
        assert_eq!(corner.offset(-1, 0), None);
        assert_eq!(corner.offset(0, -1), None);
        assert_eq!(corner.offset(2, 1), Square::at(2, 1));
        assert_eq!(corner.across().mirrored().offset(0, 1), None);
    }

    #[test]
    fn mirrors_undo_themselves() {
        for square in Square::all() {
            assert_eq!(square.mirrored().mirrored(), square);
            assert_eq!(square.across().across(), square);
            assert_ne!(square.across().bank(), square.bank());
        }
    }
}
