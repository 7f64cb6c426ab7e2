//! Puzzles from games: positions in which one move is right by a clear margin.
//!
//! [`games`] plays or replays games and keeps what a quick search thought of every position. [`Maker`] looks there for positions
//! with one good move, proves them by a deep search and follows the solution, names its [`Theme`]s and rates
//! it by how hard the engine's own levels find it.
//!
//! ```
//! use chuhe_puzzles::{Goal, Puzzle};
//!
//! let puzzle: Puzzle = "3k5/R8/9/9/9/9/9/9/9/1R2K4 w ; mate 1 ; 650 ; double-chariots ; b0b9".parse().unwrap();
//! assert_eq!((puzzle.goal, puzzle.solution.len()), (Goal::Mate(1), 1));
//! ```

pub mod games;

mod journal;
mod maker;
mod mating;
mod promise;
mod puzzle;
mod rating;
mod shipped;
mod theme;

pub use journal::{Journal, JournalError};
pub use maker::Maker;
pub use puzzle::{Goal, Puzzle, PuzzleError};
pub use shipped::shipped;
#[cfg(target_arch = "wasm32")]
pub use shipped::supply;
pub use theme::Theme;

/// The puzzles of a text, one a line.
pub fn read(text: &str) -> impl Iterator<Item = Result<Puzzle, PuzzleError>> {
    text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).map(str::parse)
}
