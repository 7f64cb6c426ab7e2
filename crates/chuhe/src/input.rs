//! Arguments that several commands share.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_board::{Move, Position, fen};
use chuhe_eval::network::Network;
use chuhe_notation::convert::find_records;
use chuhe_notation::record::Game;
use chuhe_notation::{Format, Reading, RecordError, chinese, read_records as read_format, wxf};
use chuhe_search::{Endgames, Evaluator};
use chuhe_tablebase::{Folder, PlayTables};

use chuhe_referee as referee;
use chuhe_referee::RuleSet;

use crate::output;

/// The position a command works on.
#[derive(clap::Args)]
pub(crate) struct PositionArguments {
    /// The position as FEN, or `startpos` [default: startpos]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Moves to play from there, in any notation: h2e2, H2-E2, C2=5, 炮二平五
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
    /// Reject positions that no game can reach
    #[arg(long)]
    strict: bool,
}

impl PositionArguments {
    /// Whether a position was named at all.
    pub(crate) fn is_given(&self) -> bool {
        self.fen.is_some() || !self.moves.is_empty()
    }

    /// The position after the moves.
    pub(crate) fn position(&self) -> anyhow::Result<Position> {
        Ok(self.game()?.position().clone())
    }

    /// The game to the position; warns about anything implausible at its start.
    pub(crate) fn game(&self) -> anyhow::Result<referee::Game> {
        let parse = if self.strict { fen::parse_strict } else { fen::parse };
        let start = parse_position(self.fen.as_deref(), parse)?;
        for odd in start.implausibilities() {
            output::warn(&odd);
        }
        played(start, &self.moves)
    }
}

/// A FEN or `startpos`; the start position without either.
fn parse_position(
    text: Option<&str>,
    parse: impl Fn(&str) -> Result<Position, fen::FenError>,
) -> anyhow::Result<Position> {
    match text.map(str::trim) {
        None => Ok(Position::start()),
        Some(text) if text.eq_ignore_ascii_case("startpos") => Ok(Position::start()),
        Some(text) => parse(text).with_context(|| format!("bad FEN '{text}'")),
    }
}

/// The position that a search is for, if a FEN or moves are given.
pub(crate) fn wanted_position(fen: Option<&str>, moves: Option<&str>) -> anyhow::Result<Option<Position>> {
    if fen.is_none() && moves.is_none() {
        return Ok(None);
    }
    let game = played(parse_position(fen, fen::parse)?, moves.unwrap_or_default())?;
    Ok(Some(game.position().clone()))
}

/// The network a command evaluates with.
#[derive(clap::Args)]
pub(crate) struct NetworkArguments {
    /// Use the network in this file instead of the built-in one
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
}

impl NetworkArguments {
    /// The network of the file, or the one built in.
    pub(crate) fn network(&self) -> anyhow::Result<Arc<Network>> {
        let read = |path: &PathBuf| {
            Network::read(path)
                .map(Arc::new)
                .with_context(|| format!("cannot use the network {}", path.display()))
        };
        self.network.as_ref().map_or_else(|| Ok(Network::built_in()), read)
    }
}

/// What a command evaluates by.
#[derive(clap::Args)]
pub(crate) struct EvaluatorArguments {
    #[command(flatten)]
    network: NetworkArguments,
    /// Use the hand-written evaluation
    #[arg(long, conflicts_with = "network")]
    classical: bool,
}

impl EvaluatorArguments {
    /// What positions are evaluated by.
    pub(crate) fn evaluator(&self) -> anyhow::Result<Evaluator> {
        match self.classical {
            true => Ok(Evaluator::Classical),
            false => self.network.network().map(Evaluator::Network),
        }
    }
}

/// The endgame tables a command uses.
#[derive(clap::Args)]
pub(crate) struct TablebaseArguments {
    /// Folder of endgame tables, or `none` [default: `tables` in the data folder]
    #[arg(long, value_name = "FOLDER")]
    tablebase: Option<String>,
}

impl TablebaseArguments {
    /// The flag, or else the value of a file.
    pub(crate) fn or<'a>(&'a self, file: Option<&'a str>) -> &'a str {
        self.tablebase.as_deref().or(file).unwrap_or_default()
    }

    /// The tables for a search by these rules; warns about those that cannot be used.
    pub(crate) fn endgames(&self, rules: RuleSet) -> anyhow::Result<Option<Arc<dyn Endgames>>> {
        let tables = tables(self.or(None), rules)?;
        Ok(tables.filter(|tables| tables.counts() != (0, 0)).map(chuhe_adapters::endgames::of))
    }
}

/// The tables in a folder for play by these rules, if there are any; warns about those that cannot be used.
pub(crate) fn tables(path: &str, rules: RuleSet) -> anyhow::Result<Option<Arc<PlayTables>>> {
    require_folder(path)?;
    let (tables, faults) = chuhe_adapters::endgames::tables(path, rules);
    faults.iter().for_each(output::warn);
    Ok(tables)
}

/// A folder that was named must exist; the user's default one need not.
fn require_folder(path: &str) -> anyhow::Result<()> {
    match Folder::named(path) {
        Some(folder) if !path.is_empty() && !folder.path().is_dir() => {
            bail!("there is no folder of endgame tables '{path}'")
        }
        _ => Ok(()),
    }
}

/// The games of a record (`-`: standard input), after a warning for each fault.
pub(crate) fn read_records(path: &Path) -> anyhow::Result<Vec<Result<Game, RecordError>>> {
    read_games(path, RankStyle::FromZero.into())
}

/// As [`read_records`], but a game with a fault is an error.
pub(crate) fn read_records_strictly(path: &Path) -> anyhow::Result<Vec<Result<Game, RecordError>>> {
    read_games(path, Reading { ranks: RankStyle::FromZero, is_strict: true })
}

fn read_games(path: &Path, reading: Reading) -> anyhow::Result<Vec<Result<Game, RecordError>>> {
    let bytes = chuhe_storage::read(path)?;
    let mut games = Vec::new();
    read_format(Format::of_file(path, &bytes), &bytes, reading, |game| {
        game.iter().flat_map(Game::faults).for_each(|fault| {
            output::warn(&output::fault(path.display(), fault));
        });
        games.push(game);
        ControlFlow::Continue(())
    });
    Ok(games)
}

/// The game that starts from a position with these moves, in any notation. Coordinates have ranks 0–9, unless they
/// are legal only with ranks 1–10.
pub(crate) fn played(start: Position, moves: &str) -> anyhow::Result<referee::Game> {
    let with_zero = played_in(start.clone(), moves, RankStyle::FromZero);
    if with_zero.is_ok() {
        return with_zero;
    }
    match played_in(start, moves, RankStyle::FromOne) {
        Ok(game) => {
            output::warn(&"the moves are legal only with ranks 1–10, and are read so");
            Ok(game)
        }
        Err(_) => with_zero,
    }
}

fn played_in(start: Position, moves: &str, ranks: RankStyle) -> anyhow::Result<referee::Game> {
    let mut game = referee::Game::new(start);
    let words = moves.split([' ', '\t', '\n', ',', '，']).filter(|word| !word.is_empty());
    for (index, text) in words.enumerate() {
        let mv =
            parse_any_move(text, game.position(), ranks).with_context(|| format!("ply {}", index + 1))?;
        game.play(mv)?;
    }
    Ok(game)
}

/// A move in coordinates, WXF or Chinese.
fn parse_any_move(text: &str, position: &Position, ranks: RankStyle) -> anyhow::Result<Move> {
    if !text.is_ascii() {
        return Ok(chinese::parse_move(text, position)?);
    }
    match parse_move(text, ranks) {
        Ok(mv) => Ok(mv),
        // The error of coordinates says more, unless it is a move in WXF.
        Err(error) => wxf::parse_move(text, position).map_err(|_| error.into()),
    }
}

/// The record files that paths name: files, all records of folders, and `-` for standard input. A missing path and
/// a folder without records are errors.
pub(crate) fn record_files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        let found = find_records(path)?.files;
        if found.is_empty() {
            bail!("{}: no game records in this folder", path.display());
        }
        files.extend(found);
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_in_any_notation() {
        for moves in ["h2e2 h9g7", "H2-E2 H9-G7", "C2=5 h8+7", "炮二平五, 馬８進７", "h3e3 h10g8"] {
            let game = played(Position::start(), moves).unwrap();
            assert_eq!(game.history().len(), 2, "{moves}");
            assert_eq!(
                game.position().to_string(),
                played(Position::start(), "h2e2 h9g7").unwrap().position().to_string()
            );
        }
        let error = played(Position::start(), "h2e2 nonsense").unwrap_err();
        assert!(format!("{error:#}").starts_with("ply 2: "), "{error:#}");
    }
}
