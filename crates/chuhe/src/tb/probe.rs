//! `chuhe tb probe`: what the tables say of a position and of every move in it.

use std::cmp::Reverse;
use std::fmt::Write;

use anyhow::{Context, bail};
use chuhe_board::{Position, QUIET_PLY_LIMIT};
use chuhe_tablebase::{Bounds, Family, Kind, Material, Metric, Prober, RULE_DISTANCE, Rules, Value};
use clap::Args;
use serde::Serialize;

use super::{FolderArguments, KindArguments, MemoryArguments, rules_words, solve};
use crate::{input, output};

/// Look a position and all its moves up
///
/// Small endgames that no file holds are solved on the spot.
#[derive(Args)]
#[command(after_help = "Example: chuhe tb probe --fen '3k5/4a4/4b4/9/9/9/9/9/4R4/4K4 w'")]
pub(crate) struct Arguments {
    #[command(flatten)]
    position: input::PositionArguments,
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
struct Looked {
    fen: String,
    name: String,
    /// Which repetition rules the values are for; `all` if one side has no attackers.
    rules: &'static str,
    #[serde(flatten)]
    value: Said,
    moves: Vec<LookedMove>,
}

#[derive(Serialize)]
struct LookedMove {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    value: Said,
}

/// A value for the side that is to move in the position asked for.
#[derive(Serialize)]
struct Said {
    result: &'static str,
    plies: Option<u16>,
    /// The win takes more plies than the limit of sixty rounds allows, if nothing is taken on the way.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    beyond_sixty_rounds: bool,
    /// The loser could only continue by perpetual check.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    by_perpetual_check: bool,
    /// The loser could only continue by what the rules of the table forbid.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    by_repetition: bool,
    /// For a result that depends on chase, what is certain of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    certain: Option<&'static str>,
}

impl Said {
    fn new(value: Value, kind: Kind) -> Self {
        let (result, distance) = match value {
            Value::Draw => ("draw", None),
            Value::Win(plies) => ("win", Some(plies)),
            Value::Loss(plies) => ("loss", Some(plies)),
            Value::DependsOnChase(_) => ("depends on chase", None),
        };
        let certain = match value {
            Value::DependsOnChase(Bounds::AtLeastDraw) => Some("no loss"),
            Value::DependsOnChase(Bounds::AtMostDraw) => Some("no win"),
            Value::DependsOnChase(Bounds::Unknown) => Some("nothing"),
            _ => None,
        };
        let by_rule = distance.is_some_and(|distance| distance >= RULE_DISTANCE);
        let by_perpetual_check = by_rule && kind.rules == Rules::PerpetualCheck;
        let by_repetition = by_rule && kind.rules.know_chase();
        let has_plies = kind.metric != Metric::Wdl && !by_perpetual_check && !by_repetition;
        let plies = distance.filter(|_| has_plies);
        let beyond_sixty_rounds = plies.is_some_and(|plies| plies > QUIET_PLY_LIMIT);
        Self { result, plies, beyond_sixty_rounds, by_perpetual_check, by_repetition, certain }
    }
}

/// Where values come from: files, or what was solved on the spot.
enum Source {
    Files(Prober),
    Solved(Family),
}

impl Source {
    fn value(&self, position: &Position) -> Option<Value> {
        match self {
            Self::Files(prober) => prober.probe(position),
            Self::Solved(family) => family.probe(position),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if !arguments.position.is_given() {
        bail!("which position? Give --fen or --moves");
    }
    let position = arguments.position.position()?;
    let material = Material::of(&position);
    let kind = arguments.kind.kind();
    let (prober, faults) = Prober::open(&arguments.folder.existing()?, kind);
    faults.iter().for_each(output::warn);
    let prober = prober.with_built_in(kind);
    let has_files = material.is_harmless() || prober.contains(&material);
    let source = if has_files {
        Source::Files(prober)
    } else {
        Source::Solved(solve(&material, kind, &arguments.memory)?)
    };
    let looked = look(&source, &arguments.kind, position, material)?;
    if arguments.json { output::print_json(&looked) } else { output::print(&described(&looked)) }
}

fn look(
    source: &Source,
    asked: &KindArguments,
    mut position: Position,
    material: Material,
) -> anyhow::Result<Looked> {
    let kind = asked.kind();
    let unknown =
        "no table holds it: a table that it leads to is missing, or a soldier stands where no game brings it";
    let fen = position.to_string();
    let value = source.value(&position).context(unknown)?;
    let mut moves = Vec::new();
    for mv in position.moves() {
        let undo = position.play(mv, &mut ());
        let value = source.value(&position).context(unknown)?.before();
        moves.push((Reverse(value.preference()), mv.to_string(), value));
        position.take_back(undo, &mut ());
    }
    moves.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    let moves =
        moves.into_iter().map(|(_, mv, value)| LookedMove { mv, value: Said::new(value, kind) }).collect();
    let rules = asked.rules_for(&material);
    Ok(Looked { fen, name: material.to_string(), rules, value: Said::new(value, kind), moves })
}

fn described(looked: &Looked) -> String {
    let rules = rules_words(looked.rules);
    let mut text = format!("{} {}: {} ({rules})\n", looked.name, looked.fen, words(&looked.value));
    for LookedMove { mv, value } in &looked.moves {
        let _ = writeln!(text, "{mv}  {}", words(value));
    }
    text
}

fn words(value: &Said) -> String {
    let limit = if value.beyond_sixty_rounds { ", beyond sixty rounds" } else { "" };
    match value.plies {
        None if value.by_repetition => format!("{} by the repetition rules", value.result),
        None if value.certain.is_some() => {
            format!("{}; certain: {}", value.result, value.certain.unwrap_or_default())
        }
        None if value.by_perpetual_check => format!("{}, since perpetual check loses", value.result),
        None => value.result.to_owned(),
        Some(0) => format!("{}: no legal move", value.result),
        Some(plies) => format!("{} in {} moves ({plies} plies{limit})", value.result, plies.div_ceil(2)),
    }
}
