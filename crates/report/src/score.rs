//! A score as JSON: `{"cp": 35}` or `{"mate": -3}`.

use chuhe_board::Side;
use chuhe_eval::Score;
use serde::Serialize;

/// A score: either of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "JudgedScore"))]
pub enum ScoreJson {
    /// Centisoldiers.
    Cp(i32),
    /// Moves to mate; negative if the side whose score it is gets mated.
    Mate(i32),
}

impl ScoreJson {
    /// The score of `side` from Red's point of view.
    pub fn for_red(score: Score, side: Side) -> Self {
        Self::from(if side == Side::Red { score } else { -score })
    }
}

impl From<Score> for ScoreJson {
    fn from(score: Score) -> Self {
        match score.mate_in() {
            Some(moves) => Self::Mate(moves),
            None => Self::Cp(score.get()),
        }
    }
}
