//! `chuhe book unlearn`: lessons are taken back.

use std::path::PathBuf;

use anyhow::bail;
use chuhe_book::{Book, Store};
use clap::Args;
use serde::Serialize;

use crate::output;

/// Take back what was learnt from the latest games
#[derive(Args)]
#[command(after_help = "Example: chuhe book unlearn my.learnt.book --last 3")]
pub(super) struct Arguments {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// How many lessons, latest first; all of them if missing
    #[arg(long, value_name = "N")]
    last: Option<u64>,
}

#[derive(Serialize)]
struct Unlearnt {
    lessons: u64,
    left: u64,
    positions: usize,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> anyhow::Result<()> {
    let Arguments { book, last } = arguments;
    if !book.exists() {
        bail!("{}: there is no such book", book.display());
    }
    let store = Store::beside(book)?;
    let lessons = store.unlearn(last.unwrap_or(u64::MAX))?;
    let entries = store.entries()?;
    Book::write(book, &entries)?;
    let unlearnt = Unlearnt { lessons, left: store.lessons()?, positions: entries.len() };
    if json {
        return output::print_json(&unlearnt);
    }
    let Unlearnt { left, positions, .. } = unlearnt;
    let path = book.display();
    output::print(&format!("{lessons} lessons taken back, {left} left; {path} has {positions} positions\n"))
}
