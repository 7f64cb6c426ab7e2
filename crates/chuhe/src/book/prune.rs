//! `chuhe book prune`: reduces a book to what a side needs.

use std::fmt::Write;
use std::path::PathBuf;

use chuhe_board::Side;
use chuhe_book::{Book, prune};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::check_target;
use crate::output;

/// Keep what one side needs to play as it does: its best moves and all answers to them
#[derive(Args)]
#[command(after_help = "Example: chuhe book prune my.book --keep 2 --side red --out small.book")]
pub(super) struct Arguments {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// How many of our own moves are kept
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    keep: u32,
    /// For whom
    #[arg(long, value_enum, default_value = "both")]
    side: For,
    /// The book to write; without it only the figures are printed
    #[arg(long, value_name = "BOOK")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum For {
    Red,
    Black,
    Both,
}

impl For {
    fn sides(self) -> &'static [Side] {
        match self {
            Self::Red => &[Side::Red],
            Self::Black => &[Side::Black],
            Self::Both => &Side::ALL,
        }
    }
}

#[derive(Serialize)]
struct CutReport {
    keep: u32,
    before: usize,
    after: usize,
    share: f64,
    plies: Vec<(usize, usize)>,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> anyhow::Result<()> {
    let Arguments { book, keep, side, out } = arguments;
    let entries = Book::open(book)?.entries();
    let cut = prune::prune(&entries, side.sides(), *keep as usize);
    if let Some(out) = out {
        check_target(out)?;
        Book::write(out, &cut.entries)?;
    }
    if json {
        let (before, after, share) = (cut.before, cut.after, cut.share());
        return output::print_json(&CutReport { keep: *keep, before, after, share, plies: cut.plies });
    }
    let mut text = format!("{:>5} {:>10} {:>10}\n", "ply", "before", "after");
    for (ply, (before, after)) in cut.plies.iter().enumerate() {
        let _ = writeln!(text, "{:>5} {before:>10} {after:>10}", ply + 1);
    }
    let _ = writeln!(text, "{:>5} {:>10} {:>10}\n{:.2} % cut", "all", cut.before, cut.after, cut.share());
    output::print(&text)
}
