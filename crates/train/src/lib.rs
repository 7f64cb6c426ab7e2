//! Training and tuning: self-play data, the NNUE trainer, Texel and SPSA tuning.
//!
//! [`selfplay`] plays games and packs their quiet positions into [`Sample`]s, which [`shard`] files keep; [`texel`]
//! fits the weights of the hand-written evaluation to them, [`net`] trains the network. [`spsa`] tunes search
//! parameters by games. [`book_games`] are the starter collection. [`material`] counts what material alone decides. [`suite`] runs test suites, [`ablate`]
//! measures what each search technique gains, also by a [`duel`].

pub mod ablate;
pub mod book_games;
pub mod chances;
pub mod duel;
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

pub use sample::{Sample, SampleError, Wdl};
