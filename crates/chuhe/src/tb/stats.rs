//! `chuhe tb stats`: what a table holds, counted.

use std::fmt::Write;
use std::sync::Arc;

use anyhow::{Context, bail};
use chuhe_board::Side;
use chuhe_tablebase::{Convention, Material, Table, TableFile, Tally};
use clap::{Args, ValueEnum};
use serde::{Serialize, Serializer};

use super::{FolderArguments, KindArguments, MemoryArguments, solve};
use crate::output;

/// Count the positions of an endgame: who wins, how fast, and the longest win
///
/// The side named first plays Red. Small endgames that no file holds are solved on the spot.
#[derive(Args)]
#[command(after_help = "Example: chuhe tb stats KR-KAABB --convention fang --json")]
pub(crate) struct Arguments {
    /// The endgame, as in KR-KAABB
    name: String,
    /// How to count: play (legal positions, mirror images once, plies to mate) or fang (as in seed 002)
    #[arg(long, value_enum, default_value_t = Counting::Play)]
    convention: Counting,
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Counting {
    Play,
    Fang,
}

#[derive(Serialize)]
struct Statistics {
    name: String,
    convention: &'static str,
    red_to_move: SideStatistics,
    black_to_move: SideStatistics,
}

/// Wins, draws and losses of Red, whoever is to move.
#[derive(Serialize)]
struct SideStatistics {
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    #[serde(serialize_with = "two_decimals")]
    win_pct: f64,
    #[serde(serialize_with = "two_decimals")]
    mean: f64,
    max: u16,
    /// A position with the longest win.
    #[serde(skip_serializing_if = "Option::is_none")]
    longest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_loss: Option<Longest>,
}

#[derive(Serialize)]
struct Longest {
    max: u16,
    fen: String,
}

/// Numbers are rounded, not cut off, so that they print with two decimals.
fn two_decimals<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((number * 100.0).round() / 100.0)
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let material: Material = arguments.name.parse()?;
    if material.is_harmless() {
        bail!("{material} is always drawn: neither side can give check");
    }
    let table = table(arguments, &material)?;
    let convention = match arguments.convention {
        Counting::Play => Convention::Play,
        Counting::Fang => Convention::Fang,
    };
    let (_, swapped) = material.canonical();
    let side = |red_to_move: Side| {
        let to_move = if swapped { !red_to_move } else { red_to_move };
        let tally = table.tally(to_move, convention);
        side_statistics(&table, to_move, if swapped { tally.swapped() } else { tally }, swapped)
    };
    let statistics = Statistics {
        name: material.to_string(),
        convention: if arguments.convention == Counting::Fang { "fang" } else { "play" },
        red_to_move: side(Side::Red),
        black_to_move: side(Side::Black),
    };
    if arguments.json { output::print_json(&statistics) } else { output::print(&described(&statistics)) }
}

fn table(arguments: &Arguments, material: &Material) -> anyhow::Result<Arc<Table>> {
    let kind = arguments.kind.kind();
    let path = arguments.folder.folder()?.file(material, kind);
    if path.exists() {
        return Ok(Arc::new(TableFile::open(&path)?.load_whole()?));
    }
    if kind.metric != chuhe_tablebase::Metric::Mate {
        bail!("there is no {}; build it with `chuhe tb build`", path.display());
    }
    let family = solve(material, &arguments.memory)?;
    family.table(material).cloned().context("the endgame was just solved")
}

fn side_statistics(table: &Table, to_move: Side, tally: Tally, swapped: bool) -> SideStatistics {
    let fen = |number: u64| {
        let position = table.index().position(number, to_move);
        position.map(|position| if swapped { position.across() } else { position }.to_string())
    };
    let longest = |longest: Option<(u16, u64)>| {
        longest.and_then(|(max, number)| Some(Longest { max, fen: fen(number)? }))
    };
    SideStatistics {
        positions: tally.positions,
        wins: tally.wins,
        draws: tally.draws(),
        losses: tally.losses,
        win_pct: tally.win_percent(),
        mean: tally.mean(),
        max: tally.longest_win.map_or(0, |(distance, _)| distance),
        longest: tally.longest_win.and_then(|(_, number)| fen(number)),
        longest_loss: longest(tally.longest_loss),
    }
}

fn described(statistics: &Statistics) -> String {
    let mut text = format!("{}, counted as in {}\n", statistics.name, statistics.convention);
    for (who, side) in [("Red", &statistics.red_to_move), ("Black", &statistics.black_to_move)] {
        let SideStatistics { positions, wins, draws, losses, win_pct, mean, max, .. } = side;
        let _ = writeln!(
            text,
            "{who} to move: {positions} positions; Red wins {wins} ({win_pct:.2} %), draws {draws}, loses {losses}"
        );
        if let Some(fen) = &side.longest {
            let _ = writeln!(text, "  Red's wins: mean {mean:.2}, longest {max}: {fen}");
        }
        if let Some(Longest { max, fen }) = &side.longest_loss {
            let _ = writeln!(text, "  Black's wins: longest {max}: {fen}");
        }
    }
    text
}
