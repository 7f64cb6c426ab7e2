//! Sets of points. All bit tricks of the board live here and in `attacks`.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

use crate::Square;

/// A set of points, one bit for each of the 90.
///
/// ```
/// use chuhe_board::{Bitboard, Square};
///
/// let corner = Square::at(0, 0).unwrap();
/// let mut set = Bitboard::EMPTY | corner;
/// assert!(set.contains(corner));
/// set -= corner;
/// assert!(set.is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u128);

impl Bitboard {
    /// No point.
    pub const EMPTY: Self = Self(0);
    /// All 90 points.
    pub const ALL: Self = Self((1 << Square::COUNT) - 1);

    /// The set whose point `i` is bit `i`; bits past the board are dropped.
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// As [`Self::from_bits`] for bits known to be on the board.
    pub(crate) const fn from_board_bits(bits: u128) -> Self {
        debug_assert!(bits & !Self::ALL.0 == 0);
        Self(bits)
    }

    /// Bit `i` is the point with index `i`.
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The set with just this point.
    pub const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// All points of a file (0–8).
    ///
    /// # Panics
    /// If there is no such file.
    pub const fn file(file: u8) -> Self {
        FILES[file as usize]
    }

    /// All points of a rank (0–9).
    pub const fn rank(rank: u8) -> Self {
        Self::from_bits(0x1FF << (rank * Square::FILES))
    }

    /// Whether the set has no point.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many points the set has.
    pub const fn len(self) -> u32 {
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }

    /// Whether the point is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether the sets share a point.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the set has at least two points.
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The point with the lowest index.
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(Square::from_bit(self.0.trailing_zeros())) }
    }

    /// The points in both sets; as `&`, for constants.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The points in either set; as `|`, for constants.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The points of this set that are not in the other; as `-`, for constants.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

static FILES: [Bitboard; Square::FILES as usize] = {
    let mut files = [Bitboard::EMPTY; Square::FILES as usize];
    let mut index = 0;
    while index < Square::COUNT {
        let file = index % Square::FILES as usize;
        files[file] = Bitboard(files[file].0 | 1 << index);
        index += 1;
    }
    files
};

impl From<Square> for Bitboard {
    fn from(square: Square) -> Self {
        Self::of(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square)
    }
}

impl<T: Into<Self>> BitAnd<T> for Bitboard {
    type Output = Self;

    fn bitand(self, other: T) -> Self {
        self.and(other.into())
    }
}

impl<T: Into<Self>> BitOr<T> for Bitboard {
    type Output = Self;

    fn bitor(self, other: T) -> Self {
        self.or(other.into())
    }
}

impl<T: Into<Self>> BitXor<T> for Bitboard {
    type Output = Self;

    fn bitxor(self, other: T) -> Self {
        Self(self.0 ^ other.into().0)
    }
}

impl<T: Into<Self>> Sub<T> for Bitboard {
    type Output = Self;

    fn sub(self, other: T) -> Self {
        self.without(other.into())
    }
}

impl<T: Into<Self>> BitAndAssign<T> for Bitboard {
    fn bitand_assign(&mut self, other: T) {
        *self = *self & other;
    }
}

impl<T: Into<Self>> BitOrAssign<T> for Bitboard {
    fn bitor_assign(&mut self, other: T) {
        *self = *self | other;
    }
}

impl<T: Into<Self>> BitXorAssign<T> for Bitboard {
    fn bitxor_assign(&mut self, other: T) {
        *self = *self ^ other;
    }
}

impl<T: Into<Self>> SubAssign<T> for Bitboard {
    fn sub_assign(&mut self, other: T) {
        *self = *self - other;
    }
}

impl Not for Bitboard {
    type Output = Self;

    fn not(self) -> Self {
        Self::ALL.without(self)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares { low: self.0 as u64, high: (self.0 >> 64) as u64 }
    }
}

/// The points of a set, lowest index first.
#[derive(Clone, Debug)]
pub struct Squares {
    low: u64,
    high: u64,
}

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.low != 0 {
            let square = Square::from_bit(self.low.trailing_zeros());
            self.low &= self.low - 1;
            Some(square)
        } else if self.high != 0 {
            let square = Square::from_bit(64 + self.high.trailing_zeros());
            self.high &= self.high - 1;
            Some(square)
        } else {
            None
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = (self.low.count_ones() + self.high.count_ones()) as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}

/// The points as ICCS coordinates: `a0 e4 i9`.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, square) in self.into_iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(f, "{space}{square}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_the_points_put_in() {
        let set: Bitboard = Square::all().filter(|square| square.index() % 7 == 3).collect();
        assert_eq!(set.into_iter().collect::<Bitboard>(), set);
        assert_eq!(set.into_iter().len(), set.len() as usize);
        for square in Square::all() {
            assert_eq!(set.contains(square), square.index() % 7 == 3);
        }
    }

    #[test]
    fn files_and_ranks_cover_the_board_once() {
        let files = (0..9).map(Bitboard::file);
        assert_eq!(files.fold(Bitboard::EMPTY, |all, file| all ^ file), Bitboard::ALL);
        let ranks = (0..10).map(Bitboard::rank);
        assert_eq!(ranks.fold(Bitboard::EMPTY, |all, rank| all ^ rank), Bitboard::ALL);
    }

    #[test]
    fn the_complement_stays_on_the_board() {
        assert_eq!(!Bitboard::EMPTY, Bitboard::ALL);
        assert_eq!(!Bitboard::ALL, Bitboard::EMPTY);
        assert!(!(Bitboard::EMPTY | Square::at(4, 4).unwrap()).has_several());
        assert!(Bitboard::rank(3).has_several());
    }
}
