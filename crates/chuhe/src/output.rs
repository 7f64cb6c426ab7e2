//! Printing. Results go to standard output, everything else to standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Prints a result. A closed pipe is an error like any other, not a panic.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).context("cannot write to standard output")
}

/// Prints a result for programs: one JSON object on a line.
pub(crate) fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print(&format!("{}\n", serde_json::to_string(value)?))
}

/// Says on standard error what went wrong. If even that is closed, nobody is left to be told.
pub(crate) fn complain(error: &anyhow::Error) {
    let _ = writeln!(io::stderr(), "chuhe: {error:#}");
}

/// Says on standard error what is odd, but no reason to stop.
pub(crate) fn warn(oddity: &impl Display) {
    let _ = writeln!(io::stderr(), "chuhe: warning: {oddity}");
}

/// Says a line to the person at the terminal.
pub(crate) fn note(text: &str) {
    aside(&format!("{text}\n"));
}

/// Tells on standard error how something goes, beside the result: the text as it is.
pub(crate) fn aside(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// A count on a terminal, for work that takes more than two seconds.
pub(crate) struct Progress {
    start: Instant,
    bar: ProgressBar,
}

impl Progress {
    const PATIENCE: Duration = Duration::from_secs(2);

    /// Counts things called `what`.
    pub(crate) fn new(what: &str) -> Self {
        let style = ProgressStyle::with_template(&format!("{{spinner}} {{human_pos}} {what}"));
        let bar = ProgressBar::hidden();
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        Self { start: Instant::now(), bar }
    }

    /// Counts things called `what` of which a number is known.
    pub(crate) fn of(what: &str) -> Self {
        let template = format!("{{bar:30}} {{human_pos}} of {{human_len}} {what}, {{eta}} left");
        let bar = ProgressBar::hidden();
        bar.set_style(
            ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        Self { start: Instant::now(), bar }
    }

    /// So many things of so many are done. For things that take their time.
    pub(crate) fn set_of(&self, count: u64, total: u64) {
        if self.bar.is_hidden() && self.start.elapsed() > Self::PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_length(total);
        self.bar.set_position(count);
    }

    /// So many things are done.
    pub(crate) fn set(&self, count: u64) {
        // Looking at the clock for each thing would cost more than many of them do.
        if !count.is_multiple_of(64) {
            return;
        }
        if self.bar.is_hidden() && self.start.elapsed() > Self::PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(count);
    }

    /// Takes the count off the terminal.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
