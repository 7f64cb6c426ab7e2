//! `position` lines. A rejected line never leads to a move of another position.

use chuhe_board::coords::{self, RankStyle};
use chuhe_protocol::{Command, Go, Line, Reply};
use chuhe_referee::Game;

use super::UciSession;

/// Why a `position` line is rejected.
struct Rejection {
    /// The legal moves before the first bad one.
    plies: usize,
    reason: String,
}

impl UciSession {
    /// Sets up the position of a line. If its moves are legal only in the other rank style, takes that one.
    pub(super) fn set_position(&mut self, line: &str) {
        self.send_owed_answer();
        let stated = self.connection.ranks_of(line);
        let (game, ranks) = match self.game_in(line, stated) {
            Ok(game) => (game, stated),
            Err(rejection) => match self.game_in(line, other(stated)) {
                Ok(game) => {
                    let style = name(other(stated));
                    self.connection.send_message(format!(
                        "these moves are legal only with ranks {style}: reading and writing moves so; set Ranks to change it"
                    ));
                    (game, other(stated))
                }
                Err(in_other_style) => return self.reject(rejection, stated, &in_other_style),
            },
        };
        self.connection.ranks = ranks;
        self.is_rejected = false;
        self.search.halt();
        if self.book.game.is_replaced_by(&game) {
            self.end_game();
        }
        self.game = game;
        self.banned.clear();
    }

    /// The game of a `position` line in a rank style.
    fn game_in(&self, line: &str, ranks: RankStyle) -> Result<Game, Rejection> {
        match self.connection.parse_with(line, ranks) {
            Ok(Command::Position(line)) => game_of(line, ranks),
            Ok(_) => Err(Rejection { plies: 0, reason: "not a position".to_owned() }),
            Err(error) => Err(Rejection { plies: 0, reason: error.to_string() }),
        }
    }

    /// The game of a line in the current rank style.
    pub(super) fn game_of(&self, line: Line) -> Result<Game, String> {
        game_of(line, self.connection.ranks).map_err(|rejection| rejection.reason)
    }

    /// Keeps the old position, but searches nothing until a valid one comes.
    fn reject(&mut self, rejection: Rejection, stated: RankStyle, in_other_style: &Rejection) {
        self.is_rejected = true;
        let mut message = rejection.reason;
        if in_other_style.plies > rejection.plies {
            message += &format!("; ranks {}? set Ranks", name(other(stated)));
        }
        self.connection.send_message(message);
    }

    /// Answers a `go` after a rejected position: no move, when the mode allows an answer.
    pub(super) fn decline_search(&mut self, go: &Go) {
        self.search.halt();
        self.connection.send_message("no search: the last position was rejected");
        let waits = go.ponder || go.infinite;
        self.owes_answer = waits;
        if !waits {
            self.connection.send(&Reply::NoBestMove);
        }
    }

    /// Sends the answer to an infinite or ponder search that was declined.
    pub(super) fn send_owed_answer(&mut self) {
        if std::mem::take(&mut self.owes_answer) {
            self.connection.send(&Reply::NoBestMove);
        }
    }
}

fn game_of(line: Line, ranks: RankStyle) -> Result<Game, Rejection> {
    let mut game = Game::new(line.start);
    for (plies, mv) in line.moves.into_iter().enumerate() {
        game.play(mv).map_err(|error| {
            let written = coords::write_move(mv, ranks);
            Rejection { plies, reason: format!("ply {}: {written} is illegal: {}", error.ply, error.why) }
        })?;
    }
    Ok(game)
}

const fn other(ranks: RankStyle) -> RankStyle {
    match ranks {
        RankStyle::FromZero => RankStyle::FromOne,
        RankStyle::FromOne => RankStyle::FromZero,
    }
}

const fn name(ranks: RankStyle) -> &'static str {
    match ranks {
        RankStyle::FromZero => "0-9",
        RankStyle::FromOne => "1-10",
    }
}
