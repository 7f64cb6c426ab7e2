//! The bytes under the arrays of `chuhe.arrays`: boards as numbers, and self-play shards.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;

use chuhe_board::{Piece, Position, Side as BoardSide, Square};
use chuhe_eval::Score;
use chuhe_eval::network::features::View;
use chuhe_train::selfplay::{Player, Settings};
use chuhe_train::shard::{self, ShardError, ShardWriter};
use chuhe_train::{Sample, Wdl};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

use crate::arguments::{Integer, locked, os_error, value_error};
use crate::board::Board;

/// The bytes of a sample in an array: 90 points, side to move, result, score and ply; `chuhe.arrays.SAMPLE`.
const RECORD: usize = Square::COUNT + 6;

/// The piece on each point: 0 for none, 1 to 7 for Red's and -1 to -7 for Black's general, advisor, elephant, horse,
/// chariot, cannon and soldier.
fn codes(position: &Position) -> [u8; Square::COUNT] {
    let mut codes = [0; Square::COUNT];
    for (piece, square) in position.pieces_on_board() {
        let kind = piece.kind().index() as i8 + 1;
        let code = if piece.side() == BoardSide::Red { kind } else { -kind };
        codes[square.index()] = code.to_le_bytes()[0];
    }
    codes
}

/// The pieces of boards, 90 bytes each, as `chuhe.arrays.squares` shows them.
#[pyfunction]
pub(crate) fn squares<'py>(py: Python<'py>, boards: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyByteArray>> {
    let mut bytes = Vec::new();
    for board in boards.try_iter()? {
        bytes.extend(codes(board?.extract::<PyRef<'_, Board>>()?.position()));
    }
    Ok(PyByteArray::new(py, &bytes))
}

/// The rows of the network's feature transformer that a position switches on, for the side to move and for the other.
///
/// >>> import chuhe
/// >>> own, other = chuhe.feature_rows(chuhe.Board())
/// >>> len(own), own == other
/// (32, True)
#[pyfunction]
pub(crate) fn feature_rows(board: &Board) -> (Vec<usize>, Vec<usize>) {
    let position = board.position();
    let [red, black] = View::both(position).map(|view| {
        let mut rows: Vec<usize> =
            position.pieces_on_board().map(|(piece, square)| view.row(piece, square)).collect();
        rows.sort_unstable();
        rows
    });
    if position.side_to_move() == BoardSide::Red { (red, black) } else { (black, red) }
}

/// The samples of a self-play shard, chunk by chunk; `chuhe.arrays` makes arrays of them.
#[pyclass(module = "chuhe._core", frozen)]
pub(crate) struct ShardReader {
    state: Mutex<ReaderState>,
}

struct ReaderState {
    samples: Box<dyn Iterator<Item = Result<Sample, ShardError>> + Send>,
    damaged: u64,
}

#[pymethods]
impl ShardReader {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        let samples = Box::new(shard::read(&path).map_err(shard_error)?);
        Ok(Self { state: Mutex::new(ReaderState { samples, damaged: 0 }) })
    }

    /// The next samples as bytes, `chuhe.arrays.SAMPLE` each; all that are left without a number.
    #[pyo3(signature = (most = None))]
    fn read<'py>(&self, py: Python<'py>, most: Option<Integer>) -> PyResult<Bound<'py, PyByteArray>> {
        let all = i64::MAX as u64;
        let most = most.map_or(Ok(all), |most| most.within("most", 1..=all))?;
        let bytes = py.detach(|| locked(&self.state).read(most))?;
        Ok(PyByteArray::new(py, &bytes))
    }

    /// How many samples were damaged so far.
    #[getter]
    fn damaged(&self) -> u64 {
        locked(&self.state).damaged
    }
}

impl ReaderState {
    fn read(&mut self, most: u64) -> PyResult<Vec<u8>> {
        let (mut bytes, mut left) = (Vec::new(), most);
        while left > 0 {
            match self.samples.next() {
                None => break,
                Some(Ok(sample)) => {
                    bytes.extend(record(&sample));
                    left -= 1;
                }
                Some(Err(ShardError::Damaged { samples, .. })) => self.damaged += samples.end - samples.start,
                Some(Err(error)) => return Err(shard_error(error)),
            }
        }
        Ok(bytes)
    }
}

fn shard_error(error: ShardError) -> PyErr {
    match error {
        ShardError::Io { path, error } => os_error(&path, &error),
        other => value_error(other),
    }
}

fn record(sample: &Sample) -> [u8; RECORD] {
    let mut bytes = [0; RECORD];
    bytes[..Square::COUNT].copy_from_slice(&codes(&sample.position));
    bytes[90] = sample.position.side_to_move().index() as u8;
    let result: i8 = match sample.outcome {
        Wdl::Loss => -1,
        Wdl::Draw => 0,
        Wdl::Win => 1,
    };
    bytes[91] = result.to_le_bytes()[0];
    bytes[92..94].copy_from_slice(&(sample.score.get() as i16).to_le_bytes());
    bytes[94..].copy_from_slice(&sample.ply.to_le_bytes());
    bytes
}

/// Appends samples, `chuhe.arrays.SAMPLE` each, to a shard; returns how many it holds now.
#[pyfunction]
pub(crate) fn write_shard(py: Python<'_>, path: PathBuf, samples: &[u8]) -> PyResult<u64> {
    let (records, rest) = samples.as_chunks::<RECORD>();
    if !rest.is_empty() {
        return Err(value_error(format!("{} bytes are no whole number of samples", samples.len())));
    }
    let sample = |(number, record): (usize, &[u8; RECORD])| {
        sample_of(record).map_err(|error| value_error(format!("sample {number}: {error}")))
    };
    let samples = records.iter().enumerate().map(sample).collect::<PyResult<Vec<_>>>()?;
    py.detach(|| {
        let mut writer = ShardWriter::open(&path).map_err(shard_error)?;
        writer.append(&samples).map_err(shard_error)?;
        Ok(writer.samples())
    })
}

fn sample_of(bytes: &[u8; RECORD]) -> Result<Sample, String> {
    let mut pieces = Vec::new();
    for (square, code) in Square::all().zip(bytes) {
        let code = i8::from_le_bytes([*code]);
        if code != 0 {
            let side = if code > 0 { BoardSide::Red } else { BoardSide::Black };
            let kind = chuhe_board::PieceKind::ALL.get(usize::from(code.unsigned_abs()) - 1);
            let kind = kind.ok_or_else(|| format!("{code} on {square} is no piece: expected -7 to 7"))?;
            pieces.push((Piece::new(side, *kind), square));
        }
    }
    let side = match bytes[90] {
        0 => BoardSide::Red,
        1 => BoardSide::Black,
        other => return Err(format!("turn is {other}: expected 0 for Red or 1 for Black")),
    };
    let outcome = match i8::from_le_bytes([bytes[91]]) {
        -1 => Wdl::Loss,
        0 => Wdl::Draw,
        1 => Wdl::Win,
        other => return Err(format!("result is {other}: expected -1, 0 or 1")),
    };
    let position = Position::from_pieces(pieces, side).map_err(|error| error.to_string())?;
    let score = Score::from_number(i16::from_le_bytes([bytes[92], bytes[93]]).into());
    Ok(Sample { position, score, outcome, ply: u16::from_le_bytes([bytes[94], bytes[95]]) })
}

/// Plays games of the engine against itself and appends their positions to a shard; returns how many it holds now.
///
/// >>> import chuhe, os, tempfile
/// >>> path = os.path.join(tempfile.mkdtemp(), "tiny.shard")
/// >>> chuhe.selfplay(path, games=1, nodes=50, seed=7) > 0
/// True
#[pyfunction]
#[pyo3(signature = (path, games, nodes = None, seed = None))]
pub(crate) fn selfplay(
    py: Python<'_>,
    path: PathBuf,
    games: Integer,
    nodes: Option<Integer>,
    seed: Option<Integer>,
) -> PyResult<u64> {
    let games = games.within("games", 1..=u32::MAX.into())?;
    let nodes = nodes.map_or(Ok(5000), |nodes| nodes.within("nodes", 1..=i64::MAX as u64))?;
    let seed = seed.map_or(Ok(0), |seed| seed.within("seed", 0..=i64::MAX as u64))?;
    py.detach(|| {
        let mut writer = ShardWriter::open(&path).map_err(shard_error)?;
        let mut played = 0;
        let settings = Settings { nodes, ..Settings::default() };
        Player::new(settings, seed).play(|samples| {
            played += 1;
            let done = writer.append(&samples).map_err(shard_error);
            let signals = Python::attach(|py| py.check_signals());
            match done.and(signals) {
                Err(error) => ControlFlow::Break(Err(error)),
                Ok(()) if played == games => ControlFlow::Break(Ok(())),
                Ok(()) => ControlFlow::Continue(()),
            }
        })?;
        Ok(writer.samples())
    })
}
