//! `chuhe train ablate`: what each technique of the search gains.

use std::fmt::Write;
use std::time::Duration;

use anyhow::{Context, bail};
use chuhe_board::Position;
use chuhe_search::{Technique, Techniques, bench};
use chuhe_train::ablate::{self, Cost, Settings};
use clap::Args;
use serde::Serialize;

use crate::output;

/// Search fixed positions with each technique of the search switched, and report what it gains
#[derive(Args)]
#[command(
    after_help = "Example: chuhe train ablate --depth 12 --time 500 --only null-move-pruning --only late-move-reductions"
)]
pub(crate) struct Arguments {
    /// A file with one FEN a line; without it, the positions of the bench
    #[arg(long, value_name = "FILE")]
    positions: Option<std::path::PathBuf>,
    /// Count nodes to this depth
    #[arg(long, value_name = "PLIES", default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..=40))]
    depth: u32,
    /// Give up a search after this many nodes
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = clap::value_parser!(u64).range(1000..))]
    most: u64,
    /// Average the depth reached in this many milliseconds
    #[arg(long, value_name = "MS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    time: u64,
    /// The size of the table, in MB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,
    /// Only this technique; may be given several times
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    positions: usize,
    depth: u32,
    milliseconds: u64,
    minimal_tree: f64,
    baseline: Measured,
    switched: Vec<Switched>,
}

#[derive(Serialize)]
struct Measured {
    nodes: u64,
    given_up: u32,
    depth_at_time: f64,
}

#[derive(Serialize)]
struct Switched {
    technique: &'static str,
    about: &'static str,
    in_use: bool,
    #[serde(flatten)]
    measured: Measured,
    /// Nodes with the technique switched, as a multiple of the baseline's.
    ratio: f64,
}

impl From<Cost> for Measured {
    fn from(cost: Cost) -> Self {
        Self { nodes: cost.nodes, given_up: cost.given_up, depth_at_time: cost.depth }
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let positions = positions(arguments)?;
    let techniques = techniques(&arguments.only)?;
    let settings = Settings {
        depth: arguments.depth,
        most_nodes: arguments.most,
        time: Duration::from_millis(arguments.time),
        hash: usize::from(arguments.hash),
    };
    output::note("all techniques in use");
    let baseline = ablate::baseline(&settings, &positions);
    let switched = techniques
        .into_iter()
        .map(|technique| {
            output::note(technique.name());
            let cost = ablate::switched(&settings, &positions, technique);
            Switched {
                technique: technique.name(),
                about: technique.about(),
                in_use: Techniques::default().has(technique),
                ratio: cost.nodes as f64 / baseline.nodes.max(1) as f64,
                measured: cost.into(),
            }
        })
        .collect();
    let report = Report {
        positions: positions.len(),
        depth: arguments.depth,
        milliseconds: arguments.time,
        minimal_tree: ablate::minimal_tree(&positions, arguments.depth),
        baseline: baseline.into(),
        switched,
    };
    if arguments.json {
        return output::print_json(&report);
    }
    output::print(&table(&report))
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

fn techniques(names: &[String]) -> anyhow::Result<Vec<Technique>> {
    if names.is_empty() {
        return Ok(Technique::ALL.to_vec());
    }
    let find = |name: &String| {
        let found = Technique::ALL.iter().copied().find(|technique| technique.name() == name);
        let all = || Technique::ALL.iter().map(|technique| technique.name()).collect::<Vec<_>>().join(", ");
        found.with_context(|| format!("there is no technique \"{name}\"; there are {}", all()))
    };
    names.iter().map(find).collect()
}

fn table(report: &Report) -> String {
    let mut text = String::new();
    let Report { positions, depth, milliseconds, baseline, .. } = report;
    let _ = writeln!(text, "{positions} positions, nodes to depth {depth}, depth in {milliseconds} ms\n");
    let _ = writeln!(text, "{:<40}{:>14}{:>9}{:>8}", "", "nodes", "ratio", "depth");
    let mut row = |name: &str, measured: &Measured, ratio: f64| {
        let at_least = if measured.given_up > 0 { ">" } else { "" };
        let nodes = format!("{at_least}{}", measured.nodes);
        let depth = match measured.depth_at_time {
            0.0 => "–".to_owned(),
            depth => format!("{depth:.2}"),
        };
        let _ = writeln!(text, "{name:<40}{nodes:>14}{ratio:>9.2}{depth:>8}");
    };
    row("as played", baseline, 1.0);
    for switched in &report.switched {
        let sign = if switched.in_use { "without" } else { "with" };
        row(&format!("{sign} {}", switched.technique), &switched.measured, switched.ratio);
    }
    let minimal = report.minimal_tree;
    let _ = writeln!(text, "{:<40}{minimal:>14.0}{:>9.0}", "smallest tree", minimal / baseline.nodes as f64);
    text
}
