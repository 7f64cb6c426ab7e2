//! Sides, points and moves.

use chuhe_board::coords::{self, RankStyle};
use chuhe_board::{Move as BoardMove, Side as BoardSide, Square};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments::{Integer, value_error};

/// One of the two sides.
///
/// >>> import chuhe
/// >>> chuhe.Board().turn
/// Side.RED
/// >>> chuhe.RED.opponent == chuhe.BLACK
/// True
#[pyclass(module = "chuhe", eq, eq_int, frozen, hash, from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[pyo3(rename_all = "UPPERCASE")]
pub(crate) enum Side {
    Red,
    Black,
}

#[pymethods]
impl Side {
    /// `Side.RED` or `Side.BLACK` again, wherever it is unpickled: `getattr(Side, name)`.
    fn __reduce__<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let name = match *slf.get() {
            Self::Red => "RED",
            Self::Black => "BLACK",
        };
        let attribute = slf.py().import("builtins")?.getattr("getattr")?;
        (attribute, (slf.as_any().get_type(), name)).into_bound_py_any(slf.py())
    }

    /// The other side.
    #[getter]
    fn opponent(&self) -> Self {
        (!BoardSide::from(*self)).into()
    }
}

impl From<BoardSide> for Side {
    fn from(side: BoardSide) -> Self {
        match side {
            BoardSide::Red => Self::Red,
            BoardSide::Black => Self::Black,
        }
    }
}

impl From<Side> for BoardSide {
    fn from(side: Side) -> Self {
        match side {
            Side::Red => Self::Red,
            Side::Black => Self::Black,
        }
    }
}

/// A move from one point to another, without its position. The text is that of UCCI: ranks 0 to 9.
///
/// >>> import chuhe
/// >>> move = chuhe.Move("h2e2")
/// >>> move.from_square, chuhe.square_name(move.to_square)
/// (25, 'e2')
/// >>> move.uci(ranks=1)
/// 'h3e3'
/// >>> move in chuhe.Board().legal_moves
/// True
#[pyclass(module = "chuhe", eq, ord, frozen, hash, from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Move(pub(crate) BoardMove);

#[pymethods]
impl Move {
    #[new]
    #[pyo3(signature = (text, ranks = None))]
    fn new(text: &str, ranks: Option<Integer>) -> PyResult<Self> {
        coords::parse_move(text, rank_style(ranks)?).map(Self).map_err(value_error)
    }

    /// The move that `uci` writes.
    #[staticmethod]
    #[pyo3(signature = (text, ranks = None))]
    fn from_uci(text: &str, ranks: Option<Integer>) -> PyResult<Self> {
        Self::new(text, ranks)
    }

    /// The move between two points, each by its number or its name.
    ///
    /// >>> import chuhe
    /// >>> chuhe.Move.between(25, "e2")
    /// Move('h2e2')
    #[staticmethod]
    fn between(from_square: Point, to_square: Point) -> PyResult<Self> {
        let (Point(from), Point(to)) = (from_square, to_square);
        BoardMove::between(from, to)
            .map(Self)
            .ok_or_else(|| value_error(format!("a move from {from} to {to} ends where it starts")))
    }

    /// The number of the point that the piece leaves, 0 (a0) to 89 (i9).
    #[getter(from_square)]
    fn start(&self) -> usize {
        self.0.from().index()
    }

    /// The number of the point that the piece goes to.
    #[getter(to_square)]
    fn goal(&self) -> usize {
        self.0.to().index()
    }

    /// The move in coordinates; `ranks=1` counts ranks from 1 to 10, as Fairy-Stockfish does.
    #[pyo3(signature = (ranks = None))]
    fn uci(&self, ranks: Option<Integer>) -> PyResult<String> {
        Ok(coords::write_move(self.0, rank_style(ranks)?).to_string())
    }

    /// The move as ICCS writes it, `H2-E2`.
    fn iccs(&self) -> String {
        coords::write_iccs(self.0).to_string()
    }

    /// The move mirrored left to right.
    fn mirrored(&self) -> Self {
        Self(self.0.mirrored())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.0)
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.0.to_string(),)
    }
}

/// A move, or its text in any notation.
pub(crate) enum MoveLike {
    Move(Move),
    Text(String),
}

impl<'py> FromPyObject<'_, 'py> for MoveLike {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<Move>() {
            Ok(mv) => Ok(Self::Move(*mv.get())),
            Err(_) => Ok(Self::Text(object.extract()?)),
        }
    }
}

/// A list of moves, or one text with moves between spaces.
#[derive(Default)]
pub(crate) struct MoveList(pub(crate) Vec<MoveLike>);

impl<'py> FromPyObject<'_, 'py> for MoveList {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let Ok(text) = object.cast::<PyString>() else { return Ok(Self(object.extract()?)) };
        let text = text.to_cow()?;
        let words = text.split_whitespace();
        Ok(Self(words.map(|word| MoveLike::Text(word.to_owned())).collect()))
    }
}

/// A point by its number or its name.
pub(crate) struct Point(pub(crate) Square);

impl<'py> FromPyObject<'_, 'py> for Point {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyString>() {
            Ok(name) => coords::parse_square(&name.to_cow()?).map(Self).map_err(value_error),
            Err(_) => point(&object.extract()?).map(Self),
        }
    }
}

/// How coordinates count ranks: from 0, or from 1.
pub(crate) fn rank_style(first: Option<Integer>) -> PyResult<RankStyle> {
    Ok(match first.map_or(Ok(0), |first| first.within("ranks", 0..=1))? {
        0 => RankStyle::FromZero,
        _ => RankStyle::FromOne,
    })
}

/// The point with a number.
pub(crate) fn point(number: &Integer) -> PyResult<Square> {
    let index = number.within("square", 0..=Square::COUNT as u64 - 1)?;
    Ok(Square::from_index(index as usize).expect("the number was checked"))
}

/// The number of the point on a file (0 to 8, from Red's left) and a rank (0 to 9, from Red's bank).
///
/// >>> import chuhe
/// >>> chuhe.square(4, 0)
/// 4
#[pyfunction]
pub(crate) fn square(file: Integer, rank: Integer) -> PyResult<usize> {
    Ok((rank.within("rank", 0..=9)? * 9 + file.within("file", 0..=8)?) as usize)
}

/// The file of a point, 0 to 8 from Red's left.
#[pyfunction]
pub(crate) fn square_file(square: Integer) -> PyResult<u8> {
    Ok(point(&square)?.file())
}

/// The rank of a point, 0 to 9 from Red's bank.
///
/// >>> import chuhe
/// >>> chuhe.square_rank(chuhe.parse_square("e9")), chuhe.square_file(chuhe.parse_square("e9"))
/// (9, 4)
#[pyfunction]
pub(crate) fn square_rank(square: Integer) -> PyResult<u8> {
    Ok(point(&square)?.rank())
}

/// The name of a point, `e0` for 4.
#[pyfunction]
pub(crate) fn square_name(square: Integer) -> PyResult<String> {
    Ok(point(&square)?.to_string())
}

/// The number of a point by its name.
///
/// >>> import chuhe
/// >>> chuhe.parse_square("i9")
/// 89
/// >>> chuhe.parse_square("j9")
/// Traceback (most recent call last):
/// ValueError: 'j9' is not a point: expected a file a–i and a rank
#[pyfunction]
pub(crate) fn parse_square(name: &str) -> PyResult<usize> {
    coords::parse_square(name).map(Square::index).map_err(value_error)
}
