//! What goes over the live socket.

use std::time::Duration;

use chuhe_adapters::draw_offer;
use chuhe_board::{Move, Position, Side};
use chuhe_eval::classical::Phase;
use chuhe_eval::{Chances, Score};
use chuhe_referee::Game;
use chuhe_report::analyse::GameAnalysis;
use chuhe_search::Line;
use serde::{Deserialize, Serialize};

use crate::api::about::LEVELS;
use crate::engines::{News, Task};
use crate::live::report::GameReport;
use crate::settings::Limits;
use crate::spelled::{GameJson, SideJson, SpelledMove};

/// Moves of a line that are told.
const LONGEST_LINE: usize = 20;

/// What a visitor asks.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum ClientMessage {
    /// Analyse a position until told to stop.
    Analyse {
        /// Comes back with every answer.
        id: u32,
        game: GameJson,
        /// How many best lines to find.
        lines: usize,
    },
    /// Find a move.
    Think {
        /// Comes back with the answer.
        id: u32,
        game: GameJson,
        /// From 1, a beginner; the last level is full strength.
        level: u8,
        /// By when the move is wanted.
        milliseconds: u32,
    },
    /// Search every position of a game and judge its moves.
    Report {
        /// Comes back with every answer.
        id: u32,
        game: GameJson,
    },
    /// Stop the search.
    Stop,
}

/// A question for the engines.
pub(crate) struct Asked {
    pub(crate) id: u32,
    pub(crate) game: GameJson,
    pub(crate) lines: usize,
    wanted: Wanted,
}

/// What is wanted of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Lines,
    /// A move at a level within a time.
    Move(u8, Duration),
    Report,
}

impl ClientMessage {
    /// What the engines are asked; nothing if they shall stop.
    pub(crate) fn question(self) -> Option<Asked> {
        match self {
            Self::Analyse { id, game, lines } => Some(Asked { id, game, lines, wanted: Wanted::Lines }),
            Self::Think { id, game, level, milliseconds } => {
                let time = Duration::from_millis(milliseconds.into());
                Some(Asked { id, game, lines: 1, wanted: Wanted::Move(level, time) })
            }
            Self::Report { id, game } => {
                Some(Asked { id, game, lines: GameReport::LINES, wanted: Wanted::Report })
            }
            Self::Stop => None,
        }
    }
}

impl Asked {
    pub(crate) fn wanted(&self) -> Wanted {
        self.wanted
    }

    pub(crate) fn task(&self, limits: &Limits) -> Task {
        match self.wanted {
            Wanted::Lines => Task::Analyse { longest: Duration::from_secs(limits.analysis_seconds) },
            Wanted::Report => GameReport::TASK,
            Wanted::Move(level, time) => Task::Move {
                strength: f64::from(level.clamp(1, LEVELS) - 1) / f64::from(LEVELS - 1),
                time: time.min(Duration::from_secs(limits.move_seconds)),
            },
        }
    }
}

/// What a visitor is told.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum ServerMessage {
    /// The best lines so far.
    Lines {
        id: u32,
        depth: u32,
        /// Positions looked at.
        #[cfg_attr(test, ts(type = "number"))]
        nodes: u64,
        /// The time an engine spent on it.
        #[cfg_attr(test, ts(type = "number"))]
        milliseconds: u64,
        lines: Vec<LineJson>,
        /// Whether the search has ended by itself.
        finished: bool,
    },
    /// The move that was asked for.
    Answer {
        id: u32,
        /// Nothing if the game is over.
        best: Option<SpelledMove>,
        /// Its line, and others if the level plays from several.
        lines: Vec<LineJson>,
        /// The sides that would take a draw now.
        takes_draw: Vec<SideJson>,
    },
    /// How far a report has come.
    Progress { id: u32, done: usize, total: usize },
    /// The report that was asked for.
    Report {
        id: u32,
        analysis: Box<GameAnalysis>,
        /// The score of every position, from the start.
        scores: Vec<ScoreJson>,
        /// The best line in every position but the last.
        lines: Vec<Vec<SpelledMove>>,
    },
    /// What was asked cannot be done.
    Refused { id: Option<u32>, reason: String },
}

/// A line of play.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LineJson {
    depth: u32,
    score: ScoreJson,
    moves: Vec<SpelledMove>,
}

/// A score as Red sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ScoreJson {
    /// Centisoldiers.
    red: i32,
    /// Moves to the mate: positive if Red mates.
    mate: Option<i32>,
    /// Thousandths of games that Red wins, draws and loses.
    chances: [u32; 3],
}

impl ScoreJson {
    /// The score of the side to move.
    pub(crate) fn new(score: Score, position: &Position) -> Self {
        let side = position.side_to_move();
        let sign = if side == Side::Red { 1 } else { -1 };
        let Chances { win, draw, loss } = Chances::of(score, Phase::of(position));
        let mut chances = [win, draw, loss];
        if side == Side::Black {
            chances.reverse();
        }
        Self { red: sign * score.get(), mate: score.mate_in().map(|moves| sign * moves), chances }
    }
}

impl LineJson {
    fn new(game: &Game, line: &Line) -> Self {
        Self::of(game, line.depth, line.score, &line.moves)
    }

    /// A line with the score for the side to move.
    pub(crate) fn of(game: &Game, depth: u32, score: Score, moves: &[Move]) -> Self {
        let position = game.position();
        Self {
            depth,
            score: ScoreJson::new(score, position),
            moves: SpelledMove::line(position, &moves[..moves.len().min(LONGEST_LINE)]),
        }
    }
}

impl ServerMessage {
    pub(crate) fn lines(id: u32, game: &Game, news: &News) -> Self {
        Self::Lines {
            id,
            depth: news.lines.first().map_or(0, |line| line.depth),
            nodes: news.nodes,
            milliseconds: news.time.as_millis() as u64,
            lines: news.lines.iter().map(|line| LineJson::new(game, line)).collect(),
            finished: news.finished,
        }
    }

    pub(crate) fn answer(id: u32, game: &Game, news: &News) -> Self {
        let position = game.position();
        let lines: Vec<LineJson> = news.lines.iter().map(|line| LineJson::new(game, line)).collect();
        let best = lines.first().and_then(|line| line.moves.first().cloned());
        let takes_draw = match news.lines.first() {
            Some(line) => {
                let side = position.side_to_move();
                let scores = [(side, line.score), (!side, -line.score)];
                let glad = scores.into_iter().filter(|(_, score)| draw_offer::is_welcome(*score, position));
                glad.map(|(side, _)| side.into()).collect()
            }
            None => Vec::new(),
        };
        Self::Answer { id, best, lines, takes_draw }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_seen_by_red() {
        let red = Position::start();
        let black = red.across();
        let score = ScoreJson::new(Score::centisoldiers(150), &black);
        assert_eq!((score.red, score.mate), (-150, None));
        assert!(score.chances[2] > score.chances[0]);
        assert_eq!(ScoreJson::new(Score::won_in(5), &red).mate, Some(3));
        assert_eq!(ScoreJson::new(Score::won_in(5), &black).mate, Some(-3));
        assert_eq!(ScoreJson::new(Score::lost_in(4), &black).mate, Some(2));
        assert_eq!(ScoreJson::new(Score::lost_in(4), &red).mate, Some(-2));
    }

    #[test]
    fn unknown_messages_and_fields_are_refused() {
        let read = serde_json::from_str::<ClientMessage>;
        assert!(read(r#"{"type":"stop"}"#).is_ok());
        assert!(read(r#"{"type":"analyse","id":1,"game":{},"lines":3}"#).is_ok());
        assert!(read(r#"{"type":"analyse","id":1,"game":{"fen":"x"},"lines":3}"#).is_err());
        assert!(read(r#"{"type":"erase"}"#).is_err());
    }
}
