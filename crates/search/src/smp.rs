//! Lazy SMP: every thread searches the same root; they help each other through the transposition table, and the
//! first to complete an iteration does so for all.

mod diversification;
mod helpers;
mod iterations;
mod pool;
mod tt_exchange;

pub use diversification::Diversification;
pub(crate) use iterations::Iterations;
pub use pool::Pool;
pub use tt_exchange::{SharedEntry, TtExchange};
