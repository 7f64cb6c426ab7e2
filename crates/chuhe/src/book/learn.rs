//! `chuhe book learn`: book learning from our own games.

use std::path::PathBuf;

use anyhow::Context;
use chuhe_board::Side;
use chuhe_book::{Book, LearnedGame, Store};
use chuhe_notation::record::Game;
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::{input, output};

/// Learn from games that we played
#[derive(Args)]
#[command(after_help = "\
Positions and results are added, and the weights of our own moves go up by 10 after a win and down by 10 after a loss.
`chuhe book unlearn` takes it back.

Example: chuhe book learn my.book own.pgn --side red
         chuhe book learn my.book match.pgn --name Chuhe")]
pub(super) struct Arguments {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// A record, or a folder with records; `-` is standard input
    #[arg(value_name = "GAMES")]
    games: PathBuf,
    #[command(flatten)]
    ours: Ours,
    /// Learn moves up to this ply
    #[arg(long, value_name = "PLIES", default_value_t = 40)]
    plies: usize,
}

/// Which side was ours.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Ours {
    /// Which side was ours in all of them
    #[arg(long, value_enum)]
    side: Option<Colour>,
    /// The name that we played under, as in the records of a match
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Colour {
    Red,
    Black,
}

impl Ours {
    /// Our sides in a game: one, none, or both if we played against ourselves.
    fn sides(&self, game: &Game) -> Vec<Side> {
        match (self.side, &self.name) {
            (Some(Colour::Red), _) => vec![Side::Red],
            (Some(Colour::Black), _) => vec![Side::Black],
            (None, name) => {
                let is_ours = |tag: &str| name.as_deref() == game.tags.get(tag);
                let sides = [("Red", Side::Red), ("Black", Side::Black)];
                sides.into_iter().filter(|(tag, _)| is_ours(tag)).map(|(_, side)| side).collect()
            }
        }
    }
}

#[derive(Serialize)]
struct Learnt {
    games: usize,
    skipped: usize,
    positions: usize,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> anyhow::Result<()> {
    let Arguments { book, games, ours, plies } = arguments;
    let (mut count, mut skipped, mut bad) = (0, 0, 0);
    let mut learned = Vec::new();
    for file in input::record_files(std::slice::from_ref(games))? {
        for game in input::read_records(&file).with_context(|| file.display().to_string())? {
            match game {
                Ok(game) => {
                    let before = learned.len();
                    let sides = ours.sides(&game).into_iter();
                    learned.extend(sides.filter_map(|side| LearnedGame::of(&game, side, *plies)));
                    if learned.len() == before { skipped += 1 } else { count += 1 }
                }
                Err(error) => {
                    bad += 1;
                    output::warn(&format!("{}, {error}: skipped", file.display()));
                }
            }
        }
    }
    let mut positions = 0;
    let is_new = Store::beside(book)?.learn_and_write(&learned, |store| {
        let entries = store.entries()?;
        positions = entries.len();
        Ok(Book::write(book, &entries)?)
    })?;
    if !is_new {
        output::warn(&super::KNOWN_GAMES);
    }
    if json {
        output::print_json(&Learnt { games: count, skipped: skipped + bad, positions })?;
    } else {
        let path = book.display();
        output::print(&format!(
            "{} learnt, {skipped} not ours or not from the start; {path} has {positions} positions\n",
            output::games(count)
        ))?;
    }
    output::Skipped::check_games(bad)
}
