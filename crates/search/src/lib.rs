//! Finding the best move.
//!
//! A [`Pool`] of workers searches one position at a time. Each worker deepens its own search; all
//! share one transposition [`Table`], which is how they help each other. Computing is plain and
//! synchronous: it reports through a closure and stops when [`Control`] says so.
//!
//! ```
//! use chuhe_board::Position;
//! use chuhe_referee::Game;
//! use chuhe_search::{Control, Limits, Pool};
//!
//! let mut pool = Pool::new(1, 16);
//! let game = Game::new(Position::start());
//! let answer = pool.search(&game, &Limits::depth(5), &Control::default(), &mut |_| {});
//! assert!(Position::start().is_legal(answer.best.unwrap()));
//! ```

pub mod bench;
pub mod params;

mod clock;
mod control;
mod correction;
mod endgames;
mod evaluations;
mod evaluator;
mod exchange;
mod extensions;
mod follower;
mod history;
mod limits;
mod mailbox;
mod memory;
mod node;
mod picker;
mod pool;
mod pruning;
mod quiescence;
mod reductions;
mod report;
mod root;
mod spread;
mod stack;
mod table;
mod techniques;
mod worker;

pub use control::Control;
pub use endgames::{Certainty, Endgames};
pub use evaluator::Evaluator;
pub use exchange::exchange_gains;
pub use limits::{Clock, Limits};
pub use mailbox::{Mailbox, SharedEntry};
pub use pool::Pool;
pub use report::{Answer, Bound, Event, Line};
pub use spread::Spread;
pub use table::{Known, OutOfMemory, Table};
pub use techniques::{Technique, Techniques};
