//! Scores: hundredths of a soldier, and wins counted in plies.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// What a position is worth to the side to move, in centisoldiers, or how far away the win or loss
/// is. All scores lie between [`Score::MIN`] and [`Score::MAX`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i16);

impl Score {
    /// Neither side is better.
    pub const DRAW: Self = Self(0);
    /// Below every score a search can return: the side to move has lost.
    pub const MIN: Self = Self(-Self::MATE);
    /// Above every score a search can return: the side to move has won.
    pub const MAX: Self = Self(Self::MATE);

    /// The score of a win on the spot; a ply is taken off for each ply until then.
    const MATE: i16 = 31_000;
    /// The farthest win that is counted in plies.
    const FARTHEST: i16 = 1000;
    /// Evaluations stay below this, so that they are never taken for a counted win.
    const LARGEST_EVALUATION: i16 = 15_000;
    /// A win that the repetition rules give; a ply is taken off for each ply until then. It is no
    /// counted win, because the loser could still turn aside.
    const WIN_BY_RULE: i16 = 25_000;

    /// A score in centisoldiers; kept within what an evaluation may say.
    #[inline]
    pub const fn centisoldiers(value: i32) -> Self {
        let limit = Self::LARGEST_EVALUATION as i32;
        Self(if value > limit {
            limit as i16
        } else if value < -limit {
            -limit as i16
        } else {
            value as i16
        })
    }

    /// The side to move has lost `ply` plies from the root: checkmated or stalemated, which is the
    /// same thing in Xiangqi.
    #[inline]
    pub const fn lost_in(ply: u16) -> Self {
        Self(ply as i16 - Self::MATE)
    }

    /// The side to move wins `ply` plies from the root.
    #[inline]
    pub const fn won_in(ply: u16) -> Self {
        Self(Self::MATE - ply as i16)
    }

    /// The opponent breaks the repetition rules `ply` plies from the root.
    #[inline]
    pub const fn won_by_rule(ply: u16) -> Self {
        Self(Self::WIN_BY_RULE - ply as i16)
    }

    /// The plies until the end if the score is a counted win or loss: positive for a win.
    pub const fn plies_to_end(self) -> Option<i32> {
        if self.0 >= Self::MATE - Self::FARTHEST {
            Some((Self::MATE - self.0) as i32)
        } else if self.0 <= Self::FARTHEST - Self::MATE {
            Some(-((Self::MATE + self.0) as i32))
        } else {
            None
        }
    }

    /// Moves to mate as engines print it: positive if the side to move wins, counting the winner's moves.
    pub const fn mate_in(self) -> Option<i32> {
        match self.plies_to_end() {
            Some(plies) if plies > 0 => Some((plies + 1) / 2),
            Some(plies) => Some(plies / 2),
            None => None,
        }
    }

    /// Whether the score counts the plies to a win or loss.
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.0 >= Self::MATE - Self::FARTHEST || self.0 <= Self::FARTHEST - Self::MATE
    }

    /// The score as a plain number.
    #[inline]
    pub const fn get(self) -> i32 {
        self.0 as i32
    }

    /// The score with this plain number, kept within the range of scores.
    #[inline]
    pub const fn from_number(number: i32) -> Self {
        let limit = Self::MATE as i32;
        Self(if number > limit {
            Self::MATE
        } else if number < -limit {
            -Self::MATE
        } else {
            number as i16
        })
    }

    /// A counted end seen from the position `ply` plies deep instead of from the root: how a
    /// transposition table keeps scores.
    #[inline]
    pub const fn from_root_to_node(self, ply: u16) -> Self {
        match self.is_decided() {
            true if self.0 > 0 => Self::from_number(self.get() + ply as i32),
            true => Self::from_number(self.get() - ply as i32),
            false => self,
        }
    }

    /// Undoes [`Self::from_root_to_node`].
    #[inline]
    pub const fn from_node_to_root(self, ply: u16) -> Self {
        match self.is_decided() {
            true if self.0 > 0 => Self::from_number(self.get() - ply as i32),
            true => Self::from_number(self.get() + ply as i32),
            false => self,
        }
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;

    #[inline]
    fn add(self, margin: i32) -> Self {
        Self::from_number(self.get() + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, margin: i32) -> Self {
        Self::from_number(self.get() - margin)
    }
}

/// The distance between two scores.
impl Sub for Score {
    type Output = i32;

    #[inline]
    fn sub(self, other: Self) -> i32 {
        self.get() - other.get()
    }
}

impl AddAssign<i32> for Score {
    fn add_assign(&mut self, margin: i32) {
        *self = *self + margin;
    }
}

impl SubAssign<i32> for Score {
    fn sub_assign(&mut self, margin: i32) {
        *self = *self - margin;
    }
}

/// Soldiers with two decimals, or the moves to mate: `+1.25`, `-M3`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_in() {
            Some(moves) if self.0 > 0 => write!(f, "M{moves}"),
            Some(moves) => write!(f, "-M{}", -moves),
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_loss_is_better_than_an_early_one() {
        assert!(Score::lost_in(9) > Score::lost_in(3));
        assert!(Score::won_in(3) > Score::won_in(9));
        assert!(Score::lost_in(0) >= Score::MIN && Score::won_in(0) <= Score::MAX);
    }

    #[test]
    fn evaluations_are_never_taken_for_counted_wins() {
        assert!(!Score::centisoldiers(i32::MAX).is_decided());
        assert!(!Score::centisoldiers(i32::MIN).is_decided());
        assert!(Score::won_in(999).is_decided());
        assert!(!Score::won_by_rule(0).is_decided());
        assert!(Score::won_by_rule(400) > Score::centisoldiers(i32::MAX));
    }

    #[test]
    fn the_table_sees_the_distance_from_the_node() {
        let score = Score::won_in(12);
        assert_eq!(score.from_root_to_node(5), Score::won_in(7));
        assert_eq!(score.from_root_to_node(5).from_node_to_root(5), score);
        let loss = Score::lost_in(12);
        assert_eq!(loss.from_root_to_node(5), Score::lost_in(7));
        assert_eq!(Score::centisoldiers(80).from_root_to_node(5), Score::centisoldiers(80));
    }

    #[test]
    fn scores_read_as_soldiers_or_moves_to_mate() {
        assert_eq!(Score::centisoldiers(125).to_string(), "+1.25");
        assert_eq!(Score::won_in(5).to_string(), "M3");
        assert_eq!(Score::lost_in(6).to_string(), "-M3");
        assert_eq!(Score::lost_in(0).to_string(), "-M0");
    }
}
