//! The program `chuhe-mpi`: Chuhe on the ranks of an MPI job. Argument parsing and printing; the work is in the crate
//! `cluster`.

mod book;
mod engine;
mod network;
mod output;
mod selfplay;
mod tables;

use std::process::ExitCode;

use anyhow::Context;
use chuhe_cluster::link::mpi::MpiLink;
// Checks the CPU before `main`.
use chuhe_cpu as _;
use clap::{Parser, Subcommand};

/// Chuhe (楚河) on a cluster. Without a command, rank 0 is an engine for any UCI, UCCI or xboard GUI.
#[derive(Parser)]
#[command(version, max_term_width = 100, after_help = "Example: mpirun -n 4 chuhe-mpi")]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Engine(engine::Arguments),
    Selfplay(selfplay::Arguments),
    Tables(tables::Arguments),
    Book(book::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::print_error(&error);
            ExitCode::from(2)
        }
    }
}

fn run(arguments: Arguments) -> anyhow::Result<()> {
    let mut link = MpiLink::start().context("MPI is already initialised")?;
    match arguments.command.unwrap_or_default() {
        Command::Engine(arguments) => engine::run(&mut link, &arguments),
        Command::Selfplay(arguments) => selfplay::run(&mut link, &arguments),
        Command::Tables(arguments) => tables::run(&mut link, &arguments),
        Command::Book(arguments) => book::run(&mut link, &arguments),
    }
}

impl Default for Command {
    fn default() -> Self {
        Self::Engine(engine::Arguments::default())
    }
}
