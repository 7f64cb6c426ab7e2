//! Protocols for other programs.
//!
//! [`TextSession`] answers the tournament text protocol 1.1.0, [`FenSession`] the one-line protocol of the
//! 2025 course; [`Pipe`] drives another program that speaks the former.

mod fen_line;
mod pipe;
mod text_session;

pub use fen_line::{FenError, FenSession};
pub use pipe::Pipe;
pub use text_session::{Reply, TextSession};

use std::time::Duration;

use crate::engine::Engine;
use crate::game::Game;
use crate::limits::Limits;
use crate::moves::Move;

/// The time per move without a clock.
const WITHOUT_A_CLOCK: Duration = Duration::from_secs(1);

/// Our move, within what is left on the clock if there is one.
fn think(engine: &mut Engine, game: &Game, left: Option<Duration>) -> Move {
    let limits = match left {
        Some(left) => Limits::clock(left, game.played().len()),
        None => Limits::movetime(WITHOUT_A_CLOCK),
    };
    engine.search(game, &limits).best
}
