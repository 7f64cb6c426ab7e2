//! `chuhe book stats`: how large a book is, and how long real games stay in it.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use chuhe_board::{Move, Position};
use chuhe_book::{Book, Coverage};
use chuhe_notation::wxf;
use chuhe_report::explore::{self, BookStats};
use clap::Args;
use serde::Serialize;

use super::BookArguments;
use crate::{input, output};

/// How large a book is, and how long games stay in it
#[derive(Args)]
#[command(after_help = "\
With --games, each game from the normal start position is followed to its first move that the book does not know.

Example: chuhe book stats my.book
         chuhe book stats --games games.pgn --missing 20")]
pub(super) struct Arguments {
    #[command(flatten)]
    book: BookArguments,
    /// Records of games to follow through the book
    #[arg(long, value_name = "GAMES")]
    games: Option<PathBuf>,
    /// How many of the moves with which games leave the book are printed
    #[arg(long, value_name = "N", default_value_t = 10, requires = "games")]
    missing: usize,
}

#[derive(Serialize)]
struct Stats {
    #[serde(flatten)]
    book: BookStats,
    #[serde(skip_serializing_if = "Option::is_none")]
    games_followed: Option<Followed>,
}

/// How long games stay in the book.
#[derive(Serialize)]
struct Followed {
    games: usize,
    mean_plies: f64,
    /// Shares of the games in percent, and the plies that they do not exceed.
    quantiles: Vec<(u32, usize)>,
    /// Plies, and the share of the games still in the book after them, in percent.
    shares: Vec<(usize, f64)>,
    missing: Vec<MissingMove>,
}

/// A move with which games leave the book.
#[derive(Serialize)]
struct MissingMove {
    games: usize,
    ply: usize,
    #[serde(rename = "move")]
    mv: String,
    wxf: String,
    line: String,
    opening: Option<&'static str>,
}

const QUANTILES: [u32; 5] = [5, 25, 50, 75, 95];
const PLIES: [usize; 7] = [1, 2, 4, 6, 8, 12, 20];

pub(super) fn run(arguments: &Arguments, json: bool) -> anyhow::Result<()> {
    let book = arguments.book.open()?;
    let games_followed = arguments.games.as_ref().map(|games| arguments.follow(&book, games)).transpose()?;
    let stats = Stats { book: explore::stats(&book), games_followed };
    if json { output::print_json(&stats) } else { output::print(&stats.in_words()) }
}

impl Arguments {
    fn follow(&self, book: &Book, games: &Path) -> anyhow::Result<Followed> {
        let mut coverage = Coverage::default();
        for game in input::read_records(games)?.into_iter().flatten() {
            if game.start() == &Position::start() {
                coverage.add(book, &game.main_moves().collect::<Vec<Move>>());
            }
        }
        let missing = coverage.missing();
        Ok(Followed {
            games: coverage.games(),
            mean_plies: coverage.mean(),
            quantiles: QUANTILES.map(|share| (share, coverage.quantile(f64::from(share) / 100.0))).into(),
            shares: PLIES.map(|plies| (plies, 100.0 * coverage.share_after(plies))).into(),
            missing: missing.iter().take(self.missing).map(MissingMove::new).collect(),
        })
    }
}

impl MissingMove {
    fn new(missing: &chuhe_book::Missing) -> Self {
        let mut position = Position::start();
        let (last, before) = missing.line.split_last().expect("a missing move is on its line");
        for mv in before {
            let _ = position.play(*mv, &mut ());
        }
        let line: Vec<String> = before.iter().map(ToString::to_string).collect();
        Self {
            games: missing.games,
            ply: missing.line.len(),
            mv: last.to_string(),
            wxf: wxf::write_move(&position, *last).to_string(),
            line: line.join(" "),
            opening: missing.name.map(|name| name.traditional),
        }
    }
}

impl Stats {
    fn in_words(&self) -> String {
        let BookStats { positions, searched, moves, scored, traps, games } = &self.book;
        let mut text = format!(
            "{positions} positions, {searched} of them searched; {moves} moves, {scored} with a score, {traps} traps, \
             {games} games\n"
        );
        let Some(followed) = &self.games_followed else { return text };
        let _ =
            writeln!(text, "{} games followed: {:.2} plies on average", followed.games, followed.mean_plies);
        let quantiles = followed.quantiles.iter().map(|(share, plies)| format!("{share} %: {plies}"));
        let _ = writeln!(text, "plies by quantile   {}", quantiles.collect::<Vec<_>>().join("   "));
        let shares = followed.shares.iter().map(|(plies, share)| format!("{plies}: {share:.1} %"));
        let _ = writeln!(text, "in book after ply   {}", shares.collect::<Vec<_>>().join("   "));
        for MissingMove { games, ply, mv, wxf, line, opening } in &followed.missing {
            let opening = opening.unwrap_or_default();
            let _ =
                writeln!(text, "{games:>6} games leave at ply {ply:>2} with {mv} {wxf}  {opening}  {line}");
        }
        text
    }
}
