//! `chuhe book`: the opening book.

mod build;
mod expand;
mod export;
mod import;
mod learn;
mod probe;
mod prune;
mod stats;
mod unlearn;

use std::path::{Path, PathBuf};

use chuhe_book::foreign::Keys;
use chuhe_book::{Book, Entries};
use clap::{Args, Subcommand};

/// Why a command that ran before adds nothing.
const KNOWN_GAMES: &str = "the book has these games already; nothing was added";

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
    Unlearn(unlearn::Arguments),
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
        Action::Unlearn(arguments) => unlearn::run(arguments, json),
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

/// The keys of another program's book.
#[derive(Args)]
struct KeyArguments {
    /// A text with the other program's numbers: 0x and 16 digits for Red to move, then for 14 x 256 pieces on points
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
}

impl KeyArguments {
    fn keys(&self) -> anyhow::Result<Keys> {
        Ok(self.keys.as_deref().map_or(Ok(Keys::Own), Keys::read)?)
    }
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
