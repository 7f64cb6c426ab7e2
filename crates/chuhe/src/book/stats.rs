//! `chuhe book stats`: how large a book is.

use chuhe_report::explore;
use clap::Args;

use super::BookArguments;
use crate::output;

/// How large a book is
#[derive(Args)]
#[command(after_help = "Example: chuhe book stats my.book")]
pub(super) struct Arguments {
    #[command(flatten)]
    book: BookArguments,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> anyhow::Result<()> {
    let stats = explore::stats(&arguments.book.open()?);
    if json {
        return output::print_json(&stats);
    }
    output::print(&format!(
        "{} positions, {} moves, {} of them scored by the engine, {} traps, {} games\n",
        stats.positions, stats.moves, stats.scored, stats.traps, stats.games
    ))
}
