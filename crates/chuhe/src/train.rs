//! `chuhe train`: self-play data and tuning.

mod export;
mod selfplay;
mod tune;

use clap::{Args, Subcommand};

/// Make training data and tune the evaluation
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Selfplay(selfplay::Arguments),
    Export(export::Arguments),
    Tune(tune::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Selfplay(arguments) => selfplay::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        Command::Tune(arguments) => tune::run(arguments),
    }
}
