//! Perfect endgames.

use std::path::PathBuf;

use chuhe_adapters::repetition::referee_of;
use chuhe_board::{Position, QUIET_PLY_LIMIT, Side as BoardSide};
use chuhe_tablebase::{
    Convention, Family, Folder, Kind, Material, Metric, Prober, RULE_DISTANCE, Rules, Statistics, Value,
    built_in_set,
};
use pyo3::prelude::*;

use crate::arguments::{Integer, os_error, parsed, value_error};
use crate::board::Board;
use crate::moves::{Move, Side};

/// Endgame tables: `Tablebase()` has those built in and those in the user's folder, `Tablebase(folder)` those of another.
///
/// The metric is `dtm` (plies to mate), `dtc` (plies to capture or mate) or `wdl`, the rules `none` or
/// `check` (perpetual check loses), `wxf`, `axf` or `cxa` (perpetual chase loses too); built-in tables are DTM without such rules.
///
/// >>> import chuhe
/// >>> with chuhe.Tablebase() as tables:
/// ...     value = tables.probe(chuhe.Board("3k5/9/9/9/9/9/9/9/4R4/4K4 w"))
/// >>> value.result, value.plies % 2
/// ('win', 1)
#[pyclass(module = "chuhe", frozen)]
pub(crate) struct Tablebase {
    source: Source,
    kind: Kind,
}

/// Where values come from: files, or what was solved on the spot.
enum Source {
    Files(Prober),
    Solved(Family),
}

#[pymethods]
impl Tablebase {
    #[new]
    #[pyo3(signature = (folder = None, metric = "dtm", rules = "none"))]
    fn new(folder: Option<PathBuf>, metric: &str, rules: &str) -> PyResult<Self> {
        let kind = Kind { metric: parsed::<Metric>(metric)?, rules: parsed::<Rules>(rules)? };
        let prober = match folder {
            Some(folder) => {
                std::fs::read_dir(&folder).map_err(|error| os_error(&folder, &error))?;
                Self::opened(&Folder::new(folder), kind)?
            }
            None => Folder::of_the_user()
                .map_or_else(|| Ok(Prober::none()), |folder| Self::opened(&folder, kind))?,
        };
        Ok(Self { source: Source::Files(prober.with_built_in(kind)), kind })
    }

    /// Solves an endgame such as `KR-KAABB`, and all that captures lead to, in memory.
    ///
    /// >>> import chuhe
    /// >>> chuhe.Tablebase.solve("KP-K").statistics("KP-K", chuhe.RED).wins > 0
    /// True
    /// >>> chuhe.Tablebase.solve("KRRNNCC-KRRNNCC")
    /// Traceback (most recent call last):
    /// ValueError: ...
    #[staticmethod]
    #[pyo3(signature = (material, metric = "dtm", rules = "none", mebibytes = None))]
    fn solve(
        py: Python<'_>,
        material: &str,
        metric: &str,
        rules: &str,
        mebibytes: Option<Integer>,
    ) -> PyResult<Self> {
        let kind = Kind { metric: parsed::<Metric>(metric)?, rules: parsed::<Rules>(rules)? };
        let material: Material = parsed(material)?;
        let memory = mebibytes.map_or(Ok(2048), |size| size.within("mebibytes", 1..=1 << 24))? << 20;
        let mut family = Family::of(kind, referee_of(kind.rules));
        py.detach(|| family.add(&material, memory, &|_, _| {})).map_err(value_error)?;
        Ok(Self { source: Source::Solved(family), kind })
    }

    /// The names of the endgames that are built in.
    #[staticmethod]
    fn built_in() -> Vec<String> {
        built_in_set().iter().map(ToString::to_string).collect()
    }

    /// The value of a position for the side to move; None if no table holds it.
    fn probe(&self, py: Python<'_>, board: &Board) -> Option<TableValue> {
        let position = board.position().clone();
        py.detach(|| self.value(&position)).map(|value| TableValue::new(value, self.kind))
    }

    /// All legal moves with their values for the side that plays them, the best first; None if a table is missing.
    ///
    /// >>> import chuhe
    /// >>> moves = chuhe.Tablebase().probe_moves(chuhe.Board("3k5/9/9/9/9/9/9/9/4R4/4K4 w"))
    /// >>> moves[0][1].result
    /// 'win'
    fn probe_moves(&self, py: Python<'_>, board: &Board) -> Option<Vec<(Move, TableValue)>> {
        let mut position = board.position().clone();
        let mut moves = py.detach(|| {
            position
                .moves()
                .into_iter()
                .map(|mv| {
                    let undo = position.play(mv, &mut ());
                    let value = self.value(&position).map(Value::before);
                    position.take_back(undo, &mut ());
                    value.map(|value| (mv, value))
                })
                .collect::<Option<Vec<_>>>()
        })?;
        moves.sort_by_key(|(mv, value)| (-value.preference(), mv.packed()));
        Some(moves.into_iter().map(|(mv, value)| (Move(mv), TableValue::new(value, self.kind))).collect())
    }

    /// Whether there is a table of an endgame such as `KR-KAABB`.
    fn __contains__(&self, material: &str) -> PyResult<bool> {
        let material: Material = parsed(material)?;
        Ok(match &self.source {
            Source::Files(prober) => prober.contains(&material),
            Source::Solved(family) => family.table(&material).is_some(),
        })
    }

    /// How the positions of an endgame end with a side to move. The first side of the name is Red.
    fn statistics(&self, py: Python<'_>, material: &str, side_to_move: Side) -> PyResult<TableStatistics> {
        let material: Material = parsed(material)?;
        let missing = || value_error(format!("there is no table of {material}"));
        let (_, is_swapped) = material.canonical();
        let to_move: BoardSide = side_to_move.into();
        let to_move = if is_swapped { !to_move } else { to_move };
        let counted = |table: &chuhe_tablebase::Table| {
            let statistics = table.statistics(to_move, Convention::Play);
            TableStatistics::new(statistics, table, to_move, is_swapped)
        };
        py.detach(|| match &self.source {
            Source::Files(prober) => {
                let file = prober.file(&material).ok_or_else(missing)?;
                Ok(counted(&file.load_whole().map_err(value_error)?))
            }
            Source::Solved(family) => family.table(&material).map(|table| counted(table)).ok_or_else(missing),
        })
    }

    const fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, pyo3::types::PyTuple>) {}

    fn __repr__(&self) -> String {
        match &self.source {
            Source::Files(prober) => format!("<Tablebase of {} tables>", prober.tables()),
            Source::Solved(_) => "<Tablebase solved in memory>".to_owned(),
        }
    }
}

impl Tablebase {
    fn opened(folder: &Folder, kind: Kind) -> PyResult<Prober> {
        let (prober, faults) = Prober::open(folder, kind);
        match faults.first() {
            None => Ok(prober),
            Some(fault) => Err(value_error(fault)),
        }
    }

    fn value(&self, position: &Position) -> Option<Value> {
        match &self.source {
            Source::Files(prober) => prober.probe(position),
            Source::Solved(family) => family.probe(position),
        }
    }
}

/// The value of a position for the side to move.
#[pyclass(module = "chuhe", frozen, get_all, eq)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct TableValue {
    /// `win`, `draw` or `loss`; `unknown` if it depends on chase.
    result: &'static str,
    /// Plies to the end; None for a draw, in WDL tables, and if the repetition rules decide.
    plies: Option<u16>,
    /// Whether the win takes longer than the sixty-round limit if nothing is taken on the way.
    beyond_limit: bool,
    /// Whether the loser could only continue by perpetual check.
    by_perpetual_check: bool,
    /// Whether the loser could only continue by what the rules of the table forbid.
    by_repetition: bool,
}

impl TableValue {
    fn new(value: Value, kind: Kind) -> Self {
        let (result, distance) = match value {
            Value::Draw => ("draw", None),
            Value::Win(plies) => ("win", Some(plies)),
            Value::Loss(plies) => ("loss", Some(plies)),
            Value::DependsOnChase(_) => ("unknown", None),
        };
        let by_repetition =
            kind.rules != Rules::Plain && distance.is_some_and(|distance| distance >= RULE_DISTANCE);
        let by_perpetual_check = by_repetition && kind.rules == Rules::PerpetualCheck;
        let plies = distance.filter(|_| kind.metric != Metric::Wdl && !by_repetition);
        let beyond_limit = plies.is_some_and(|plies| plies > QUIET_PLY_LIMIT);
        Self { result, plies, beyond_limit, by_perpetual_check, by_repetition }
    }
}

#[pymethods]
impl TableValue {
    fn __repr__(&self) -> String {
        let plies = self.plies.map_or_else(String::new, |plies| format!(" in {plies} plies"));
        format!("<TableValue {}{plies}>", self.result)
    }
}

/// How the positions of an endgame end with one side to move, by plain legality; mirror images count once.
#[pyclass(module = "chuhe", frozen, get_all)]
pub(crate) struct TableStatistics {
    /// Legal positions.
    positions: u64,
    /// Positions that the first side of the name wins.
    wins: u64,
    /// Positions that nobody wins.
    draws: u64,
    /// Positions that the first side loses.
    losses: u64,
    /// The plies of the longest win of the first side.
    longest_win: Option<u16>,
    /// A position of that length, as a FEN. Its sides are those of the table, the stronger being Red.
    longest_win_fen: Option<String>,
    /// The mean plies of the wins.
    mean_win: f64,
}

impl TableStatistics {
    fn new(
        statistics: Statistics,
        table: &chuhe_tablebase::Table,
        to_move: BoardSide,
        is_swapped: bool,
    ) -> Self {
        let statistics = if is_swapped { statistics.swapped() } else { statistics };
        let longest = statistics.longest_win;
        let example = longest.and_then(|(_, number)| table.index().position(number, to_move));
        Self {
            positions: statistics.positions,
            wins: statistics.wins,
            draws: statistics.draws(),
            losses: statistics.losses,
            longest_win: longest.map(|(plies, _)| plies),
            longest_win_fen: example.map(|position| position.to_string()),
            mean_win: statistics.mean(),
        }
    }
}

#[pymethods]
impl TableStatistics {
    fn __repr__(&self) -> String {
        let Self { positions, wins, draws, losses, .. } = self;
        format!("<TableStatistics {positions} positions, +{wins} ={draws} -{losses}>")
    }
}
