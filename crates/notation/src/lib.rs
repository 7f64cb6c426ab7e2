//! How people write Xiangqi down: moves in words, and games in the formats of many programs.
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
//!
//! Every record format reads into and writes from one [`record::Game`]:
//!
//! ```
//! use chuhe_board::coords::RankStyle;
//! use chuhe_notation::{pgn, xqf};
//!
//! let text = "[Red \"甲\"]\n1. 炮二平五 (1. 兵七進一 {仙人指路}) 馬8進7 *";
//! let game = pgn::read(text, RankStyle::FromZero).next().unwrap()?;
//! let (bytes, losses) = xqf::write(&game);
//! assert!(losses.is_empty());
//! assert_eq!(xqf::read(&bytes)?, game);
//! # Ok::<(), chuhe_notation::RecordError>(())
//! ```

pub mod cbf;
pub mod cbl;
pub mod cbr;
pub mod ccm;
pub mod che;
pub mod chinese;
pub mod chn;
pub mod convert;
pub mod dhtmlxq;
pub mod encoding;
pub mod folding;
pub mod json;
pub mod mxq;
pub mod pgn;
pub mod record;
pub mod text;
pub mod wxf;
pub mod xqf;

mod bytes;
mod failure;
mod format;
mod prose;
mod setup;
mod words;

pub use failure::{CannotHold, Loss, Place, Problem, RecordError};
pub use format::{Format, Reading, RecordWriter, read_records};
pub use words::MoveTextError;
