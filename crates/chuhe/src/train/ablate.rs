//! `chuhe train ablate`: what each technique of the search gains.

mod games;

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use chuhe_board::Position;
use chuhe_search::{Evaluator, Preset, Technique, bench};
use chuhe_train::ablate::{self, Cost, Effort, Settings};
use clap::Args;
use serde::Serialize;

use self::games::{Match, Result as GamesResult};
use crate::output;

/// Search fixed positions with each technique of the search switched, and report what it gains
#[derive(Args)]
#[command(
    after_help = "Examples: chuhe train ablate --depth 12 --time 500 --only null-move-pruning --only late-move-reductions
          chuhe train ablate --base papers --classical --only check-extensions+unlimited-check-extensions --games 400"
)]
pub(crate) struct Arguments {
    /// What is switched in: today or papers (the search of the papers' time), then +NAME and -NAME
    #[arg(long, value_name = "PRESET", default_value = "today")]
    base: String,
    /// Evaluate by the hand-written evaluation
    #[arg(long)]
    classical: bool,
    /// A file with one FEN a line; without it, the positions of the bench
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Count nodes to this depth
    #[arg(long, value_name = "PLIES", default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..=40))]
    depth: u32,
    /// Give up a search after this many nodes
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = clap::value_parser!(u64).range(1000..))]
    most: u64,
    /// Average the depth reached in this many milliseconds
    #[arg(long, value_name = "MS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    time: u64,
    /// Average the depth reached with this many nodes instead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The size of the table, in MB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,
    /// Only this technique, or several at once joined by +; may be given several times
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Play this many games against the base for each
    #[arg(long, value_name = "N", default_value_t = 0)]
    games: u64,
    /// Nodes per move of these games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(10..))]
    game_nodes: u64,
    /// Keep finished games in this file and go on from it
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    base: String,
    evaluation: &'static str,
    positions: usize,
    depth: u32,
    /// What the average depth was reached with.
    effort: String,
    minimal_tree: f64,
    baseline: Measured,
    switched: Vec<Switched>,
}

#[derive(Serialize)]
struct Measured {
    nodes: u64,
    given_up: u32,
    depth_at_effort: f64,
}

#[derive(Serialize)]
struct Switched {
    technique: String,
    about: String,
    in_use: bool,
    #[serde(flatten)]
    measured: Measured,
    /// Nodes with the technique switched, as a multiple of the baseline's.
    ratio: f64,
    /// Games of the switched engine against the base.
    games: Option<GamesResult>,
}

impl From<Cost> for Measured {
    fn from(cost: Cost) -> Self {
        Self { nodes: cost.nodes, given_up: cost.given_up, depth_at_effort: cost.depth }
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let base: Preset = arguments.base.parse()?;
    let positions = positions(arguments)?;
    let rows = rows(&arguments.only)?;
    let time = Effort::Time(Duration::from_millis(arguments.time));
    let settings = Settings {
        depth: arguments.depth,
        most_nodes: arguments.most,
        effort: arguments.nodes.map_or(time, Effort::Nodes),
        hash: usize::from(arguments.hash),
        evaluator: if arguments.classical { Evaluator::Classical } else { Evaluator::default() },
    };
    output::note(&arguments.base);
    let baseline = ablate::cost(&settings, &positions, &base);
    let switched = rows
        .iter()
        .map(|row| switched(arguments, &settings, &positions, &base, baseline, row))
        .collect::<anyhow::Result<_>>()?;
    let report = Report {
        base: arguments.base.clone(),
        evaluation: evaluation(arguments),
        positions: positions.len(),
        depth: arguments.depth,
        effort: arguments.nodes.map_or(format!("{} ms", arguments.time), |nodes| format!("{nodes} nodes")),
        minimal_tree: ablate::minimal_tree(&positions, arguments.depth),
        baseline: baseline.into(),
        switched,
    };
    if arguments.json {
        return output::print_json(&report);
    }
    output::print(&table(&report))
}

fn evaluation(arguments: &Arguments) -> &'static str {
    if arguments.classical { "classical" } else { "network" }
}

fn switched(
    arguments: &Arguments,
    settings: &Settings,
    positions: &[Position],
    base: &Preset,
    baseline: Cost,
    row: &[Technique],
) -> anyhow::Result<Switched> {
    let joined = |text: fn(Technique) -> &'static str, by: &str| {
        row.iter().map(|technique| text(*technique)).collect::<Vec<_>>().join(by)
    };
    let technique = joined(Technique::name, "+");
    output::note(&technique);
    let preset = ablate::switched(base, row);
    let cost = ablate::cost(settings, positions, &preset);
    let mut games = None;
    if arguments.games > 0 {
        let conditions =
            format!("{} | {} | {} nodes", arguments.base, evaluation(arguments), arguments.game_nodes);
        let mut played = Match::open(arguments.journal.as_deref(), &format!("{conditions} | {technique}"))?;
        let mut duel = ablate::duel(settings, [&preset, base], arguments.game_nodes);
        played.play(arguments.games.div_ceil(2), &mut duel)?;
        games = played.result();
    }
    Ok(Switched {
        technique,
        about: joined(Technique::about, " "),
        in_use: row.iter().all(|technique| base.techniques.has(*technique)),
        ratio: cost.nodes as f64 / baseline.nodes.max(1) as f64,
        measured: cost.into(),
        games,
    })
}

fn positions(arguments: &Arguments) -> anyhow::Result<Vec<Position>> {
    let text = match &arguments.positions {
        Some(path) => {
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?
        }
        None => bench::POSITIONS.to_owned(),
    };
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let positions: Vec<Position> = lines
        .map(|line| line.parse().with_context(|| format!("\"{line}\" is no position")))
        .collect::<anyhow::Result<_>>()?;
    if positions.is_empty() {
        bail!("there are no positions");
    }
    Ok(positions)
}

/// The techniques that are switched together, row by row.
fn rows(names: &[String]) -> anyhow::Result<Vec<Vec<Technique>>> {
    if names.is_empty() {
        return Ok(Technique::ALL.iter().map(|technique| vec![*technique]).collect());
    }
    let row = |names: &String| names.split('+').map(|name| Ok(name.parse()?)).collect();
    names.iter().map(row).collect()
}

fn table(report: &Report) -> String {
    let mut text = String::new();
    let Report { positions, depth, effort, baseline, .. } = report;
    let _ = writeln!(text, "{positions} positions, nodes to depth {depth}, depth in {effort}\n");
    let _ = writeln!(text, "{:<40}{:>14}{:>9}{:>8}  games", "", "nodes", "ratio", "depth");
    let mut row = |name: &str, measured: &Measured, ratio: f64, games: &str| {
        let at_least = if measured.given_up > 0 { ">" } else { "" };
        let nodes = format!("{at_least}{}", measured.nodes);
        let depth = match measured.depth_at_effort {
            0.0 => "–".to_owned(),
            depth => format!("{depth:.2}"),
        };
        let line = format!("{name:<40}{nodes:>14}{ratio:>9.2}{depth:>8}  {games}");
        let _ = writeln!(text, "{}", line.trim_end());
    };
    row(&report.base, baseline, 1.0, "");
    for switched in &report.switched {
        let sign = if switched.in_use { "without" } else { "with" };
        let games = switched.games.as_ref().map_or(String::new(), ToString::to_string);
        row(&format!("{sign} {}", switched.technique), &switched.measured, switched.ratio, &games);
    }
    let minimal = report.minimal_tree;
    let _ = writeln!(text, "{:<40}{minimal:>14.0}{:>9.0}", "smallest tree", minimal / baseline.nodes as f64);
    text
}
