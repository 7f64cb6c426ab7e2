//! `chuhe train`: self-play data, tuning, the network, and measuring what they brought.

mod ablate;
mod chances;
mod export;
mod material;
mod net;
mod samples;
mod scatter;
mod selfplay;
mod spsa;
pub(crate) mod suite;
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
    Chances(chances::Arguments),
    Spsa(spsa::Arguments),
    Suite(suite::Arguments),
    Ablate(ablate::Arguments),
    Material(material::Arguments),
    Net(net::Arguments),
    Scatter(scatter::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Selfplay(arguments) => selfplay::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        Command::Tune(arguments) => tune::run(arguments),
        Command::Chances(arguments) => chances::run(arguments),
        Command::Spsa(arguments) => spsa::run(arguments),
        Command::Suite(arguments) => suite::run(arguments),
        Command::Ablate(arguments) => ablate::run(arguments),
        Command::Material(arguments) => material::run(arguments),
        Command::Net(arguments) => net::run(arguments),
        Command::Scatter(arguments) => scatter::run(arguments),
    }
}
