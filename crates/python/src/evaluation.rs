//! The evaluation term by term, and the network.

use std::path::PathBuf;
use std::sync::Arc;

use chuhe_adapters::{self as adapters, NetworkVerdict};
use chuhe_board::{Side as BoardSide, Square};
use chuhe_eval::network::{Network as EvalNetwork, NetworkError};
use pyo3::prelude::*;

use crate::arguments::{os_error, value_error};
use crate::board::Board;
use crate::moves::Side;

/// The evaluation of a position, group by group, and what the network says. Numbers are centisoldiers.
///
/// >>> import chuhe
/// >>> evaluation = chuhe.Evaluation(chuhe.Board("2bak4/4a4/4b4/p3n3p/2r6/9/P3P3P/4C1N2/4A4/R1B1KAB2 b"))
/// >>> evaluation.red == sum(group.total for group in evaluation.groups) + evaluation.rounding + evaluation.hard_to_win
/// True
/// >>> max(evaluation.groups, key=lambda group: abs(group.total)) is not None
/// True
#[pyclass(module = "chuhe", frozen, get_all)]
pub(crate) struct Evaluation {
    /// The score for Red.
    red: i32,
    /// The score for the side to move.
    side_to_move: i32,
    /// The groups of terms, those that differ most between the sides first.
    groups: Vec<Group>,
    /// What is lost or gained because every group is rounded by itself, for Red.
    rounding: i32,
    /// What is taken away because the material left can hardly win, for Red.
    hard_to_win: i32,
    /// The network's score for Red.
    network: i32,
    /// The largest differences in a sentence, by language: `en`, `zh-Hant`, `zh-Hans`.
    sentences: std::collections::BTreeMap<&'static str, String>,
}

#[pymethods]
impl Evaluation {
    #[new]
    #[pyo3(signature = (board, network = None))]
    fn new(board: &Board, network: Option<&Network>) -> Self {
        let position = board.position();
        let evaluation = adapters::Evaluation::of(position);
        let network = network.map_or_else(EvalNetwork::built_in, |network| Arc::clone(&network.network));
        let languages = ["en", "zh-Hant", "zh-Hans"];
        Self {
            red: evaluation.red,
            side_to_move: evaluation.for_side_to_move(),
            groups: evaluation.groups.iter().map(Group::from).collect(),
            rounding: evaluation.rounding,
            hard_to_win: evaluation.drawishness,
            network: NetworkVerdict::of(&network, position).red,
            sentences: languages.into_iter().zip(evaluation.sentences(position)).collect(),
        }
    }

    /// A row for each group that a side has something of, then the sums.
    fn __str__(&self) -> String {
        let mut rows = vec![format!("{:>7} {:>7} {:>7}", "Red", "Black", "for Red")];
        for group in self.groups.iter().filter(|group| group.red != 0 || group.black != 0) {
            let Group { name, red, black, total, .. } = group;
            rows.push(format!("{red:>+7} {black:>+7} {total:>+7}  {name}"));
        }
        let shares = [("rounding", self.rounding), ("hard to win", self.hard_to_win)];
        let sums = [("together", self.red), ("the network", self.network)];
        for (name, worth) in shares.into_iter().filter(|(_, worth)| *worth != 0).chain(sums) {
            rows.push(format!("{:>7} {:>7} {worth:>+7}  {name}", "", ""));
        }
        rows.join("\n")
    }

    fn __repr__(&self) -> String {
        format!("<Evaluation red={:+}, network={:+}>", self.red, self.network)
    }
}

/// A group of terms: material, placement …
#[pyclass(module = "chuhe", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Group {
    /// Its name.
    name: &'static str,
    /// What it is worth to Red.
    red: i32,
    /// What it is worth to Black.
    black: i32,
    /// Red's worth less Black's.
    total: i32,
    /// What was found.
    terms: Vec<Term>,
}

#[pymethods]
impl Group {
    fn __repr__(&self) -> String {
        format!("<Group {} {:+}>", self.name, self.total)
    }
}

impl From<&adapters::Group> for Group {
    fn from(group: &adapters::Group) -> Self {
        let [red, black] = group.worth;
        let terms = group.reasons.iter().map(Term::from).collect();
        Self { name: group.name, red, black, total: group.total(), terms }
    }
}

/// A feature that a side has.
#[pyclass(module = "chuhe", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Term {
    /// Whose feature it is.
    side: Side,
    /// What was found, in words.
    feature: String,
    /// How many times it was found.
    times: i32,
    /// What it is worth to its side.
    worth: i32,
    /// The points that show it.
    squares: Vec<usize>,
}

#[pymethods]
impl Term {
    fn __repr__(&self) -> String {
        let side = if self.side == Side::Red { "Red" } else { "Black" };
        format!("<Term {side}: {} ×{}, {:+}>", self.feature, self.times, self.worth)
    }
}

impl From<&adapters::Reason> for Term {
    fn from(reason: &adapters::Reason) -> Self {
        Self {
            side: reason.side.into(),
            feature: reason.feature.words(),
            times: reason.times,
            worth: reason.worth,
            squares: reason.points.into_iter().map(Square::index).collect(),
        }
    }
}

/// A network: `Network()` is the one built in, `Network(path)` that of a file.
///
/// >>> import chuhe
/// >>> network = chuhe.Network()
/// >>> network.evaluate(chuhe.Board()) == chuhe.Evaluation(chuhe.Board(), network).network
/// True
#[pyclass(module = "chuhe", frozen, from_py_object)]
#[derive(Clone)]
pub(crate) struct Network {
    pub(crate) network: Arc<EvalNetwork>,
}

#[pymethods]
impl Network {
    #[new]
    #[pyo3(signature = (path = None))]
    fn new(path: Option<PathBuf>) -> PyResult<Self> {
        let Some(path) = path else { return Ok(Self { network: EvalNetwork::built_in() }) };
        let bytes = std::fs::read(&path).map_err(|error| os_error(&path, &error))?;
        let named = |error: NetworkError| value_error(format!("{}: {error}", path.display()));
        EvalNetwork::from_bytes(&bytes).map(|network| Self { network: Arc::new(network) }).map_err(named)
    }

    /// Its fingerprint as 16 hexadecimal digits.
    #[getter]
    fn identity(&self) -> String {
        format!("{:016x}", self.network.identity())
    }

    /// The score of a position in centisoldiers, for the side to move.
    fn evaluate(&self, board: &Board) -> i32 {
        let verdict = NetworkVerdict::of(&self.network, board.position());
        if board.side_to_move() == BoardSide::Red { verdict.red } else { -verdict.red }
    }

    fn __repr__(&self) -> String {
        format!("<Network {}>", self.identity())
    }
}
