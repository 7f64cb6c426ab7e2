//! Game report: every position of a game searched, every move judged.
//!
//! Each position is a search of its own, so that a report gets no more than its fair share of the engines. Positions whose
//! scores contradict each other are searched again ([`Doubts`]).

use std::sync::Arc;
use std::time::Duration;

use chuhe_adapters::Evaluation;
use chuhe_board::{Move, Position};
use chuhe_book::Book;
use chuhe_notation::record::{Game as Record, GameBuilder};
use chuhe_referee::{Game, RuleSet};
use chuhe_report::AnalyseError;
use chuhe_report::analyse::{self, Doubt, Doubts, Finding, FoundLine, Journal, Settings};
use chuhe_search::{Endgames, Limits};
use serde::Deserialize;

use crate::Notice;
use crate::explain::ExplainedSummary;
use crate::live::{ScoreJson, ServerMessage, Update};
use crate::wire::MoveJson;
use crate::wire::too_many_moves;

/// How long each position of a report is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[expect(missing_docs, reason = "the names say it")]
pub enum Effort {
    Quick,
    #[default]
    Normal,
    Deep,
}

impl Effort {
    /// Engine time per position.
    fn time(self) -> Duration {
        Duration::from_millis(match self {
            Self::Quick => 80,
            Self::Normal => 250,
            Self::Deep => 1000,
        })
    }
}

/// Longer games are refused.
const MAX_PLIES: usize = 600;
/// Best lines are cut to this many moves.
const MAX_LINE_MOVES: usize = 12;
/// Mistakes are explained by the position at most this many plies later.
const WHY_PLIES: usize = 7;

/// A game being searched, from its last position to its first: the transposition table then knows what
/// earlier positions lead to.
pub struct GameReport {
    record: Record,
    journal: Journal,
    fingerprint: u64,
    effort: Effort,
    doubts: Doubts,
    /// Positions left to search, the next one last.
    left: Vec<Doubt>,
    done: usize,
}

impl GameReport {
    /// Two lines show whether the best move was the only good one.
    pub const LINES: usize = 2;

    /// A report on a game.
    pub fn new(game: &Game, effort: Effort) -> Result<Self, Notice> {
        let plies = game.history().len();
        if plies > MAX_PLIES {
            return Err(too_many_moves(plies, MAX_PLIES));
        }
        let mut builder = GameBuilder::new(game.start().clone());
        for mv in game.history().plies().iter().filter_map(|ply| Some(ply.undo()?.mv())) {
            builder.play(mv)?;
        }
        let record = builder.finish();
        let fingerprint = analyse::fingerprint(&record);
        let journal = Journal::in_memory();
        let left = (0..=plies).map(|ply| Doubt { ply, factor: 1 }).collect();
        Ok(Self { record, journal, fingerprint, effort, doubts: Doubts::default(), left, done: 0 })
    }

    /// The game up to the next position to search.
    pub fn next_game(&self) -> Game {
        self.game_at(self.left.last().map_or(0, |next| next.ply))
    }

    /// Engine time for the next position.
    pub fn next_time(&self) -> Duration {
        self.effort.time() * self.left.last().map_or(1, |next| next.factor)
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
        let Some(Doubt { ply, .. }) = self.left.pop() else { return };
        self.done += 1;
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
        if self.left.is_empty() {
            self.left = self.doubts.next(&self.record, &self.journal);
        }
    }

    /// Searches done, and searches in all as far as is known.
    pub fn progress(&self) -> (usize, usize) {
        (self.done, self.done + self.left.len())
    }

    /// The report, once all positions are done.
    pub fn finish(
        &self,
        id: u32,
        endgames: Option<Arc<dyn Endgames>>,
        book: &Book,
    ) -> Result<ServerMessage, AnalyseError> {
        let settings = Settings {
            limits: Limits::movetime(self.effort.time()),
            threads: 1,
            mebibytes: 1,
            rules: RuleSet::default(),
            endgames,
        };
        let judged = analyse::judge(&self.record, &self.journal, &settings, Some(book))?;
        let analysis = Box::new(judged);
        let mut position = self.record.start().clone();
        let mut moves = self.record.main_moves();
        let (mut scores, mut lines, mut reasons) = (Vec::new(), Vec::new(), Vec::new());
        for ply in 0.. {
            let finding = self.journal.finding(self.fingerprint, ply).ok_or(AnalyseError::Stopped)?;
            scores.push(ScoreJson::new(finding.score(), &position));
            let Some(mv) = moves.next() else { break };
            let line = finding.lines.first().map_or(&[][..], |line| &line.moves);
            lines.push(MoveJson::line(&position, &line[..line.len().min(MAX_LINE_MOVES)]));
            let is_mistake = analysis.moves[ply].mark.as_deref().is_some_and(|mark| mark != "!");
            let refutation = is_mistake.then(|| self.journal.finding(self.fingerprint, ply + 1)).flatten();
            let reason = refutation.and_then(|reply| why(&position, mv, &reply.lines.first()?.moves, line));
            reasons.push(reason.unwrap_or_default());
            let _ = position.play(mv, &mut ());
        }
        Ok(ServerMessage::Report { id, analysis, scores, lines, reasons })
    }
}

/// Why a move is a mistake: what the opponent gets after its best reply that it would not get after the best move. `None`
/// if the lines are too short to compare.
fn why(before: &Position, played: Move, reply: &[Move], best: &[Move]) -> Option<ExplainedSummary> {
    let plies = reply.len().min(best.len().checked_sub(1)?).min(WHY_PLIES);
    let played: Vec<Position> = positions(before, std::iter::once(&played).chain(reply)).collect();
    let best: Vec<Position> = positions(before, best).collect();
    // In the middle of an exchange material says nothing.
    let is_quiet = |line: &[Position], ply: usize| {
        let pieces = |at: usize| line[at].occupied().len();
        ply == 0 || pieces(ply) == pieces(ply - 1)
    };
    let end = (0..=plies).rev().find(|ply| is_quiet(&played, *ply) && is_quiet(&best, *ply)).unwrap_or(plies);
    let (after, instead) = (&played[end], &best[end]);
    let (found, other) = (Evaluation::of(after), Evaluation::of(instead));
    Some(found.losses_against(before.side_to_move(), &other, after).into())
}

/// The position after each move of a line.
fn positions<'a>(
    before: &Position,
    moves: impl IntoIterator<Item = &'a Move>,
) -> impl Iterator<Item = Position> {
    let mut position = before.clone();
    moves.into_iter().map(move |mv| {
        let _ = position.play(*mv, &mut ());
        position.clone()
    })
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;

    #[test]
    fn positions_are_searched_from_last_to_first() {
        let mut game = Game::new(Position::start());
        for text in ["h2e2", "h9g7"] {
            game.play(parse_move(text, RankStyle::FromZero).unwrap()).unwrap();
        }
        let mut report = GameReport::new(&game, Effort::Normal).unwrap();
        assert_eq!(report.progress(), (0, 3));
        for left in [2, 1, 0] {
            assert_eq!(report.next_game().history().len(), left);
            report.record(&Update { finished: true, ..Update::default() });
        }
        // Positions without a score contradict each other and are searched again, longer.
        assert!(report.progress().1 > 3);
        assert_eq!(report.next_time(), Duration::from_millis(750));
    }

    #[test]
    fn a_mistake_is_explained_by_what_it_loses() {
        let moves = |texts: &[&str]| -> Vec<Move> {
            texts.iter().map(|text| parse_move(text, RankStyle::FromZero).unwrap()).collect()
        };
        // The cannon takes a protected soldier and is lost for it.
        let mut before = Position::start();
        for mv in moves(&["h2e2", "h9g7"]) {
            let _ = before.play(mv, &mut ());
        }
        let played = moves(&["e2e6"])[0];
        let reply = moves(&["g7e6", "h0g2", "b9c7", "b0c2"]);
        let best = moves(&["h0g2", "b9c7", "i0h0", "i9h9", "b0c2"]);
        let reason = serde_json::to_string(&why(&before, played, &reply, &best).unwrap()).unwrap();
        assert!(reason.contains("Black is up a cannon for a soldier"), "{reason}");
        assert!(reason.contains("黑方多一炮"), "{reason}");
        assert!(why(&before, played, &reply, &[]).is_none());
    }
}
