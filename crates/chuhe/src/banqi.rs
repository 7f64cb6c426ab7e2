//! `chuhe banqi`: the half-board dark game.

mod board_picture;
mod contest;
mod engine;
mod go;
mod input;
mod perft;
mod play;
mod tb;
mod tune;

use clap::{Args, Subcommand};

/// Play Banqi (暗棋), the half-board dark game
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Play(play::Arguments),
    Go(go::Arguments),
    Match(contest::Arguments),
    Perft(perft::Arguments),
    Tb(tb::Arguments),
    Engine(engine::Arguments),
    Tune(tune::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Play(arguments) => play::run(arguments),
        Command::Go(arguments) => go::run(arguments),
        Command::Match(arguments) => contest::run(arguments),
        Command::Perft(arguments) => perft::run(arguments),
        Command::Tb(arguments) => tb::run(arguments),
        Command::Engine(arguments) => engine::run(arguments),
        Command::Tune(arguments) => tune::run(arguments),
    }
}
