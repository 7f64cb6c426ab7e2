//! What a position is worth: [`Score`], and the hand-written evaluation that explains itself.

pub mod classical;

mod score;

pub use score::Score;
