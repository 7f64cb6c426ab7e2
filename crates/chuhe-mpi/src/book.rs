//! `chuhe-mpi book`: book expansion on all ranks.

use std::ops::ControlFlow;
use std::path::PathBuf;

use chuhe_adapters::BookScorer;
use chuhe_book::expand::{Expansion, LeafQueue};
use chuhe_book::{Book, Entries, Store};
use chuhe_cluster::book;
use chuhe_cluster::handshake::{self, Handshake};
use chuhe_cluster::link::Link;
use chuhe_referee::Referee;
use chuhe_search::{Evaluator, OutOfMemory};
use clap::Args;

use crate::output;

/// Expand a book by searches on all ranks; resumes an interrupted run
#[derive(Args)]
#[command(after_help = "Example: mpirun -n 8 chuhe-mpi book my.book --positions 50000\n\n\
    Makes the same book as `chuhe book expand`: leaves are scored in rounds, each by its own search.")]
pub(crate) struct Arguments {
    /// The book to write
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Stop after the round in which the book reaches N positions
    #[arg(long, value_name = "N")]
    positions: usize,
    /// Nodes per search
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    nodes: u64,
    /// The longest line
    #[arg(long, value_name = "PLIES", default_value_t = 40)]
    plies: usize,
    /// Leaves scored before their scores are backed up
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..))]
    round: u16,
    /// Threads per rank, each scoring one leaf at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

pub(crate) fn run(link: &mut impl Link, arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { positions, nodes, plies, round, .. } = arguments;
    let job = format!("book of {positions} positions, {nodes} nodes, {plies} plies, rounds of {round}");
    handshake::perform(link, &Handshake::new(Evaluator::default().fingerprint(), job))?;
    if link.rank() > 0 {
        return Ok(book::score(link, arguments.scorers()?)?);
    }
    let book = &arguments.book;
    let store = Store::beside(book)?;
    let expansion = Expansion { plies: *plies, round: (*round).into(), ..Expansion::default() };
    let mut queue = LeafQueue::new(store.entries()?, expansion, Referee::default());
    let mut saved = Ok(());
    let mut on_round = |queue: &LeafQueue, changed: Entries| {
        saved = store.replace(&changed);
        output::print_progress(&format!("{} of {positions} positions", queue.entries().len()));
        if saved.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    book::grow(link, &mut queue, *positions, arguments.scorers()?, &mut on_round)?;
    saved?;
    Book::write(book, queue.entries())?;
    output::print(&format!("{} has {} positions", book.display(), queue.entries().len()));
    Ok(())
}

impl Arguments {
    fn scorers(&self) -> Result<Vec<BookScorer>, OutOfMemory> {
        (0..self.threads).map(|_| BookScorer::of_nodes(self.nodes)).collect()
    }
}
