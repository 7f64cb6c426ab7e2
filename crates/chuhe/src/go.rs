//! `chuhe go`: one search.

use std::fmt::Write;
use std::time::Duration;

use chuhe_adapters::endgames::extend_pv;
use chuhe_referee::{Game, RuleSet};
use chuhe_report::ScoreJson;
use chuhe_search::{Answer, Bound, Control, Event, Limits, Line, Pool};
use clap::Args;
use serde::Serialize;

use crate::interrupt::on_interrupt;
use crate::{input, output};

/// Search a position for the best move
#[derive(Args)]
#[command(
    after_help = "\
Moves are printed as coordinates with ranks 0–9. Scores are soldiers for the side to move; M3 is mate in three moves.
Ctrl-C ends the search and prints the best move so far.

Example: chuhe go --moves 'h2e2 h9g7' --movetime 2000 --threads 2 --lines 3",
    group(clap::ArgGroup::new("limit").required(true).multiple(true))
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    position: input::PositionArguments,
    #[command(flatten)]
    evaluator: input::EvaluatorArguments,
    #[command(flatten)]
    tablebase: input::TablebaseArguments,
    /// Stop after this depth
    #[arg(long, value_name = "PLIES", group = "limit", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Stop after N nodes
    #[arg(long, value_name = "N", group = "limit", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Stop after this time
    #[arg(long, value_name = "MS", group = "limit", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Stop when a mate in N moves or fewer is found
    #[arg(long, value_name = "MOVES", group = "limit", value_parser = clap::value_parser!(u32).range(1..=500))]
    mate: Option<u32>,
    /// Number of search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Size of the transposition table
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Number of best lines to find (MultiPV)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=128))]
    lines: u8,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Found {
    /// The position that was searched, after the moves.
    fen: String,
    depth: u32,
    score: ScoreJson,
    nodes: u64,
    seconds: f64,
    nps: u64,
    /// Positions that endgame tables settled.
    tbhits: u64,
    best: Option<String>,
    lines: Vec<FoundLine>,
}

#[derive(Serialize)]
struct FoundLine {
    depth: u32,
    seldepth: u32,
    score: ScoreJson,
    /// "lower" or "upper" if the search ended before it knew more.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    moves: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let game = arguments.position.game()?;
    let mut pool = Pool::new(arguments.threads.into(), 1);
    pool.set_hash_size(arguments.hash as usize)?;
    pool.set_evaluator(arguments.evaluator.evaluator()?);
    let endgames = arguments.tablebase.endgames(RuleSet::default())?;
    pool.set_endgames(endgames.clone());
    let limits = Limits {
        depth: arguments.depth,
        nodes: arguments.nodes,
        movetime: arguments.movetime.map(Duration::from_millis),
        mate: arguments.mate,
        lines: arguments.lines.into(),
        ..Limits::default()
    };
    let control = Control::default();
    let stopped = control.clone();
    on_interrupt(move || stopped.stop())?;
    let mut printed = Ok(());
    let complete = |line: &mut Line| {
        if let (Some(endgames), Some(_)) = (&endgames, line.score.mate_in()) {
            extend_pv(game.position(), &mut line.moves, &**endgames);
        }
    };
    let mut answer = pool.search(&game, &limits, &control, &mut |event| {
        if let (false, Event::Line(mut line)) = (arguments.json, event)
            && printed.is_ok()
        {
            complete(&mut line);
            printed = output::print(&described(&line, arguments.lines > 1));
            // Nobody reads the output any more.
            printed.is_err().then(|| control.stop());
        }
    });
    printed?;
    answer.lines.iter_mut().for_each(complete);
    if arguments.json {
        return output::print_json(&Found::new(&game, &answer));
    }
    output::print(&concluded(&answer))
}

fn described(line: &Line, ranked: bool) -> String {
    let mut text = format!("depth {:>2}  ", line.depth);
    if ranked {
        let _ = write!(text, "#{:<3} ", line.rank);
    }
    let bound = match line.bound {
        Bound::Exact => ' ',
        Bound::Lower => '≥',
        Bound::Upper => '≤',
    };
    let _ = write!(text, "{bound}{:>7}  {:>11} nodes ", line.score.to_string(), line.nodes);
    for mv in &line.moves {
        let _ = write!(text, " {mv}");
    }
    text.push('\n');
    text
}

fn concluded(answer: &Answer) -> String {
    let seconds = answer.time.as_secs_f64();
    let nps = speed(answer);
    let best = answer.best.map_or_else(|| "none: the game is over".to_owned(), |mv| mv.to_string());
    let tables = match table_hits(answer) {
        0 => String::new(),
        hits => format!(", {hits} from endgame tables"),
    };
    format!("best move {best}\n{} nodes in {seconds:.3} s, {nps} a second{tables}\n", answer.nodes)
}

fn table_hits(answer: &Answer) -> u64 {
    answer.lines.iter().map(|line| line.tablebase_hits).max().unwrap_or(0)
}

fn speed(answer: &Answer) -> u64 {
    (answer.nodes as f64 / answer.time.as_secs_f64().max(1e-6)) as u64
}

impl Found {
    fn new(game: &Game, answer: &Answer) -> Self {
        let best = answer.lines.first();
        Self {
            fen: game.position().to_string(),
            depth: best.map_or(0, |line| line.depth),
            score: best.map_or(ScoreJson::Mate(0), |line| line.score.into()),
            nodes: answer.nodes,
            seconds: answer.time.as_secs_f64(),
            nps: speed(answer),
            tbhits: table_hits(answer),
            best: answer.best.map(|mv| mv.to_string()),
            lines: answer.lines.iter().map(FoundLine::from).collect(),
        }
    }
}

impl From<&Line> for FoundLine {
    fn from(line: &Line) -> Self {
        let bound = match line.bound {
            Bound::Exact => None,
            Bound::Lower => Some("lower"),
            Bound::Upper => Some("upper"),
        };
        let moves = line.moves.iter().map(ToString::to_string).collect();
        Self { depth: line.depth, seldepth: line.selective_depth, score: line.score.into(), bound, moves }
    }
}
