//! `chuhe book`: the opening book.

mod build;
mod expand;
mod export;
mod import;
mod learn;
mod probe;
mod prune;
mod stats;

use std::path::{Path, PathBuf};

use chuhe_book::{Book, Entries, Store};
use clap::{Args, Subcommand};

/// Build, grow, cut and explore opening books
#[derive(Args)]
#[command(after_help = "\
A book is a file NAME.book; what it is built from, NAME.store, is kept beside it and grows with each build,
expand or learn. Without a file `probe` and `stats` look at the book inside the program.

Example: chuhe book build games/ --out my.book --least 3
         chuhe book probe my.book --moves 'h2e2 h9g7'
         chuhe book prune my.book --keep 2 --out small.book")]
pub(crate) struct Arguments {
    /// Print one JSON object
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Build(build::Arguments),
    Expand(expand::Arguments),
    Prune(prune::Arguments),
    Probe(probe::Arguments),
    Stats(stats::Arguments),
    Learn(learn::Arguments),
    Import(import::Arguments),
    Export(export::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let json = arguments.json;
    match &arguments.action {
        Action::Build(arguments) => build::run(arguments, json),
        Action::Expand(arguments) => expand::run(arguments, json),
        Action::Prune(arguments) => prune::run(arguments, json),
        Action::Probe(arguments) => probe::run(arguments, json),
        Action::Stats(arguments) => stats::run(arguments, json),
        Action::Learn(arguments) => learn::run(arguments, json),
        Action::Import(arguments) => import::run(arguments, json),
        Action::Export(arguments) => export::run(arguments, json),
    }
}

/// A book to look at.
#[derive(Args)]
struct BookArguments {
    /// The book; the one inside the program if missing
    #[arg(value_name = "BOOK")]
    book: Option<PathBuf>,
}

impl BookArguments {
    fn open(&self) -> anyhow::Result<Book> {
        Ok(match &self.book {
            Some(path) => Book::open(path)?,
            None => Book::embedded(),
        })
    }
}

/// The store of a book that is written or grows; a book that came without one fills it first. Refuses to write
/// over something that is no book.
fn store_of(book: &Path) -> anyhow::Result<Store> {
    check_target(book)?;
    let store = Store::open(&book.with_extension("store"))?;
    if book.exists() && store.is_empty()? {
        store.replace(&Book::open(book)?.entries())?;
    }
    Ok(store)
}

/// Refuses to write over something that is no book.
fn check_target(book: &Path) -> anyhow::Result<()> {
    if book.exists() {
        Book::open(book)?;
    }
    Ok(())
}

/// How many moves there are in all.
fn count_moves(entries: &Entries) -> usize {
    entries.values().map(Vec::len).sum()
}
