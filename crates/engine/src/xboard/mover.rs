//! The engine's side of the game on the search's thread: it moves, and thinks on in the opponent's time.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chuhe_adapters::Handicap;
use chuhe_protocol::xboard::{self, Reply};
use chuhe_search::{Answer, Line};

use super::RANKS;
use super::record::Record;
use crate::Sink;
use crate::session::random;
use crate::thinker::{Manner, Task};

pub(super) struct Mover {
    pub(super) record: Arc<Mutex<Record>>,
    pub(super) sink: Sink,
    pub(super) handicap: Option<Handicap>,
    pub(super) overhead: Duration,
}

impl Mover {
    /// Plays what the search found if a move is due, and gives the search for the opponent's time.
    pub(super) fn answer(&self, answer: &Answer) -> Option<Task> {
        let choice = self.handicap.map_or(0, |handicap| handicap.choose(&answer.lines, random()));
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        record.expected = None;
        let due = record.thinking && !record.withdrawn;
        let line = answer.lines.get(choice).filter(|_| due);
        for reply in line.map_or_else(Vec::new, |line| record.moved(line)) {
            self.say(&reply);
        }
        record.thinking = false;
        for number in std::mem::take(&mut record.pings) {
            self.say(&Reply::Pong(number));
        }
        self.think_on(&mut record, line?)
    }

    /// The search of the position after the expected reply.
    fn think_on(&self, record: &mut Record, line: &Line) -> Option<Task> {
        let expected = *line.moves.get(1).filter(|_| record.ponders && self.handicap.is_none())?;
        let mut game = record.game();
        game.play(expected).ok()?;
        if !game.position().has_moves() {
            return None;
        }
        record.expected = Some(expected);
        let limits = record.limits_after_turn(self.overhead);
        Some(Task { game, limits, manner: Manner { ponder: true, ..Manner::default() } })
    }

    fn say(&self, reply: &Reply) {
        self.sink.say(xboard::write_reply(reply, RANKS));
    }
}
