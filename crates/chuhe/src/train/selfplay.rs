//! `chuhe train selfplay`: games of the engine against itself.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use chuhe_search::Evaluator;
use chuhe_train::Sample;
use chuhe_train::selfplay::{Player, Settings};
use chuhe_train::shard::ShardWriter;
use clap::Args;
use serde::Serialize;

use crate::{input, output};

/// Play games of the engine against itself and keep their positions
#[derive(Args)]
#[command(after_help = "Example: chuhe train selfplay data/ --threads 2 --positions 1000000\n\n\
    Each thread appends to a shard of its own in the folder. A run with the same seed continues\n\
    with new games where the last one ended, even after a kill.")]
pub(crate) struct Arguments {
    /// The folder for the shards
    folder: PathBuf,
    /// Positions searched for each move
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(10..))]
    nodes: u64,
    /// Stop after this many new positions [default: run until killed]
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Games played in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Random seed; the same seed plays the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    evaluator: input::EvaluatorArguments,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary {
    games: u64,
    positions: u64,
    seconds: f64,
    positions_per_second: f64,
}

struct Progress {
    start: Instant,
    last_report: Instant,
    games: u64,
    positions: u64,
}

impl Progress {
    fn rate(&self) -> f64 {
        self.positions as f64 / self.start.elapsed().as_secs_f64().max(1e-9)
    }

    fn count(&mut self, samples: &[Sample]) {
        self.games += 1;
        self.positions += samples.len() as u64;
        if self.last_report.elapsed() > Duration::from_secs(10) {
            self.last_report = Instant::now();
            let (games, positions) = (self.games, self.positions);
            output::note(&format!("{games} games, {positions} positions, {:.0} a second", self.rate()));
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let evaluator = arguments.evaluator.evaluator()?;
    let now = Instant::now();
    let progress = Mutex::new(Progress { start: now, last_report: now, games: 0, positions: 0 });
    let outcomes: Vec<anyhow::Result<()>> = thread::scope(|scope| {
        let players: Vec<_> = (0..arguments.threads)
            .map(|thread| {
                scope.spawn({
                    let (progress, evaluator) = (&progress, evaluator.clone());
                    move || play(arguments, thread, evaluator, progress)
                })
            })
            .collect();
        players.into_iter().map(|player| player.join().expect("players do not panic")).collect()
    });
    outcomes.into_iter().collect::<anyhow::Result<()>>()?;
    let progress = progress.into_inner().expect("players do not panic");
    let summary = Summary {
        games: progress.games,
        positions: progress.positions,
        seconds: progress.start.elapsed().as_secs_f64(),
        positions_per_second: progress.rate(),
    };
    if arguments.json {
        return output::print_json(&summary);
    }
    let Summary { games, positions, seconds, positions_per_second } = summary;
    output::print(&format!(
        "{games} games, {positions} positions in {seconds:.1} s, {positions_per_second:.0} a second\n"
    ))
}

fn play(
    arguments: &Arguments,
    thread: u16,
    evaluator: Evaluator,
    progress: &Mutex<Progress>,
) -> anyhow::Result<()> {
    let path = shard_path(&arguments.folder, arguments.seed, thread);
    let mut shard = ShardWriter::open(&path)?;
    let settings = Settings { nodes: arguments.nodes, evaluator, ..Settings::default() };
    // What the shard holds already makes the continuation's games new ones.
    let seed = arguments.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(thread) << 48 ^ shard.samples();
    Player::new(settings, seed).play(|samples| {
        if let Err(error) = shard.append(&samples) {
            return ControlFlow::Break(Err(error.into()));
        }
        let mut progress = progress.lock().expect("players do not panic");
        progress.count(&samples);
        match arguments.positions {
            Some(wanted) if progress.positions >= wanted => ControlFlow::Break(Ok(())),
            _ => ControlFlow::Continue(()),
        }
    })
}

fn shard_path(folder: &Path, seed: u64, thread: u16) -> PathBuf {
    folder.join(format!("selfplay-{seed}-{thread}.samples"))
}
