//! `chuhe book export`: books for other programs.

use std::path::PathBuf;

use anyhow::Context;
use chuhe_book::foreign::{self, Format};
use clap::Args;
use serde::Serialize;

use super::KeyArguments;
use crate::output;

/// Write a book for another program: .obk, .pfbook, .dat (BOOK.DAT), .bin or .json
#[derive(Args)]
#[command(after_help = "\
BOOK.DAT gets ElephantEye's keys; .obk, .pfbook and .bin those of --keys, or our own. Moves that the start position does
not lead to have no position to make a key of and are left out.

Example: chuhe book export my.book my.obk --keys numbers.txt")]
pub(super) struct Arguments {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// The file to write; its extension names the format
    #[arg(value_name = "OUT")]
    out: PathBuf,
    #[command(flatten)]
    keys: KeyArguments,
}

#[derive(Serialize)]
struct Exported {
    positions: usize,
    unreached: usize,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> anyhow::Result<()> {
    let Arguments { book, out, keys } = arguments;
    let entries = chuhe_book::Book::open(book)?.entries();
    let format = Format::of_path(out).with_context(|| {
        format!("{}: books are exported as .obk, .pfbook, .dat, .bin or .json", out.display())
    })?;
    let unreached = foreign::write(out, &entries, format, &keys.keys()?)?;
    let positions = entries.len();
    if json {
        return output::print_json(&Exported { positions, unreached });
    }
    let path = out.display();
    output::print(&format!(
        "{positions} positions written to {path}; {unreached} moves could not be reached\n"
    ))
}
