//! `chuhe book import`: books of other programs.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail};
use chuhe_book::{Book, foreign};
use clap::Args;
use serde::Serialize;

use super::export::extension;
use super::store_of;
use crate::output;

/// Read a book of another program: .obk, PFBook (.pfbook, .db) or .json
#[derive(Args)]
#[command(after_help = "Example: chuhe book import their.obk --out my.book")]
pub(super) struct Arguments {
    /// The foreign book
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The book to write
    #[arg(long, value_name = "BOOK")]
    out: PathBuf,
}

#[derive(Serialize)]
struct ImportedBook {
    positions: usize,
    unmatched: usize,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> anyhow::Result<()> {
    let Arguments { file, out } = arguments;
    super::check_target(out)?;
    let (entries, unmatched) = match extension(file).as_str() {
        "json" => {
            let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
            (foreign::read_json(&text).with_context(|| file.display().to_string())?, 0)
        }
        _ => {
            let imported = foreign::read_obk(file)?;
            (imported.entries, imported.unmatched)
        }
    };
    if entries.is_empty() {
        bail!(
            "{}: no position could be matched; {unmatched} moves have keys of another program",
            file.display()
        );
    }
    let store = store_of(out)?;
    store.merge(&entries)?;
    Book::write(out, &store.entries()?)?;
    if json {
        return output::print_json(&ImportedBook { positions: entries.len(), unmatched });
    }
    let text = format!("{} positions imported; {unmatched} moves could not be matched\n", entries.len());
    output::print(&text)
}
