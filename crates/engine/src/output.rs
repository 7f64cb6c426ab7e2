//! The engine's output to the GUI, and the log of both directions.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use chuhe_clock::Instant;

/// The engine's output: lines from any thread, logged if the GUI asks for a log.
#[derive(Clone)]
pub struct Output(Arc<Shared>);

struct Shared {
    send: Box<dyn Fn(String) + Send + Sync>,
    log: Mutex<Option<Log>>,
}

/// A file of all lines, each with the seconds since it was opened.
struct Log {
    file: File,
    opened: Instant,
}

impl Output {
    /// An output that passes every line to `send`.
    pub fn new(send: impl Fn(String) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Shared { send: Box::new(send), log: Mutex::new(None) }))
    }

    pub(crate) fn send(&self, line: String) {
        self.log_line("<<", &line);
        (self.0.send)(line);
    }

    pub(crate) fn log_input(&self, line: &str) {
        self.log_line(">>", line);
    }

    /// Appends all further lines to this file; stops logging if the path is empty.
    pub(crate) fn log_to(&self, path: &str) -> io::Result<()> {
        let log = if path.is_empty() {
            None
        } else {
            let file = OpenOptions::new().create(true).append(true).open(path)?;
            Some(Log { file, opened: Instant::now() })
        };
        *self.0.log.lock().unwrap_or_else(PoisonError::into_inner) = log;
        Ok(())
    }

    fn log_line(&self, direction: &str, line: &str) {
        if let Some(Log { file, opened }) = &mut *self.0.log.lock().unwrap_or_else(PoisonError::into_inner) {
            let seconds = opened.elapsed().as_secs_f64();
            // A full disk must not end the game.
            let _ = writeln!(file, "{seconds:9.3} {direction} {line}");
        }
    }
}
