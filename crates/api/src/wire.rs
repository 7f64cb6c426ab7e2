//! JSON types shared by several requests: games, moves in every notation, sides.

use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_board::fen::FenError;
use chuhe_board::{Move, Position, Side, fen};
use chuhe_notation::chinese::{self, Script};
use chuhe_notation::wxf;
use chuhe_referee::Game;
use serde::{Deserialize, Serialize};

use crate::{Arg, Key, Notice};

/// Longer games are refused.
const MAX_PLIES: usize = 3000;

/// A game: start position and moves.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameJson {
    /// The start position as FEN; the standard one if missing.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub start: Option<String>,
    /// The moves in coordinates, ranks 0–9.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl GameJson {
    /// Parses the game.
    pub fn game(&self) -> Result<Game, Notice> {
        if self.moves.len() > MAX_PLIES {
            let count = self.moves.len();
            return Err(too_many_moves(count, MAX_PLIES));
        }
        let mut game = Game::new(position(self.start.as_deref())?);
        for text in &self.moves {
            let mv = parse_move(text, RankStyle::FromZero)?;
            game.play(mv)?;
        }
        Ok(game)
    }
}

/// Parses a FEN; `None` is the standard start position.
pub fn position(text: Option<&str>) -> Result<Position, Notice> {
    match text {
        None => Ok(Position::start()),
        Some(text) => fen::parse(text).map_err(bad_fen),
    }
}

/// The refusal of a FEN.
pub(crate) fn bad_fen(error: FenError) -> Notice {
    Notice::from(error).within(Key::BadFen, "bad FEN")
}

/// The refusal of a long game.
pub(crate) fn too_many_moves(count: usize, most: usize) -> Notice {
    let text = format!("{count} moves are more than {most}");
    Notice::new(Key::TooManyMoves, [Arg::from(count), Arg::from(most)], text)
}

/// A move in every notation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MoveJson {
    /// Coordinates with ranks 0–9: `h2e2`.
    #[serde(rename = "move")]
    pub mv: String,
    /// `C2=5`.
    pub wxf: String,
    /// 炮二平五 in traditional characters.
    pub traditional: String,
    /// 炮二平五 in simplified characters.
    pub simplified: String,
}

impl MoveJson {
    /// Names a legal move.
    pub fn new(position: &Position, mv: Move) -> Self {
        Self {
            mv: mv.to_string(),
            wxf: wxf::write_move(position, mv).to_string(),
            traditional: chinese::write_move(position, mv, Script::Traditional).to_string(),
            simplified: chinese::write_move(position, mv, Script::Simplified).to_string(),
        }
    }

    /// Names the moves of a line, up to the first illegal one.
    pub fn line(position: &Position, moves: &[Move]) -> Vec<Self> {
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
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum SideJson {
    /// Red, who moves first.
    Red,
    /// Black.
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
