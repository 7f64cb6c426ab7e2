//! The program `chuhe`: argument parsing and printing. What it does lives in the other crates.

mod analyze;
mod banqi;
mod bench;
mod book;
mod completions;
mod convert;
#[cfg(test)]
mod docs;
mod doctor;
mod engine;
mod eval;
mod games;
mod go;
mod input;
mod interrupt;
mod judge;
mod match_command;
mod moves;
mod output;
mod perft;
mod puzzles;
mod serve;
mod tb;
mod train;
mod tuning;
mod version;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Chuhe (楚河): computer Xiangqi. Without a command it is an engine for any UCI, UCCI or xboard GUI.
#[derive(Parser)]
#[command(
    // Our own flag can say more.
    disable_version_flag = true,
    args_conflicts_with_subcommands = true,
    max_term_width = 100,
    after_help = "Exit codes: 0 success, 1 some inputs were skipped, 2 an error. `-` is standard input or output for records."
)]
struct Arguments {
    /// Print the version
    #[arg(short = 'V', long)]
    version: bool,
    /// With --version: also commit, build, code level, CPU and network
    #[arg(long, requires = "version")]
    verbose: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Banqi(Box<banqi::Arguments>),
    Analyze(analyze::Arguments),
    Bench(bench::Arguments),
    Book(book::Arguments),
    Completions(completions::CompletionArguments),
    Doctor(doctor::Arguments),
    Eval(eval::Arguments),
    Games(games::Arguments),
    Go(go::Arguments),
    Man(completions::ManArguments),
    Match(Box<match_command::Arguments>),
    Judge(judge::Arguments),
    Convert(convert::Arguments),
    Moves(moves::Arguments),
    Perft(perft::Arguments),
    Puzzles(puzzles::Arguments),
    Tb(tb::Arguments),
    Serve(serve::Arguments),
    Suite(train::suite::Arguments),
    Train(train::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match arguments.command {
        None if arguments.version => version::run(arguments.verbose),
        Some(Command::Banqi(arguments)) => banqi::run(&arguments),
        Some(Command::Analyze(arguments)) => analyze::run(&arguments),
        Some(Command::Match(arguments)) => match_command::run(&arguments),
        Some(Command::Judge(arguments)) => judge::run(&arguments),
        Some(Command::Convert(arguments)) => convert::run(&arguments),
        Some(Command::Moves(arguments)) => moves::run(&arguments),
        Some(Command::Perft(arguments)) => perft::run(&arguments),
        Some(Command::Puzzles(arguments)) => puzzles::run(&arguments),
        Some(Command::Tb(arguments)) => tb::run(&arguments),
        Some(Command::Book(arguments)) => book::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Completions(arguments)) => completions::run(&arguments),
        Some(Command::Doctor(arguments)) => doctor::run(&arguments),
        Some(Command::Man(arguments)) => completions::run_man(&arguments),
        Some(Command::Eval(arguments)) => eval::run(&arguments),
        Some(Command::Games(arguments)) => games::run(&arguments),
        Some(Command::Go(arguments)) => go::run(&arguments),
        Some(Command::Serve(arguments)) => serve::run(&arguments),
        Some(Command::Suite(arguments)) => train::suite::run(&arguments),
        Some(Command::Train(arguments)) => train::run(&arguments),
        None => engine::run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            ExitCode::from(if error.is::<output::Skipped>() { 1 } else { 2 })
        }
    }
}
