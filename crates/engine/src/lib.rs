//! The session a GUI talks to, in UCI, UCCI or xboard, whichever it opens with.
//!
//! A [`Session`] takes the lines of one GUI and sends its replies to a [`Sink`]. Searches run on a
//! thread of their own, so that every line is answered at once.
//!
//! ```
//! use std::sync::mpsc;
//! use chuhe_engine::{Session, Sink};
//!
//! let (sender, receiver) = mpsc::channel();
//! let mut session = Session::new(Sink::new(move |line| { let _ = sender.send(line); }));
//! session.hear("uci");
//! session.hear("go depth 3");
//! session.finish();
//! assert!(receiver.iter().any(|line| line.starts_with("bestmove ")));
//! ```

mod dialogue;
mod display;
mod learning;
mod opening_book;
mod options;
mod searcher;
mod session;
mod settings;
mod sink;
mod thinker;
mod xboard;

pub use searcher::{FollowError, Follower, Searcher, first_pool};
pub use session::Session;
pub use sink::Sink;

/// The engine's name with its version.
const NAME: &str = concat!("Chuhe ", env!("CARGO_PKG_VERSION"));
const AUTHOR: &str = "the Chuhe developers";
