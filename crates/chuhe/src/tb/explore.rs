//! `chuhe tb explore`: positions worth playing.

use std::fmt::Write;

use anyhow::bail;
use chuhe_tablebase::{Found, Material, RULE_DISTANCE, Value, Wanted};
use clap::Args;
use serde::Serialize;

use super::{FolderArguments, KindArguments, MemoryArguments, opened_or_solved, rules_words};
use crate::output;

/// Find positions of an endgame worth playing: the hardest, some of a length, zugzwangs
///
/// The side named first plays Red. Small endgames that no file holds are solved on the spot.
#[derive(Args)]
#[command(after_help = "Example: chuhe tb explore KN-KA
         chuhe tb explore KR-KAA --moves 10 --count 3
         chuhe tb explore KN-KP --zugzwang --json")]
pub(crate) struct Arguments {
    /// The endgame, as in KR-KAABB
    #[arg(value_name = "NAME")]
    name: String,
    /// Wins in exactly this many moves, chosen at random, instead of the longest
    #[arg(long, value_name = "MOVES", conflicts_with = "zugzwang", value_parser = clap::value_parser!(u16).range(1..=150))]
    moves: Option<u16>,
    /// Mutual zugzwangs, in which each side would rather have the other move, chosen at random
    #[arg(long)]
    zugzwang: bool,
    /// How many
    #[arg(long, value_name = "N", default_value_t = 10)]
    count: usize,
    /// Another choice, where there are more
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    kind: KindArguments,
    #[command(flatten)]
    folder: FolderArguments,
    #[command(flatten)]
    memory: MemoryArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Explored {
    name: String,
    rules: &'static str,
    positions: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    fen: String,
    result: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    if_passed: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let material: Material = arguments.name.parse()?;
    if material.is_harmless() {
        bail!("{material} is always drawn: neither side can give check");
    }
    let table = opened_or_solved(&arguments.folder, &material, arguments.kind.kind(), &arguments.memory)?;
    let wanted = match arguments.moves {
        Some(moves) => Wanted::Length(2 * moves - 1),
        None if arguments.zugzwang => Wanted::Zugzwang,
        None => Wanted::Hardest,
    };
    let (_, swapped) = material.canonical();
    let listed = |found: Found| Listed {
        fen: if swapped { found.position.across() } else { found.position }.to_string(),
        result: words(found.value),
        if_passed: found.passed.map(words),
    };
    let positions = table.explore(wanted, arguments.count, arguments.seed).into_iter().map(listed).collect();
    let rules = arguments.kind.rules_for(&material);
    let explored = Explored { name: material.to_string(), rules, positions };
    if arguments.json { output::print_json(&explored) } else { output::print(&described(&explored)) }
}

fn described(explored: &Explored) -> String {
    let mut text = format!("{}, {}\n", explored.name, rules_words(explored.rules));
    if explored.positions.is_empty() {
        let _ = writeln!(text, "none");
    }
    for Listed { fen, result, if_passed } in &explored.positions {
        let passed =
            if_passed.as_ref().map_or_else(String::new, |passed| format!("; after a pass, {passed}"));
        let _ = writeln!(text, "{fen}  {result}{passed}");
    }
    text
}

fn words(value: Value) -> String {
    match value {
        Value::Win(plies) if plies >= RULE_DISTANCE => "win by the repetition rules".to_owned(),
        Value::Loss(plies) if plies >= RULE_DISTANCE => "loss by the repetition rules".to_owned(),
        Value::Win(plies) => format!("win in {} moves", plies.div_ceil(2)),
        Value::Loss(plies) => format!("loss in {} moves", plies.div_ceil(2)),
        Value::Draw | Value::DependsOnChase(_) => value.to_string(),
    }
}
