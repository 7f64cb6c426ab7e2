//! Arguments that several commands share.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_board::{Position, fen};
use chuhe_eval::network::Network;
use chuhe_notation::record::Game;
use chuhe_notation::{Format, Reading, RecordError, read_records as read_format};
use chuhe_search::{Endgames, Evaluator};
use chuhe_tablebase::{Folder, Kind, Prober};

use chuhe_referee as referee;

use crate::output;

/// The position a command works on.
#[derive(clap::Args)]
pub(crate) struct PositionArguments {
    /// The position as FEN [default: the start position]
    #[arg(long, value_name = "FEN", default_value = fen::START, hide_default_value = true)]
    fen: String,
    /// Reject positions that no game can reach
    #[arg(long)]
    strict: bool,
}

impl PositionArguments {
    /// The position; warns about anything implausible in it.
    pub(crate) fn position(&self) -> anyhow::Result<Position> {
        let parse = if self.strict { fen::parse_strict } else { fen::parse };
        let position = parse(&self.fen).with_context(|| format!("bad FEN '{}'", self.fen))?;
        for odd in position.implausibilities() {
            output::warn(&odd);
        }
        Ok(position)
    }
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

    /// The tables for a search; warns about those that cannot be used.
    pub(crate) fn endgames(&self) -> anyhow::Result<Option<Arc<dyn Endgames>>> {
        let path = self.or(None);
        require_folder(path)?;
        let (endgames, faults) = chuhe_adapters::endgames::open(path);
        faults.iter().for_each(output::warn);
        Ok(endgames)
    }
}

/// The tables in a folder, if there are any; warns about those that cannot be used.
pub(crate) fn prober(path: &str) -> anyhow::Result<Option<Prober>> {
    require_folder(path)?;
    let Some(folder) = Folder::named(path) else { return Ok(None) };
    let (prober, faults) = Prober::open(&folder, Kind::default());
    faults.iter().for_each(output::warn);
    Ok(Some(prober.with_built_in(Kind::default())))
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

/// The games of a record, after a warning for each fault. Without the extension of a record format it is read as text.
pub(crate) fn read_records(path: &Path) -> anyhow::Result<Vec<Result<Game, RecordError>>> {
    read_games(path, RankStyle::FromZero.into())
}

/// As [`read_records`], but a game with a fault is an error.
pub(crate) fn read_records_strictly(path: &Path) -> anyhow::Result<Vec<Result<Game, RecordError>>> {
    read_games(path, Reading { ranks: RankStyle::FromZero, is_strict: true })
}

fn read_games(path: &Path, reading: Reading) -> anyhow::Result<Vec<Result<Game, RecordError>>> {
    let bytes = fs::read(path)?;
    let mut games = Vec::new();
    let format = Format::of_path(path).unwrap_or(Format::Text);
    read_format(format, &bytes, reading, |game| {
        game.iter().flat_map(Game::faults).for_each(|fault| {
            output::warn(&format!("{}, {fault}: cut there", path.display()));
        });
        games.push(game);
        ControlFlow::Continue(())
    });
    Ok(games)
}

/// The game that starts from a position with these moves.
pub(crate) fn played(start: Position, moves: &str) -> anyhow::Result<referee::Game> {
    let mut game = referee::Game::new(start);
    for (index, text) in moves.split_whitespace().enumerate() {
        let mv = parse_move(text, RankStyle::FromZero).with_context(|| format!("ply {}", index + 1))?;
        game.play(mv)?;
    }
    Ok(game)
}
