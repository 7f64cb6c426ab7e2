//! `chuhe convert`: game records from one format to another.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::bail;
use chuhe_board::coords::RankStyle;
use chuhe_notation::chinese::Script;
use chuhe_notation::convert::{Conversion, Report};
use chuhe_notation::pgn::MoveStyle;
use chuhe_notation::{Format, Reading};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::output;

/// Convert game records between formats
///
/// Formats go by the extension: pgn, xqf (XQStudio), cbr, cbl and cbf (CCBridge), ubb and html (DhtmlXQ), chn
/// (Ourgame), txt (one game a line: result, tab, moves) and json; only read are mxq (MoveSky), ccm (17pk) and che
/// (QQ). A folder is searched for records of all kinds. Formats that hold one game write a folder when there are
/// many. An illegal move cuts its line there, and the rest of the line becomes a comment.
#[derive(Args)]
#[command(after_help = "Examples: chuhe convert games.xqf games.pgn --moves chinese\n          \
                        chuhe convert old-games/ all.cbl\n          \
                        chuhe convert game.xqf - --to pgn | head")]
pub(crate) struct Arguments {
    /// A file or a folder with records; `-` is standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write; `-` is standard output
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// The format to write, if not that of OUT's extension
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    to: Option<Format>,
    /// How moves are written in PGN and lists of moves
    #[arg(long, value_name = "NOTATION", value_enum)]
    moves: Option<Moves>,
    /// The number of Red's back rank in coordinates that are read
    #[arg(long, value_name = "0|1", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=1))]
    first_rank: u8,
    /// Refuse games with faults instead of keeping what is legal
    #[arg(long)]
    strict: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Reads a format by its extension.
fn format() -> impl TypedValueParser<Value = Format> {
    let names = PossibleValuesParser::new(Format::ALL.map(Format::extension));
    names.map(|name| {
        let mut formats = Format::ALL.into_iter();
        formats.find(|format| format.extension() == name).expect("only the names of formats are possible")
    })
}

#[derive(Clone, Copy, ValueEnum)]
enum Moves {
    /// h2e2
    Coordinates,
    /// H2-E2
    Iccs,
    /// C2=5
    Wxf,
    /// 馬二進三
    Chinese,
    /// 马二进三
    Simplified,
}

impl From<Moves> for MoveStyle {
    fn from(moves: Moves) -> Self {
        match moves {
            Moves::Coordinates => Self::Coordinates,
            Moves::Iccs => Self::Iccs,
            Moves::Wxf => Self::Wxf,
            Moves::Chinese => Self::Chinese(Script::Traditional),
            Moves::Simplified => Self::Chinese(Script::Simplified),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let to_stdout = chuhe_storage::is_standard(&arguments.output);
    let by_name = || if to_stdout { Some(Format::Pgn) } else { Format::of_path(&arguments.output) };
    let Some(format) = arguments.to.or_else(by_name) else {
        let known: Vec<&str> = Format::ALL.iter().map(|format| format.extension()).collect();
        bail!(
            "{}: the extension names no record format; known are {}",
            arguments.output.display(),
            known.join(", ")
        );
    };
    let usual = if format == Format::Text { MoveStyle::Coordinates } else { MoveStyle::Iccs };
    let conversion = Conversion {
        input: arguments.input.clone(),
        output: arguments.output.clone(),
        format,
        style: arguments.moves.map_or(usual, MoveStyle::from),
        reading: Reading {
            ranks: if arguments.first_rank == 0 { RankStyle::FromZero } else { RankStyle::FromOne },
            is_strict: arguments.strict,
        },
    };
    let progress = output::Progress::reading();
    let report = conversion.run(|so_far| progress.read(so_far))?;
    progress.finish();
    let text = if arguments.json {
        serde_json::to_string(&Summary::new(&report))? + "\n"
    } else {
        described(&report, format)
    };
    if to_stdout {
        output::aside(&text);
    } else {
        output::print(&text)?;
    }
    match (&report.output, report.skipped.len()) {
        (None, 0) => bail!("{}: no games found", arguments.input.display()),
        (None, _) => bail!("{}: no game could be converted", arguments.input.display()),
        (Some(_), skipped) => output::Skipped::check_games(skipped),
    }
}

/// How many skipped games are named one by one to a person.
const MOST_NAMED: usize = 20;

/// The report for people, after warnings about what was skipped.
fn described(report: &Report, format: Format) -> String {
    for skipped in report.skipped.iter().take(MOST_NAMED) {
        output::warn(&format!("{}, {}: skipped", skipped.file.display(), skipped.reason));
    }
    if report.skipped.len() > MOST_NAMED {
        output::warn(&format!("… and {} more; --json names all", report.skipped.len() - MOST_NAMED));
    }
    for (file, fault) in report.faults.iter().take(MOST_NAMED) {
        output::warn(&output::fault(file.display(), fault));
    }
    if report.faults.len() > MOST_NAMED {
        output::warn(&format!("… and {} more faults; --json names all", report.faults.len() - MOST_NAMED));
    }
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let mut text = String::new();
    if let Some(path) = &report.output {
        let _ = writeln!(
            text,
            "{} game{} with {} moves from {} file{} written to {}",
            report.games,
            plural(report.games),
            report.moves,
            report.files,
            plural(report.files),
            if chuhe_storage::is_standard(path) { "standard output".into() } else { path.to_string_lossy() }
        );
    }
    if !report.ignored.is_empty() {
        let count = report.ignored.len();
        let _ = writeln!(text, "{count} other file{} in the folder skipped: no records", plural(count));
    }
    for (loss, games) in &report.losses {
        let _ = writeln!(text, "{} cannot hold {loss} (in {games} of the games)", format.extension());
    }
    text
}

/// The report for programs.
#[derive(Serialize)]
struct Summary {
    files: usize,
    games: usize,
    moves: usize,
    output: Option<PathBuf>,
    skipped: Vec<SkippedGame>,
    faults: Vec<SkippedGame>,
    ignored: Vec<PathBuf>,
    losses: Vec<LostPart>,
}

#[derive(Serialize)]
struct SkippedGame {
    file: PathBuf,
    reason: String,
}

#[derive(Serialize)]
struct LostPart {
    part: String,
    games: usize,
}

impl Summary {
    fn new(report: &Report) -> Self {
        let skipped = report.skipped.iter();
        let losses = report.losses.iter();
        Self {
            files: report.files,
            games: report.games,
            moves: report.moves,
            output: report.output.clone(),
            skipped: skipped
                .map(|skipped| SkippedGame { file: skipped.file.clone(), reason: skipped.reason.to_string() })
                .collect(),
            faults: report
                .faults
                .iter()
                .map(|(file, fault)| SkippedGame { file: file.clone(), reason: fault.to_string() })
                .collect(),
            ignored: report.ignored.clone(),
            losses: losses.map(|(loss, games)| LostPart { part: loss.to_string(), games: *games }).collect(),
        }
    }
}
