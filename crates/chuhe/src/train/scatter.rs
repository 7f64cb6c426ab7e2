//! `chuhe train scatter`: many positions around samples, scored without a search.

use std::path::PathBuf;

use anyhow::bail;
use chuhe_train::scatter::Scatter;
use chuhe_train::shard::{self, ShardWriter};
use clap::Args;

use super::samples;
use crate::{input, output};

/// Make many positions a few random moves away from samples, scored by the evaluation alone
#[derive(Args)]
#[command(
    after_help = "Example: chuhe train scatter data/*.samples --output scattered.samples --copies 3\n\n\
    They have no result: train on them with --lambda 0, then on samples of games with --start."
)]
pub(crate) struct Arguments {
    /// The shards to start from
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// The shard to write; it must not exist
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// How often to go over the samples
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    copies: u32,
    #[command(flatten)]
    evaluator: input::EvaluatorArguments,
    /// Chooses the moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Samples written at a time.
const PORTION: usize = 1 << 16;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { shards, output: path, copies, evaluator, seed } = arguments;
    if path.exists() {
        bail!("{} exists already", path.display());
    }
    let mut scatter = Scatter::new(evaluator.evaluator()?, *seed);
    let sources = shards.iter().map(|path| shard::read(path).map(|_| path)).collect::<Result<Vec<_>, _>>()?;
    let mut writer = ShardWriter::open(path)?;
    let mut portion = Vec::with_capacity(PORTION);
    let progress = output::Progress::of("shards");
    let all = sources.len() as u64 * u64::from(*copies);
    for copy in 0..*copies {
        for (index, source) in sources.iter().enumerate() {
            for sample in samples::intact(source)? {
                portion.extend(scatter.around(&sample?));
                if portion.len() == PORTION {
                    writer.append(&portion)?;
                    portion.clear();
                    progress.set_of(u64::from(copy) * sources.len() as u64 + index as u64, all);
                }
            }
        }
    }
    writer.append(&portion)?;
    progress.finish();
    output::print(&format!("{} positions in {}\n", writer.samples(), path.display()))
}
