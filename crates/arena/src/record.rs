//! What is kept of a game: as a JSON line for programs and as PGN for people.

use std::fmt::Write;

use chuhe_board::Outcome;
use serde::{Deserialize, Serialize};

/// Outcomes as journals write them: `1-0`, `0-1`, `1/2-1/2`.
mod outcome_token {
    use chuhe_board::Outcome;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
        outcome.as_str().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
        let token = String::deserialize(deserializer)?;
        Outcome::from_token(&token)
            .filter(|outcome| *outcome != Outcome::Undecided)
            .ok_or_else(|| D::Error::custom(format!("'{token}' is not the outcome of a finished game")))
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the match, from 1.
    pub game: usize,
    /// The pair it belongs to, from 1.
    pub pair: usize,
    /// The engine that played Red.
    pub red: String,
    /// The engine that played Black.
    pub black: String,
    /// What each had for their moves, Red first.
    pub limits: [String; 2],
    /// The day it was played, as PGN writes it.
    pub date: String,
    /// How it ended.
    #[serde(with = "outcome_token")]
    pub outcome: Outcome,
    /// What kind of end that was.
    pub termination: Termination,
    /// Why, for people.
    pub reason: String,
    /// Where it began.
    pub start: String,
    /// How many of the moves are the opening's.
    pub opening_plies: usize,
    /// The moves, with ranks counted from 0.
    pub moves: Vec<MoveRecord>,
    /// Moves that came late because the machine was busy, and were let pass.
    pub excused: usize,
}

/// What kind of end a game had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// By the rules of the game.
    Rules,
    /// By agreement of the engines' scores, by an endgame table or by its length.
    Adjudication,
    /// The loser resigned.
    Resignation,
    /// The loser overstepped its time.
    Time,
    /// The loser made an illegal move.
    Illegal,
    /// The loser's program ended or stopped answering.
    Crash,
}

/// A move and what the engine said about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move in coordinates.
    #[serde(rename = "move")]
    pub mv: String,
    /// The score for the side that moved, if the engine sent one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<i32>,
    /// How deep it searched.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub depth: Option<u32>,
    /// How many nodes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nodes: Option<u64>,
    /// How long it took, in microseconds; nothing for moves of the opening.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub us: Option<u64>,
}

impl GameRecord {
    /// The points of the engine with this name.
    pub fn points_of(&self, name: &str) -> f64 {
        match self.outcome {
            Outcome::Draw => 0.5,
            Outcome::Undecided => 0.0,
            Outcome::RedWins => f64::from(u8::from(self.red == name)),
            Outcome::BlackWins => f64::from(u8::from(self.black == name)),
        }
    }

    /// The game as PGN with moves as ICCS writes them, followed by an empty line.
    pub fn to_pgn(&self) -> String {
        let mut text = String::new();
        let round = format!("{}.{}", self.pair, 2 - self.game % 2);
        let plies = self.opening_plies.to_string();
        let limit = if self.limits[0] == self.limits[1] {
            self.limits[0].clone()
        } else {
            format!("{} / {}", self.limits[0], self.limits[1])
        };
        let tags = [
            ("Game", "Chinese Chess"),
            ("Event", "chuhe match"),
            ("Date", &self.date),
            ("Round", &round),
            ("Red", &self.red),
            ("Black", &self.black),
            ("Result", self.outcome.as_str()),
            ("Termination", &self.reason),
            ("TimeControl", &limit),
            ("OpeningPlies", &plies),
            ("Format", "ICCS"),
        ];
        for (name, value) in tags {
            let _ = writeln!(text, "[{name} \"{}\"]", value.replace(['"', '\\', '\n'], "'"));
        }
        if self.start != chuhe_board::fen::START {
            let _ = writeln!(text, "[FEN \"{}\"]", self.start);
        }
        let _ = writeln!(text, "\n{}\n", self.movetext());
        text
    }

    fn movetext(&self) -> String {
        let black_first = self.start.split_whitespace().nth(1) == Some("b");
        let mut lines = Lines::default();
        for (index, mv) in self.moves.iter().enumerate() {
            let ply = index + usize::from(black_first);
            if ply.is_multiple_of(2) {
                lines.push(&format!("{}.", ply / 2 + 1));
            } else if index == 0 {
                lines.push(&format!("{}...", ply / 2 + 1));
            }
            lines.push(&iccs(&mv.mv));
            if let Some(comment) = mv.comment() {
                lines.push(&comment);
            }
        }
        lines.push(self.outcome.as_str());
        lines.text
    }
}

impl MoveRecord {
    /// `{+0.51/9 0.020s}`.
    fn comment(&self) -> Option<String> {
        let time = self.us? as f64 / 1e6;
        let score =
            self.score.map_or_else(|| "?".to_owned(), |score| format!("{:+.2}", f64::from(score) / 100.0));
        let depth = self.depth.map_or_else(|| "?".to_owned(), |depth| depth.to_string());
        Some(format!("{{{score}/{depth} {time:.3}s}}"))
    }
}

/// `H2-E2` for `h2e2`.
fn iccs(mv: &str) -> String {
    let mv = mv.to_ascii_uppercase();
    if mv.len() == 4 { format!("{}-{}", &mv[..2], &mv[2..]) } else { mv }
}

/// Words filled into lines of 100 letters.
#[derive(Default)]
struct Lines {
    text: String,
    width: usize,
}

impl Lines {
    fn push(&mut self, word: &str) {
        if self.width + word.len() >= 100 {
            self.text.push('\n');
            self.width = 0;
        } else if self.width > 0 {
            self.text.push(' ');
        }
        self.text.push_str(word);
        self.width += word.len() + 1;
    }
}

/// Today, as PGN writes it, in universal time.
pub(crate) fn today() -> String {
    let seconds =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(seconds / 86_400)
}

/// The Gregorian date `days` after 1970-01-01.
fn date(mut days: u64) -> String {
    let is_leap = |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= months[month] {
        days -= months[month];
        month += 1;
    }
    format!("{year:04}.{:02}.{:02}", month + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::{self, Reading};

    fn record() -> GameRecord {
        let plain =
            |mv: &str| MoveRecord { mv: mv.to_owned(), score: None, depth: None, nodes: None, us: None };
        let scored = MoveRecord {
            score: Some(-51),
            depth: Some(9),
            nodes: Some(7),
            us: Some(20_400),
            ..plain("h0g2")
        };
        GameRecord {
            game: 4,
            pair: 2,
            red: "a \"quoted\" name".to_owned(),
            black: "b".to_owned(),
            limits: ["20 ms a move".to_owned(), "20 ms a move".to_owned()],
            date: "2026.11.15".to_owned(),
            outcome: Outcome::BlackWins,
            termination: Termination::Time,
            reason: "a oversteps its time".to_owned(),
            start: chuhe_board::fen::START.to_owned(),
            opening_plies: 2,
            moves: vec![plain("h2e2"), plain("h9g7"), scored],
            excused: 0,
        }
    }

    #[test]
    fn pgn_for_people() {
        insta::assert_snapshot!(record().to_pgn());
    }

    #[test]
    fn our_pgn_is_an_opening_again() {
        let mut black_first = record();
        black_first.start = "3k5/9/9/9/9/9/9/9/4R4/5K3 b - - 0 1".to_owned();
        black_first.moves = vec![MoveRecord { mv: "d9d8".to_owned(), ..record().moves.remove(2) }];
        let text = record().to_pgn() + &black_first.to_pgn();
        let openings = openings::read(&text, Reading::default()).unwrap();
        assert_eq!(openings.len(), 2);
        assert_eq!(openings[0].moves.len(), 3);
        assert_eq!(openings[1].moves[0].to_string(), "d9d8");
    }

    #[test]
    fn json_lines_read_back() {
        let line = serde_json::to_string(&record()).unwrap();
        assert!(!line.contains('\n'));
        assert_eq!(serde_json::from_str::<GameRecord>(&line).unwrap(), record());
    }

    #[test]
    fn days_become_dates() {
        assert_eq!(date(0), "1970.01.01");
        assert_eq!(date(19_782), "2024.02.29");
        assert_eq!(date(20_772), "2026.11.15");
    }
}
