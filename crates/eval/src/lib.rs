//! Static evaluation: [`Score`], the NNUE [`network`] that plays, and the hand-written evaluation ([`classical`]) that
//! explains.

pub mod classical;
pub mod network;

mod chances;
mod score;

pub use chances::{Chances, Curve};
pub use score::Score;
