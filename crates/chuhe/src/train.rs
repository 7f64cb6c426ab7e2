//! `chuhe train`: self-play data, tuning and the network.

mod export;
mod net;
mod scatter;
mod selfplay;
mod tune;

use clap::{Args, Subcommand};

/// Make training data, tune the evaluation and train the network
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
    Net(net::Arguments),
    Scatter(scatter::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Selfplay(arguments) => selfplay::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        Command::Tune(arguments) => tune::run(arguments),
        Command::Net(arguments) => net::run(arguments),
        Command::Scatter(arguments) => scatter::run(arguments),
    }
}
