//! A whole game searched position by position, and what its moves were worth.
//!
//! Each position is an analysis of its own on the shared engines, so that a report takes no more than its turn.

use std::time::Duration;

use chuhe_notation::record::{Game as Record, GameBuilder};
use chuhe_referee::{Game, RuleSet};
use chuhe_report::AnalyseError;
use chuhe_report::analyse::{self, Finding, FoundLine, Journal, Settings};
use chuhe_search::Limits;

use super::message::{ScoreJson, ServerMessage};
use crate::engines::{News, Task};
use crate::error::ApiError;
use crate::library::Library;
use crate::spelled::SpelledMove;

/// The time of an engine for each position.
const TIME: Duration = Duration::from_millis(250);
/// Longer games are not judged.
const MOST_PLIES: usize = 600;
/// So many moves of the best line are told.
const LONGEST_LINE: usize = 12;

/// A game that is being searched, from its last position to its first: what the engines learn about later
/// positions helps with earlier ones.
pub(crate) struct GameReport {
    record: Record,
    journal: Journal,
    fingerprint: u64,
    /// How many positions are left to search.
    left: usize,
    total: usize,
}

impl GameReport {
    /// The best line, and one to see whether it was the only good one.
    pub(crate) const LINES: usize = 2;
    /// The search of one position.
    pub(crate) const TASK: Task = Task::Analyse { longest: TIME };

    pub(crate) fn new(game: &Game) -> Result<Self, ApiError> {
        let plies = game.history().len();
        if plies > MOST_PLIES {
            return Err(ApiError::unusable(format!(
                "{plies} moves are more than the {MOST_PLIES} of a report"
            )));
        }
        let mut builder = GameBuilder::new(game.start().clone());
        for mv in game.history().plies().iter().filter_map(|ply| Some(ply.undo()?.mv())) {
            builder.play(mv).map_err(ApiError::unusable)?;
        }
        let record = builder.finish();
        let fingerprint = analyse::fingerprint(&record);
        Ok(Self { record, journal: Journal::in_memory(), fingerprint, left: plies + 1, total: plies + 1 })
    }

    /// The game up to the position that is to be searched next.
    pub(crate) fn position(&self) -> Game {
        self.game_at(self.left.saturating_sub(1))
    }

    fn game_at(&self, ply: usize) -> Game {
        let mut game = Game::new(self.record.start().clone());
        for mv in self.record.main_moves().take(ply) {
            game.play(mv).expect("records hold only legal moves");
        }
        game
    }

    /// Takes down what was found in the position.
    pub(crate) fn note(&mut self, news: &News) {
        let Some(ply) = self.left.checked_sub(1) else { return };
        self.left = ply;
        let found =
            |line: &chuhe_search::Line| FoundLine { score: line.score.get(), moves: line.moves.clone() };
        let finding = Finding {
            depth: news.lines.first().map_or(0, |line| line.depth),
            nodes: news.nodes,
            settled: news.settled,
            lines: news.lines.iter().map(found).collect(),
        };
        // Only a journal on disk can fail.
        let _ = self.journal.add(self.fingerprint, ply, finding);
    }

    /// How many positions are done of how many.
    pub(crate) fn progress(&self) -> (usize, usize) {
        (self.total - self.left, self.total)
    }

    /// The report, when all positions are done.
    pub(crate) fn conclude(&self, id: u32, library: &Library) -> Result<ServerMessage, AnalyseError> {
        let settings = Settings {
            limits: Limits::movetime(TIME),
            threads: 1,
            mebibytes: 1,
            rules: RuleSet::default(),
            endgames: Some(library.tables.clone()),
        };
        let judged = analyse::judge(&self.record, &self.journal, &settings, Some(&library.book))?;
        let analysis = Box::new(judged);
        let mut position = self.record.start().clone();
        let mut moves = self.record.main_moves();
        let (mut scores, mut lines) = (Vec::new(), Vec::new());
        for ply in 0..self.total {
            let finding = self.journal.finding(self.fingerprint, ply).ok_or(AnalyseError::Stopped)?;
            scores.push(ScoreJson::new(finding.score(), &position));
            let Some(mv) = moves.next() else { break };
            let line = finding.lines.first().map_or(&[][..], |line| &line.moves);
            lines.push(SpelledMove::line(&position, &line[..line.len().min(LONGEST_LINE)]));
            let _ = position.play(mv, &mut ());
        }
        Ok(ServerMessage::Report { id, analysis, scores, lines })
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;

    #[test]
    fn positions_are_asked_for_from_the_end_to_the_start() {
        let mut game = Game::new(Position::start());
        for text in ["h2e2", "h9g7"] {
            game.play(parse_move(text, RankStyle::FromZero).unwrap()).unwrap();
        }
        let mut report = GameReport::new(&game).unwrap();
        assert_eq!(report.progress(), (0, 3));
        for left in [2, 1, 0] {
            assert_eq!(report.position().history().len(), left);
            report.note(&News { finished: true, ..News::default() });
        }
        assert_eq!(report.progress(), (3, 3));
    }
}
