//! Banqi 暗棋 (dark chess on half a board): rules, engines, endgame tables and protocols.
//!
//! ```
//! use chuhe_banqi::{Game, Played, Position, Rules, Side, SquareStyle, text};
//!
//! let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
//! let (flip, shown) = text::parse_move("c2(R)", SquareStyle::Wide)?;
//! game.play(Played::Flip(flip.from(), shown.expect("the text names the piece")))?;
//! assert_eq!(game.position().side_to_move(), Some(Side::Black));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Of the workspace it uses only `chuhe-hugepages`, for the transposition table: the pieces are those of Xiangqi, the game
//! is not.

pub mod contest;
pub mod deal;
pub mod endgame;
pub mod engine;
pub mod flips;
pub mod foodchain;
pub mod perft;
pub mod plain;
pub mod protocol;
pub mod random;
pub mod text;

mod chase;
mod game;
mod limits;
mod moves;
mod piece;
mod player;
mod position;
mod rules;
mod square;

pub use game::{DrawReason, Game, GameEnd, PlayError, WinReason};
pub use limits::Limits;
pub use moves::{Move, MoveList, Played};
pub use piece::{Counts, FULL_SET, Kind, Piece, Side};
pub use player::{Failure, Level, LevelError, Player, Resources};
pub use position::{Cell, Impossible, Position};
pub use rules::{CannonRule, Captures, Rules, Taking};
pub use square::{Square, SquareSet, SquareStyle, jumps};
