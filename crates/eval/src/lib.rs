//! What a position is worth: [`Score`], the hand-written evaluation that explains itself, and the
//! network.

pub mod classical;
pub mod network;

mod chances;
mod score;

pub use chances::{Chances, Curve};
pub use score::Score;
