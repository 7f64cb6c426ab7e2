//! Game analysis and reports: move-by-move analysis, annotated records, HTML pages, verdicts in three languages,
//! and the JSON types that the command line and the web share.
//!
//! ```
//! use chuhe_referee::{Game, Referee};
//! use chuhe_report::{Language, verdict};
//!
//! let game = Game::new("3k5/4a4/9/9/9/9/9/9/4A4/4K4 w".parse().unwrap());
//! let verdict = Referee::default().judge(&game);
//! assert_eq!(
//!     verdict::described(&verdict, Language::English),
//!     "Draw: neither side has a piece that can attack.\n"
//! );
//! ```

pub mod analyse;
pub mod annotate;
pub mod explore;
pub mod page;
pub mod verdict;

mod language;
mod score;

pub use analyse::AnalyseError;
pub use language::{Language, UnknownLanguage};
pub use score::ScoreJson;
