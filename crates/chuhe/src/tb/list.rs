//! `chuhe tb list`: which tables there are.

use std::fmt::Write;

use anyhow::Context;
use chuhe_tablebase::TableFile;
use clap::Args;
use serde::Serialize;

use super::FolderArguments;
use crate::output;

/// List the tables in the folder
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
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let folder = arguments.folder.folder()?;
    let files = folder.files().with_context(|| format!("cannot read {}", folder.path().display()))?;
    let mut list = List { folder: folder.path().display().to_string(), tables: Vec::new() };
    for path in files {
        match TableFile::open(&path) {
            Ok(file) => list.tables.push(Listed::from(&file)),
            Err(error) => output::warn(&error),
        }
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
        }
    }
}

fn described(list: &List) -> String {
    if list.tables.is_empty() {
        return format!("no tables in {}; build some with `chuhe tb build`\n", list.folder);
    }
    let mut text = String::new();
    for table in &list.tables {
        let Listed { name, kind, entries, bytes, bytes_per_entry } = table;
        let _ = writeln!(
            text,
            "{name:<20} {kind:<9} {entries:>12} entries {bytes:>11} bytes {bytes_per_entry:.3} each"
        );
    }
    let entries: u64 = list.tables.iter().map(|table| table.entries).sum();
    let bytes: u64 = list.tables.iter().map(|table| table.bytes).sum();
    let _ =
        writeln!(text, "{} tables, {entries} entries, {bytes} bytes in {}", list.tables.len(), list.folder);
    text
}
