//! Engine matches: scheduling, clocks, adjudication, Elo and SPRT.
//!
//! A [`Tournament`] starts engines that speak UCI, UCCI or xboard, plays openings with both colours,
//! keeps the clocks, adjudicates the games and estimates the Elo difference with error bars or runs a
//! sequential test (SPRT). One thread per concurrent game and one per engine's output; results are reported
//! through a closure, nothing is printed.
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use chuhe_arena::openings::Opening;
//! use chuhe_arena::{EngineSpec, Limits, Tournament};
//! use chuhe_protocol::Protocol;
//!
//! let limits = Limits { move_time: Some(Duration::from_millis(20)), ..Limits::default() };
//! let engine = |name| EngineSpec::new(name, vec![format!("./{name}")], Protocol::Uci, limits.clone());
//! let tournament = Tournament::new(vec![engine("new"), engine("old")], vec![Opening::normal()], 10);
//! tournament.check()?;
//! let report = tournament.run(&[], |progress| {
//!     println!("{}", progress.standings.line());
//!     Ok::<(), std::io::Error>(())
//! })?;
//! println!("{}", report.standings.table());
//! # Ok::<(), chuhe_arena::TournamentError>(())
//! ```

pub mod adjudicate;
pub mod elo;
pub mod openings;
pub mod schedule;
pub mod settings;
pub mod sprt;

mod analysis;
mod engine_spec;
mod game;
mod journal;
mod limits;
mod log;
mod player;
mod process;
mod record;
mod report;
mod stalls;
mod tournament;

pub use analysis::{AnalysisError, EngineLine, analyse};
pub use engine_spec::EngineSpec;
pub use journal::{Journal, JournalError};
pub use limits::{Limits, TimeControl, TimeControlError};
pub use log::Log;
pub use player::{Fault, StartError};
pub use record::{GameRecord, MoveRecord, Termination};
pub use report::{Forfeits, SprtSummary, Standings, Summary};
pub use tournament::{Progress, Report, Tournament, TournamentError};
