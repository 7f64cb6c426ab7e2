//! How a game ended.

use std::fmt;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Outcome {
    /// 紅勝, `1-0`.
    RedWins,
    /// 黑勝, `0-1`.
    BlackWins,
    /// 和棋, `1/2-1/2`.
    Draw,
    /// Not known, or not over: `*`.
    #[default]
    Unknown,
}

impl Outcome {
    /// Exactly `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub fn from_token(text: &str) -> Option<Self> {
        match text {
            "1-0" => Some(Self::RedWins),
            "0-1" => Some(Self::BlackWins),
            "1/2-1/2" | "½-½" => Some(Self::Draw),
            "*" => Some(Self::Unknown),
            _ => None,
        }
    }

    /// What people write in a field for the result: `1-0`, `0-1 後勝`, 紅方勝, 黑胜, 和局.
    pub fn from_words(text: &str) -> Self {
        if let Some(outcome) = text.split_whitespace().find_map(Self::from_token) {
            return outcome;
        }
        let has = |characters: &[char]| text.contains(characters);
        let won = has(&['勝', '胜']);
        let lost = has(&['負', '负']);
        match () {
            () if has(&['和']) => Self::Draw,
            () if has(&['紅', '红']) && won
                || has(&['黑']) && lost
                || text.contains("先胜")
                || text.contains("先勝") =>
            {
                Self::RedWins
            }
            () if has(&['黑']) && won
                || has(&['紅', '红']) && lost
                || text.contains("先负")
                || text.contains("先負") =>
            {
                Self::BlackWins
            }
            () => Self::Unknown,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RedWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_results_are_understood() {
        for (text, outcome) in [
            ("1-0", Outcome::RedWins),
            ("0-1 象棋世家後勝", Outcome::BlackWins),
            ("红胜", Outcome::RedWins),
            ("黑方勝", Outcome::BlackWins),
            ("红负", Outcome::BlackWins),
            ("和棋", Outcome::Draw),
            ("1/2-1/2 和棋", Outcome::Draw),
            ("", Outcome::Unknown),
            ("未知", Outcome::Unknown),
        ] {
            assert_eq!(Outcome::from_words(text), outcome, "{text}");
        }
    }
}
