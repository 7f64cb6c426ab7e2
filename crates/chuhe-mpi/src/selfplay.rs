//! `chuhe-mpi selfplay`: self-play on all ranks.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use chuhe_cluster::handshake::{self, Handshake};
use chuhe_cluster::link::Link;
use chuhe_cluster::selfplay::{self, Plan, Summary};
use chuhe_train::selfplay::Settings;
use clap::Args;

use crate::network::NetworkArguments;
use crate::output;

/// Self-play on all ranks, for training data
#[derive(Args)]
#[command(after_help = "Example: mpirun -n 8 chuhe-mpi selfplay data/ --games 10000\n\n\
    Rank 0 hands out the games and writes them to one shard, the same for any number of ranks. A second run with\n\
    the same seed adds new games to the shard, even if the first was killed.")]
pub(crate) struct Arguments {
    /// The folder for the shard
    folder: PathBuf,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(10..))]
    nodes: u64,
    /// Games at a time per rank
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Random seed; the same seed plays the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    network: NetworkArguments,
}

pub(crate) fn run(link: &mut impl Link, arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { folder, games, nodes, threads, seed, .. } = arguments;
    let evaluator = arguments.network.evaluator()?;
    let job = format!("selfplay of {games} games, seed {seed}, {nodes} nodes");
    handshake::perform(link, &Handshake::new(evaluator.fingerprint(), job))?;
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
    let mut last_report = start;
    let mut on_game = |summary: &Summary| {
        if last_report.elapsed() > Duration::from_secs(10) {
            last_report = Instant::now();
            output::print_progress(&format!("{} games, {} positions", summary.games, summary.positions));
        }
    };
    let shard = folder.join(format!("selfplay-{seed}-cluster.samples"));
    if let Some(Summary { games, positions, by_rank }) = selfplay::run(link, &plan, &shard, &mut on_game)? {
        let seconds = start.elapsed().as_secs_f64();
        output::print(&format!(
            "{games} games, {positions} positions in {seconds:.1} s; games by rank: {by_rank:?}"
        ));
    }
    Ok(())
}
