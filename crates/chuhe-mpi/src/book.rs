//! `chuhe-mpi book`: a book grows by searches on all ranks.

use std::ops::ControlFlow;
use std::path::PathBuf;

use chuhe_adapters::BookScorer;
use chuhe_book::expand::{Expansion, LeafQueue};
use chuhe_book::{Book, Entries, Store};
use chuhe_cluster::book;
use chuhe_cluster::greeting::{self, Greeting};
use chuhe_cluster::link::Link;
use chuhe_referee::Referee;
use chuhe_search::{Evaluator, OutOfMemory};
use clap::Args;

use crate::output;

/// Let a book grow by searches on all ranks; goes on where it was when started again
#[derive(Args)]
#[command(after_help = "Example: mpirun -n 8 chuhe-mpi book my.book --positions 50000\n\n\
    Like `chuhe book expand`, and the same book: leaves are scored in rounds, each by a search of its own.")]
pub(crate) struct Arguments {
    /// The book to write
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Stop after the round in which the book comes to have so many positions
    #[arg(long, value_name = "N")]
    positions: usize,
    /// Positions that each search looks at
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    nodes: u64,
    /// No line is longer than this
    #[arg(long, value_name = "PLIES", default_value_t = 40)]
    plies: usize,
    /// How many leaves are scored before their scores flow back
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..))]
    round: u16,
    /// How many leaves each rank scores at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

pub(crate) fn run(link: &mut impl Link, arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { positions, nodes, plies, round, .. } = arguments;
    let job = format!("book of {positions} positions, {nodes} nodes, {plies} plies, rounds of {round}");
    greeting::greet(link, &Greeting::new(Evaluator::default().fingerprint(), job))?;
    if link.rank() > 0 {
        return Ok(book::score(link, arguments.scorers()?)?);
    }
    let book = &arguments.book;
    let store = Store::beside(book)?;
    let expansion = Expansion { plies: *plies, round: (*round).into(), ..Expansion::default() };
    let mut giver = LeafQueue::new(store.entries()?, expansion, Referee::default());
    let mut saved = Ok(());
    let mut tell = |giver: &LeafQueue, changed: Entries| {
        saved = store.replace(&changed);
        output::note(&format!("{} of {positions} positions", giver.entries().len()));
        if saved.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    book::grow(link, &mut giver, *positions, arguments.scorers()?, &mut tell)?;
    saved?;
    Book::write(book, giver.entries())?;
    output::print(&format!("{} has {} positions", book.display(), giver.entries().len()));
    Ok(())
}

impl Arguments {
    fn scorers(&self) -> Result<Vec<BookScorer>, OutOfMemory> {
        (0..self.threads).map(|_| BookScorer::of_nodes(self.nodes)).collect()
    }
}
