//! `chuhe book export`: books for other programs.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use chuhe_book::Book;
use chuhe_book::foreign::{self, Table};
use clap::Args;
use serde::Serialize;

use crate::output;

/// Write a book for another program: .obk, .pfbook or .json
#[derive(Args)]
#[command(after_help = "Example: chuhe book export my.book my.obk")]
pub(super) struct Arguments {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// The file to write; its extension names the format
    #[arg(value_name = "OUT")]
    out: PathBuf,
}

#[derive(Serialize)]
struct Exported {
    positions: usize,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> anyhow::Result<()> {
    let Arguments { book, out } = arguments;
    let entries = Book::open(book)?.entries();
    match extension(out).as_str() {
        "json" => fs::write(out, foreign::write_json(&entries)).with_context(|| out.display().to_string())?,
        "obk" => foreign::write_obk(out, &entries, Table::Obk)?,
        "pfbook" => foreign::write_obk(out, &entries, Table::PfBook)?,
        _ => bail!("{}: books are exported as .obk, .pfbook or .json", out.display()),
    }
    if json {
        return output::print_json(&Exported { positions: entries.len() });
    }
    output::print(&format!("{} positions written to {}\n", entries.len(), out.display()))
}

/// The extension of a file in small letters.
pub(super) fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}
