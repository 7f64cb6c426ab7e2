//! Portable game notation, as Xiangqi programs write it: tags in brackets, then the moves in ICCS,
//! WXF or Chinese, with variations in parentheses, comments in braces and marks such as `$2` or `?!`.
//! `docs/formats.md` describes it.

mod lexer;
mod read;
mod write;

pub use read::parse_any_move;
pub use read::{Games, read};
pub(crate) use read::{has_moves, has_tags, read_tolerantly};
pub use write::{MoveStyle, Written, write};

/// Tags that only say what a game shows by itself: they are no tags of the game.
const OWN_TAGS: [&str; 5] = ["Game", "Format", "FEN", "SetUp", "Result"];
