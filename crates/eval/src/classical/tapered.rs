//! A value that changes as the board empties.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use super::Phase;

/// A value for the full board and one for the empty one, in centisoldiers.
///
/// Both live in one integer, the second in its upper half, so that one addition adds both.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered(i32);

impl Tapered {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// The value while all attackers are on the board, and when none is left.
    pub const fn new(opening: i16, ending: i16) -> Self {
        Self(((ending as i32) << 16) + opening as i32)
    }

    /// Both values in one word, for tables.
    #[inline]
    pub(super) const fn bits(self) -> u32 {
        self.0 as u32
    }

    /// The values that [`Self::bits`] gave.
    #[inline]
    pub(super) const fn from_bits(bits: u32) -> Self {
        Self(bits as i32)
    }

    /// The value on the full board.
    #[inline]
    pub const fn opening(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value on the empty board.
    #[inline]
    pub const fn ending(self) -> i32 {
        ((self.0 + 0x8000) >> 16) as i16 as i32
    }

    /// The value at a phase of the game.
    #[inline]
    pub const fn at(self, phase: Phase) -> i32 {
        let full = phase.weight();
        (self.opening() * full + self.ending() * (Phase::FULL - full)) / Phase::FULL
    }
}

impl Add for Tapered {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Tapered {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Tapered {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;

    #[inline]
    fn mul(self, times: i32) -> Self {
        Self(self.0 * times)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl Sum for Tapered {
    fn sum<I: Iterator<Item = Self>>(values: I) -> Self {
        values.fold(Self::ZERO, |sum, value| sum + value)
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}…{}", self.opening(), self.ending())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_survive_arithmetic() {
        for (opening, ending) in [(5, -7), (-5, 7), (-300, -2), (0, -1), (-1, 0)] {
            let value = Tapered::new(opening, ending) * 3 - Tapered::new(10, -20);
            assert_eq!(value.opening(), i32::from(opening) * 3 - 10);
            assert_eq!(value.ending(), i32::from(ending) * 3 + 20);
        }
    }
}
