//! Lazy SMP: every thread searches the same root; they help each other only through the transposition table.

mod diversification;
mod helpers;
mod pool;
mod tt_exchange;

pub use diversification::Diversification;
pub use pool::Pool;
pub use tt_exchange::{SharedEntry, TtExchange};
