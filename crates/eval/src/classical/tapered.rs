//! Tapered evaluation: values for the opening, the middle game and the endgame, blended by phase.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use super::Phase;

/// A value for the opening, one for the middle game and one for the ending, in centisoldiers.
///
/// All live in one integer, one above the other, so that one addition adds all three.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered(i64);

/// Bits for each value.
const LANE: u32 = 21;

impl Tapered {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// The values in the opening, in the middle game, and when no attackers are left.
    pub const fn new(opening: i16, middle: i16, ending: i16) -> Self {
        Self(((ending as i64) << (2 * LANE)) + ((middle as i64) << LANE) + opening as i64)
    }

    /// The value in the opening.
    #[inline]
    pub const fn opening(self) -> i32 {
        self.lane(0)
    }

    /// The value in the middle game.
    #[inline]
    pub const fn middle(self) -> i32 {
        self.lane(1)
    }

    /// The value in the ending.
    #[inline]
    pub const fn ending(self) -> i32 {
        self.lane(2)
    }

    /// The value at a phase of the game.
    #[inline]
    pub const fn at(self, phase: Phase) -> i32 {
        const FULL: i32 = Phase::FULL;
        let later = self.middle() * phase.middle() + self.ending() * (FULL - phase.middle());
        (self.opening() * FULL * phase.opening() + later * (FULL - phase.opening())) / (FULL * FULL)
    }

    /// All values in one word, for tables.
    #[inline]
    pub(super) const fn bits(self) -> u64 {
        self.0 as u64
    }

    /// The values that [`Self::bits`] gave.
    #[inline]
    pub(super) const fn from_bits(bits: u64) -> Self {
        Self(bits as i64)
    }

    /// One of the values. A negative one below has borrowed from it, which the rounding gives back.
    #[inline]
    const fn lane(self, lane: u32) -> i32 {
        let below = lane * LANE;
        let half = if lane == 0 { 0 } else { 1 << (below - 1) };
        (((self.0 + half) >> below) << (64 - LANE) >> (64 - LANE)) as i32
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
        Self(self.0 * i64::from(times))
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
        write!(f, "{}…{}…{}", self.opening(), self.middle(), self.ending())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_values_survive_arithmetic() {
        for (opening, middle, ending) in [(5, -7, 1), (-5, 7, -1), (-300, -2, 0), (0, -1, 0), (-1, 0, 9000)] {
            let value = Tapered::new(opening, middle, ending) * 3 - Tapered::new(10, -20, 4);
            assert_eq!(value.opening(), i32::from(opening) * 3 - 10);
            assert_eq!(value.middle(), i32::from(middle) * 3 + 20);
            assert_eq!(value.ending(), i32::from(ending) * 3 - 4);
            assert_eq!(Tapered::from_bits(value.bits()), value);
        }
    }
}
