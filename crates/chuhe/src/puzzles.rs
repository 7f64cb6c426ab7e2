//! `chuhe puzzles`: puzzles from games.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::Context;
use chuhe_board::{Move, Position};
use chuhe_book::Book;
use chuhe_puzzles::{Goal, Journal, Maker, Puzzle, games};
use chuhe_search::Pool;
use chuhe_storage::write_atomic;
use clap::{Args, Subcommand};
use serde::Serialize;

use crate::interrupt::Interrupt;
use crate::{input, output};

/// Make puzzles of games
#[derive(Args)]
pub(crate) struct Arguments {
    /// Print one JSON object
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Make(MakeArguments),
}

/// Find, prove and rate puzzles; resumes where it stopped
#[derive(Args)]
#[command(after_help = "\
Without records, levels of the engine play games from the opening book against each other. The puzzles are the same for any
number of threads and interruptions; OUT.journal keeps what is done.

Example: chuhe puzzles make puzzles.txt --games 1000
         chuhe puzzles make mine.txt --from my-games.pgn")]
struct MakeArguments {
    /// The list of puzzles to write, from easy to hard
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// Other seeds give other games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Take the games of these records, or folders with records, instead
    #[arg(long, value_name = "RECORDS", num_args = 1.., conflicts_with_all = ["games", "seed"])]
    from: Vec<PathBuf>,
    /// Nodes of the searches that prove a solution
    #[arg(long, value_name = "N", default_value_t = 80_000)]
    nodes: u64,
    /// Games looked at in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// Where the games come from.
enum Source {
    SelfPlay { book: Book, seed: u64, games: u64 },
    Records(Vec<(Position, Vec<Move>)>),
}

#[derive(Serialize)]
struct Made {
    games: usize,
    puzzles: usize,
    mates: usize,
    wins: usize,
    defences: usize,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Action::Make(make) = &arguments.action;
    let made = make.run()?;
    if arguments.json {
        return output::print_json(&made);
    }
    let Made { games, puzzles, mates, wins, defences } = made;
    output::print(&format!(
        "{}: {puzzles} puzzles of {} ({mates} mates, {wins} wins, {defences} defences)\n",
        make.out.display(),
        output::games(games),
    ))
}

impl MakeArguments {
    fn run(&self) -> anyhow::Result<Made> {
        let source = self.source()?;
        let path = self.out.with_added_extension("journal");
        let mut journal = Journal::open(&path, &self.name()).with_context(|| path.display().to_string())?;
        let interrupt = Interrupt::catch()?;
        self.make(&source, &mut journal, &interrupt)?;
        let puzzles = journal.puzzles();
        let lines: String = puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
        write_atomic(&self.out, format!("# FEN ; goal ; rating ; themes ; solution\n{lines}").as_bytes())
            .with_context(|| self.out.display().to_string())?;
        Ok(Made::of(journal.counts().0, &puzzles))
    }

    /// What the journal belongs to.
    fn name(&self) -> String {
        let games =
            if self.from.is_empty() { format!("seed {}", self.seed) } else { format!("{:?}", self.from) };
        format!("puzzles of {games}, {} nodes", self.nodes)
    }

    fn source(&self) -> anyhow::Result<Source> {
        if self.from.is_empty() {
            return Ok(Source::SelfPlay { book: Book::embedded(), seed: self.seed, games: self.games });
        }
        let mut records = Vec::new();
        for file in input::record_files(&self.from)? {
            // A damaged game is left out; the others make puzzles all the same.
            for record in input::read_records(&file)?.into_iter().flatten() {
                records.push((record.start().clone(), record.main_moves().collect()));
            }
        }
        Ok(Source::Records(records))
    }

    /// Makes the puzzles of all games that the journal lacks.
    fn make(&self, source: &Source, journal: &mut Journal, interrupt: &Interrupt) -> anyhow::Result<()> {
        let left: Vec<u64> = (0..source.games()).filter(|game| !journal.has(*game)).collect();
        let progress = output::Progress::of("games");
        let next = AtomicU64::new(0);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.threads {
                let (left, next, sender) = (&left, &next, sender.clone());
                scope.spawn(move || {
                    let (mut maker, mut pool) = (Maker::new(self.nodes), Pool::new(1, 8));
                    while let Some(game) = left.get(next.fetch_add(1, Ordering::Relaxed) as usize)
                        && !interrupt.is_caught()
                    {
                        let puzzles = maker.puzzles(&source.moments(&mut pool, *game));
                        if sender.send((*game, puzzles)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            for (game, puzzles) in receiver {
                journal.add(game, puzzles)?;
                progress.set_of(journal.counts().0 as u64, source.games());
            }
            progress.finish();
            Ok(())
        })
    }
}

impl Source {
    fn games(&self) -> u64 {
        match self {
            Self::SelfPlay { games, .. } => *games,
            Self::Records(records) => records.len() as u64,
        }
    }

    fn moments(&self, pool: &mut Pool, game: u64) -> Vec<games::Moment> {
        match self {
            Self::SelfPlay { book, seed, .. } => games::self_play(pool, book, *seed, game),
            Self::Records(records) => {
                let (start, moves) = &records[game as usize];
                games::replay(pool, start, moves)
            }
        }
    }
}

impl Made {
    fn of(games: usize, puzzles: &[Puzzle]) -> Self {
        let count = |is: fn(&Goal) -> bool| puzzles.iter().filter(|puzzle| is(&puzzle.goal)).count();
        Self {
            games,
            puzzles: puzzles.len(),
            mates: count(|goal| matches!(goal, Goal::Mate(_))),
            wins: count(|goal| *goal == Goal::Win),
            defences: count(|goal| *goal == Goal::Hold),
        }
    }
}
