//! `chuhe suite`: test suites of positions with known answers.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use anyhow::{Context, bail};
use chuhe_search::{Limits, Pool};
use chuhe_train::suite::{self, Attempt, Puzzle};
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::output;

/// Run a test suite: EPD, or positions with known best moves or mates
#[derive(Args)]
#[command(after_help = "Example: chuhe suite positions.epd --nodes 100000 --json > new.json\n\
    Then: chuhe suite positions.epd --nodes 100000 --compare old.json\n\n\
    A line is EPD (`FEN bm MOVE …; id \"NAME\";` or `FEN dm N;`), `FEN ; MOVE …`, `FEN ; N` for a mate in N moves, or\n\
    `name<TAB>FEN<TAB>result<TAB>moves`, whose first move is the answer.")]
pub(crate) struct Arguments {
    /// The positions
    file: PathBuf,
    /// Positions searched for each puzzle
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Search for this many milliseconds instead
    #[arg(long, value_name = "MS", conflicts_with = "nodes")]
    movetime: Option<u64>,
    /// Only the first N positions
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    /// Show for each miss what the evaluation sees differently
    #[arg(long)]
    misses: bool,
    /// Compare with the JSON of an earlier run
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize, Deserialize)]
struct Report {
    puzzles: usize,
    solved: usize,
    share: f64,
    mean_milliseconds: f64,
    mean_nodes: f64,
    results: Vec<Solved>,
}

#[derive(Serialize, Deserialize)]
struct Solved {
    name: String,
    fen: String,
    right: Vec<String>,
    played: Option<String>,
    solved: bool,
    milliseconds: Option<f64>,
    nodes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    miss: Option<Missed>,
}

#[derive(Serialize, Deserialize)]
struct Missed {
    score_of_played: String,
    score_of_right: String,
    /// The right move's evaluation less the played one's, group by group.
    terms: Vec<(String, i32)>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let puzzles = read(&arguments.file, arguments.most)?;
    let earlier = arguments.compare.as_deref().map(read_report).transpose()?;
    let limits = match arguments.movetime {
        Some(milliseconds) => Limits::movetime(Duration::from_millis(milliseconds)),
        None => Limits::nodes(arguments.nodes),
    };
    let mut pool = Pool::new(1, 64);
    let progress = output::Progress::of("puzzles");
    let mut results = Vec::with_capacity(puzzles.len());
    for puzzle in &puzzles {
        results.push(Solved::new(puzzle, &suite::attempt(&mut pool, puzzle, &limits)));
        progress.set_of(results.len() as u64, puzzles.len() as u64);
    }
    progress.finish();
    let report = Report::new(results);
    if arguments.json {
        return output::print_json(&report);
    }
    output::print(&describe(&report, arguments.misses, earlier.as_ref()))
}

fn read(path: &Path, most: Option<usize>) -> anyhow::Result<Vec<Puzzle>> {
    let text = if chuhe_storage::is_standard(path) {
        io::read_to_string(io::stdin())
    } else {
        fs::read_to_string(path)
    };
    let text = text.with_context(|| format!("cannot read {}", path.display()))?;
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let mut puzzles = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        match Puzzle::parse(line, number) {
            Ok(puzzle) => puzzles.push(puzzle),
            Err(error) => output::warn(&format!("{}, line {number}: {error}", path.display())),
        }
    }
    puzzles.truncate(most.unwrap_or(usize::MAX));
    if puzzles.is_empty() {
        bail!("{} holds no puzzle", path.display());
    }
    Ok(puzzles)
}

fn read_report(path: &Path) -> anyhow::Result<Report> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is no report of a suite", path.display()))
}

impl Report {
    fn new(results: Vec<Solved>) -> Self {
        let solved: Vec<&Solved> = results.iter().filter(|result| result.solved).collect();
        let count = solved.len();
        let mean = |sum: f64| sum / count.max(1) as f64;
        Self {
            puzzles: results.len(),
            solved: count,
            share: count as f64 / results.len().max(1) as f64,
            // Adding zero turns the -0 of an empty sum into 0.
            mean_milliseconds: mean(
                solved.iter().filter_map(|result| result.milliseconds).sum::<f64>() + 0.0,
            ),
            mean_nodes: mean(solved.iter().filter_map(|result| result.nodes).sum::<u64>() as f64),
            results,
        }
    }
}

impl Solved {
    fn new(puzzle: &Puzzle, attempt: &Attempt) -> Self {
        Self {
            name: puzzle.name.clone(),
            fen: puzzle.position.to_string(),
            right: puzzle.solutions.iter().map(ToString::to_string).collect(),
            played: attempt.played.map(|mv| mv.to_string()),
            solved: attempt.solved_after.is_some(),
            milliseconds: attempt.solved_after.map(|(time, _)| time.as_secs_f64() * 1000.0),
            nodes: attempt.solved_after.map(|(_, nodes)| nodes),
            miss: attempt.miss.as_ref().map(|miss| Missed {
                score_of_played: miss.played.to_string(),
                score_of_right: miss.right.to_string(),
                terms: miss.terms.iter().map(|(name, sum)| ((*name).to_owned(), *sum)).collect(),
            }),
        }
    }
}

fn describe(report: &Report, misses: bool, earlier: Option<&Report>) -> String {
    let mut text = String::new();
    let Report { puzzles, solved, share, mean_milliseconds, mean_nodes, .. } = report;
    let _ = writeln!(
        text,
        "{solved} of {puzzles} solved ({:.1} %){}",
        share * 100.0,
        match solved {
            0 => String::new(),
            _ => format!(", on average after {mean_milliseconds:.1} ms, {mean_nodes:.0} nodes"),
        }
    );
    if misses {
        for result in &report.results {
            if let Some(miss) = &result.miss {
                describe_miss(&mut text, result, miss);
            }
        }
    }
    if let Some(earlier) = earlier {
        describe_change(&mut text, report, earlier);
    }
    text
}

/// Terms shown for a miss.
const TERMS_SHOWN: usize = 4;

fn describe_miss(text: &mut String, result: &Solved, miss: &Missed) {
    let played = result.played.as_deref().unwrap_or("–");
    let Missed { score_of_played, score_of_right, terms } = miss;
    let right = result.right.join(" ");
    let _ = writeln!(text, "\n{}  {}", result.name, result.fen);
    let _ = writeln!(text, "  played {played} ({score_of_played}), right was {right} ({score_of_right})");
    for (name, sum) in terms.iter().take(TERMS_SHOWN) {
        let _ = writeln!(text, "  {sum:>+6}  {name}");
    }
}

fn describe_change(text: &mut String, report: &Report, earlier: &Report) {
    let before: HashMap<&str, bool> =
        earlier.results.iter().map(|result| (result.fen.as_str(), result.solved)).collect();
    let changed = |now: bool| {
        let results = report.results.iter().filter(move |result| result.solved == now);
        results.filter(|result| before.get(result.fen.as_str()) == Some(&!now)).collect::<Vec<_>>()
    };
    let (won, lost) = (changed(true), changed(false));
    let _ = writeln!(
        text,
        "earlier: {} of {} solved; newly solved {}, no longer solved {}",
        earlier.solved,
        earlier.puzzles,
        won.len(),
        lost.len()
    );
    for (sign, results) in [('+', won), ('-', lost)] {
        for result in results {
            let _ = writeln!(text, "  {sign} {}  {}", result.name, result.fen);
        }
    }
}
