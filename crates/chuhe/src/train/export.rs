//! `chuhe train export`: samples as text for other trainers.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::samples;

/// Print samples as text: `fen | score | result`, both for the side to move
#[derive(Args)]
#[command(after_help = "Example: chuhe train export data/selfplay-1-0.samples > data.txt")]
pub(crate) struct Arguments {
    /// The shards
    #[arg(required = true)]
    shards: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    for path in &arguments.shards {
        for sample in samples::intact(path)? {
            let sample = sample?;
            let result = sample.outcome.points();
            writeln!(stdout, "{} | {} | {result:.1}", sample.position, sample.score.get())
                .context("cannot write to standard output")?;
        }
    }
    stdout.flush().context("cannot write to standard output")
}
