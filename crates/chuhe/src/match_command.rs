//! `chuhe match`: engine matches with Elo, error bars and SPRT.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use chuhe_arena::adjudicate::{Agreement, ScoreRules};
use chuhe_arena::openings::{self, Opening, Reading};
use chuhe_arena::schedule::Format;
use chuhe_arena::settings::{MatchFile, Settings};
use chuhe_arena::sprt::Sprt;
use chuhe_arena::{EngineSpec, GameRecord, Journal, Limits, Log, Progress, TimeControl, Tournament};
use chuhe_board::coords::RankStyle;
use chuhe_referee::RuleSet;
use clap::{Args, ValueEnum};

use crate::{input, output};

/// Longer games are draws.
const LONGEST_GAME: usize = 600;

/// Play a match between two or more UCI, UCCI or xboard engines
#[derive(Args)]
#[command(after_help = "\
Engines are written as keys and values: name, cmd, dir, proto (uci, ucci, xboard), ranks (0 for 0–9, 1 for
1–10), option.NAME, init (a raw line), tc (10+0.1, 40/60, in seconds), movetime (ms), nodes, depth,
margin (ms beyond the time that are tolerated), patience (timeout in s), timefactor (xboard: see docs/matches.md).
A TOML file has the same: [[engine]], [each], and keys named as the flags.

Example: chuhe match --engine name=new,cmd=./chuhe --engine name=old,cmd=./chuhe-old \\
           --openings openings.txt --games 400 --movetime 20 --concurrency 2 \\
           --sprt elo0=0,elo1=5 --pgn games.pgn --resume match.jsonl")]
pub(crate) struct Arguments {
    /// An engine: name=a,cmd=./chuhe,proto=uci,ranks=0,option.Hash=16 (repeatable)
    #[arg(long = "engine", value_name = "KEY=VALUE,…")]
    engines: Vec<String>,
    /// Defaults for all engines
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    each: Vec<String>,
    /// Match settings as TOML; flags take precedence
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Openings: moves, FEN or EPD lines, or PGN with moves in coordinates
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Play at most N plies of each opening
    #[arg(long, value_name = "N")]
    opening_plies: Option<usize>,
    /// Rank style of the openings: 0 for 0–9, 1 for 1–10 [default: 0]
    #[arg(long, value_name = "0|1", value_parser = clap::value_parser!(u8).range(0..=1))]
    opening_ranks: Option<u8>,
    /// Games per pairing; each opening is played with both colours [default: 20]
    #[arg(long, value_name = "N", conflicts_with = "rounds")]
    games: Option<usize>,
    /// Pairs of games per pairing
    #[arg(long, value_name = "N")]
    rounds: Option<usize>,
    /// Concurrent games [default: 1]
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Tournament format [default: round-robin]
    #[arg(long, value_enum)]
    format: Option<FormatName>,
    /// Time per move
    #[arg(long, value_name = "MS")]
    movetime: Option<u32>,
    /// Nodes per move
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Depth per move
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Time control in seconds: 10+0.1, 1:30+1, 40/60
    #[arg(long, value_name = "TC")]
    tc: Option<TimeControl>,
    /// Stop by a sequential test (SPRT): elo0=0,elo1=5,alpha=0.05,beta=0.05
    #[arg(long, value_name = "KEY=VALUE,…")]
    sprt: Option<String>,
    /// Adjudicate a win if both engines agree on it for COUNT moves: count=3,score=1000
    #[arg(long, value_name = "KEY=VALUE,…")]
    resign: Option<String>,
    /// Adjudicate a draw if both engines score the game as level: count=8,score=10,after=80 (plies)
    #[arg(long, value_name = "KEY=VALUE,…")]
    draw: Option<String>,
    #[command(flatten)]
    tablebase: input::TablebaseArguments,
    /// Adjudicate a draw after N plies [default: 600]
    #[arg(long, value_name = "N")]
    max_plies: Option<usize>,
    /// Shuffle the openings with this seed
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Append the games as PGN
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Journal of finished games (JSON lines); resumes the match if it exists
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Log events: forfeits, restarts, late moves and stalls of the machine
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Log all input and output of the engines too
    #[arg(long, requires = "log")]
    log_traffic: bool,
    /// Print only the result
    #[arg(long)]
    quiet: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatName {
    RoundRobin,
    Gauntlet,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let file = match &arguments.config {
        Some(path) => read_config(path)?,
        None => MatchFile::default(),
    };
    let tournament = tournament(arguments, &file)?;
    let resume = arguments.resume.as_deref().or(file.resume.as_deref());
    let (mut journal, finished) = match resume {
        Some(path) => {
            let (journal, games) = Journal::open(path, &tournament.conditions())?;
            (Some(journal), games)
        }
        None => (None, Vec::new()),
    };
    for warning in tournament.check()? {
        output::warn(&warning);
    }
    if tournament.openings.len() > 1 && tournament.repeated_openings() > 0 {
        let (pairs, openings) = (tournament.rounds, tournament.openings.len());
        output::warn(&format!("{pairs} pairs of games share {openings} openings: some are repeated"));
    }
    let pgn_path = arguments.pgn.as_deref().or(file.pgn.as_deref());
    let mut pgn = pgn_path.map(|path| open_pgn(path, resume.is_some().then_some(&finished))).transpose()?;
    let mut screen = Screen::new(arguments.quiet);

    let report = tournament.run(&finished, |progress| -> anyhow::Result<()> {
        if let Some(journal) = &mut journal {
            journal.add(progress.game)?;
        }
        if let Some(pgn) = &mut pgn {
            pgn.write_all(progress.game.to_pgn().as_bytes()).context("cannot write the PGN")?;
        }
        screen.show(&progress);
        Ok(())
    })?;
    screen.clear();
    if arguments.json {
        output::print_json(&report.standings.summary())
    } else {
        let share = report.engine_share * 100.0;
        output::print(&format!("{}engine time {share:.1} % of the wall time\n", report.standings.table()))
    }
}

fn read_config(path: &Path) -> anyhow::Result<MatchFile> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    toml::from_str(&text).with_context(|| format!("bad match file '{}'", path.display()))
}

fn tournament(arguments: &Arguments, file: &MatchFile) -> anyhow::Result<Tournament> {
    let pairs = |games: usize| games.div_ceil(2);
    let rounds = arguments.games.map(pairs).or(arguments.rounds).or(file.games.map(pairs)).or(file.rounds);
    let mut tournament =
        Tournament::new(engines(arguments, file)?, openings(arguments, file)?, rounds.unwrap_or(10));
    tournament.format = format(arguments, file)?;
    tournament.concurrency = arguments.concurrency.or(file.concurrency).unwrap_or(1).clamp(1, 1024);
    tournament.seed = arguments.seed.or(file.seed);
    tournament.sprt = arguments.sprt.as_deref().or(file.sprt.as_deref()).map(sprt).transpose()?;
    tournament.scores = ScoreRules {
        resign: agreement("resign", arguments.resign.as_deref().or(file.resign.as_deref()))?,
        draw: agreement("draw", arguments.draw.as_deref().or(file.draw.as_deref()))?,
        longest: Some(arguments.max_plies.or(file.max_plies).unwrap_or(LONGEST_GAME)),
    };
    // The rules of the referee who comes first.
    let path = arguments.tablebase.or(file.tablebase.as_deref());
    if let Some(tables) = input::tables(path, RuleSet::default())? {
        tournament.judges.push(tables);
    }
    if let Some(path) = arguments.log.as_deref().or(file.log.as_deref()) {
        tournament.log = Log::to_file(path, arguments.log_traffic)
            .with_context(|| format!("cannot write the log '{}'", path.display()))?;
    }
    Ok(tournament)
}

fn engines(arguments: &Arguments, file: &MatchFile) -> anyhow::Result<Vec<EngineSpec>> {
    let mut each = Settings::from_table(&file.each).context("in [each]")?;
    for text in &arguments.each {
        each = each.and(Settings::parse(text).with_context(|| format!("in --each {text}"))?);
    }
    let limits = limits(arguments, file)?;
    let mut engines = Vec::new();
    for text in &arguments.engines {
        let engine = Settings::parse(text).and_then(|settings| settings.engine(&each, &limits));
        engines.push(engine.with_context(|| format!("in --engine {text}"))?);
    }
    for (index, table) in file.engines.iter().enumerate() {
        let engine = Settings::from_table(table).and_then(|settings| settings.engine(&each, &limits));
        engines.push(engine.with_context(|| format!("in [[engine]] number {}", index + 1))?);
    }
    Ok(engines)
}

/// The limits of all engines: those of the command line if there are any, else the file's.
fn limits(arguments: &Arguments, file: &MatchFile) -> anyhow::Result<Limits> {
    let milliseconds = |ms: u32| Duration::from_millis(ms.into());
    let limits = Limits {
        clock: arguments.tc,
        move_time: arguments.movetime.map(milliseconds),
        nodes: arguments.nodes,
        depth: arguments.depth,
    };
    if !limits.is_empty() {
        return Ok(limits);
    }
    Ok(Limits {
        clock: file.tc.as_deref().map(str::parse).transpose()?,
        move_time: file.movetime.map(milliseconds),
        nodes: file.nodes,
        depth: file.depth,
    })
}

fn openings(arguments: &Arguments, file: &MatchFile) -> anyhow::Result<Vec<Opening>> {
    let Some(path) = arguments.openings.as_deref().or(file.openings.as_deref()) else {
        return Ok(vec![Opening::normal()]);
    };
    let ranks = match arguments.opening_ranks.or(file.opening_ranks) {
        Some(1) => RankStyle::FromOne,
        Some(0) | None => RankStyle::FromZero,
        Some(other) => bail!("'{other}' is not a rank style: expected 0 or 1"),
    };
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the openings '{}'", path.display()))?;
    openings::read(&text, Reading { ranks, plies: arguments.opening_plies.or(file.opening_plies) })
        .with_context(|| format!("bad openings '{}'", path.display()))
}

fn format(arguments: &Arguments, file: &MatchFile) -> anyhow::Result<Format> {
    let name = match (arguments.format, file.format.as_deref()) {
        (Some(name), _) => name,
        (None, None | Some("round-robin")) => FormatName::RoundRobin,
        (None, Some("gauntlet")) => FormatName::Gauntlet,
        (None, Some(other)) => bail!("'{other}' is not a format: expected round-robin or gauntlet"),
    };
    Ok(match name {
        FormatName::RoundRobin => Format::RoundRobin,
        FormatName::Gauntlet => Format::Gauntlet,
    })
}

/// `elo0=0,elo1=5,alpha=0.05,beta=0.05`.
fn sprt(text: &str) -> anyhow::Result<Sprt> {
    let [elo0, elo1, alpha, beta] =
        numbers(text, [("elo0", None), ("elo1", None), ("alpha", Some(0.05)), ("beta", Some(0.05))])
            .with_context(|| format!("in --sprt {text}"))?;
    Sprt::new(elo0, elo1, alpha, beta).with_context(|| format!("in --sprt {text}"))
}

/// `count=3,score=1000,after=0`.
fn agreement(flag: &str, text: Option<&str>) -> anyhow::Result<Option<Agreement>> {
    let Some(text) = text else {
        return Ok(None);
    };
    let [count, score, after] = numbers(text, [("count", None), ("score", None), ("after", Some(0.0))])
        .with_context(|| format!("in --{flag} {text}"))?;
    if count < 1.0 || score < 0.0 || after < 0.0 {
        bail!("in --{flag} {text}: count must be at least 1, score and after at least 0");
    }
    Ok(Some(Agreement { moves: count as usize, score: score as i32, after: after as usize }))
}

/// The numbers behind the keys, where a key without a default must be there.
fn numbers<const N: usize>(text: &str, keys: [(&str, Option<f64>); N]) -> anyhow::Result<[f64; N]> {
    let mut values = keys.map(|(_, default)| default);
    for part in text.split(',') {
        let (key, value) =
            part.split_once('=').with_context(|| format!("'{part}' is not of the form key=value"))?;
        let index = keys.iter().position(|(known, _)| *known == key.trim());
        let index = index.with_context(|| format!("unknown key '{key}'"))?;
        values[index] =
            Some(value.trim().parse().with_context(|| format!("'{value}' is no number for '{key}'"))?);
    }
    let mut numbers = [0.0; N];
    for ((number, value), (key, _)) in numbers.iter_mut().zip(values).zip(keys) {
        *number = value.with_context(|| format!("'{key}' is missing"))?;
    }
    Ok(numbers)
}

/// The PGN file: with a journal it is written anew from the journal's games, else appended to.
fn open_pgn(path: &Path, finished: Option<&Vec<GameRecord>>) -> anyhow::Result<File> {
    let failed = || format!("cannot write the PGN '{}'", path.display());
    let Some(finished) = finished else {
        return OpenOptions::new().create(true).append(true).open(path).with_context(failed);
    };
    let mut file = File::create(path).with_context(failed)?;
    for game in finished {
        file.write_all(game.to_pgn().as_bytes()).with_context(failed)?;
    }
    Ok(file)
}

/// What a person sees while games are played: a table that changes in place on a terminal, a line for
/// each game elsewhere.
struct Screen {
    quiet: bool,
    in_place: bool,
    lines: usize,
}

impl Screen {
    fn new(quiet: bool) -> Self {
        Self { quiet, in_place: io::stderr().is_terminal(), lines: 0 }
    }

    fn show(&mut self, progress: &Progress<'_>) {
        if self.quiet {
            return;
        }
        let Progress { game, standings, scheduled } = progress;
        let ended = format!(
            "game {} of {scheduled}: {} – {} {} ({}, {} plies)",
            game.game,
            game.red,
            game.black,
            game.outcome.as_str(),
            game.reason,
            game.moves.len()
        );
        if self.in_place {
            self.clear();
            let text = format!("{ended}\n{}", standings.table());
            self.lines = text.lines().count();
            output::aside(&text);
        } else {
            output::aside(&format!("{ended}  {}\n", standings.line()));
        }
    }

    /// Wipes the table away, to make room for the next or for the result.
    fn clear(&mut self) {
        if self.lines > 0 {
            output::aside(&format!("\x1b[{}A\x1b[J", std::mem::take(&mut self.lines)));
        }
    }
}
