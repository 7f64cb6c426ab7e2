//! `chuhe doctor`: what this installation has, and what would make it better.

mod checks;

use std::fmt::Write;

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use crate::output;

/// Check this installation: CPU, network, book, tables, web app, folders; say what would make it better
#[derive(Args)]
#[command(after_help = "\
The exit code is 0 unless something is broken: a file that is there and cannot be used.

Example: chuhe doctor")]
pub(crate) struct Arguments {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How a part of the installation is.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// As good as it gets.
    Good,
    /// Works; could be better.
    Fair,
    /// There, and cannot be used.
    Broken,
}

/// One part of the installation.
#[derive(Serialize)]
struct Finding {
    part: &'static str,
    state: State,
    found: String,
    /// What would make it better.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

impl Finding {
    fn good(part: &'static str, found: impl Into<String>) -> Self {
        Self { part, state: State::Good, found: found.into(), advice: None }
    }

    fn fair(part: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { part, state: State::Fair, found: found.into(), advice: Some(advice.into()) }
    }

    fn broken(part: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { part, state: State::Broken, found: found.into(), advice: Some(advice.into()) }
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let findings = checks::all();
    if arguments.json {
        output::print_json(&findings)?;
    } else {
        output::print(&described(&findings))?;
    }
    match findings.iter().filter(|finding| finding.state == State::Broken).count() {
        0 => Ok(()),
        1 => bail!("1 part is broken"),
        broken => bail!("{broken} parts are broken"),
    }
}

fn described(findings: &[Finding]) -> String {
    let mut text = String::new();
    for Finding { part, state, found, .. } in findings {
        let mark = match state {
            State::Good => "ok",
            State::Fair => "--",
            State::Broken => "!!",
        };
        let _ = writeln!(text, "{mark}  {part:<9} {found}");
    }
    let advice: Vec<_> =
        findings.iter().filter_map(|finding| Some((finding.part, finding.advice.as_ref()?))).collect();
    if !advice.is_empty() {
        text.push_str("\nWhat would make it better:\n");
    }
    for (part, advice) in advice {
        let _ = writeln!(text, "  {part:<9} {advice}");
    }
    text
}
