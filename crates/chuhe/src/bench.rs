//! `chuhe bench`: a fixed amount of search.

use std::fmt::Write;

use anyhow::Context;
use chuhe_search::{Control, bench};
use clap::Args;
use serde::Serialize;

use crate::{input, output};

/// Search fixed positions to a fixed depth on one thread: the node count is the search's signature
#[derive(Args)]
#[command(after_help = "Example: chuhe bench --depth 10")]
pub(crate) struct Arguments {
    /// Search each position to this depth
    #[arg(long, value_name = "PLIES", default_value_t = bench::DEPTH, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    #[command(flatten)]
    evaluator: input::EvaluatorArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Found {
    depth: u32,
    nodes: u64,
    seconds: f64,
    nps: u64,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut text = String::new();
    let evaluator = arguments.evaluator.evaluator()?;
    let bench = bench::run(arguments.depth, evaluator, &Control::default(), |position, nodes| {
        let _ = writeln!(text, "{nodes:>10}  {position}");
    });
    let bench = bench.context("the bench was stopped")?;
    let seconds = bench.time.as_secs_f64();
    let nps = (bench.nodes as f64 / seconds.max(1e-9)) as u64;
    if arguments.json {
        return output::print_json(&Found { depth: arguments.depth, nodes: bench.nodes, seconds, nps });
    }
    let _ = writeln!(text, "{:>10}  nodes in {seconds:.2} s, {nps} a second", bench.nodes);
    output::print(&text)
}
