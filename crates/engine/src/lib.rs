//! The engine session: what a GUI talks to over UCI, UCCI or xboard.
//!
//! A [`Session`] handles the lines of one GUI and sends its replies to an [`Output`]. Searches run on
//! a thread of their own, so that every line is answered immediately.
//!
//! ```
//! use std::sync::mpsc;
//! use chuhe_engine::{Output, Session};
//!
//! let (sender, receiver) = mpsc::channel();
//! let mut session = Session::new(Output::new(move |line| { let _ = sender.send(line); }));
//! session.handle_line("uci");
//! session.handle_line("go depth 3");
//! session.finish();
//! assert!(receiver.iter().any(|line| line.starts_with("bestmove ")));
//! ```

mod lag;
mod learning;
mod opening_book;
mod options;
mod output;
mod report;
mod search_request;
#[cfg(any(target_arch = "wasm32", test))]
mod search_steps;
#[cfg(not(target_arch = "wasm32"))]
mod search_thread;
mod searcher;
mod session;
mod settings;
mod uci;
mod xboard;

pub use output::Output;
pub use searcher::{FollowError, Follower, Searcher, first_pool};
pub use session::Session;

#[cfg(target_arch = "wasm32")]
use search_steps::SearchSteps as SearchThread;
#[cfg(not(target_arch = "wasm32"))]
use search_thread::SearchThread;

/// The engine's name with its version.
const NAME: &str = concat!("Chuhe ", env!("CARGO_PKG_VERSION"));
const AUTHOR: &str = "the Chuhe developers";

/// A random number for handicaps and book moves.
fn random() -> u64 {
    let nanos = chuhe_clock::since_1970().as_nanos() as u64;
    (nanos ^ nanos >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}
