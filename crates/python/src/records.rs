//! Records in every format: read game by game, written one or many to a file.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};
use std::{thread, vec};

use chuhe_notation::pgn::MoveStyle;
use chuhe_notation::record::Game as Record;
use chuhe_notation::{CannotHold, Format, Loss, Reading, RecordError, RecordWriter, read_records};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::{Content, Integer, locked, os_error, value_error};
use crate::board::move_style;
use crate::game::Game;
use crate::moves::rank_style;

type Item = Result<Record, RecordError>;

/// Games that are read ahead of the caller.
const AHEAD: usize = 256;
/// Contents below this size are read at once: a thread would cost more.
const SMALL: usize = 1 << 16;

/// The games of a file, one after the other; made by `read_games`.
#[pyclass(module = "chuhe", frozen)]
pub(crate) struct GameReader {
    source: Mutex<Source>,
    /// The file, for errors.
    name: Option<PathBuf>,
}

enum Source {
    Read(vec::IntoIter<Item>),
    /// A thread reads on. It ends when this is dropped.
    Reading(Receiver<Item>),
}

impl Source {
    fn next(&mut self) -> Option<Item> {
        match self {
            Self::Read(games) => games.next(),
            Self::Reading(games) => games.recv().ok(),
        }
    }
}

#[pymethods]
impl GameReader {
    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// The next game. One that cannot be read is a ValueError; the games behind it can still be asked for.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        let next = py.detach(|| locked(&self.source).next());
        next.map(|game| self.checked(game)).transpose()
    }
}

impl GameReader {
    fn new(content: Content, format: Option<&str>, reading: Reading) -> PyResult<Self> {
        let (bytes, name) = match content {
            Content::Bytes(bytes) => (bytes, None),
            Content::File(path) => (fs::read(&path).map_err(|error| os_error(&path, &error))?, Some(path)),
        };
        let format = match (format, &name) {
            (Some(name), _) => format_named(name)?,
            (None, Some(path)) => Format::of_file(path, &bytes),
            (None, None) => Format::guess(&bytes),
        };
        let source = if format.holds_one_game() || bytes.len() < SMALL {
            Source::Read(read_all(format, &bytes, reading).into_iter())
        } else {
            Source::Reading(read_ahead(format, bytes, reading))
        };
        Ok(Self { source: Mutex::new(source), name })
    }

    fn checked(&self, game: Item) -> PyResult<Game> {
        game.map(|record| Game { record }).map_err(|error| match &self.name {
            Some(path) => value_error(format!("{}: {error}", path.display())),
            None => value_error(error),
        })
    }
}

fn read_all(format: Format, bytes: &[u8], reading: Reading) -> Vec<Item> {
    let mut games = Vec::new();
    read_records(format, bytes, reading, |game| {
        games.push(game);
        ControlFlow::Continue(())
    });
    games
}

fn read_ahead(format: Format, bytes: Vec<u8>, reading: Reading) -> Receiver<Item> {
    let (sender, receiver) = sync_channel(AHEAD);
    thread::spawn(move || {
        read_records(format, &bytes, reading, |game| match sender.send(game) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        });
    });
    receiver
}

/// Reads the games of a file, of the bytes of one, or of an open file, lazily.
///
/// The format is the extension's, the content's, or the one that is named: `pgn`, `xqf`, `cbr`, `cbl`, `dhtmlxq`, `cbf`,
/// `chn`, `txt`, `json`, `mxq`, `ccm` or `che`. Texts may be UTF-8, UTF-16, GBK or Big5. Where a move cannot be read its
/// line ends and `Game.faults` says why; with `strict=True` such a game is a ValueError instead. `ranks=1` reads
/// coordinates with ranks 1 to 10.
///
/// >>> import chuhe
/// >>> games = chuhe.read_games(b"1-0\th2e2 h9g7\n1/2-1/2\tc3c4 g6g5 b0c2\n")
/// >>> [(game.result, len(game)) for game in games]
/// [('1-0', 2), ('1/2-1/2', 3)]
/// >>> next(chuhe.read_games(b"1-0\th2e2 h9h1\n", strict=True))
/// Traceback (most recent call last):
/// ValueError: game 1, line 1: ply 2: h9h1 is illegal: a black horse does not move from h9 to h1 there
#[pyfunction]
#[pyo3(signature = (source, format = None, *, strict = false, ranks = None))]
pub(crate) fn read_games(
    py: Python<'_>,
    source: Content,
    format: Option<&str>,
    strict: bool,
    ranks: Option<Integer>,
) -> PyResult<GameReader> {
    let reading = Reading { ranks: rank_style(ranks)?, is_strict: strict };
    py.detach(|| GameReader::new(source, format, reading))
}

/// The first game of a text, which must be there and whole.
pub(crate) fn first_game(py: Python<'_>, bytes: Vec<u8>, format: &str) -> PyResult<Game> {
    let reading = Reading { is_strict: true, ..Reading::from(rank_style(None)?) };
    let reader = py.detach(|| GameReader::new(Content::Bytes(bytes), Some(format), reading))?;
    reader.__next__(py)?.ok_or_else(|| value_error(format!("the {format} text holds no game")))
}

/// Writes games to a file, whole or not at all; the format is that of its extension. Returns what it could not hold.
///
/// The style says how moves are written where the format leaves a choice, see `Board.variation`. `name` is that of a CBL
/// library.
///
/// >>> import chuhe, os, tempfile
/// >>> path = os.path.join(tempfile.mkdtemp(), "games.pgn")
/// >>> chuhe.write_games(path, [chuhe.Game(chuhe.Board(moves=["h2e2"]))])
/// []
/// >>> [len(game) for game in chuhe.read_games(path)]
/// [1]
#[pyfunction]
#[pyo3(signature = (path, games, format = None, style = None, name = ""))]
pub(crate) fn write_games(
    path: PathBuf,
    games: &Bound<'_, PyAny>,
    format: Option<&str>,
    style: Option<&str>,
    name: &str,
) -> PyResult<Vec<String>> {
    let format = match format {
        Some(format) => format_named(format)?,
        None => Format::of_path(&path).ok_or_else(|| {
            value_error(format!("{}: the extension names no record format", path.display()))
        })?,
    };
    let (bytes, losses) = encoded(games, format, style, name)?;
    games
        .py()
        .detach(|| chuhe_storage::write_atomic(&path, &bytes))
        .map_err(|error| os_error(&path, &error))?;
    Ok(losses)
}

/// Games in a format, as bytes; see `write_games`.
#[pyfunction]
#[pyo3(signature = (games, format, style = None, name = ""))]
pub(crate) fn dump_games<'py>(
    games: &Bound<'py, PyAny>,
    format: &str,
    style: Option<&str>,
    name: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let (bytes, _) = encoded(games, format_named(format)?, style, name)?;
    Ok(PyBytes::new(games.py(), &bytes))
}

/// The bytes of games and what the format lacks.
fn encoded(
    games: &Bound<'_, PyAny>,
    format: Format,
    style: Option<&str>,
    name: &str,
) -> PyResult<(Vec<u8>, Vec<String>)> {
    let style = match style {
        Some(style) => move_style(style)?,
        None if format == Format::Text => MoveStyle::Coordinates,
        None => MoveStyle::Iccs,
    };
    let mut writer = RecordWriter::new(format, style, Vec::new());
    let mut losses: Vec<Loss> = Vec::new();
    for (number, game) in games.try_iter()?.enumerate() {
        let game = game?;
        let game: PyRef<'_, Game> = game.extract()?;
        let added = writer.add(&game.record).map_err(|error| os_error(Path::new(""), &error))?;
        losses.extend(
            added.map_err(|reason: CannotHold| value_error(format!("game {}: {reason}", number + 1)))?,
        );
    }
    let bytes = writer.finish(name).map_err(|error| os_error(Path::new(""), &error))?;
    losses.sort();
    losses.dedup();
    Ok((bytes, losses.iter().map(ToString::to_string).collect()))
}

/// A format by its name, which is its extension.
fn format_named(name: &str) -> PyResult<Format> {
    Format::of_path(&Path::new("game").with_extension(name)).ok_or_else(|| {
        let formats = Format::ALL.iter().chain(&Format::READ_ONLY).map(|format| format.extension());
        value_error(format!(
            "'{name}' is not a record format: expected {}",
            formats.collect::<Vec<_>>().join(", ")
        ))
    })
}

/// The records of a sequence of games.
pub(crate) fn records_of(games: &Bound<'_, PyAny>) -> PyResult<Arc<Vec<Record>>> {
    let record =
        |game: PyResult<Bound<'_, PyAny>>| Ok::<_, PyErr>(game?.extract::<PyRef<'_, Game>>()?.record.clone());
    Ok(Arc::new(games.try_iter()?.map(record).collect::<PyResult<_>>()?))
}
