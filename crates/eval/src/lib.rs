//! What a position is worth: [`Score`], and the hand-written evaluation that explains itself.

pub mod classical;

mod chances;
mod score;

pub use chances::{Chances, Curve};
pub use score::Score;
