//! Where replies go.

use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Takes the lines that the engine says, from any thread, and keeps a log of both directions if it
/// was asked to.
#[derive(Clone)]
pub struct Sink(Arc<Shared>);

struct Shared {
    send: Box<dyn Fn(String) + Send + Sync>,
    log: Mutex<Option<File>>,
}

impl Sink {
    /// A sink that hands every line to `send`.
    pub fn new(send: impl Fn(String) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Shared { send: Box::new(send), log: Mutex::new(None) }))
    }

    pub(crate) fn say(&self, line: String) {
        self.log_line("<<", &line);
        (self.0.send)(line);
    }

    pub(crate) fn heard(&self, line: &str) {
        self.log_line(">>", line);
    }

    /// Starts a log in a new file, or ends it if the path is empty.
    pub(crate) fn log_to(&self, path: &str) -> io::Result<()> {
        let file = if path.is_empty() { None } else { Some(File::create(path)?) };
        *self.0.log.lock().unwrap_or_else(PoisonError::into_inner) = file;
        Ok(())
    }

    fn log_line(&self, direction: &str, line: &str) {
        if let Some(file) = &mut *self.0.log.lock().unwrap_or_else(PoisonError::into_inner) {
            // A full disk must not end the game.
            let _ = writeln!(file, "{direction} {line}");
        }
    }
}
