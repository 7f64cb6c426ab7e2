//! The game so far, shared with the search thread, which adds the engine's moves.

use std::time::Duration;

use chuhe_adapters::draw_offer;
use chuhe_board::{Move, Outcome, Position, Side};
use chuhe_clock::Instant;
use chuhe_eval::Score;
use chuhe_protocol::xboard::Reply;
use chuhe_referee::Game;
use chuhe_search::{Limits, Line};

use super::time::TimeControl;

pub(super) struct Record {
    start: Position,
    pub(super) moves: Vec<Move>,
    /// The running search must not move.
    pub(super) withdrawn: bool,
    /// The engine is to move and searches.
    pub(super) thinking: bool,
    /// Pings to answer after the move.
    pub(super) pings: Vec<u64>,
    /// The opponent offered a draw during the search.
    pub(super) draw_offered: bool,
    /// The expected move of the opponent, while the engine ponders on it.
    pub(super) expected: Option<Move>,
    /// Whether pondering is on.
    pub(super) ponders: bool,
    pub(super) time: TimeControl,
    turn_began: Instant,
    /// The score of the engine's last move, from its own point of view.
    score: Option<Score>,
}

impl Record {
    pub(super) fn new(start: Position) -> Self {
        Self {
            start,
            moves: Vec::new(),
            withdrawn: false,
            thinking: false,
            pings: Vec::new(),
            draw_offered: false,
            expected: None,
            ponders: false,
            time: TimeControl::default(),
            turn_began: Instant::now(),
            score: None,
        }
    }

    /// Starts another game with the same settings.
    pub(super) fn restart(&mut self, start: Position) {
        *self = Self { ponders: self.ponders, time: self.time, ..Self::new(start) };
    }

    /// The engine is to move.
    pub(super) fn begin_turn(&mut self) {
        self.thinking = true;
        self.turn_began = Instant::now();
    }

    /// The limits for the engine's next move.
    pub(super) fn limits(&self, overhead: Duration) -> Limits {
        self.time.limits(self.moves.len() as u32 / 2, overhead)
    }

    /// The limits for the move after the one just made, before xboard has sent the clock.
    pub(super) fn limits_after_turn(&self, overhead: Duration) -> Limits {
        let rounds = (self.moves.len() + 1) as u32 / 2;
        self.time.after(self.turn_began.elapsed()).limits(rounds, overhead)
    }

    pub(super) fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        for mv in &self.moves {
            game.play(*mv).expect("only legal moves are recorded");
        }
        game
    }

    /// Takes back the last `plies` moves.
    pub(super) fn take_back(&mut self, plies: usize) {
        self.moves.truncate(self.moves.len().saturating_sub(plies));
        self.score = None;
    }

    /// Plays the engine's move. Returns the replies to send.
    pub(super) fn play(&mut self, line: &Line) -> Vec<Reply> {
        let Some(mv) = line.moves.first().copied() else {
            return Vec::new();
        };
        self.score = Some(line.score);
        let mut replies = Vec::new();
        if std::mem::take(&mut self.draw_offered) && self.welcomes_draw() {
            replies.push(Reply::OfferDraw);
        }
        self.moves.push(mv);
        replies.push(Reply::Move(mv));
        let game = self.game();
        if !game.position().has_moves() {
            replies.push(lost(game.position().side_to_move()));
        }
        replies
    }

    /// Whether the engine accepts a draw, by the score of its last search.
    pub(super) fn welcomes_draw(&self) -> bool {
        self.score.is_some_and(|score| draw_offer::is_welcome(score, self.game().position()))
    }
}

/// The reply that a side has lost because it has no legal move.
pub(super) fn lost(side: Side) -> Reply {
    Reply::Result { result: Outcome::won_by(!side), comment: format!("{} wins: {side} has no move", !side) }
}
