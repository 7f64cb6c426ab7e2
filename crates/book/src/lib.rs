//! The opening book: build, prune, expand, learn, probe.
//!
//! Entries are indexed by Zobrist key; a position and its mirror image share one. Building, expansion and learning
//! write to a `Store`, a transactional key-value store; play and exploration read a [`Book`], a sorted file
//! like Polyglot's. Both hold the same [`BookMove`]s.
//!
//! ```
//! use chuhe_board::Position;
//! use chuhe_book::Book;
//!
//! let book = Book::embedded();
//! let moves = book.moves(&Position::start());
//! assert!(moves.iter().all(|known| Position::start().is_legal(known.mv)));
//! ```

pub mod expand;
pub mod foreign;
pub mod lines;
pub mod openings;
pub mod prune;
pub mod terms;

mod build;
mod choose;
mod coverage;
mod entry;
mod file;
#[cfg_attr(not(feature = "databases"), allow(dead_code, reason = "only a store learns"))]
mod learn;
mod pattern;
#[cfg(feature = "databases")]
mod store;

pub use build::{Builder, Filter};
pub use choose::{Choice, Policy};
pub use coverage::{Coverage, Missing};
pub use entry::{BookMove, merge_moves};
pub use file::{Book, BookError};
pub use learn::LearnedGame;
pub use pattern::{BadPattern, Pattern};
#[cfg(feature = "databases")]
pub use store::{Store, StoreError};

use std::collections::BTreeMap;

use chuhe_board::{Key, Move, Position};

/// Positions with their moves, in memory. The moves are those of the position with the smaller key of the two
/// mirror images.
pub type Entries = BTreeMap<Key, Vec<BookMove>>;

/// Where a move of a position stands in a book: the key, and the move as it is written there. A position that is
/// its own mirror image has each move once, on the right.
pub fn slot(position: &Position, mv: Move) -> (Key, Move) {
    let (key, is_mirrored) = position.merged_key();
    let files = |mv: Move| (mv.from().file(), mv.to().file());
    let is_symmetric = position.key() == position.mirrored_key();
    let turns = if is_symmetric { files(mv) < files(mv.mirrored()) } else { is_mirrored };
    (key, if turns { mv.mirrored() } else { mv })
}

/// The moves of a position of `entries`, turned to its side.
pub fn moves_in(entries: &Entries, position: &Position) -> Vec<BookMove> {
    let (key, is_mirrored) = position.merged_key();
    let known = entries.get(&key).cloned().unwrap_or_default();
    known
        .into_iter()
        .map(|known| known.turned(is_mirrored))
        .filter(|known| position.is_legal(known.mv))
        .collect()
}
