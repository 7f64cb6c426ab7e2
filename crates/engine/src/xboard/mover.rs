//! The engine's moves, made on the search thread, and pondering after them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chuhe_adapters::Handicap;
use chuhe_protocol::xboard::{self, Reply};
use chuhe_search::{Answer, Line};

use super::RANKS;
use super::record::Record;
use crate::search_request::{SearchMode, SearchRequest};
use crate::{Output, random};

pub(super) struct Mover {
    pub(super) record: Arc<Mutex<Record>>,
    pub(super) output: Output,
    pub(super) handicap: Option<Handicap>,
    pub(super) overhead: Duration,
}

impl Mover {
    /// Plays the move of the search if one is due. Returns the ponder search.
    pub(super) fn on_answer(&self, answer: &Answer) -> Option<SearchRequest> {
        let choice = self.handicap.map_or(0, |handicap| handicap.choose(&answer.lines, random()));
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        record.expected = None;
        let due = record.thinking && !record.withdrawn;
        let line = answer.lines.get(choice).filter(|_| due);
        for reply in line.map_or_else(Vec::new, |line| record.play(line)) {
            self.send(&reply);
        }
        record.thinking = false;
        for number in std::mem::take(&mut record.pings) {
            self.send(&Reply::Pong(number));
        }
        self.ponder(&mut record, line?)
    }

    /// The search of the position after the expected reply.
    fn ponder(&self, record: &mut Record, line: &Line) -> Option<SearchRequest> {
        let expected = *line.moves.get(1).filter(|_| record.ponders && self.handicap.is_none())?;
        let mut game = record.game();
        game.play(expected).ok()?;
        if !game.position().has_moves() {
            return None;
        }
        record.expected = Some(expected);
        let limits = record.limits_after_turn(self.overhead);
        Some(SearchRequest { game, limits, mode: SearchMode { ponder: true, ..SearchMode::default() } })
    }

    fn send(&self, reply: &Reply) {
        self.output.send(xboard::write_reply(reply, RANKS));
    }
}
