//! `chuhe tb stats`: statistics of tables.

use std::cmp::Reverse;
use std::fmt::Write;

use anyhow::{Context, bail};
use chuhe_board::Side;
use chuhe_tablebase::{Archive, Convention, Kind, Material, Statistics, Table, TableFile, ValidFor};
use clap::{Args, ValueEnum};
use serde::{Serialize, Serializer};

use super::{FolderArguments, KindArguments, MemoryArguments, opened_or_solved};
use crate::output::{self, ProgressOf};

/// Count the positions of an endgame: who wins, how fast, and the longest win
///
/// The side named first plays Red. Small endgames that no file holds are solved on the spot.
#[derive(Args)]
#[command(after_help = "Example: chuhe tb stats KR-KAABB --convention fang --json
         chuhe tb stats --all --sort longest > statistics.md")]
pub(crate) struct Arguments {
    /// The endgame, as in KR-KAABB
    #[arg(required_unless_present = "all")]
    name: Option<String>,
    /// All tables in the folder and built in, as a table in Markdown, or with --json as a list
    #[arg(long, conflicts_with = "name")]
    all: bool,
    /// What --all is sorted by
    #[arg(long, value_enum, default_value_t = Order::Name, requires = "all")]
    sort: Order,
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    Name,
    /// The largest first
    Positions,
    /// The longest win first
    Longest,
    /// The most zugzwangs first
    Zugzwangs,
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
    /// Wins that have a distance.
    #[serde(skip)]
    timed_wins: u64,
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
    /// Mutual zugzwangs.
    #[serde(skip_serializing_if = "is_zero")]
    zugzwangs: u64,
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

/// Prints every table of the folder and the built-in ones that it lacks.
fn print_all(arguments: &Arguments) -> anyhow::Result<()> {
    let mut reports = Vec::new();
    let progress = ProgressOf::new("tables");
    let files = files(arguments)?;
    for (done, file) in files.iter().enumerate() {
        let material = file.index().material();
        progress.set(&material.to_string(), done as u64, files.len() as u64);
        reports.push(EndgameReport::of(&file.load_whole()?, material, arguments.convention));
    }
    progress.finish();
    match arguments.sort {
        Order::Name => reports.sort_by(|a, b| a.name.cmp(&b.name)),
        Order::Positions => reports.sort_by_key(|report| Reverse(report.sum(|side| side.positions))),
        Order::Longest => reports.sort_by_key(|report| Reverse(report.longest())),
        Order::Zugzwangs => reports.sort_by_key(|report| Reverse(report.sum(|side| side.zugzwangs))),
    }
    if arguments.json {
        return output::print_json(&reports);
    }
    output::print(&reports.iter().fold(HEAD.to_owned(), |text, report| text + &row(report)))
}

/// The tables that serve the kind asked for.
fn files(arguments: &Arguments) -> anyhow::Result<Vec<TableFile>> {
    let (folder, kind) = (arguments.folder.existing()?, arguments.kind.kind());
    let paths = folder.files().with_context(|| format!("cannot read {}", folder.path().display()))?;
    let mut files = paths.iter().map(|path| TableFile::open(path)).collect::<Result<Vec<_>, _>>()?;
    files.retain(|file| file.kind() == kind.serving(file.index().material()));
    let archive = Archive::built_in();
    for material in archive.materials().filter(|material| kind.serving(material) == Kind::default()) {
        let is_known = files.iter().any(|file| file.index().material() == material);
        if let Some(file) = archive.open(material).filter(|_| !is_known) {
            files.push(file?);
        }
    }
    Ok(files)
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
            rules: ValidFor::of(material, table.kind().rules).name(),
            red_to_move: side(Side::Red),
            black_to_move: side(Side::Black),
        }
    }
}

impl EndgameReport {
    fn sum(&self, count: fn(&SideStatistics) -> u64) -> u64 {
        count(&self.red_to_move) + count(&self.black_to_move)
    }

    /// The longest win of either side.
    fn longest(&self) -> u16 {
        let loss = |side: &SideStatistics| side.longest_loss.as_ref().map_or(0, |longest| longest.max);
        let of = |side: &SideStatistics| side.max.max(loss(side));
        of(&self.red_to_move).max(of(&self.black_to_move))
    }

    /// The mean distance of Red's wins, whoever is to move, in plies.
    fn mean(&self) -> Option<f64> {
        let wins = self.sum(|side| side.timed_wins);
        let total = |side: &SideStatistics| side.mean * side.timed_wins as f64;
        (wins > 0).then(|| (total(&self.red_to_move) + total(&self.black_to_move)) / wins as f64)
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
        timed_wins: statistics.wins - statistics.wins_by_rule,
        max: statistics.longest_win.map_or(0, |(distance, _)| distance),
        longest: statistics.longest_win.and_then(|(_, number)| fen(number)),
        longest_loss: longest(statistics.longest_loss),
        by_perpetual_check: if table.kind().rules.know_chase() { 0 } else { statistics.by_rule },
        by_repetition: if table.kind().rules.know_chase() { statistics.by_rule } else { 0 },
        depend_on_chase: statistics.depend_on_chase,
        zugzwangs: statistics.zugzwangs,
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
        if side.zugzwangs > 0 {
            let _ = writeln!(text, "  mutual zugzwangs: {}", side.zugzwangs);
        }
        if side.beyond_sixty_rounds > 0 {
            let _ = writeln!(text, "  beyond sixty rounds: {}", side.beyond_sixty_rounds);
        }
    }
    text
}

const HEAD: &str = "\
| endgame | rules | Red to move: positions, won, drawn, lost | Black to move: positions, won, drawn, lost | Red's wins: mean | Red's longest win | Black's longest win | zugzwangs |
|---|---|---|---|---|---|---|---|
";

/// A line of the table of all endgames; wins and losses are Red's.
fn row(statistics: &EndgameReport) -> String {
    let EndgameReport { name, rules, red_to_move: red, black_to_move: black, .. } = statistics;
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
    let mean = statistics.mean().map_or_else(|| "–".to_owned(), |mean| format!("{mean:.2}"));
    let zugzwangs = statistics.sum(|side| side.zugzwangs);
    format!(
        "| {name} | {rules} | {} | {} | {mean} | {} | {} | {zugzwangs} |\n",
        counts(red),
        counts(black),
        longest_text(wins),
        longest_text(losses)
    )
}
