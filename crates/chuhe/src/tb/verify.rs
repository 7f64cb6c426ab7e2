//! `chuhe tb verify`: derives every entry of the tables again.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};
use chuhe_adapters::repetition::referee_of;
use chuhe_tablebase::{Archive, FileError, Folder, Material, Rules, TableFile};
use clap::Args;

use super::{FolderArguments, KindArguments};
use crate::output::{self, ProgressOf};

/// Check every block of the tables and derive every entry from its successors
#[derive(Args)]
#[command(after_help = "Example: chuhe tb verify KR-KAABB")]
pub(crate) struct Arguments {
    /// The endgames to verify, with all that they depend on; all tables in the folder if missing
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Verify the tables built into the program
    #[arg(long, conflicts_with = "names")]
    built_in: bool,
    #[command(flatten)]
    kind: KindArguments,
    #[command(flatten)]
    folder: FolderArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let folder = arguments.folder.existing()?;
    let tables = tables(arguments, &folder)?;
    if tables.is_empty() {
        bail!("there are no tables in {}", folder.path().display());
    }
    let start = Instant::now();
    let mut entries = 0;
    let mut faults = 0;
    let count = tables.len();
    for table in tables {
        match verify(arguments, &folder, table) {
            Ok(checked) => entries += checked,
            Err(error) => {
                output::complain(&error);
                faults += 1;
            }
        }
    }
    if faults > 0 {
        bail!("{faults} of {count} tables are wrong");
    }
    let seconds = start.elapsed().as_secs_f64();
    output::print(&format!("{count} tables with {entries} entries are right ({seconds:.1} s)\n"))
}

/// The tables to verify, as far as they can be opened.
fn tables(arguments: &Arguments, folder: &Folder) -> anyhow::Result<Vec<Result<TableFile, FileError>>> {
    if arguments.built_in {
        let archive = Archive::built_in();
        return Ok(archive.materials().filter_map(|material| archive.open(material)).collect());
    }
    Ok(paths(arguments, folder)?.iter().map(|path| TableFile::open(path)).collect())
}

fn paths(arguments: &Arguments, folder: &Folder) -> anyhow::Result<Vec<PathBuf>> {
    if arguments.names.is_empty() {
        return folder.files().with_context(|| format!("cannot read {}", folder.path().display()));
    }
    let mut paths = Vec::new();
    for name in &arguments.names {
        for member in name.parse::<Material>()?.family() {
            let path = folder.file(&member, arguments.kind.kind());
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    Ok(paths)
}

fn verify(
    arguments: &Arguments,
    folder: &Folder,
    table: Result<TableFile, FileError>,
) -> anyhow::Result<u64> {
    let file = table?;
    // A table without repetition rules may have to serve others.
    let rules = if file.kind().rules == Rules::Plain { arguments.kind.rules } else { file.kind().rules };
    let folder = folder.clone().judged_by(referee_of(rules));
    let progress = ProgressOf::new("rows");
    let name = file.index().material().to_string();
    let outcome = folder.verify(&file, &|done, all| progress.set(&name, done, all));
    progress.finish();
    outcome?;
    Ok(2 * file.index().len())
}
