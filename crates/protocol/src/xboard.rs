//! xboard's protocol, the Chess Engine Communication Protocol version 2, variant xiangqi.
//!
//! Unlike with UCI the engine keeps the game, so commands and replies are values of their own. Source:
//! Tim Mann's and H. G. Muller's description of September 2009 (engine-intf.html).

mod command;
mod features;
mod reply;

pub use command::{Command, parse_command, write_command};
pub use features::Feature;
pub use reply::{Reply, Thinking, parse_reply, write_pv, write_reply};
