//! Game report: every position of a game searched, every move judged.
//!
//! Each position is a search of its own, so that a report gets no more than its fair share of the engines.

use std::sync::Arc;
use std::time::Duration;

use chuhe_book::Book;
use chuhe_notation::record::{Game as Record, GameBuilder};
use chuhe_referee::{Game, RuleSet};
use chuhe_report::AnalyseError;
use chuhe_report::analyse::{self, Finding, FoundLine, Journal, Settings};
use chuhe_search::{Endgames, Limits};

use crate::Refusal;
use crate::live::{ScoreJson, ServerMessage, Update};
use crate::wire::MoveJson;

/// Longer games are refused.
const MAX_PLIES: usize = 600;
/// Best lines are cut to this many moves.
const MAX_LINE_MOVES: usize = 12;

/// A game being searched, from its last position to its first: the transposition table then knows what
/// earlier positions lead to.
pub struct GameReport {
    record: Record,
    journal: Journal,
    fingerprint: u64,
    /// Positions left to search.
    left: usize,
    total: usize,
}

impl GameReport {
    /// Two lines show whether the best move was the only good one.
    pub const LINES: usize = 2;
    /// Engine time per position.
    pub const TIME: Duration = Duration::from_millis(250);

    /// A report on a game.
    pub fn new(game: &Game) -> Result<Self, Refusal> {
        let plies = game.history().len();
        if plies > MAX_PLIES {
            return Err(Refusal::new(format!("{plies} moves are more than the {MAX_PLIES} of a report")));
        }
        let mut builder = GameBuilder::new(game.start().clone());
        for mv in game.history().plies().iter().filter_map(|ply| Some(ply.undo()?.mv())) {
            builder.play(mv).map_err(Refusal::new)?;
        }
        let record = builder.finish();
        let fingerprint = analyse::fingerprint(&record);
        Ok(Self { record, journal: Journal::in_memory(), fingerprint, left: plies + 1, total: plies + 1 })
    }

    /// The game up to the next position to search.
    pub fn next_game(&self) -> Game {
        self.game_at(self.left.saturating_sub(1))
    }

    fn game_at(&self, ply: usize) -> Game {
        let mut game = Game::new(self.record.start().clone());
        for mv in self.record.main_moves().take(ply) {
            game.play(mv).expect("records hold only legal moves");
        }
        game
    }

    /// Records the result of the current position.
    pub fn record(&mut self, update: &Update) {
        let Some(ply) = self.left.checked_sub(1) else { return };
        self.left = ply;
        let found =
            |line: &chuhe_search::Line| FoundLine { score: line.score.get(), moves: line.moves.clone() };
        let finding = Finding {
            depth: update.lines.first().map_or(0, |line| line.depth),
            nodes: update.nodes,
            settled: update.settled,
            lines: update.lines.iter().map(found).collect(),
        };
        // Only a journal on disk can fail.
        let _ = self.journal.add(self.fingerprint, ply, finding);
    }

    /// Positions done, and positions in all.
    pub fn progress(&self) -> (usize, usize) {
        (self.total - self.left, self.total)
    }

    /// The report, once all positions are done.
    pub fn finish(
        &self,
        id: u32,
        endgames: Option<Arc<dyn Endgames>>,
        book: &Book,
    ) -> Result<ServerMessage, AnalyseError> {
        let settings = Settings {
            limits: Limits::movetime(Self::TIME),
            threads: 1,
            mebibytes: 1,
            rules: RuleSet::default(),
            endgames,
        };
        let judged = analyse::judge(&self.record, &self.journal, &settings, Some(book))?;
        let analysis = Box::new(judged);
        let mut position = self.record.start().clone();
        let mut moves = self.record.main_moves();
        let (mut scores, mut lines) = (Vec::new(), Vec::new());
        for ply in 0..self.total {
            let finding = self.journal.finding(self.fingerprint, ply).ok_or(AnalyseError::Stopped)?;
            scores.push(ScoreJson::new(finding.score(), &position));
            let Some(mv) = moves.next() else { break };
            let line = finding.lines.first().map_or(&[][..], |line| &line.moves);
            lines.push(MoveJson::line(&position, &line[..line.len().min(MAX_LINE_MOVES)]));
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
    fn positions_are_searched_from_last_to_first() {
        let mut game = Game::new(Position::start());
        for text in ["h2e2", "h9g7"] {
            game.play(parse_move(text, RankStyle::FromZero).unwrap()).unwrap();
        }
        let mut report = GameReport::new(&game).unwrap();
        assert_eq!(report.progress(), (0, 3));
        for left in [2, 1, 0] {
            assert_eq!(report.next_game().history().len(), left);
            report.record(&Update { finished: true, ..Update::default() });
        }
        assert_eq!(report.progress(), (3, 3));
    }
}
