//! `chuhe book`: the opening book.

use std::fmt::Write;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use chuhe_board::coords::RankStyle;
use chuhe_board::{Position, Side};
use chuhe_book::expand::Expansion;
use chuhe_book::foreign::{self, Table};
use chuhe_book::{Book, BookMove, Builder, Entries, Filter, Lesson, Store, openings, prune};
use chuhe_engine::{BookScorer, grow};
use chuhe_notation::chinese::{self, Script};
use chuhe_notation::convert::{find_records, for_each_game};
use chuhe_notation::wxf;
use chuhe_search::{Limits, Pool};
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use crate::{input, output};

/// Build, grow, cut and explore opening books
#[derive(Args)]
#[command(after_help = "\
A book is a file NAME.book; what it is built from, NAME.store, is kept beside it and grows with each build,
expand or learn. Without a file `probe` and `stats` look at the book inside the program.

Example: chuhe book build games/ --out my.book --least 3
         chuhe book probe my.book --moves 'h2e2 h9g7'
         chuhe book prune my.book --keep 2 --out small.book")]
pub(crate) struct Arguments {
    /// Print one JSON object
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Make a book of games, or add them to one
    Build {
        /// Records, or folders with records
        #[arg(value_name = "GAMES", required = true)]
        games: Vec<PathBuf>,
        /// The book to write
        #[arg(long, value_name = "BOOK")]
        out: PathBuf,
        /// Take moves up to this ply
        #[arg(long, value_name = "PLIES", default_value_t = 40)]
        plies: usize,
        /// Take moves that were played so often
        #[arg(long, value_name = "N", default_value_t = 1)]
        least: u32,
        /// Take only games with a known result
        #[arg(long)]
        decided: bool,
        /// Take only games in which no player is known to be rated lower
        #[arg(long, value_name = "RATING", default_value_t = 0)]
        rating: u16,
    },
    /// Let a book grow by the engine's own searches; goes on where it was when started again
    Expand {
        /// The book to write
        #[arg(value_name = "BOOK")]
        book: PathBuf,
        /// Stop when the book has so many positions
        #[arg(long, value_name = "N")]
        positions: u64,
        /// Positions that each search looks at
        #[arg(long, value_name = "N", default_value_t = 100_000)]
        nodes: u64,
        /// No line is longer than this
        #[arg(long, value_name = "PLIES", default_value_t = 40)]
        plies: usize,
        /// How many threads each search has; with one the book can be made again exactly
        #[arg(long, value_name = "N", default_value_t = 1)]
        threads: u16,
    },
    /// Keep what one side needs to play as it does: its best moves and all answers to them
    Prune {
        /// The book
        #[arg(value_name = "BOOK")]
        book: PathBuf,
        /// How many of our own moves are kept
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        keep: u32,
        /// For whom
        #[arg(long, value_enum, default_value = "both")]
        side: For,
        /// The book to write; without it only the figures are printed
        #[arg(long, value_name = "BOOK")]
        out: Option<PathBuf>,
    },
    /// What a book knows of a position
    Probe {
        /// The book; the one inside the program if missing
        #[arg(value_name = "BOOK")]
        book: Option<PathBuf>,
        #[command(flatten)]
        position: input::PositionArguments,
        /// Moves to play from there first
        #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
        moves: String,
    },
    /// How large a book is
    Stats {
        /// The book; the one inside the program if missing
        #[arg(value_name = "BOOK")]
        book: Option<PathBuf>,
    },
    /// Learn from games that we played, or take that back
    Learn {
        /// The book
        #[arg(value_name = "BOOK")]
        book: PathBuf,
        /// The games
        #[arg(value_name = "GAMES")]
        games: PathBuf,
        /// Which side was ours
        #[arg(long, value_enum)]
        side: Ours,
        /// Take back what these games taught
        #[arg(long)]
        undo: bool,
    },
    /// Read a book of another program: .obk, PFBook (.pfbook, .db) or .json
    Import {
        /// The foreign book
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The book to write
        #[arg(long, value_name = "BOOK")]
        out: PathBuf,
    },
    /// Write a book for another program: .obk, .pfbook or .json
    Export {
        /// The book
        #[arg(value_name = "BOOK")]
        book: PathBuf,
        /// The file to write; its extension names the format
        #[arg(value_name = "OUT")]
        out: PathBuf,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum For {
    Red,
    Black,
    Both,
}

#[derive(Clone, Copy, ValueEnum)]
enum Ours {
    Red,
    Black,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let json = arguments.json;
    match &arguments.action {
        Action::Build { games, out, plies, least, decided, rating } => {
            let filter = Filter { plies: *plies, least: *least, decided: *decided, rating: *rating };
            build(games, out, filter, json)
        }
        Action::Expand { book, positions, nodes, plies, threads } => {
            let mut pool = Pool::new((*threads).into(), 1);
            pool.set_table_size(16)?;
            let scorer = BookScorer::new(pool, Limits::nodes(*nodes));
            let expansion = Expansion { plies: *plies, ..Expansion::default() };
            expand(book, *positions, scorer, &expansion)
        }
        Action::Prune { book, keep, side, out } => cut(book, *keep as usize, *side, out.as_deref(), json),
        Action::Probe { book, position, moves } => probe(book.as_deref(), position.position()?, moves, json),
        Action::Stats { book } => stats(book.as_deref(), json),
        Action::Learn { book, games, side, undo } => learn(book, games, *side, *undo),
        Action::Import { file, out } => import(file, out, json),
        Action::Export { book, out } => export(book, out),
    }
}

fn store_of(book: &Path) -> PathBuf {
    book.with_extension("store")
}

/// Refuses to write over something that is no book.
fn check_target(book: &Path) -> anyhow::Result<()> {
    if book.exists() {
        Book::open(book)?;
    }
    Ok(())
}

fn open(book: Option<&Path>) -> anyhow::Result<Book> {
    Ok(match book {
        Some(path) => Book::open(path)?,
        None => Book::embedded(),
    })
}

#[derive(Serialize)]
struct Built {
    games: usize,
    skipped: usize,
    positions: usize,
    moves: usize,
}

fn build(games: &[PathBuf], out: &Path, filter: Filter, json: bool) -> anyhow::Result<()> {
    check_target(out)?;
    let mut files = Vec::new();
    for path in games {
        files.extend(find_records(path)?.files);
    }
    let least = filter.least;
    // Rare moves may become common with the next games, so the store keeps them.
    let mut builder = Builder::new(Filter { least: 1, ..filter });
    let progress = output::Progress::new("games read");
    let (mut count, mut bad) = (0, 0);
    for (file, format) in files {
        let bytes = fs::read(&file).with_context(|| file.display().to_string())?;
        for_each_game(format, &bytes, RankStyle::FromZero, |_, game| {
            count += 1;
            progress.set(count);
            match game {
                Ok(game) => drop(builder.add(&game)),
                Err(error) => {
                    bad += 1;
                    output::warn(&format!("{}, {error}: skipped", file.display()));
                }
            }
            Ok::<(), anyhow::Error>(())
        })?;
    }
    let taken = builder.games();
    let store = Store::open(&store_of(out))?;
    store.merge(&builder.finish())?;
    let mut entries = store.entries()?;
    for moves in entries.values_mut() {
        moves.retain(|known| known.count >= least || known.score.is_some());
    }
    entries.retain(|_, moves| !moves.is_empty());
    Book::write(out, &entries)?;
    progress.finish();
    let moves = entries.values().map(Vec::len).sum();
    let built = Built { games: taken, skipped: bad, positions: entries.len(), moves };
    if json {
        output::print_json(&built)?;
    } else {
        output::print(&format!(
            "{} games taken; {} has {} positions with {} moves\n",
            built.games,
            out.display(),
            built.positions,
            built.moves
        ))?;
    }
    if bad > 0 {
        bail!("{bad} games were skipped");
    }
    Ok(())
}

fn expand(book: &Path, positions: u64, mut scorer: BookScorer, expansion: &Expansion) -> anyhow::Result<()> {
    check_target(book)?;
    let store = Store::open(&store_of(book))?;
    let mut entries = store.entries()?;
    let progress = output::Progress::of("positions");
    let mut written = Ok(());
    let mut saved = entries.clone();
    grow(&mut entries, expansion, &mut scorer, |entries| {
        progress.set_of(entries.len() as u64, positions);
        let news: Entries = entries
            .iter()
            .filter(|(key, moves)| saved.get(key) != Some(moves))
            .map(|(key, moves)| (*key, moves.clone()))
            .collect();
        written = store.replace(&news);
        saved.extend(news);
        let is_done = entries.len() as u64 >= positions || written.is_err();
        if is_done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    written?;
    progress.finish();
    Book::write(book, &entries)?;
    output::print(&format!("{} has {} positions\n", book.display(), entries.len()))
}

#[derive(Serialize)]
struct CutReport {
    keep: usize,
    before: usize,
    after: usize,
    share: f64,
    plies: Vec<(usize, usize)>,
}

fn cut(book: &Path, keep: usize, side: For, out: Option<&Path>, json: bool) -> anyhow::Result<()> {
    let entries = Book::open(book)?.entries();
    let sides: &[Side] = match side {
        For::Red => &[Side::Red],
        For::Black => &[Side::Black],
        For::Both => &Side::ALL,
    };
    let cut = prune::prune(&entries, sides, keep);
    if let Some(out) = out {
        check_target(out)?;
        Book::write(out, &cut.entries)?;
    }
    if json {
        let (before, after, share) = (cut.before, cut.after, cut.share());
        return output::print_json(&CutReport { keep, before, after, share, plies: cut.plies });
    }
    let mut text = format!("{:>5} {:>10} {:>10}\n", "ply", "before", "after");
    for (ply, (before, after)) in cut.plies.iter().enumerate() {
        let _ = writeln!(text, "{:>5} {before:>10} {after:>10}", ply + 1);
    }
    let _ = writeln!(text, "{:>5} {:>10} {:>10}\n{:.2} % cut", "all", cut.before, cut.after, cut.share());
    output::print(&text)
}

#[derive(Serialize)]
struct Probed {
    fen: String,
    opening: Option<openings::Opening>,
    moves: Vec<ProbedMove>,
}

#[derive(Serialize)]
struct ProbedMove {
    #[serde(rename = "move")]
    mv: String,
    wxf: String,
    chinese: String,
    count: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    strength: u16,
    score: Option<i16>,
    depth: u8,
    weight: i16,
    falls: bool,
    sets: bool,
    note: String,
    opening: Option<openings::Opening>,
}

fn probe(book: Option<&Path>, start: Position, moves: &str, json: bool) -> anyhow::Result<()> {
    let book = open(book)?;
    let game = input::played(start, moves)?;
    let line: Vec<_> = game.history().plies().iter().filter_map(|ply| ply.mv()).collect();
    let is_normal = game.start() == &Position::start();
    let opening = if is_normal { openings::name(&line) } else { None };
    let position = game.position();
    let mut known = book.moves(position);
    known.sort_by(|one, other| other.merit().total_cmp(&one.merit()));
    let probed = Probed {
        fen: position.to_string(),
        opening,
        moves: known.into_iter().map(|known| probed(position, known, is_normal, opening)).collect(),
    };
    if json { output::print_json(&probed) } else { output::print(&explored(&probed)) }
}

fn probed(
    position: &Position,
    known: BookMove,
    is_normal: bool,
    opening: Option<openings::Opening>,
) -> ProbedMove {
    let mut child = position.clone();
    let _ = child.play(known.mv, &mut ());
    ProbedMove {
        mv: known.mv.to_string(),
        wxf: wxf::write_move(position, known.mv).to_string(),
        chinese: chinese::write_move(position, known.mv, Script::Traditional).to_string(),
        count: known.count,
        wins: known.wins,
        draws: known.draws,
        losses: known.losses,
        strength: known.strength,
        score: known.score,
        depth: known.depth,
        weight: known.weight,
        falls: known.flags.falls,
        sets: known.flags.sets,
        note: known.note,
        opening: is_normal.then(|| openings::after(opening, &child)).flatten(),
    }
}

fn explored(probed: &Probed) -> String {
    let mut text = String::new();
    if let Some(opening) = &probed.opening {
        let _ = writeln!(text, "{} {} {}", opening.code, opening.chinese, opening.english);
    }
    if probed.moves.is_empty() {
        text += "the book does not know the position\n";
    }
    for known in &probed.moves {
        let _ = write!(text, "{}  {:<5} {}  {:>7}", known.mv, known.wxf, known.chinese, known.count);
        let decided = known.wins + known.draws + known.losses;
        if decided > 0 {
            let percent = |part: u32| 100.0 * f64::from(part) / f64::from(decided);
            let _ = write!(text, "  {}", bar(known));
            let _ = write!(
                text,
                "  +{:.0} ={:.0} -{:.0} %",
                percent(known.wins),
                percent(known.draws),
                percent(known.losses)
            );
        }
        if let Some(score) = known.score {
            let _ = write!(text, "  {:+.2} (depth {})", f64::from(score) / 100.0, known.depth);
        }
        let marks = [(known.falls, "  falls into a trap"), (known.sets, "  sets a trap")];
        marks.iter().filter(|(is_set, _)| *is_set).for_each(|(_, word)| text.push_str(word));
        if let Some(opening) = &known.opening
            && probed.opening.as_ref() != Some(opening)
        {
            let _ = write!(text, "  {} {}", opening.code, opening.chinese);
        }
        text.push('\n');
    }
    text
}

/// Wins, draws and losses as a bar.
fn bar(known: &ProbedMove) -> String {
    const WIDTH: u32 = 20;
    let decided = (known.wins + known.draws + known.losses).max(1);
    let part = |count: u32| (u64::from(count) * u64::from(WIDTH) / u64::from(decided)) as usize;
    let (wins, losses) = (part(known.wins), part(known.losses));
    format!("{}{}{}", "█".repeat(wins), "▒".repeat(WIDTH as usize - wins - losses), "░".repeat(losses))
}

#[derive(Serialize)]
struct Stats {
    positions: usize,
    moves: usize,
    scored: usize,
    games: u64,
    traps: usize,
}

fn stats(book: Option<&Path>, json: bool) -> anyhow::Result<()> {
    let entries = open(book)?.entries();
    let moves = || entries.values().flatten();
    let first = chuhe_book::moves_in(&entries, &Position::start());
    let stats = Stats {
        positions: entries.len(),
        moves: moves().count(),
        scored: moves().filter(|known| known.score.is_some()).count(),
        games: first.iter().map(|known| u64::from(known.count)).sum(),
        traps: moves().filter(|known| known.flags.falls).count(),
    };
    if json {
        return output::print_json(&stats);
    }
    output::print(&format!(
        "{} positions, {} moves, {} of them scored by the engine, {} traps, {} games\n",
        stats.positions, stats.moves, stats.scored, stats.traps, stats.games
    ))
}

fn learn(book: &Path, games: &Path, side: Ours, undo: bool) -> anyhow::Result<()> {
    check_target(book)?;
    let side = match side {
        Ours::Red => Side::Red,
        Ours::Black => Side::Black,
    };
    let store = Store::open(&store_of(book))?;
    let mut count = 0;
    for game in input::read_records(games).with_context(|| games.display().to_string())? {
        let lesson = Lesson::of(&game?, side, 40);
        if undo {
            store.unlearn(&lesson)?
        } else {
            store.learn(&lesson)?
        }
        count += 1;
    }
    let mut entries = store.entries()?;
    entries.retain(|_, moves| !moves.is_empty());
    Book::write(book, &entries)?;
    let what = if undo { "taken back" } else { "learnt" };
    output::print(&format!("{count} games {what}; {} has {} positions\n", book.display(), entries.len()))
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

#[derive(Serialize)]
struct ImportedBook {
    positions: usize,
    unmatched: usize,
}

fn import(file: &Path, out: &Path, json: bool) -> anyhow::Result<()> {
    check_target(out)?;
    let (entries, unmatched) = match extension(file).as_str() {
        "json" => {
            let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
            (foreign::read_json(&text).with_context(|| file.display().to_string())?, 0)
        }
        _ => {
            let imported = foreign::read_obk(file)?;
            (imported.entries, imported.unmatched)
        }
    };
    if entries.is_empty() {
        bail!(
            "{}: no position could be matched; {unmatched} moves have keys of another program",
            file.display()
        );
    }
    let store = Store::open(&store_of(out))?;
    store.merge(&entries)?;
    Book::write(out, &store.entries()?)?;
    if json {
        return output::print_json(&ImportedBook { positions: entries.len(), unmatched });
    }
    let text = format!("{} positions imported; {unmatched} moves could not be matched\n", entries.len());
    output::print(&text)
}

fn export(book: &Path, out: &Path) -> anyhow::Result<()> {
    let entries = Book::open(book)?.entries();
    match extension(out).as_str() {
        "json" => fs::write(out, foreign::write_json(&entries)).with_context(|| out.display().to_string())?,
        "obk" => foreign::write_obk(out, &entries, Table::Obk)?,
        "pfbook" => foreign::write_obk(out, &entries, Table::PfBook)?,
        _ => bail!("{}: books are exported as .obk, .pfbook or .json", out.display()),
    }
    output::print(&format!("{} positions written to {}\n", entries.len(), out.display()))
}
