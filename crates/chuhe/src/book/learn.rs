//! `chuhe book learn`: lessons from our own games.

use std::path::PathBuf;

use anyhow::Context;
use chuhe_board::Side;
use chuhe_book::{Book, Lesson};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::store_of;
use crate::{input, output};

/// Learn from games that we played, or take that back
#[derive(Args)]
#[command(after_help = "Example: chuhe book learn my.book own.pgn --side red")]
pub(super) struct Arguments {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// The games
    #[arg(value_name = "GAMES")]
    games: PathBuf,
    /// Which side was ours
    #[arg(long, value_enum)]
    side: Ours,
    /// Take back what these games taught
    #[arg(long)]
    undo: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Ours {
    Red,
    Black,
}

#[derive(Serialize)]
struct Learnt {
    games: usize,
    positions: usize,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> anyhow::Result<()> {
    let Arguments { book, games, side, undo } = arguments;
    let side = match side {
        Ours::Red => Side::Red,
        Ours::Black => Side::Black,
    };
    let store = store_of(book)?;
    let mut count = 0;
    for game in input::read_records(games).with_context(|| games.display().to_string())? {
        let lesson = Lesson::of(&game?, side, 40);
        if *undo {
            store.unlearn(&lesson)?
        } else {
            store.learn(&lesson)?
        }
        count += 1;
    }
    let mut entries = store.entries()?;
    entries.retain(|_, moves| !moves.is_empty());
    Book::write(book, &entries)?;
    if json {
        return output::print_json(&Learnt { games: count, positions: entries.len() });
    }
    let what = if *undo { "taken back" } else { "learnt" };
    output::print(&format!("{count} games {what}; {} has {} positions\n", book.display(), entries.len()))
}
