//! Self-play data and tuning.
//!
//! [`selfplay`] plays games and packs their quiet positions into [`Sample`]s, which [`shard`] files
//! keep; [`texel`] fits the weights of the hand-written evaluation to them, and [`net`] trains the
//! network. [`spsa`] tunes numbers by games. [`material`] counts what material alone decides. [`suite`] tries positions with known answers, [`ablate`] measures what each technique of
//! the search gains.

pub mod ablate;
pub mod chances;
pub mod games;
pub mod material;
pub mod net;
pub mod scatter;
pub mod selfplay;
pub mod shard;
pub mod spsa;
pub mod suite;
pub mod texel;

mod sample;

pub use sample::{Outcome, Sample, SampleError};
