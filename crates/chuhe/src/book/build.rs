//! `chuhe book build`: a book from game records.

use std::path::PathBuf;

use anyhow::Context;
use chuhe_board::coords::RankStyle;
use chuhe_book::{Book, Builder, Entries, Filter, Store};
use chuhe_notation::convert::Reader;
use clap::Args;
use serde::Serialize;

use super::{check_target, count_moves};
use crate::{input, output};

/// Build a book from games, or add them to one
#[derive(Args)]
#[command(after_help = "Example: chuhe book build games/ --out my.book --plies 30 --least 3 --decided")]
pub(super) struct Arguments {
    /// Records, or folders with records; `-` is standard input
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// The book to write
    #[arg(long, value_name = "BOOK")]
    out: PathBuf,
    /// Take moves up to this ply
    #[arg(long, value_name = "PLIES", default_value_t = 40)]
    plies: usize,
    /// Take moves that were played at least this often
    #[arg(long, value_name = "N", default_value_t = 1)]
    least: u32,
    /// Take only games with a known result
    #[arg(long)]
    decided: bool,
    /// Take only games in which no player is known to be rated lower
    #[arg(long, value_name = "RATING", default_value_t = 0)]
    rating: u16,
}

#[derive(Serialize)]
struct Built {
    games: usize,
    skipped: usize,
    positions: usize,
    moves: usize,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> anyhow::Result<()> {
    let Arguments { games, out, plies, least, decided, rating } = arguments;
    check_target(out)?;
    let files = input::record_files(games)?;
    // The store keeps rare moves: more games may make them common.
    let mut builder = Builder::new(Filter { plies: *plies, least: 1, decided: *decided, rating: *rating });
    let progress = output::Progress::reading();
    let mut reader = Reader::new(&files, RankStyle::FromZero);
    let mut bad = 0;
    for file in files {
        let bytes = chuhe_storage::read(&file).with_context(|| file.display().to_string())?;
        reader.read(&file, &bytes, |so_far, _, game| {
            progress.read(so_far);
            match game {
                Ok(game) => {
                    for fault in game.faults() {
                        output::warn(&output::fault(file.display(), fault));
                    }
                    builder.add(&game);
                }
                Err(error) => {
                    bad += 1;
                    output::warn(&format!("{}, {error}: skipped", file.display()));
                }
            }
            Ok::<(), anyhow::Error>(())
        })?;
    }
    let taken = builder.games();
    let store = Store::beside(out)?;
    let mut entries = Entries::new();
    let is_new = store.merge_and_write(&builder.finish(), |store| {
        entries = store.entries()?;
        for moves in entries.values_mut() {
            moves.retain(|known| known.count >= *least || known.score.is_some());
        }
        entries.retain(|_, moves| !moves.is_empty());
        Ok(Book::write(out, &entries)?)
    })?;
    progress.finish();
    if !is_new {
        output::warn(&super::KNOWN_GAMES);
    }
    let built = Built { games: taken, skipped: bad, positions: entries.len(), moves: count_moves(&entries) };
    if json {
        output::print_json(&built)?;
    } else {
        output::print(&format!(
            "{} taken; {} has {} positions with {} moves\n",
            output::games(built.games),
            out.display(),
            built.positions,
            built.moves
        ))?;
    }
    output::Skipped::check_games(bad)
}
