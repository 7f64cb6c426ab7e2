//! Which positions to search again: a report is as good as its worst search.
//!
//! The score of a position and that of the position after the move that was played must agree: if the best move was
//! played, they are the same, and no move is better than the best. Where they contradict each other, or where a mistake
//! would be marked, both positions are searched again, each time longer, until their scores settle.

use chuhe_board::Position;
use chuhe_notation::record::Game as Record;

use super::judgement::{MARKS, expectation};
use super::{Journal, fingerprint};

/// Points by which neighbours may contradict each other.
const TOLERANCE: f64 = 4.0;
/// A new search that changes a score by less has settled it.
const SETTLED: f64 = 2.0;
/// How often a position is searched again.
const MAX_ROUNDS: u32 = 3;
/// Factor by which each search of a doubtful position is longer than the one before.
const GROWTH: u32 = 3;

/// The positions of a game that are searched again.
#[derive(Debug, Default)]
pub struct Doubts {
    /// For each position how often it was searched again, and what was expected before the last search.
    searched: Vec<(u32, f64)>,
}

/// A position to search again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The number of moves before the position.
    pub ply: usize,
    /// How many times as long as the first search.
    pub factor: u32,
}

impl Doubts {
    /// The positions whose scores are in doubt now; none once all have settled.
    pub fn next(&mut self, record: &Record, journal: &Journal) -> Vec<Doubt> {
        let game = fingerprint(record);
        let mut position = record.start().clone();
        let mut expected = Vec::new();
        let mut best = Vec::new();
        for (ply, mv) in record.main_moves().map(Some).chain([None]).enumerate() {
            let Some(finding) = journal.finding(game, ply) else { return Vec::new() };
            expected.push(expectation(&position, finding.score()));
            best.push(finding.best() == mv);
            play(&mut position, mv);
        }
        self.searched.resize(expected.len(), (0, 0.0));
        let mut doubts = Vec::new();
        for ply in 0..expected.len() {
            let with_next = |ply: usize| ply + 1 < expected.len() && contradict(&expected, ply, best[ply]);
            let is_doubtful = with_next(ply) || ply.checked_sub(1).is_some_and(with_next);
            let (rounds, before) = self.searched[ply];
            let is_settled = rounds > 0 && (expected[ply] - before).abs() < SETTLED;
            if is_doubtful && !is_settled && rounds < MAX_ROUNDS {
                self.searched[ply] = (rounds + 1, expected[ply]);
                doubts.push(Doubt { ply, factor: GROWTH.pow(rounds + 1) });
            }
        }
        doubts
    }
}

fn play(position: &mut Position, mv: Option<chuhe_board::Move>) {
    if let Some(mv) = mv {
        let _ = position.play(mv, &mut ());
    }
}

/// Whether the scores before and after a move contradict each other, or would mark it as a mistake.
fn contradict(expected: &[f64], ply: usize, is_best: bool) -> bool {
    let gain = (100.0 - expected[ply + 1]) - expected[ply];
    let smallest_mark = MARKS.iter().map(|(least, _)| *least).fold(f64::INFINITY, f64::min);
    gain > TOLERANCE || (is_best && gain < -TOLERANCE) || gain <= -smallest_mark
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};
    use chuhe_notation::pgn;

    use super::*;
    use crate::analyse::{Finding, FoundLine};

    /// A game of two moves with the given scores for the side to move; the moves played are the best ones.
    fn journal(record: &Record, scores: [i32; 3]) -> Journal {
        let mut journal = Journal::in_memory();
        for (ply, (score, mv)) in scores.into_iter().zip(["h2e2", "h9g7", "h0g2"]).enumerate() {
            let moves = vec![parse_move(mv, RankStyle::FromZero).unwrap()];
            let finding = Finding { lines: vec![FoundLine { score, moves }], ..Finding::default() };
            journal.add(fingerprint(record), ply, finding).unwrap();
        }
        journal
    }

    #[test]
    fn contradictions_are_searched_until_they_settle() {
        let record = pgn::read("1. h2e2 h9g7 *", RankStyle::FromZero).next().unwrap().unwrap();
        let steady = journal(&record, [10, -10, 10]);
        assert_eq!(Doubts::default().next(&record, &steady), []);

        // The last position says that the best replies lose half a chariot.
        let mut doubts = Doubts::default();
        let swinging = journal(&record, [10, -10, 300]);
        let both = |factor| vec![Doubt { ply: 1, factor }, Doubt { ply: 2, factor }];
        assert_eq!(doubts.next(&record, &swinging), both(3));
        // The new searches agree with each other, so that now the first position is in doubt.
        let moved = journal(&record, [10, -300, 300]);
        assert_eq!(doubts.next(&record, &moved)[0], Doubt { ply: 0, factor: 3 });
        let settled = journal(&record, [300, -300, 300]);
        assert_eq!(doubts.next(&record, &settled), []);
    }

    #[test]
    fn a_contradiction_that_stays_is_given_up() {
        let record = pgn::read("1. h2e2 h9g7 *", RankStyle::FromZero).next().unwrap().unwrap();
        let swinging = journal(&record, [10, -10, 300]);
        let mut doubts = Doubts::default();
        assert_eq!(doubts.next(&record, &swinging).len(), 2);
        // The same scores again: they are settled.
        assert_eq!(doubts.next(&record, &swinging), []);
    }
}
