//! `chuhe tb manifest`: sizes and checksums of tables.

use anyhow::Context;
use chuhe_tablebase::{Archive, Manifest, ManifestEntry};
use clap::Args;

use super::FolderArguments;
use crate::output;

/// Print the sizes and checksums of the tables in the folder and of those built in
///
/// `chuhe tb verify --manifest` compares tables with the manifest that comes with the program, or with one in a file.
#[derive(Args)]
#[command(after_help = "Example: chuhe tb manifest > mine.txt
         chuhe tb verify --manifest theirs.txt")]
pub(crate) struct Arguments {
    #[command(flatten)]
    folder: FolderArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let folder = arguments.folder.existing()?;
    let files = folder.files().with_context(|| format!("cannot read {}", folder.path().display()))?;
    let mut entries: Vec<ManifestEntry> =
        files.iter().map(|path| ManifestEntry::of_file(path)).collect::<Result<_, _>>()?;
    // A table in the folder takes precedence over the built-in one.
    let archive = Archive::built_in();
    for entry in archive.materials().filter_map(|material| archive.manifest_entry(material)) {
        let entry = entry?;
        if entries.iter().all(|known| known.file != entry.file) {
            entries.push(entry);
        }
    }
    output::print(&Manifest::new(entries).to_string())
}
