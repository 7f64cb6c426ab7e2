//! `chuhe tb verify`: derives every entry of the tables again.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};
use chuhe_adapters::repetition::referee_of;
use chuhe_tablebase::{
    Archive, Comparison, FileError, Folder, Manifest, ManifestEntry, Material, Rules, TableFile, ValidFor,
};
use clap::Args;

use super::{FolderArguments, KindArguments, rules_words};
use crate::output::{self, ProgressOf};

/// Check every block of the tables and derive every entry from its successors
#[derive(Args)]
#[command(after_help = "Example: chuhe tb verify KR-KAABB
         chuhe tb verify --manifest")]
pub(crate) struct Arguments {
    /// The endgames to verify, with all that they depend on; all tables in the folder if missing
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Verify the tables built into the program
    #[arg(long, conflicts_with = "names")]
    built_in: bool,
    /// Only compare sizes and checksums with a manifest: the one that comes with the program, or a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "")]
    manifest: Option<String>,
    #[command(flatten)]
    kind: KindArguments,
    #[command(flatten)]
    folder: FolderArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let folder = arguments.folder.existing()?;
    if let Some(manifest) = &arguments.manifest {
        return compare(arguments, &folder, manifest);
    }
    let tables = tables(arguments, &folder)?;
    if tables.is_empty() {
        bail!("there are no tables in {}", folder.path().display());
    }
    let start = Instant::now();
    let mut entries = 0;
    let mut faults = 0;
    let count = tables.len();
    let mut by_rules = BTreeMap::new();
    for table in tables {
        match verify(arguments, &folder, table) {
            Ok((checked, rules)) => {
                entries += checked;
                *by_rules.entry(rules_words(rules.name())).or_insert(0) += 1;
            }
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
    let rules: Vec<String> = by_rules.iter().map(|(rules, count)| format!("{count} {rules}")).collect();
    let rules = rules.join(", ");
    output::print(&format!("{count} tables with {entries} entries are right ({seconds:.1} s): {rules}\n"))
}

/// Compares tables with a manifest, without deriving them again.
fn compare(arguments: &Arguments, folder: &Folder, path: &str) -> anyhow::Result<()> {
    let manifest = if path.is_empty() {
        Manifest::committed()
    } else {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read '{path}'"))?;
        text.parse().with_context(|| format!("bad manifest '{path}'"))?
    };
    let entries: Vec<Result<ManifestEntry, FileError>> = if arguments.built_in {
        let archive = Archive::built_in();
        archive.materials().filter_map(|material| archive.manifest_entry(material)).collect()
    } else {
        paths(arguments, folder)?.iter().map(|path| ManifestEntry::of_file(path)).collect()
    };
    if entries.is_empty() {
        bail!("there are no tables in {}", folder.path().display());
    }
    let (count, mut same, mut faults) = (entries.len(), 0, 0);
    for entry in entries {
        match entry.map(|entry| (manifest.compare(&entry), entry.file)) {
            Ok((Comparison::Same, _)) => same += 1,
            Ok((Comparison::Unlisted, file)) => output::warn(&format!("{file} is not in the manifest")),
            Ok((Comparison::Different, file)) => {
                output::complain(&anyhow::anyhow!("{file} is not the table of the manifest"));
                faults += 1;
            }
            Err(error) => {
                output::complain(&error.into());
                faults += 1;
            }
        }
    }
    if faults > 0 {
        bail!("{faults} of {count} tables are not those of the manifest");
    }
    output::print(&format!("{same} of {count} tables are in the manifest, byte for byte\n"))
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
) -> anyhow::Result<(u64, ValidFor)> {
    let file = table?;
    // A table without repetition rules may have to serve others.
    let rules = if file.kind().rules == Rules::Plain { arguments.kind.rules } else { file.kind().rules };
    let folder = folder.clone().judged_by(referee_of(rules));
    let progress = ProgressOf::new("rows");
    let name = file.index().material().to_string();
    let outcome = folder.verify(&file, &|done, all| progress.set(&name, done, all));
    progress.finish();
    outcome?;
    Ok((2 * file.index().len(), ValidFor::of(file.index().material(), file.kind().rules)))
}
