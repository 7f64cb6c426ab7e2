//! `chuhe book import`: books of other programs.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use chuhe_book::foreign::{self, Format};
use chuhe_book::{Book, Store};
use clap::Args;
use serde::Serialize;

use super::KeyArguments;
use crate::output;

/// Read a book of another program: .obk, PFBook (.pfbook, .db), BOOK.DAT, .bin or .json
#[derive(Args)]
#[command(after_help = "\
Books go by keys. Those of BOOK.DAT are known; .obk, PFBook and .bin files are read with the keys of --keys, or with our
own if they came from `chuhe book export`. What has no key on the way from the start position is counted as unmatched.

Example: chuhe book import their.obk --keys numbers.txt --out my.book")]
pub(super) struct Arguments {
    /// The foreign book
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The book to write
    #[arg(long, value_name = "BOOK")]
    out: PathBuf,
    #[command(flatten)]
    keys: KeyArguments,
}

#[derive(Serialize)]
struct ImportedBook {
    positions: usize,
    unmatched: usize,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> anyhow::Result<()> {
    let Arguments { file, out, keys } = arguments;
    super::check_target(out)?;
    let imported = foreign::read(file, format_of(file)?, &keys.keys()?)?;
    let (entries, unmatched) = (imported.entries, imported.unmatched);
    if entries.is_empty() {
        bail!(
            "{}: no position could be matched; {unmatched} moves have keys of another program",
            file.display()
        );
    }
    let store = Store::beside(out)?;
    store.merge(&entries)?;
    Book::write(out, &store.entries()?)?;
    let positions = entries.len();
    if json {
        return output::print_json(&ImportedBook { positions, unmatched });
    }
    output::print(&format!("{positions} positions imported; {unmatched} moves could not be matched\n"))
}

/// The format by content, else by extension.
fn format_of(file: &Path) -> anyhow::Result<Format> {
    let mut head = Vec::new();
    let name = || file.display().to_string();
    File::open(file).with_context(name)?.take(16).read_to_end(&mut head).with_context(name)?;
    Format::of_path(file)
        .or_else(|| Format::of_content(&head))
        .with_context(|| format!("{}: books are read from .obk, .pfbook, .dat, .bin and .json", name()))
}
