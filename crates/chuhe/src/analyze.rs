//! `chuhe analyze`: whole games, move by move.

use std::fmt::Write;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use chuhe_book::Book;
use chuhe_notation::convert::find_records;
use chuhe_notation::pgn::{self, MoveStyle};
use chuhe_notation::record::Game;
use chuhe_referee::RuleSet;
use chuhe_report::analyse::{GameAnalysis, Journal, Settings, SideSummary, judge, search};
use chuhe_report::{annotate, page};
use chuhe_search::{Control, Limits};
use clap::{Args, ValueEnum};

use crate::{input, output};

/// Analyse whole games: best moves, mistakes, accuracy, the referee's verdict
#[derive(Args)]
#[command(after_help = "\
Without --out a summary is printed. With it the analysis is written as an annotated record (.pgn), for
programs (.json) or as a page to click through (.html). For several records --out is a folder, with a file
for each record in each format of --format; records whose files are there already are skipped. An analysis
that was interrupted resumes when the same command is run again.

A move loses as many points as the expected result falls by it (win 100, draw 50): ?! from 5, ? from 10,
?? from 20 points.

Example: chuhe analyze game.xqf --nodes 1000000 --out game.html
         chuhe analyze games/ --movetime 500 --out analysed --format pgn,html")]
pub(crate) struct Arguments {
    /// Records, or folders with records; `-` is standard input
    #[arg(value_name = "GAME", required = true)]
    games: Vec<PathBuf>,
    /// The file to write, or the folder if there are several records; `-` is standard output
    #[arg(long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// What is written into a folder
    #[arg(long, value_name = "FORMATS", value_enum, value_delimiter = ',', default_value = "html")]
    format: Vec<Shape>,
    /// Analyse again what was analysed before
    #[arg(long)]
    again: bool,
    /// No deeper than this for a move
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// No more nodes than this for a move; 200000 if no limit is given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// No longer than this for a move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Moves searched in parallel; one per core if omitted
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The transposition table of each thread
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Whose rules: wxf, axf, cxa or computer
    #[arg(long, value_name = "RULES", default_value_t = RuleSet::Wxf)]
    rules: RuleSet,
    /// The opening book; the embedded one if omitted
    #[arg(long, value_name = "BOOK")]
    book: Option<PathBuf>,
    #[command(flatten)]
    tablebase: input::TablebaseArguments,
    /// Print the analysis as JSON
    #[arg(long, conflicts_with = "out")]
    json: bool,
}

/// What an analysis is written as.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shape {
    Pgn,
    Json,
    Html,
}

impl Shape {
    const ALL: [Self; 3] = [Self::Pgn, Self::Json, Self::Html];

    const fn extension(self) -> &'static str {
        match self {
            Self::Pgn => "pgn",
            Self::Json => "json",
            Self::Html => "html",
        }
    }

    fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        Self::ALL.into_iter().find(|shape| shape.extension().eq_ignore_ascii_case(extension))
    }

    fn written(self, title: &str, records: &[Game], analyses: &[GameAnalysis]) -> anyhow::Result<String> {
        Ok(match self {
            Self::Pgn => {
                let annotated =
                    records.iter().zip(analyses).map(|(game, analysis)| annotate::annotated(game, analysis));
                annotated.map(|game| pgn::write(&game, MoveStyle::Iccs).text).collect()
            }
            Self::Json => serde_json::to_string_pretty(analyses)? + "\n",
            Self::Html => page::written(title, analyses),
        })
    }
}

/// A record and the files that its analysis goes to.
struct Job {
    record: PathBuf,
    outputs: Vec<(Shape, PathBuf)>,
}

impl Job {
    /// The journal of findings until the report is written.
    fn journal(&self) -> Option<PathBuf> {
        let (_, path) = self.outputs.first()?;
        path.extension().is_some().then(|| path.with_extension("findings"))
    }

    fn is_done(&self) -> bool {
        !self.outputs.is_empty()
            && self.outputs.iter().all(|(_, path)| path.exists())
            && self.journal().is_none_or(|journal| !journal.exists())
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let jobs = jobs(arguments, &arguments.games)?;
    let settings = settings(arguments)?;
    let (mut skipped, mut bad) = (0, 0);
    for (number, job) in jobs.iter().enumerate() {
        if jobs.len() > 1 && !arguments.again && job.is_done() {
            skipped += 1;
            continue;
        }
        let place = if jobs.len() > 1 {
            format!(" (record {} of {})", number + 1, jobs.len())
        } else {
            String::new()
        };
        bad += analyse(job, &settings, &place, arguments.book.as_deref(), arguments.json)
            .with_context(|| job.record.display().to_string())?;
    }
    if skipped > 0 {
        output::note(&format!("{skipped} records were analysed before; --again analyses them anew"));
    }
    output::Skipped::check_games(bad)
}

fn settings(arguments: &Arguments) -> anyhow::Result<Settings> {
    let nothing = arguments.depth.is_none() && arguments.movetime.is_none();
    let nodes = arguments.nodes.or(nothing.then_some(200_000));
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    Ok(Settings {
        limits: Limits {
            depth: arguments.depth,
            nodes,
            movetime: arguments.movetime.map(Duration::from_millis),
            ..Limits::default()
        },
        threads: arguments.threads.map_or_else(cores, usize::from),
        mebibytes: arguments.hash as usize,
        rules: arguments.rules,
        endgames: arguments.tablebase.endgames(arguments.rules)?,
    })
}

fn jobs(arguments: &Arguments, inputs: &[PathBuf]) -> anyhow::Result<Vec<Job>> {
    // Each record with its folder below the one that was named.
    let mut records = Vec::new();
    for input in inputs {
        let files = find_records(input)?.files;
        if files.is_empty() {
            bail!("{}: no game records in this folder", input.display());
        }
        records.extend(files.into_iter().map(|path| {
            let below = path.strip_prefix(input).ok().and_then(Path::parent).map(Path::to_owned);
            (path, below.unwrap_or_default())
        }));
    }
    let Some(out) = &arguments.out else {
        return Ok(records.into_iter().map(|(record, _)| Job { record, outputs: Vec::new() }).collect());
    };
    if let ([(record, _)], true) = (&records[..], chuhe_storage::is_standard(out)) {
        let outputs = vec![(arguments.format[0], out.clone())];
        return Ok(vec![Job { record: record.clone(), outputs }]);
    }
    if let ([(record, _)], Some(shape)) = (&records[..], Shape::of_path(out)) {
        refuse_overwriting(record, out)?;
        return Ok(vec![Job { record: record.clone(), outputs: vec![(shape, out.clone())] }]);
    }
    if Shape::of_path(out).is_some() {
        bail!("{}: there are {} records, so --out must be a folder", out.display(), records.len());
    }
    let mut jobs: Vec<Job> = Vec::new();
    for (record, below) in records {
        let folder = out.join(below);
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let stem = record.file_stem().unwrap_or_default();
        let mut outputs = Vec::new();
        for shape in &arguments.format {
            let mut name = stem.to_owned();
            name.push(".");
            name.push(shape.extension());
            let path = folder.join(name);
            refuse_overwriting(&record, &path)?;
            outputs.push((*shape, path));
        }
        if let Some(other) = jobs.iter().find(|job| job.outputs == outputs) {
            bail!("{} and {} would be written to the same file", other.record.display(), record.display());
        }
        jobs.push(Job { record, outputs });
    }
    Ok(jobs)
}

fn refuse_overwriting(record: &Path, out: &Path) -> anyhow::Result<()> {
    if out.exists() && fs::canonicalize(record).ok() == fs::canonicalize(out).ok() {
        bail!("{} would be written over by its analysis", record.display());
    }
    Ok(())
}

/// Analyses the games of a record; how many of them could not be read.
fn analyse(
    job: &Job,
    settings: &Settings,
    place: &str,
    book: Option<&Path>,
    json: bool,
) -> anyhow::Result<usize> {
    let mut games = Vec::new();
    let mut bad = 0;
    for game in input::read_records(&job.record)? {
        match game {
            Ok(game) => games.push(game),
            Err(error) => {
                bad += 1;
                output::warn(&format!("{}, {error}: skipped", job.record.display()));
            }
        }
    }
    if games.is_empty() {
        bail!("no games found");
    }
    let mut journal = match job.journal() {
        Some(path) => Journal::open(&path, settings)?,
        None => Journal::in_memory(),
    };
    let progress = output::Progress::of(&format!("moves searched{place}"));
    search(&games, settings, &mut journal, &Control::default(), |done, total| {
        progress.set_of(done as u64, total as u64);
    })?;
    progress.finish();
    let book = match book {
        Some(path) => Book::open(path)?,
        None => Book::embedded(),
    };
    let judged = games.iter().map(|game| judge(game, &journal, settings, Some(&book)));
    let analyses = judged.collect::<Result<Vec<_>, _>>()?;
    let title = job.record.file_stem().unwrap_or_default().to_string_lossy();
    for (shape, path) in &job.outputs {
        let text = shape.written(&title, &games, &analyses)?;
        chuhe_storage::write_atomic(path, text.as_bytes()).with_context(|| path.display().to_string())?;
        output::note(&format!("{} written", path.display()));
    }
    journal.remove()?;
    if json {
        output::print_json(&analyses)?;
    } else if job.outputs.is_empty() {
        output::print(&analyses.iter().map(summary).collect::<String>())?;
    }
    Ok(bad)
}

/// An analysis for a person at a terminal.
fn summary(analysis: &GameAnalysis) -> String {
    let tag = |name: &str| analysis.tags.get(name).map_or("?", String::as_str);
    let mut text = format!("{} – {}  {}\n", tag("Red"), tag("Black"), analysis.result);
    if let Some(opening) = &analysis.opening {
        let _ = write!(text, "{} {} {}", opening.code, opening.chinese, opening.english);
        let _ = writeln!(text, ", book until ply {}", analysis.book_plies.unwrap_or(0));
    }
    if let Some(ply) = analysis.table_from {
        let _ = writeln!(text, "endgame tables from ply {ply}");
    }
    for (name, side) in [("Red", &analysis.sides.red), ("Black", &analysis.sides.black)] {
        let SideSummary { accuracy, average_loss, inaccuracies, mistakes, blunders, finds, .. } = side;
        let _ = writeln!(
            text,
            "{name:<6} accuracy {accuracy:>5.1} %, {average_loss:.1} points lost a move, \
             {finds} !, {inaccuracies} ?!, {mistakes} ?, {blunders} ??"
        );
    }
    for judged in analysis.moves.iter().filter(|judged| judged.mark.is_some()) {
        let dots = if judged.side == "red" { "." } else { "..." };
        let sign = judged.mark.as_deref().unwrap_or_default();
        let _ = write!(text, "{:>4}{dots:<3} {} {}{sign}", judged.round, judged.wxf, judged.chinese);
        if judged.best != judged.mv {
            let better: Vec<&str> = judged.line_wxf.iter().take(5).map(String::as_str).collect();
            let _ = write!(text, "  -{:.1}, better {}", judged.loss, better.join(" "));
        }
        text.push('\n');
    }
    let _ = writeln!(text, "Referee: {}\n", analysis.verdict_texts.en);
    text
}
