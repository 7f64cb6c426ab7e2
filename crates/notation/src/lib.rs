//! How people write Xiangqi down: moves in words.
//!
//! ```
//! use chuhe_board::Position;
//! use chuhe_notation::{chinese, chinese::Script, wxf};
//!
//! let position = Position::start();
//! let mv = wxf::parse_move("C2=5", &position)?;
//! assert_eq!(mv.to_string(), "h2e2");
//! assert_eq!(chinese::write_move(&position, mv, Script::Traditional).to_string(), "炮二平五");
//! assert_eq!(chinese::parse_move("俥一進１", &position)?.to_string(), "i0i1");
//! # Ok::<(), chuhe_notation::MoveTextError>(())
//! ```
//!
//! Coordinates such as `h2e2` need no position to be understood and live in `chuhe-board`; the words
//! here mean different moves in different positions.

pub mod chinese;
pub mod wxf;

mod words;

pub use words::MoveTextError;
