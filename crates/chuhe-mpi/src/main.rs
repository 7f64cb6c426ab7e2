//! The program `chuhe-mpi`: Chuhe on the ranks of an MPI job. Argument parsing and printing; the work is in the crate
//! `cluster`.

mod book;
mod engine;
mod network;
mod output;
mod selfplay;
mod supervise;
mod tables;

use std::process::ExitCode;

use anyhow::Context;
use chuhe_cluster::link::mpi::MpiLink;
// Checks the CPU before `main`.
use chuhe_cpu as _;
use clap::{Parser, Subcommand};

/// Chuhe (楚河) on a cluster. Without a command, rank 0 is an engine for any UCI, UCCI or xboard GUI.
#[derive(Parser)]
#[command(
    version,
    max_term_width = 100,
    after_help = "Examples:\n  mpirun -n 4 chuhe-mpi\n  chuhe-mpi supervise mpirun -n 4"
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Engine(engine::Arguments),
    Supervise(supervise::Arguments),
    #[command(hide = true)]
    Workers(supervise::WorkerArguments),
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
    match arguments.command.unwrap_or_default() {
        // Not a rank of an MPI job.
        Command::Supervise(arguments) => supervise::run(&arguments),
        Command::Workers(arguments) => supervise::work(join_job()?, &arguments),
        Command::Engine(arguments) => engine::run(&mut join_job()?, &arguments),
        Command::Selfplay(arguments) => selfplay::run(&mut join_job()?, &arguments),
        Command::Tables(arguments) => tables::run(&mut join_job()?, &arguments),
        Command::Book(arguments) => book::run(&mut join_job()?, &arguments),
    }
}

fn join_job() -> anyhow::Result<MpiLink> {
    MpiLink::start().context("MPI is already initialised")
}

impl Default for Command {
    fn default() -> Self {
        Self::Engine(engine::Arguments::default())
    }
}
