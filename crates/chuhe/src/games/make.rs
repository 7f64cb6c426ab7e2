//! `chuhe games make`: games of the engine against itself from the opening book, as a compact list.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::Context;
use chuhe_book::Book;
use chuhe_collection::PackedWriter;
use chuhe_train::book_games::{BookGame, BookPlayer};
use clap::Args;
use serde::Serialize;

use crate::interrupt::Interrupt;
use crate::output;

/// Play games of the engine against itself from the opening book; resumes where it stopped
#[derive(Args)]
#[command(after_help = "\
The list is the same for any number of threads and interruptions, and can be continued with more games. `import` reads it.

Example: chuhe games make starter.games --games 1000")]
pub(super) struct MakeArguments {
    /// The list to write or to continue
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Games in the list at the end
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    nodes: u64,
    /// Other seeds give other games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games played in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

#[derive(Serialize)]
struct Made {
    games: usize,
}

impl MakeArguments {
    pub(super) fn run(&self, json: bool) -> anyhow::Result<()> {
        let title = format!("Chuhe, {} nodes a move, seed {}", self.nodes, self.seed);
        let mut list =
            PackedWriter::open(&self.out, &title).with_context(|| self.out.display().to_string())?;
        self.play(&mut list, &Interrupt::catch()?)?;
        let games = list.len();
        if json {
            return output::print_json(&Made { games });
        }
        output::print(&format!("{}: {}\n", self.out.display(), output::games(games)))
    }

    /// Plays the games that the list lacks.
    fn play(&self, list: &mut PackedWriter, interrupt: &Interrupt) -> anyhow::Result<()> {
        let progress = output::Progress::of("games");
        let next = AtomicU64::new(list.len() as u64);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.threads {
                let (next, sender) = (&next, sender.clone());
                scope.spawn(move || {
                    let mut player = BookPlayer::new(Book::embedded(), self.nodes, self.seed);
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.games || interrupt.is_caught() {
                            break;
                        }
                        if sender.send((number, player.game(number))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            // A game waits for those before it, so that a list that was interrupted is the beginning of the whole.
            let mut waiting: BTreeMap<u64, BookGame> = BTreeMap::new();
            for (number, game) in receiver {
                waiting.insert(number, game);
                while let Some(game) = waiting.remove(&(list.len() as u64)) {
                    list.add(&game.moves, game.outcome)
                        .with_context(|| format!("cannot write {}", self.out.display()))?;
                }
                progress.set_of(list.len() as u64, self.games);
            }
            progress.finish();
            Ok(())
        })
    }
}
