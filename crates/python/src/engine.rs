//! The engine in the process of Python: a search with limits, lines and a callback, without the GIL.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use chuhe_board::{Move as BoardMove, Position};
use chuhe_eval::classical::Phase;
use chuhe_eval::{Chances, Score as EvalScore};
use chuhe_referee::{Game as Moves, Referee, RuleSet};
use chuhe_search::{
    Answer, Bound as ScoreBound, Control, Evaluator, Event, Limits, Line as SearchLine, Pool,
};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::arguments::{Integer, locked, parsed, value_error};
use crate::board::Board;
use crate::evaluation::Network;
use crate::limit::Limit;
use crate::moves::{Move, MoveList};

/// An engine in this process. Several can search at once, each from a thread of its own; the GIL is released.
///
/// `hash` is the transposition table in MiB. Endgame tables are those of the folder `tablebase`, by default the user's and
/// those built in, none with `"none"`. With `classical=True` it evaluates without a network.
///
/// >>> import chuhe
/// >>> with chuhe.Engine(hash=1) as engine:
/// ...     result = engine.play(chuhe.Board("3k5/9/9/9/9/9/9/9/4R4/4K4 w"), chuhe.Limit(nodes=2000))
/// >>> result.move in chuhe.Board("3k5/9/9/9/9/9/9/9/4R4/4K4 w").legal_moves
/// True
/// >>> result.score.mate > 0
/// True
#[pyclass(module = "chuhe", frozen)]
pub(crate) struct Engine {
    /// In a box, because Python aligns objects to 16 bytes and a pool wants whole cache lines.
    pool: Mutex<Option<Box<Pool>>>,
    /// Stops the search that runs.
    control: Mutex<Control>,
    name: String,
}

/// How often a search looks whether Ctrl-C was pressed.
const SIGNAL_CHECK: Duration = Duration::from_millis(50);

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (threads = None, hash = None, *, network = None, classical = false, rules = "wxf",
        tablebase = ""))]
    fn new(
        py: Python<'_>,
        threads: Option<Integer>,
        hash: Option<Integer>,
        network: Option<Network>,
        classical: bool,
        rules: &str,
        tablebase: &str,
    ) -> PyResult<Self> {
        let threads =
            threads.map_or(Ok(1), |threads| threads.within("threads", 1..=Pool::most_threads() as u64))?;
        let hash = hash.map_or(Ok(16), |hash| hash.within("hash", 1..=1 << 22))? as usize;
        let rules: RuleSet = parsed(rules)?;
        let evaluator = match (classical, network) {
            (true, Some(network)) => {
                let identity = network.network.identity();
                return Err(value_error(format!(
                    "classical=True leaves no use for the network {identity:016x}"
                )));
            }
            (true, None) => Evaluator::Classical,
            (false, Some(network)) => Evaluator::Network(network.network),
            (false, None) => Evaluator::default(),
        };
        let endgames = endgames(tablebase, rules)?;
        let pool = py.detach(|| {
            let mut pool = Pool::new(1, 1);
            pool.set_hash_size(hash).map_err(value_error)?;
            pool.set_evaluator(evaluator);
            pool.set_referee(Referee::new(rules));
            pool.set_endgames(endgames);
            pool.set_threads(threads as usize);
            Ok::<_, PyErr>(pool)
        })?;
        let name = format!("<Engine threads={threads} hash={hash}>");
        Ok(Self { pool: Mutex::new(Some(Box::new(pool))), control: Mutex::default(), name })
    }

    /// Searches a move to play. `searchmoves` restricts the moves; `callback` gets every `Line` on the way.
    #[pyo3(signature = (board, limit, *, searchmoves = None, callback = None))]
    fn play(
        &self,
        py: Python<'_>,
        board: &Board,
        limit: &Limit,
        searchmoves: Option<MoveList>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<PlayResult> {
        let limits = Limits { only: legal_moves(board, searchmoves)?, ..limit.limits(board.side_to_move())? };
        let answer = self.search(py, board.line.clone(), limits, callback)?;
        Ok(PlayResult::new(&answer, board.position()))
    }

    /// The best lines, best first. A callback that raises, Ctrl-C and `stop` end the search early.
    ///
    /// >>> import chuhe
    /// >>> lines = chuhe.Engine(hash=1).analyse(chuhe.Board(), chuhe.Limit(depth=4), multipv=3)
    /// >>> [line.multipv for line in lines]
    /// [1, 2, 3]
    #[pyo3(signature = (board, limit, *, multipv = None, searchmoves = None, callback = None))]
    fn analyse(
        &self,
        py: Python<'_>,
        board: &Board,
        limit: &Limit,
        multipv: Option<Integer>,
        searchmoves: Option<MoveList>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Line>> {
        let lines = multipv.map_or(Ok(1), |lines| lines.within("multipv", 1..=128))? as usize;
        let only = legal_moves(board, searchmoves)?;
        let limits = Limits { lines, only, ..limit.limits(board.side_to_move())? };
        let answer = self.search(py, board.line.clone(), limits, callback)?;
        Ok(answer.lines.iter().map(|line| Line::new(line, board.position())).collect())
    }

    /// Ends the search that another thread runs, as soon as possible; its result is what was found so far.
    fn stop(&self) {
        locked(&self.control).stop();
    }

    /// Forgets what earlier searches found.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| locked(&self.pool).as_mut().map(|pool| pool.clear())).ok_or_else(closed)
    }

    /// Frees the threads and the transposition table.
    fn close(&self, py: Python<'_>) {
        py.detach(|| drop(locked(&self.pool).take()));
    }

    const fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }

    fn __repr__(&self) -> &str {
        &self.name
    }
}

fn closed() -> PyErr {
    value_error("the engine is closed")
}

fn legal_moves(board: &Board, moves: Option<MoveList>) -> PyResult<Vec<BoardMove>> {
    moves.unwrap_or_default().0.into_iter().map(|mv| board.legal(mv)).collect()
}

impl Engine {
    /// Searches on a thread of its own, so that this one can call back and notice Ctrl-C.
    fn search(
        &self,
        py: Python<'_>,
        game: Moves,
        limits: Limits,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Answer> {
        py.detach(|| {
            let mut pool = locked(&self.pool);
            let pool = pool.as_mut().ok_or_else(closed)?;
            let control = Control::default();
            *locked(&self.control) = control.clone();
            let (sender, lines) = mpsc::channel();
            thread::scope(|scope| {
                let (game, limits, control) = (&game, &limits, &control);
                let search = scope.spawn(move || {
                    pool.search(game, limits, control, &mut |event| {
                        if let Event::Line(line) = event {
                            // The receiver outlives the search.
                            let _ = sender.send(line);
                        }
                    })
                });
                let mut failure = None;
                loop {
                    let heard = match lines.recv_timeout(SIGNAL_CHECK) {
                        Ok(line) => callback.as_ref().map_or(Ok(()), |callback| {
                            Python::attach(|py| {
                                callback.call1(py, (Line::new(&line, game.position()),)).map(drop)
                            })
                        }),
                        Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals()),
                        Err(RecvTimeoutError::Disconnected) => break,
                    };
                    if let Err(error) = heard {
                        control.stop();
                        failure.get_or_insert(error);
                    }
                }
                let answer = search.join().map_err(|_| PyRuntimeError::new_err("the search failed"))?;
                failure.map_or(Ok(answer), Err)
            })
        })
    }
}

/// The result of `Engine.play`.
#[pyclass(module = "chuhe", frozen, get_all)]
pub(crate) struct PlayResult {
    /// The move to play; None if there is no legal one.
    r#move: Option<Move>,
    /// The expected reply.
    ponder: Option<Move>,
    /// The score for the side to move; None if there is no legal move.
    score: Option<Score>,
    /// The best line.
    pv: Vec<Move>,
    /// The depth of the last iteration.
    depth: u32,
    /// Nodes of all threads.
    nodes: u64,
    /// Seconds.
    time: f64,
}

impl PlayResult {
    fn new(answer: &Answer, position: &Position) -> Self {
        let best = answer.lines.first().map(|line| Line::new(line, position));
        Self {
            r#move: answer.best.map(Move),
            ponder: answer.ponder.map(Move),
            score: best.as_ref().map(|line| line.score),
            depth: best.as_ref().map_or(0, |line| line.depth),
            pv: best.map_or_else(Vec::new, |line| line.pv),
            nodes: answer.nodes,
            time: answer.time.as_secs_f64(),
        }
    }
}

#[pymethods]
impl PlayResult {
    fn __repr__(&self) -> String {
        let mv = self.r#move.map_or_else(|| "None".to_owned(), |mv| mv.0.to_string());
        let score = self.score.map_or_else(String::new, |score| format!(", {}", score.__repr__()));
        format!("<PlayResult {mv}{score}, depth {}>", self.depth)
    }
}

/// A line of play with its score.
#[pyclass(module = "chuhe", frozen, get_all)]
pub(crate) struct Line {
    /// 1 for the best line, 2 for the second …
    multipv: usize,
    /// The depth of the iteration.
    depth: u32,
    /// The deepest ply that was searched.
    seldepth: u32,
    /// The score for the side to move.
    score: Score,
    /// `exact`, `lower` (at least this score) or `upper`.
    bound: &'static str,
    /// Wins, draws and losses of the side to move that the score stands for, in thousandths.
    wdl: (u32, u32, u32),
    /// Moves for both sides.
    pv: Vec<Move>,
    /// Nodes so far, of all threads.
    nodes: u64,
    /// Seconds since the start.
    time: f64,
    /// How full the transposition table is, in per mille.
    hashfull: u32,
    /// Nodes that endgame tables settled.
    tbhits: u64,
}

impl Line {
    fn new(line: &SearchLine, position: &Position) -> Self {
        let chances = Chances::of(line.score, Phase::of(position));
        Self {
            multipv: line.rank,
            depth: line.depth,
            seldepth: line.selective_depth,
            score: Score(line.score),
            bound: match line.bound {
                ScoreBound::Exact => "exact",
                ScoreBound::Lower => "lower",
                ScoreBound::Upper => "upper",
            },
            wdl: (chances.win, chances.draw, chances.loss),
            pv: line.moves.iter().copied().map(Move).collect(),
            nodes: line.nodes,
            time: line.time.as_secs_f64(),
            hashfull: line.hashfull,
            tbhits: line.tablebase_hits,
        }
    }
}

#[pymethods]
impl Line {
    fn __repr__(&self) -> String {
        let pv: Vec<String> = self.pv.iter().map(|mv| mv.0.to_string()).collect();
        format!("<Line {} depth {} {}: {}>", self.multipv, self.depth, self.score.__repr__(), pv.join(" "))
    }
}

/// A score: centisoldiers, or moves to mate. Scores compare as a player prefers them.
///
/// >>> import chuhe
/// >>> chuhe.Score(mate=3) > chuhe.Score(cp=900) > chuhe.Score(mate=-5)
/// True
/// >>> -chuhe.Score(cp=25)
/// Score(cp=-25)
#[pyclass(module = "chuhe", frozen, eq, ord, hash)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Score(pub(crate) EvalScore);

#[pymethods]
impl Score {
    #[new]
    #[pyo3(signature = (cp = None, mate = None))]
    fn new(cp: Option<Integer>, mate: Option<Integer>) -> PyResult<Self> {
        /// Beyond are mates.
        const LARGEST: i32 = 29_999;
        const FARTHEST: i32 = 500;
        match (cp, mate) {
            (Some(cp), None) => Ok(Self(EvalScore::from_number(cp.between("cp", -LARGEST..=LARGEST)?))),
            (None, Some(mate)) => Ok(Self(match mate.between("mate", -FARTHEST..=FARTHEST)? {
                moves @ 1.. => EvalScore::won_in(2 * moves as u16 - 1),
                moves => EvalScore::lost_in(2 * moves.unsigned_abs() as u16),
            })),
            _ => Err(value_error("a score is either cp or mate")),
        }
    }

    fn __getnewargs__(&self) -> (Option<i32>, Option<i32>) {
        (self.cp(), self.mate())
    }

    /// Centisoldiers; None if the end is in sight.
    #[getter]
    fn cp(&self) -> Option<i32> {
        self.0.mate_in().is_none().then(|| self.0.get())
    }

    /// Moves to mate, negative if the side gets mated; None if no mate is in sight.
    #[getter]
    fn mate(&self) -> Option<i32> {
        self.0.mate_in()
    }

    /// Whether a mate is in sight.
    fn is_mate(&self) -> bool {
        self.0.mate_in().is_some()
    }

    /// The score as one number of centisoldiers, mates being beyond all others.
    fn __int__(&self) -> i32 {
        self.0.get()
    }

    fn __neg__(&self) -> Self {
        Self(-self.0)
    }

    fn __repr__(&self) -> String {
        match self.0.mate_in() {
            Some(moves) => format!("Score(mate={moves})"),
            None => format!("Score(cp={})", self.0.get()),
        }
    }
}

/// The endgame tables of a setting, as engines take it, for play by some rules.
pub(crate) fn endgames(tablebase: &str, rules: RuleSet) -> PyResult<Option<Arc<dyn chuhe_search::Endgames>>> {
    let (endgames, faults) = chuhe_adapters::endgames::open(tablebase, rules);
    match faults.first() {
        Some(fault) if !tablebase.is_empty() => Err(value_error(fault)),
        _ => Ok(endgames),
    }
}
