//! `chuhe perft`: counts leaf nodes, to check and time the move generator.

use std::fmt::Write;
use std::time::Instant;

use chuhe_board::{Move, Position, perft};
use clap::Args;
use serde::Serialize;

use crate::{input, output};

/// The deepest count that is certain to fit 64 bits.
const DEEPEST: i64 = 9;

/// Count the leaf nodes at a depth, to check and time the move generator
#[derive(Args)]
#[command(after_help = "Example: chuhe perft --depth 4 --divide")]
pub(crate) struct Arguments {
    #[command(flatten)]
    position: input::PositionArguments,
    /// Depth of the count
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=DEEPEST))]
    depth: u32,
    /// Show the count of each root move
    #[arg(long)]
    divide: bool,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Count {
    fen: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    nps: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveCount>>,
}

#[derive(Serialize)]
struct MoveCount {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let position = arguments.position.position()?;
    let start = Instant::now();
    let (nodes, moves) = count(arguments, &position);
    let seconds = start.elapsed().as_secs_f64();
    let count = Count {
        fen: position.to_string(),
        depth: arguments.depth,
        nodes,
        seconds,
        nps: (nodes as f64 / seconds.max(1e-9)) as u64,
        moves: moves.map(|moves| moves.into_iter().map(MoveCount::from).collect()),
    };
    if arguments.json { output::print_json(&count) } else { output::print(&described(&count)) }
}

fn count(arguments: &Arguments, position: &Position) -> (u64, Option<Vec<(Move, u64)>>) {
    if !arguments.divide && arguments.threads == 1 || arguments.depth == 0 {
        return (perft::count(position, arguments.depth), None);
    }
    let moves = perft::divide(position, arguments.depth, arguments.threads.into());
    let nodes = moves.iter().map(|(_, nodes)| nodes).sum();
    (nodes, arguments.divide.then_some(moves))
}

impl From<(Move, u64)> for MoveCount {
    fn from((mv, nodes): (Move, u64)) -> Self {
        Self { mv: mv.to_string(), nodes }
    }
}

fn described(count: &Count) -> String {
    let mut text = String::new();
    for MoveCount { mv, nodes } in count.moves.iter().flatten() {
        let _ = writeln!(text, "{mv}: {nodes}");
    }
    let Count { nodes, seconds, .. } = count;
    let _ = writeln!(
        text,
        "{nodes} nodes in {seconds:.3} s, {:.1} million a second",
        *nodes as f64 / seconds / 1e6
    );
    text
}
