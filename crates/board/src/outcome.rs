//! The outcome of a game.

use std::fmt;

use crate::Side;

/// How a game ended, or that it has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Outcome {
    /// 紅勝, `1-0`.
    RedWins,
    /// 黑勝, `0-1`.
    BlackWins,
    /// 和棋, `1/2-1/2`.
    Draw,
    /// In progress, or unknown: `*`.
    #[default]
    Undecided,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 4] = [Self::RedWins, Self::BlackWins, Self::Draw, Self::Undecided];

    /// The victory of `side`.
    pub const fn won_by(side: Side) -> Self {
        match side {
            Side::Red => Self::RedWins,
            Side::Black => Self::BlackWins,
        }
    }

    /// The side that has won.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::RedWins => Some(Side::Red),
            Self::BlackWins => Some(Side::Black),
            Self::Draw | Self::Undecided => None,
        }
    }

    /// The outcome with the sides exchanged.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::RedWins => Self::BlackWins,
            Self::BlackWins => Self::RedWins,
            other => other,
        }
    }

    /// As records write it: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RedWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Undecided => "*",
        }
    }

    /// The outcome that [`Self::as_str`] writes; `½-½` is a draw, too.
    ///
    /// ```
    /// use chuhe_board::Outcome;
    ///
    /// assert!(Outcome::ALL.iter().all(|outcome| Outcome::from_token(outcome.as_str()) == Some(*outcome)));
    /// assert_eq!(Outcome::from_token("1–0"), None);
    /// ```
    pub fn from_token(text: &str) -> Option<Self> {
        match text {
            "½-½" => Some(Self::Draw),
            _ => Self::ALL.into_iter().find(|outcome| outcome.as_str() == text),
        }
    }

    /// As JSON names it: `red_wins`, `black_wins`, `draw` or `undecided`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RedWins => "red_wins",
            Self::BlackWins => "black_wins",
            Self::Draw => "draw",
            Self::Undecided => "undecided",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
