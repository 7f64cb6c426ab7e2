//! `chuhe book unlearn`: undoes book learning.

use std::path::PathBuf;

use anyhow::bail;
use chuhe_book::{Book, Store};
use clap::Args;
use serde::Serialize;

use crate::output;

/// Unlearn the latest games
#[derive(Args)]
#[command(after_help = "Example: chuhe book unlearn my.learnt.book --last 3")]
pub(super) struct Arguments {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Unlearn the latest N games; all if omitted
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
    let unlearnt = Unlearnt { lessons, left: store.learned_games()?, positions: entries.len() };
    if json {
        return output::print_json(&unlearnt);
    }
    let Unlearnt { left, positions, .. } = unlearnt;
    let path = book.display();
    output::print(&format!("{lessons} games unlearned, {left} left; {path} has {positions} positions\n"))
}
