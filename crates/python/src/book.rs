//! Opening books and the names of openings.

use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;

use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_book::foreign::{self, Keys};
use chuhe_book::{Choice, Policy};
use chuhe_referee::Referee;
use chuhe_report::explore::{self, ExploredMove, OpeningJson};
use pyo3::prelude::*;

use crate::arguments::{Integer, os_error, parsed, value_error};
use crate::board::Board;
use crate::moves::Move;
use crate::verdict::Judged;

/// An opening book: `Book()` is the one built in, `Book(path)` that of a file, ours or of another
/// program; `keys` is a file with the Zobrist numbers of that program, where it has its own.
///
/// >>> import chuhe
/// >>> book = chuhe.Book()
/// >>> any(known.wxf == "C2=5" for known in book.probe(chuhe.Board()))
/// True
/// >>> book.choose(chuhe.Board()) in chuhe.Board().legal_moves
/// True
#[pyclass(module = "chuhe", frozen)]
pub(crate) struct Book {
    pub(crate) book: chuhe_book::Book,
}

#[pymethods]
impl Book {
    #[new]
    #[pyo3(signature = (path = None, keys = None))]
    fn new(py: Python<'_>, path: Option<PathBuf>, keys: Option<PathBuf>) -> PyResult<Self> {
        let Some(path) = path else { return Ok(Self { book: chuhe_book::Book::embedded() }) };
        std::fs::metadata(&path).map_err(|error| os_error(&path, &error))?;
        let keys = keys.map_or(Ok(Keys::Own), |keys| Keys::read(&keys)).map_err(value_error)?;
        let opened = py.detach(|| foreign::open(&path, &keys));
        opened.map(|book| Self { book }).map_err(value_error)
    }

    /// The moves that the book knows in a position, the best first.
    fn probe(&self, py: Python<'_>, board: &Board) -> PyResult<Vec<BookMove>> {
        let line = board.line.clone();
        let explored = py.detach(|| explore::explore(&self.book, &line));
        explored.moves.into_iter().map(BookMove::new).collect()
    }

    /// A move to play, or None: never one that the referee bans or that falls into a trap.
    ///
    /// The policy is `best`, `random` (weighted by merit) or `win-rate`. A seed makes chance repeatable.
    #[pyo3(signature = (board, policy = "best", seed = None))]
    fn choose(&self, board: &Board, policy: &str, seed: Option<Integer>) -> PyResult<Option<Move>> {
        let policy: Policy = policy.parse().map_err(|()| {
            value_error(format!("'{policy}' is not a policy: expected best, random or win-rate"))
        })?;
        let random = match seed {
            // Spread over all bits, as the choice looks at the high ones.
            Some(seed) => seed.within("seed", 0..=i64::MAX as u64)?.wrapping_mul(0x9E37_79B9_7F4A_7C15),
            None => RandomState::new().hash_one(0),
        };
        let known = self.book.moves(board.position());
        let choice = Choice { policy, ..Choice::default() };
        Ok(choice.choose(known, &board.line, &Referee::default(), random).map(Move))
    }

    /// The number of positions.
    fn __len__(&self) -> usize {
        self.book.len()
    }

    fn __contains__(&self, board: &Board) -> bool {
        !self.book.moves(board.position()).is_empty()
    }

    const fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, pyo3::types::PyTuple>) {}

    fn __repr__(&self) -> String {
        format!("<Book of {} positions>", self.book.len())
    }
}

/// A move that a book knows; results are those of the side to move.
#[pyclass(module = "chuhe", frozen, get_all)]
pub(crate) struct BookMove {
    /// The move.
    r#move: Move,
    /// The move in WXF.
    wxf: String,
    /// The move in Chinese, traditional characters.
    chinese: String,
    /// How often it was played.
    count: u32,
    /// Games won by the side to move.
    wins: u32,
    /// Games drawn.
    draws: u32,
    /// Games lost by the side to move.
    losses: u32,
    /// An engine's score in centisoldiers, for the side to move.
    score: Option<i16>,
    /// The depth of that score.
    depth: u8,
    /// Whether the move falls into a trap.
    falls: bool,
    /// Whether the move sets a trap.
    sets: bool,
    /// The opening after the move.
    opening: Option<Opening>,
}

impl BookMove {
    fn new(known: ExploredMove) -> PyResult<Self> {
        Ok(Self {
            r#move: Move(parse_move(&known.mv, RankStyle::FromZero).map_err(value_error)?),
            wxf: known.wxf,
            chinese: known.traditional,
            count: known.count,
            wins: known.wins,
            draws: known.draws,
            losses: known.losses,
            score: known.score,
            depth: known.depth,
            falls: known.falls,
            sets: known.sets,
            opening: known.opening.map(Opening::from),
        })
    }
}

#[pymethods]
impl BookMove {
    fn __repr__(&self) -> String {
        let Self { wxf, count, wins, draws, losses, depth, .. } = self;
        let games = format!(", {count} games +{wins} ={draws} -{losses}");
        let games = if *count > 0 { games } else { String::new() };
        let score = self.score.map_or_else(String::new, |score| format!(", {score:+} at depth {depth}"));
        format!("<BookMove {wxf}{games}{score}>")
    }
}

/// An opening with its code and names.
#[pyclass(module = "chuhe", frozen, get_all, eq)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Opening {
    /// Its code.
    code: &'static str,
    /// Its Chinese name.
    chinese: &'static str,
    /// Its English name.
    english: &'static str,
}

#[pymethods]
impl Opening {
    fn __repr__(&self) -> String {
        format!("<Opening {} {} {}>", self.code, self.chinese, self.english)
    }
}

impl From<OpeningJson> for Opening {
    fn from(opening: OpeningJson) -> Self {
        Self { code: opening.code, chinese: opening.chinese, english: opening.english }
    }
}

/// The opening of a game that started from the normal position, or None.
///
/// >>> import chuhe
/// >>> chuhe.opening(chuhe.Board(moves=["h2e2", "h9g7"])).code[0]
/// 'B'
#[pyfunction]
pub(crate) fn opening(game: Judged<'_>) -> PyResult<Option<Opening>> {
    let line = game.line()?;
    if line.start() != &parsed(chuhe_board::fen::START)? {
        return Ok(None);
    }
    let moves: Vec<_> = line.history().plies().iter().filter_map(|ply| ply.mv()).collect();
    Ok(chuhe_book::openings::name(&moves).map(|opening| Opening::from(OpeningJson::from(opening))))
}
