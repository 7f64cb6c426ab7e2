//! Games as requests carry them, and moves in every notation as answers do.

use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_board::{Move, Position, Side, fen};
use chuhe_notation::chinese::{self, Script};
use chuhe_notation::wxf;
use chuhe_referee::Game;
use serde::{Deserialize, Serialize};

use crate::error::ApiError;

/// No game that is asked about is longer.
const LONGEST_GAME: usize = 3000;

/// A game: where it started and what was played.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct GameJson {
    /// The start as FEN; the normal one if missing.
    #[cfg_attr(test, ts(optional))]
    pub(crate) start: Option<String>,
    /// The moves in coordinates, ranks 0–9.
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

impl GameJson {
    /// The game, or what is wrong with it.
    pub(crate) fn game(&self) -> Result<Game, ApiError> {
        if self.moves.len() > LONGEST_GAME {
            let count = self.moves.len();
            return Err(ApiError::unusable(format!("{count} moves are more than {LONGEST_GAME}")));
        }
        let mut game = Game::new(position(self.start.as_deref())?);
        for text in &self.moves {
            let mv = parse_move(text, RankStyle::FromZero).map_err(ApiError::unusable)?;
            game.play(mv).map_err(ApiError::unusable)?;
        }
        Ok(game)
    }
}

/// The position of a FEN; the start of a normal game if there is none.
pub(crate) fn position(text: Option<&str>) -> Result<Position, ApiError> {
    match text {
        None => Ok(Position::start()),
        Some(text) => fen::parse(text).map_err(|error| ApiError::unusable(format!("bad FEN: {error}"))),
    }
}

/// A move in every notation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SpelledMove {
    /// Coordinates with ranks 0–9: `h2e2`.
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// `C2=5`.
    pub(crate) wxf: String,
    /// 炮二平五 in traditional characters.
    pub(crate) traditional: String,
    /// 炮二平五 in simplified characters.
    pub(crate) simplified: String,
}

impl SpelledMove {
    /// Spells a legal move.
    pub(crate) fn new(position: &Position, mv: Move) -> Self {
        Self {
            mv: mv.to_string(),
            wxf: wxf::write_move(position, mv).to_string(),
            traditional: chinese::write_move(position, mv, Script::Traditional).to_string(),
            simplified: chinese::write_move(position, mv, Script::Simplified).to_string(),
        }
    }

    /// Spells a line of moves, as far as it is legal.
    pub(crate) fn line(position: &Position, moves: &[Move]) -> Vec<Self> {
        let mut position = position.clone();
        let mut line = Vec::with_capacity(moves.len());
        for mv in moves {
            if !position.is_legal(*mv) {
                break;
            }
            line.push(Self::new(&position, *mv));
            let _ = position.play(*mv, &mut ());
        }
        line
    }
}

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum SideJson {
    Red,
    Black,
}

impl From<Side> for SideJson {
    fn from(side: Side) -> Self {
        match side {
            Side::Red => Self::Red,
            Side::Black => Self::Black,
        }
    }
}
