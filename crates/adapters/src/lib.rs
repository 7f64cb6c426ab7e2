//! Adapters between the search and its neighbours, for everyone who wants them without a GUI session: endgame tables
//! as the search probes them, the search as a book's scorer, playing below full strength, draw offers, and the
//! evaluation taken apart for people.

pub mod draw_offer;
pub mod endgames;
pub mod multi_pv;
pub mod repetition;

mod book_scorer;
mod explanation;
mod handicap;

pub use book_scorer::BookScorer;
pub use explanation::{Change, Evaluation, Group, NetworkVerdict, Reason};
pub use handicap::Handicap;
