//! Printing. Results go to standard output, everything else to standard error.

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::Context;
use chuhe_notation::RecordError;
use chuhe_notation::convert as reading;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Prints a result. A closed pipe is an error like any other, not a panic.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).context("cannot write to standard output")
}

/// Prints a result as one line of JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print(&format!("{}\n", serde_json::to_string(value)?))
}

/// Prints an error with its causes to standard error.
pub(crate) fn complain(error: &anyhow::Error) {
    let _ = writeln!(io::stderr(), "chuhe: {}", explained(error));
}

/// An error with its causes; one whose text is already there is left out.
pub(crate) fn explained(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Whether the reader of standard output is gone, as after `| head`.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let errors = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    errors.into_iter().any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// How many games, in words.
pub(crate) fn games(count: usize) -> String {
    format!("{count} game{}", if count == 1 { "" } else { "s" })
}

/// Some inputs were skipped; everything else was done.
#[derive(Debug)]
pub(crate) struct Skipped(String);

impl Skipped {
    /// An error if any games were skipped.
    pub(crate) fn check_games(count: usize) -> anyhow::Result<()> {
        let were = if count == 1 { "was" } else { "were" };
        match count {
            0 => Ok(()),
            count => Err(Self(format!("{} {were} skipped", games(count))).into()),
        }
    }
}

impl Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Skipped {}

/// Prints a warning to standard error.
pub(crate) fn warn(warning: &impl Display) {
    let _ = writeln!(io::stderr(), "chuhe: warning: {warning}");
}

/// A fault of a game that was read as far as possible, with the file it stands in.
pub(crate) fn fault(file: impl Display, fault: &RecordError) -> String {
    let cut = if fault.problem.cuts_line() { ": cut there" } else { "" };
    format!("{file}, {fault}{cut}")
}

/// Prints a line to standard error.
pub(crate) fn note(text: &str) {
    aside(&format!("{text}\n"));
}

/// Prints text to standard error as it is.
pub(crate) fn aside(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// A progress bar with ETA on the terminal, for work that takes more than two seconds.
pub(crate) struct Progress {
    start: Instant,
    bar: ProgressBar,
}

impl Progress {
    const SHOW_AFTER: Duration = Duration::from_secs(2);

    /// Counts the games that are read from files.
    pub(crate) fn reading() -> Self {
        let template = "{bar:30} {msg} games read, {eta} left";
        let bar = ProgressBar::hidden();
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        Self { start: Instant::now(), bar }
    }

    /// Shows how far the reading is.
    pub(crate) fn read(&self, so_far: reading::Progress) {
        // Reading the clock every time would cost more than many games do.
        if so_far.games.is_multiple_of(64) {
            self.set_of(so_far.bytes, so_far.of_bytes);
            self.bar.set_message(so_far.games.to_string());
        }
    }

    /// Counts items called `what` whose total is known.
    pub(crate) fn of(what: &str) -> Self {
        let template = format!("{{bar:30}} {{human_pos}} of {{human_len}} {what}, {{eta}} left");
        let bar = ProgressBar::hidden();
        bar.set_style(
            ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        Self { start: Instant::now(), bar }
    }

    /// Shows `count` of `total`. For slow items: checks the clock every time.
    pub(crate) fn set_of(&self, count: u64, total: u64) {
        if self.bar.is_hidden() && self.start.elapsed() > Self::SHOW_AFTER {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_length(total);
        self.bar.set_position(count);
    }

    /// Removes the counter.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A progress bar with rate and ETA.
pub(crate) struct ProgressOf {
    start: Instant,
    bar: ProgressBar,
}

impl ProgressOf {
    /// Counts items called `what`.
    pub(crate) fn new(what: &str) -> Self {
        let template =
            format!("{{msg}} {{bar:30}} {{human_pos}}/{{human_len}} {what}, {{per_sec}}, {{eta}} left");
        let bar = ProgressBar::hidden();
        bar.set_style(
            ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        Self { start: Instant::now(), bar }
    }

    /// Shows `done` of `all` for the task in `message`.
    pub(crate) fn set(&self, message: &str, done: u64, all: u64) {
        if self.bar.is_hidden() && self.start.elapsed() > Progress::SHOW_AFTER {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        if self.bar.message() != message {
            self.bar.reset();
            self.bar.set_message(message.to_owned());
        }
        self.bar.set_length(all);
        self.bar.set_position(done);
    }

    /// Prints a line above the bar.
    pub(crate) fn note(&self, text: &str) {
        self.bar.suspend(|| note(text));
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_named_once() {
        let error = anyhow::anyhow!("no such file").context("a.pgn: no such file").context("cannot import");
        assert_eq!(explained(&error), "cannot import: a.pgn: no such file");
    }
}
