//! Principal variation search (PVS) with lazy SMP.
//!
//! A [`Pool`] of workers searches one position at a time by iterative deepening; they share one
//! [`TranspositionTable`]. The search is synchronous: it reports through a closure and stops when
//! [`Control`] says so.
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

mod endgames;
mod evaluation;
mod node;
mod ordering;
mod preset;
mod quiescence;
mod report;
mod root;
mod smp;
mod techniques;
mod time;
mod transposition;
mod worker;

pub use endgames::{Certainty, Endgames};
pub use evaluation::Evaluator;
pub use ordering::see_at_least;
pub use preset::{Preset, PresetError};
pub use report::{Answer, Bound, Event, Line};
pub use root::PausedSearch;
pub use smp::{Diversification, Pool, SharedEntry, TtExchange};
pub use techniques::{Technique, Techniques, UnknownTechnique};
pub use time::{Clock, Control, HostPoll, Limits};
pub use transposition::{OutOfMemory, TranspositionTable, TtEntry};
