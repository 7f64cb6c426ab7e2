//! Printing. Results go to standard output, everything else to standard error.

use std::fmt::Display;
use std::io::{self, Write};

use anyhow::Context;

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

/// Says something to the person at the terminal.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Tells on standard error how something goes, beside the result.
pub(crate) fn aside(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}
