//! `chuhe-mpi selfplay`: games of the engine against itself on all ranks.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use chuhe_cluster::greeting::{self, Greeting};
use chuhe_cluster::link::Link;
use chuhe_cluster::selfplay::{self, Plan, Summary};
use chuhe_train::selfplay::Settings;
use clap::Args;

use crate::network::NetworkArguments;
use crate::output;

/// Play games of the engine against itself on all ranks and keep their positions
#[derive(Args)]
#[command(after_help = "Example: mpirun -n 8 chuhe-mpi selfplay data/ --games 10000\n\n\
    Rank 0 hands out the games and writes them to one shard in the folder, the same for any number of ranks. A run\n\
    with the same seed goes on with new games where the last one ended, even if it was killed.")]
pub(crate) struct Arguments {
    /// The folder for the shard
    folder: PathBuf,
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,
    /// Positions searched for each move
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(10..))]
    nodes: u64,
    /// How many games each rank plays at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Chooses the games; the same seed plays the same ones
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    network: NetworkArguments,
}

pub(crate) fn run(link: &mut impl Link, arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { folder, games, nodes, threads, seed, .. } = arguments;
    let evaluator = arguments.network.evaluator()?;
    let job = format!("selfplay of {games} games, seed {seed}, {nodes} nodes");
    greeting::greet(link, &Greeting::new(evaluator.fingerprint(), job))?;
    if link.rank() == 0 {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let plan = Plan {
        settings: Settings { nodes: *nodes, evaluator, ..Settings::default() },
        seed: *seed,
        games: *games,
        threads: (*threads).into(),
    };
    let start = Instant::now();
    let mut told = start;
    let mut tell = |summary: &Summary| {
        if told.elapsed() > Duration::from_secs(10) {
            told = Instant::now();
            output::note(&format!("{} games, {} positions", summary.games, summary.positions));
        }
    };
    let shard = folder.join(format!("selfplay-{seed}-cluster.samples"));
    if let Some(Summary { games, positions, by_rank }) = selfplay::run(link, &plan, &shard, &mut tell)? {
        let seconds = start.elapsed().as_secs_f64();
        output::print(&format!(
            "{games} games, {positions} positions in {seconds:.1} s; games by rank: {by_rank:?}"
        ));
    }
    Ok(())
}
