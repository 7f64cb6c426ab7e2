//! `chuhe banqi perft`: counts lines, to check and time the move generator.

use std::fmt::Write;
use std::time::Instant;

use chuhe_banqi::{perft, text};
use clap::Args;
use serde::Serialize;

use crate::banqi::input;
use crate::output;

/// Perft: count move sequences; each piece that a flip may reveal counts as a move
#[derive(Args)]
#[command(after_help = "Example: chuhe banqi perft --position 'K2c1p2/1?Pg3C/2N2m2/?r4Pk r Cp' --depth 5")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: input::GameArguments,
    /// How many plies to count
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=7))]
    depth: u32,
    /// Show the count below each move
    #[arg(long)]
    divide: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Count {
    position: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    nps: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<(String, u64)>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let game = arguments.game.game()?;
    let start = Instant::now();
    let divided = perft::divide(game.position(), game.captures(), arguments.depth);
    let nodes = if arguments.depth == 0 { 1 } else { divided.iter().map(|&(_, _, lines)| lines).sum() };
    let seconds = start.elapsed().as_secs_f64();
    let style = arguments.game.style();
    let named = divided.iter().map(|&(mv, shown, lines)| {
        let shown = shown.map_or_else(String::new, |piece| format!("({})", piece.letter()));
        (text::move_text(mv, style) + &shown, lines)
    });
    let count = Count {
        position: game.position().to_string(),
        depth: arguments.depth,
        nodes,
        seconds,
        nps: (nodes as f64 / seconds.max(1e-9)) as u64,
        moves: if arguments.divide { named.collect() } else { Vec::new() },
    };
    if arguments.json { output::print_json(&count) } else { output::print(&described(&count)) }
}

fn described(count: &Count) -> String {
    let mut text = String::new();
    for (mv, nodes) in &count.moves {
        let _ = writeln!(text, "{mv}: {nodes}");
    }
    let million = count.nps as f64 / 1e6;
    let _ = writeln!(text, "{} lines in {:.3} s, {million:.1} million a second", count.nodes, count.seconds);
    text
}
