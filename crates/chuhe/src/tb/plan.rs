//! `chuhe tb plan`: what a build takes, before it begins.

use std::fmt::Write;
use std::time::{Duration, Instant};

use anyhow::Context;
use chuhe_adapters::repetition::referee_of;
use chuhe_tablebase::{Folder, Kind, Material, PlannedTable, Rules};
use clap::Args;
use serde::Serialize;

use super::{FolderArguments, KindArguments, NamesArguments};
use crate::output;

/// The sample is the largest table of the plan with at most this many entries.
const SAMPLE: u64 = 4_000_000;

/// Say what building tables takes: entries, memory and time
///
/// The time is an estimate: the largest table of the plan that takes a second or so is built in a temporary folder, with all
/// that it depends on; with repetition rules another one, whose sides both attack, for the tables that need them. Endgames
/// differ: some take three times as long.
#[derive(Args)]
#[command(after_help = "Example: chuhe tb plan KNC-KRAA
         chuhe tb plan --set wide --rules wxf --json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    names: NamesArguments,
    #[command(flatten)]
    kind: KindArguments,
    #[command(flatten)]
    folder: FolderArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Plan {
    folder: String,
    /// The tables that the times are estimated from.
    samples: Vec<Sample>,
    /// Those that are still to be built.
    missing: Total,
    tables: Vec<Planned>,
}

#[derive(Serialize)]
struct Sample {
    name: String,
    /// The repetition rules of the tables that it stands for.
    rules: &'static str,
    entries_per_second: f64,
}

#[derive(Serialize)]
struct Total {
    tables: usize,
    entries: u64,
    /// The most that a table takes, in bytes.
    memory: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Planned {
    name: String,
    entries: u64,
    memory: u64,
    seconds: f64,
    present: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (folder, kind) = (arguments.folder.folder()?, arguments.kind.kind());
    let tables = folder.plan(&arguments.names.endgames()?, kind);
    let rules_of = |table: &PlannedTable| kind.serving(&table.material).rules;
    let mut samples: Vec<Sample> = Vec::new();
    for rules in Rules::ALL {
        let alike: Vec<&PlannedTable> = tables.iter().filter(|table| rules_of(table) == rules).collect();
        if !alike.is_empty() {
            samples.push(Sample::built(&sample_of(&alike), kind)?);
        }
    }
    let seconds = |table: &PlannedTable| {
        let alike = samples.iter().find(|sample| sample.rules == rules_of(table).name());
        alike.map_or(0.0, |sample| table.entries as f64 / sample.entries_per_second)
    };
    let planned = |table: &PlannedTable| Planned {
        name: table.material.to_string(),
        entries: table.entries,
        memory: table.memory,
        seconds: seconds(table),
        present: table.is_present,
    };
    let tables: Vec<Planned> = tables.iter().map(planned).collect();
    let plan = Plan {
        folder: folder.path().display().to_string(),
        missing: Total::of(tables.iter().filter(|table| !table.present)),
        samples,
        tables,
    };
    if arguments.json { output::print_json(&plan) } else { output::print(&described(&plan)) }
}

/// The largest table that is quickly built.
fn sample_of(tables: &[&PlannedTable]) -> Material {
    let small = tables.iter().filter(|table| table.entries <= SAMPLE);
    let smallest = tables.iter().min_by_key(|table| table.entries);
    let sample = small.max_by_key(|table| table.entries).or(smallest);
    sample.expect("a plan has tables").material
}

impl Sample {
    /// How many entries a second of a table and those that it depends on are built on this machine.
    fn built(material: &Material, kind: Kind) -> anyhow::Result<Self> {
        let place = tempfile::tempdir().context("cannot make a temporary folder")?;
        let folder = Folder::new(place.path()).judged_by(referee_of(kind.rules));
        let entries: u64 = folder.plan(&[*material], kind).iter().map(|table| table.entries).sum();
        let start = Instant::now();
        folder.build(material, kind, u64::MAX, &|_, _| {})?;
        Ok(Self {
            name: material.to_string(),
            rules: kind.serving(material).rules.name(),
            entries_per_second: entries as f64 / start.elapsed().as_secs_f64().max(1e-6),
        })
    }
}

impl Total {
    fn of<'a>(tables: impl Iterator<Item = &'a Planned>) -> Self {
        tables.fold(Self { tables: 0, entries: 0, memory: 0, seconds: 0.0 }, |total, table| Self {
            tables: total.tables + 1,
            entries: total.entries.saturating_add(table.entries),
            memory: total.memory.max(table.memory),
            seconds: total.seconds + table.seconds,
        })
    }
}

fn described(plan: &Plan) -> String {
    let mut text = String::new();
    for Planned { name, entries, memory, seconds, present } in &plan.tables {
        let takes =
            if *present { "in the folder".to_owned() } else { format!("about {}", in_words(*seconds)) };
        let _ = writeln!(text, "{name:<20} {entries:>14} entries {:>7} MB  {takes}", megabytes(*memory));
    }
    let Total { tables, entries, memory, seconds } = &plan.missing;
    let _ = writeln!(
        text,
        "to build: {tables} tables, {entries} entries, at most {} MB of memory, about {}",
        megabytes(*memory),
        in_words(*seconds)
    );
    for Sample { name, rules, entries_per_second } in &plan.samples {
        let _ = writeln!(
            text,
            "estimated from {name} (rules {rules}): {:.1} million entries a second",
            entries_per_second / 1e6
        );
    }
    text
}

fn megabytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// `12 s`, `3 min 20 s`, `7 h 5 min`.
fn in_words(seconds: f64) -> String {
    let seconds = Duration::from_secs_f64(seconds.clamp(0.0, 1e12)).as_secs_f64().ceil() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_two_units() {
        for (seconds, words) in [(0.2, "1 s"), (200.0, "3 min 20 s"), (25_500.0, "7 h 5 min")] {
            assert_eq!(in_words(seconds), words);
        }
    }
}
