//! When a search ends.

use std::time::Duration;

use chuhe_board::Side;
use chuhe_search::{Clock, Limits};
use pyo3::prelude::*;

use crate::arguments::{Integer, seconds, value_error, within};

/// When a search ends: at the first of the bounds that are given. Times are seconds.
///
/// >>> import chuhe
/// >>> chuhe.Limit(depth=8)
/// Limit(depth=8)
/// >>> chuhe.Limit(time=-1)
/// Traceback (most recent call last):
/// ValueError: time is -1: expected a number of seconds from 0 to 1e9
#[pyclass(module = "chuhe", frozen, get_all, eq, from_py_object)]
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Limit {
    /// Seconds for the move.
    time: Option<f64>,
    /// Plies.
    depth: Option<u32>,
    /// Nodes of all threads together.
    nodes: Option<u64>,
    /// Ends when a mate in this many moves is found.
    mate: Option<u32>,
    /// Seconds on Red's clock.
    red_clock: Option<f64>,
    /// Seconds on Black's clock.
    black_clock: Option<f64>,
    /// Seconds that Red gains by each move.
    red_inc: Option<f64>,
    /// Seconds that Black gains by each move.
    black_inc: Option<f64>,
    /// Moves until the next time control.
    remaining_moves: Option<u32>,
}

#[pymethods]
impl Limit {
    #[new]
    #[pyo3(signature = (time = None, depth = None, nodes = None, mate = None, red_clock = None, black_clock = None,
        red_inc = None, black_inc = None, remaining_moves = None))]
    #[expect(clippy::too_many_arguments, reason = "the keywords of python-chess")]
    fn new(
        time: Option<f64>,
        depth: Option<Integer>,
        nodes: Option<Integer>,
        mate: Option<Integer>,
        red_clock: Option<f64>,
        black_clock: Option<f64>,
        red_inc: Option<f64>,
        black_inc: Option<f64>,
        remaining_moves: Option<Integer>,
    ) -> PyResult<Self> {
        const SMALL: u64 = u16::MAX as u64;
        let times = [
            ("time", time),
            ("red_clock", red_clock),
            ("black_clock", black_clock),
            ("red_inc", red_inc),
            ("black_inc", black_inc),
        ];
        for (name, number) in times {
            number.map(|number| seconds(name, number)).transpose()?;
        }
        let small =
            |name, number| Ok::<_, PyErr>(within(name, number, 1..=SMALL)?.map(|number| number as u32));
        Ok(Self {
            time,
            depth: small("depth", depth)?,
            nodes: within("nodes", nodes, 1..=i64::MAX as u64)?,
            mate: small("mate", mate)?,
            red_clock,
            black_clock,
            red_inc,
            black_inc,
            remaining_moves: small("remaining_moves", remaining_moves)?,
        })
    }

    #[expect(clippy::type_complexity, reason = "the arguments of the constructor")]
    const fn __getnewargs__(
        &self,
    ) -> (
        Option<f64>,
        Option<u32>,
        Option<u64>,
        Option<u32>,
        Option<f64>,
        Option<f64>,
        Option<f64>,
        Option<f64>,
        Option<u32>,
    ) {
        let Self { time, depth, nodes, mate, red_clock, black_clock, red_inc, black_inc, remaining_moves } =
            *self;
        (time, depth, nodes, mate, red_clock, black_clock, red_inc, black_inc, remaining_moves)
    }

    fn __repr__(&self) -> String {
        let mut parts = Vec::new();
        let mut add =
            |name: &str, value: Option<String>| parts.extend(value.map(|value| format!("{name}={value}")));
        let number = |number: Option<u64>| number.map(|number| number.to_string());
        let time = |time: Option<f64>| time.map(|time| time.to_string());
        add("time", time(self.time));
        add("depth", number(self.depth.map(u64::from)));
        add("nodes", number(self.nodes));
        add("mate", number(self.mate.map(u64::from)));
        add("red_clock", time(self.red_clock));
        add("black_clock", time(self.black_clock));
        add("red_inc", time(self.red_inc));
        add("black_inc", time(self.black_inc));
        add("remaining_moves", number(self.remaining_moves.map(u64::from)));
        format!("Limit({})", parts.join(", "))
    }
}

/// A time that was checked.
fn duration(seconds: Option<f64>) -> Option<Duration> {
    seconds.map(Duration::from_secs_f64)
}

impl Limit {
    /// The limits of a search for the side to move; a search without any would never end.
    pub(crate) fn limits(&self, side: Side) -> PyResult<Limits> {
        let (left, increment) = match side {
            Side::Red => (self.red_clock, self.red_inc),
            Side::Black => (self.black_clock, self.black_inc),
        };
        let clock = duration(left).map(|left| Clock {
            left,
            increment: duration(increment).unwrap_or_default(),
            moves_to_go: self.remaining_moves,
        });
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: duration(self.time),
            mate: self.mate,
            clock,
            ..Limits::default()
        };
        if limits == Limits::default() {
            return Err(value_error(format!(
                "{self:?} bounds nothing: give time, depth, nodes, mate or a clock"
            )));
        }
        Ok(limits)
    }

    /// The limits of a Banqi search.
    pub(crate) fn banqi_limits(&self) -> PyResult<chuhe_banqi::Limits> {
        let (time, nodes, depth) = (duration(self.time), self.nodes, self.depth);
        let limits = chuhe_banqi::Limits { time, nodes, depth, on_clock: false };
        if limits == chuhe_banqi::Limits::default() {
            return Err(value_error("the limit bounds nothing: give time, depth or nodes"));
        }
        Ok(limits)
    }
}
