//! `chuhe tb list`: which tables there are.

use std::fmt::Write;

use anyhow::Context;
use chuhe_tablebase::{Archive, TableFile};
use clap::Args;
use serde::Serialize;

use super::FolderArguments;
use crate::output;

/// List the tables in the folder and those built into the program
#[derive(Args)]
#[command(after_help = "Example: chuhe tb list --json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    folder: FolderArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct List {
    folder: String,
    tables: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    name: String,
    kind: &'static str,
    entries: u64,
    bytes: u64,
    bytes_per_entry: f64,
    built_in: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let folder = arguments.folder.existing()?;
    let files = folder.files().with_context(|| format!("cannot read {}", folder.path().display()))?;
    let mut list = List { folder: folder.path().display().to_string(), tables: Vec::new() };
    for path in files {
        match TableFile::open(&path) {
            Ok(file) => list.tables.push(Listed::from(&file)),
            Err(error) => output::warn(&error),
        }
    }
    let archive = Archive::built_in();
    for table in archive.materials().filter_map(|material| archive.open(material)) {
        list.tables.push(Listed::from(&table?));
    }
    if arguments.json { output::print_json(&list) } else { output::print(&described(&list)) }
}

impl From<&TableFile> for Listed {
    fn from(file: &TableFile) -> Self {
        let entries = 2 * file.index().len();
        Self {
            name: file.index().material().to_string(),
            kind: file.kind().extension(),
            entries,
            bytes: file.bytes(),
            bytes_per_entry: file.bytes() as f64 / entries as f64,
            built_in: file.is_built_in(),
        }
    }
}

fn described(list: &List) -> String {
    let mut text = String::new();
    for table in &list.tables {
        let Listed { name, kind, entries, bytes, bytes_per_entry, built_in } = table;
        let place = if *built_in { ", built in" } else { "" };
        let _ = writeln!(
            text,
            "{name:<20} {kind:<9} {entries:>12} entries {bytes:>11} bytes {bytes_per_entry:.3} each{place}"
        );
    }
    for (built_in, place) in [(false, format!("in {}", list.folder)), (true, "built in".to_owned())] {
        let tables = || list.tables.iter().filter(move |table| table.built_in == built_in);
        let entries: u64 = tables().map(|table| table.entries).sum();
        let bytes: u64 = tables().map(|table| table.bytes).sum();
        let _ = writeln!(text, "{} tables, {entries} entries, {bytes} bytes {place}", tables().count());
    }
    text
}
