//! What the search of one position found.

use chuhe_board::Move;
use chuhe_eval::Score;
use chuhe_search::{Answer, Event};
use serde::{Deserialize, Serialize};

/// What the search of one position found. A position without moves has no lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The depth of the last iteration.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// From which depth on the best move was the best one: how hard it was to see.
    pub settled: u32,
    /// The best line, and the second best.
    pub lines: Vec<FoundLine>,
}

/// A line with its score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundLine {
    /// The score for the side to move, as the plain number of [`Score`].
    pub score: i32,
    /// Moves for both sides.
    #[serde(with = "moves_as_text")]
    pub moves: Vec<Move>,
}

impl Finding {
    /// The score for the side to move.
    pub fn score(&self) -> Score {
        self.lines.first().map_or(Score::lost_in(0), |line| Score::from_number(line.score))
    }

    /// The best move.
    pub fn best(&self) -> Option<Move> {
        self.lines.first()?.moves.first().copied()
    }

    /// Follows the search: notes where the best move changes.
    pub(super) fn update(&mut self, event: &Event) {
        let Event::Line(line) = event else { return };
        if line.rank == 1 && self.best() != line.moves.first().copied() {
            self.settled = line.depth;
            self.lines = vec![FoundLine { score: line.score.get(), moves: line.moves.clone() }];
        }
    }

    pub(super) fn conclude(&mut self, answer: &Answer) {
        let deepest = answer.lines.first().map_or(0, |line| line.depth);
        if self.best() != answer.best {
            self.settled = deepest;
        }
        self.depth = deepest;
        self.nodes = answer.nodes;
        let found =
            |line: &chuhe_search::Line| FoundLine { score: line.score.get(), moves: line.moves.clone() };
        self.lines = answer.lines.iter().map(found).collect();
    }
}

/// Moves as one text: `h2e2 h9g7`.
mod moves_as_text {
    use chuhe_board::Move;
    use chuhe_board::coords::{RankStyle, parse_move};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(moves: &[Move], serializer: S) -> Result<S::Ok, S::Error> {
        let words: Vec<String> = moves.iter().map(ToString::to_string).collect();
        serializer.serialize_str(&words.join(" "))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Move>, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.split_whitespace()
            .map(|word| parse_move(word, RankStyle::FromZero).map_err(D::Error::custom))
            .collect()
    }
}
