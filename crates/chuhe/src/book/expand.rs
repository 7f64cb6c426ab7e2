//! `chuhe book expand`: drop-out expansion by the engine's own searches.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use chuhe_adapters::BookScorer;
use chuhe_book::expand::{Expansion, LeafQueue, grow};
use chuhe_book::{Book, Entries, Store, lines};
use chuhe_referee::Referee;
use chuhe_search::OutOfMemory;
use clap::Args;
use serde::Serialize;

use super::count_moves;
use crate::output;

/// Expand a book by the engine's own searches; resumes where it stopped
#[derive(Args)]
#[command(after_help = "\
The book is the same for any number of threads, and whether or not the program was stopped and started again in
between: leaves are scored in rounds, each by a search of its own, and a round that is not complete is scored again.

Example: chuhe book expand my.book --positions 5000 --nodes 100000 --threads 4")]
pub(super) struct Arguments {
    /// The book to write
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Stop after the round in which the book reaches this many positions
    #[arg(long, value_name = "N")]
    positions: usize,
    /// Positions that each search looks at
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    nodes: u64,
    /// Grow from the named lines of opening theory, too: they are followed first
    #[arg(long)]
    lines: bool,
    /// No line is longer than this
    #[arg(long, value_name = "PLIES", default_value_t = 40)]
    plies: usize,
    /// Leaves scored between two backups
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..))]
    round: u16,
    /// Leaves scored in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

#[derive(Serialize)]
struct Expanded {
    positions: usize,
    moves: usize,
}

/// How often the `.book` file is written meanwhile.
const WRITE_EVERY: Duration = Duration::from_secs(60);

pub(super) fn run(arguments: &Arguments, json: bool) -> anyhow::Result<()> {
    let Arguments { book, positions, .. } = arguments;
    let store = Store::beside(book)?;
    let mut entries = store.entries()?;
    if arguments.lines {
        store.replace(&lines::enter(&mut entries))?;
    }
    let mut queue = LeafQueue::new(entries, arguments.expansion(), Referee::default());
    let progress = output::Progress::of("positions");
    let mut saved = Ok(());
    let mut written = Instant::now();
    let mut save = |queue: &LeafQueue, changed: Entries| -> anyhow::Result<()> {
        store.replace(&changed)?;
        if written.elapsed() >= WRITE_EVERY {
            Book::write(book, queue.entries())?;
            written = Instant::now();
        }
        Ok(())
    };
    if queue.entries().len() < *positions {
        grow(&mut queue, &mut arguments.scorers()?, |queue, changed| {
            let count = queue.entries().len();
            progress.set_of(count as u64, *positions as u64);
            saved = save(queue, changed);
            if count >= *positions || saved.is_err() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
    }
    progress.finish();
    saved?;
    Book::write(book, queue.entries())?;
    let expanded = Expanded { positions: queue.entries().len(), moves: count_moves(queue.entries()) };
    if json {
        return output::print_json(&expanded);
    }
    let Expanded { positions, moves } = expanded;
    output::print(&format!("{} has {positions} positions with {moves} moves\n", book.display()))
}

impl Arguments {
    fn expansion(&self) -> Expansion {
        Expansion { plies: self.plies, round: self.round.into(), ..Expansion::default() }
    }

    fn scorers(&self) -> Result<Vec<BookScorer>, OutOfMemory> {
        (0..self.threads).map(|_| BookScorer::of_nodes(self.nodes)).collect()
    }
}
