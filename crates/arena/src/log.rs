//! The log: events, and optionally all engine input and output.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Logs events and, if wanted, every line between us and the engines. Without a file it does nothing.
#[derive(Clone, Debug, Default)]
pub struct Log {
    file: Option<Arc<Mutex<File>>>,
    traffic: bool,
    start: Option<Instant>,
}

impl Log {
    /// A log that is appended to the file; with `traffic` it holds every line of every engine.
    pub fn to_file(path: &Path, traffic: bool) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { file: Some(Arc::new(Mutex::new(file))), traffic, start: Some(Instant::now()) })
    }

    /// Logs an event. A failing log does not end a match.
    pub(crate) fn note(&self, text: &str) {
        let (Some(file), Some(start)) = (&self.file, self.start) else { return };
        let line = format!("{:10.3} {text}\n", start.elapsed().as_secs_f64());
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = file.write_all(line.as_bytes());
    }

    /// Logs a line from (`<`) or to (`>`) an engine.
    pub(crate) fn traffic(&self, engine: &str, direction: char, line: &str) {
        if self.traffic {
            self.note(&format!("{engine} {direction} {line}"));
        }
    }

    /// Where an engine's standard error goes: into the log, or nowhere.
    pub(crate) fn for_errors(&self) -> Stdio {
        let file =
            self.file.as_ref().map(|file| file.lock().unwrap_or_else(PoisonError::into_inner).try_clone());
        match file {
            Some(Ok(file)) => file.into(),
            _ => Stdio::null(),
        }
    }
}
