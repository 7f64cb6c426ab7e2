//! The board of Xiangqi: points, pieces, positions and legal moves.
//!
//! ```
//! use chuhe_board::{Position, Side, coords, coords::RankStyle};
//!
//! let mut position = Position::start();
//! let central_cannon = coords::parse_move("h2e2", RankStyle::FromZero)?;
//! assert!(position.is_legal(central_cannon));
//! let undo = position.play(central_cannon, &mut ());
//! assert_eq!(position.side_to_move(), Side::Black);
//! position.take_back(undo, &mut ());
//! # Ok::<(), coords::CoordsError>(())
//! ```
//!
//! Everything else in Chuhe stands on this crate; it depends on none of the others.

pub mod attacks;
pub mod coords;
pub mod fen;
pub mod perft;
pub mod plain;
pub mod zones;

mod bitboard;
mod moves;
mod observer;
mod outcome;
mod piece;
mod position;
mod side;
mod square;
mod zobrist;

/// Plies without a capture after which a game is drawn: sixty rounds (the natural move limit 自然限著, known as the
/// sixty-move rule).
pub const QUIET_PLY_LIMIT: u16 = 120;

pub use bitboard::{Bitboard, Squares};
pub use moves::{Move, MoveList};
pub use observer::Observer;
pub use outcome::Outcome;
pub use piece::{Piece, PieceKind};
pub use position::{Checks, Fault, Implausible, Impossible, Legality, Position, Undo, Wanted};
pub use side::Side;
pub use square::Square;
pub use zobrist::Key;
