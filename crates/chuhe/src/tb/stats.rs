//! `chuhe tb stats`: statistics of tables.

use std::fmt::Write;

use anyhow::{Context, bail};
use chuhe_board::Side;
use chuhe_tablebase::{Convention, Material, Statistics, Table, TableFile};
use clap::{Args, ValueEnum};
use serde::{Serialize, Serializer};

use super::{FolderArguments, KindArguments, MemoryArguments, is_one_sided, opened_or_solved};
use crate::output;

/// Count the positions of an endgame: who wins, how fast, and the longest win
///
/// The side named first plays Red. Small endgames that no file holds are solved on the spot.
#[derive(Args)]
#[command(after_help = "Example: chuhe tb stats KR-KAABB --convention fang --json
         chuhe tb stats --all > statistics.md")]
pub(crate) struct Arguments {
    /// The endgame, as in KR-KAABB
    #[arg(required_unless_present = "all")]
    name: Option<String>,
    /// All tables of the folder, as a table in Markdown
    #[arg(long, conflicts_with_all = ["name", "json"])]
    all: bool,
    /// How to count: play (legal positions, mirror images once, plies to mate) or fang (as Fang published)
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
struct EndgameReport {
    name: String,
    convention: &'static str,
    /// Which repetition rules the values are for; `all` if one side has no attackers.
    rules: &'static str,
    red_to_move: SideStatistics,
    black_to_move: SideStatistics,
}

/// Wins, draws and losses of Red, for either side to move.
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
    /// Positions that are decided because perpetual check loses.
    #[serde(skip_serializing_if = "is_zero")]
    by_perpetual_check: u64,
    /// Positions that the repetition rules decide.
    #[serde(skip_serializing_if = "is_zero")]
    by_repetition: u64,
    /// Positions whose value depends on chase.
    #[serde(skip_serializing_if = "is_zero")]
    depend_on_chase: u64,
    /// Decided positions with a distance beyond the limit of sixty rounds.
    #[serde(skip_serializing_if = "is_zero")]
    beyond_sixty_rounds: u64,
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

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Some(name) = &arguments.name else { return print_all(arguments) };
    let material: Material = name.parse()?;
    if material.is_harmless() {
        bail!("{material} is always drawn: neither side can give check");
    }
    let table = opened_or_solved(&arguments.folder, &material, arguments.kind.kind(), &arguments.memory)?;
    let statistics = EndgameReport::of(&table, &material, arguments.convention);
    if arguments.json { output::print_json(&statistics) } else { output::print(&described(&statistics)) }
}

/// Prints every table of the folder as it is counted: large ones take their time.
fn print_all(arguments: &Arguments) -> anyhow::Result<()> {
    let folder = arguments.folder.existing()?;
    let files = folder.files().with_context(|| format!("cannot read {}", folder.path().display()))?;
    if files.is_empty() {
        bail!("there are no tables in {}", folder.path().display());
    }
    output::print(HEAD)?;
    for path in files {
        let file = TableFile::open(&path)?;
        if file.kind() == arguments.kind.kind().serving(file.index().material()) {
            let table = file.load_whole()?;
            let statistics = EndgameReport::of(&table, file.index().material(), arguments.convention);
            output::print(&row(&statistics))?;
        }
    }
    Ok(())
}

impl EndgameReport {
    /// What a table says of an endgame, in the order in which it is named.
    fn of(table: &Table, material: &Material, counting: Counting) -> Self {
        let (convention, name) = match counting {
            Counting::Play => (Convention::Play, "play"),
            Counting::Fang => (Convention::Fang, "fang"),
        };
        let (_, swapped) = material.canonical();
        let side = |red_to_move: Side| {
            let to_move = if swapped { !red_to_move } else { red_to_move };
            let statistics = table.statistics(to_move, convention);
            side_statistics(table, to_move, if swapped { statistics.swapped() } else { statistics }, swapped)
        };
        Self {
            name: material.to_string(),
            convention: name,
            rules: if is_one_sided(material) { "all" } else { table.kind().rules.name() },
            red_to_move: side(Side::Red),
            black_to_move: side(Side::Black),
        }
    }
}

fn side_statistics(table: &Table, to_move: Side, statistics: Statistics, swapped: bool) -> SideStatistics {
    let fen = |number: u64| {
        let position = table.index().position(number, to_move);
        position.map(|position| if swapped { position.across() } else { position }.to_string())
    };
    let longest = |longest: Option<(u16, u64)>| {
        longest.and_then(|(max, number)| Some(Longest { max, fen: fen(number)? }))
    };
    SideStatistics {
        positions: statistics.positions,
        wins: statistics.wins,
        draws: statistics.draws(),
        losses: statistics.losses,
        win_pct: statistics.win_percent(),
        mean: statistics.mean(),
        max: statistics.longest_win.map_or(0, |(distance, _)| distance),
        longest: statistics.longest_win.and_then(|(_, number)| fen(number)),
        longest_loss: longest(statistics.longest_loss),
        by_perpetual_check: if table.kind().rules.know_chase() { 0 } else { statistics.by_rule },
        by_repetition: if table.kind().rules.know_chase() { statistics.by_rule } else { 0 },
        depend_on_chase: statistics.depend_on_chase,
        beyond_sixty_rounds: statistics.beyond_limit,
    }
}

fn described(statistics: &EndgameReport) -> String {
    let EndgameReport { name, convention, rules, .. } = statistics;
    let mut text = format!("{name}, counted as in {convention}; repetition rules: {rules}\n");
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
        if side.by_perpetual_check > 0 {
            let _ = writeln!(text, "  decided because perpetual check loses: {}", side.by_perpetual_check);
        }
        if side.by_repetition > 0 {
            let _ = writeln!(text, "  decided by the repetition rules: {}", side.by_repetition);
        }
        if side.depend_on_chase > 0 {
            let _ = writeln!(text, "  depend on chase: {}", side.depend_on_chase);
        }
        if side.beyond_sixty_rounds > 0 {
            let _ = writeln!(text, "  beyond sixty rounds: {}", side.beyond_sixty_rounds);
        }
    }
    text
}

const HEAD: &str = "\
| endgame | Red to move: positions, won, drawn, lost | Black to move: positions, won, drawn, lost | Red's longest win | Black's longest win |
|---|---|---|---|---|
";

/// A line of the table of all endgames; wins and losses are Red's.
fn row(statistics: &EndgameReport) -> String {
    let EndgameReport { name, red_to_move: red, black_to_move: black, .. } = statistics;
    let counts = |side: &SideStatistics| {
        let rule = match (side.by_perpetual_check, side.by_repetition, side.depend_on_chase) {
            (0, 0, 0) => String::new(),
            (0, count, unknown) => format!(" ({count} by repetition, {unknown} depend on chase)"),
            (count, ..) => format!(" ({count} by perpetual check)"),
        };
        format!("{}, {}, {}, {}{rule}", side.positions, side.wins, side.draws, side.losses)
    };
    let longest_text = |longest: [Option<(u16, &String)>; 2]| match longest
        .into_iter()
        .flatten()
        .max_by_key(|(plies, _)| *plies)
    {
        // The counters at the end of a FEN do not matter here.
        Some((plies, fen)) => format!("{plies}: `{}`", fen.trim_end_matches(" - - 0 1")),
        None => "–".to_owned(),
    };
    let wins = [red, black].map(|side| side.longest.as_ref().map(|fen| (side.max, fen)));
    let losses =
        [red, black].map(|side| side.longest_loss.as_ref().map(|longest| (longest.max, &longest.fen)));
    format!(
        "| {name} | {} | {} | {} | {} |\n",
        counts(red),
        counts(black),
        longest_text(wins),
        longest_text(losses)
    )
}
