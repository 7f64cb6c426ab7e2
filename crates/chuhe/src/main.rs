//! The program `chuhe`: argument parsing and printing. What it does lives in the other crates.

mod convert;
mod input;
mod moves;
mod output;
mod perft;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Chuhe (楚河): computer Xiangqi.
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Convert(convert::Arguments),
    Moves(moves::Arguments),
    Perft(perft::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match arguments.command {
        Some(Command::Convert(arguments)) => convert::run(&arguments),
        Some(Command::Moves(arguments)) => moves::run(&arguments),
        Some(Command::Perft(arguments)) => perft::run(&arguments),
        None => output::print(HINT),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            ExitCode::from(2)
        }
    }
}

const HINT: &str = "Chuhe (楚河), computer Xiangqi. `chuhe --help` lists what it can do.\n";
