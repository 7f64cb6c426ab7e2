//! When a search ends: its limits, the time management of a clock, and stopping it from outside.

mod clock;
mod control;
mod limits;
mod node_budget;
mod stability;

pub(crate) use clock::Budget;
pub use control::{Control, HostPoll};
pub use limits::{Clock, Limits};
pub(crate) use node_budget::NodeBudget;
pub(crate) use stability::Stability;
