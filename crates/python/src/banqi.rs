//! Banqi (暗棋), the half-board dark game.

use std::collections::BTreeMap;
use std::sync::Mutex;

use chuhe_banqi::engine::{Answer, Engine, Params};
use chuhe_banqi::{DrawReason, Game, GameEnd, Move, Piece, Played, Position, Rules, Side as BanqiSide};
use chuhe_banqi::{SquareStyle, WinReason, deal, text};
use pyo3::prelude::*;

use crate::arguments::{Integer, locked, value_error};
use crate::limit::Limit;
use crate::moves::Side;

/// A game of Banqi. Squares are a1 to h4; a move is `a1-a2`, a flip `c3`, or `c3(R)` with what it reveals.
///
/// With a seed the pieces are dealt and a flip reveals what lies there; without one the caller says what a flip reveals.
/// The rules are `olympiad`, `foodchain`, `foodchain25`, `ntu2016` or `ntu2021`.
///
/// >>> from chuhe import banqi
/// >>> game = banqi.Game(seed=1)
/// >>> len(game.legal_moves), game.turn
/// (32, None)
/// >>> game.push("c2") == game.moves[0]
/// True
/// >>> banqi.Game().push("c2(R)")
/// 'c2(R)'
/// >>> game.push("a1-h4")
/// Traceback (most recent call last):
/// ValueError: 'a1-h4': this move is not legal here
#[pyclass(module = "chuhe.banqi", from_py_object)]
#[derive(Clone)]
pub(crate) struct BanqiGame {
    game: Game,
    start: Position,
    rules: String,
    deal: Option<(u64, deal::Deal)>,
}

#[pymethods]
impl BanqiGame {
    #[new]
    #[pyo3(signature = (position = None, rules = "olympiad", seed = None, moves = None))]
    fn new(
        position: Option<&str>,
        rules: &str,
        seed: Option<Integer>,
        moves: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let named = Rules::named(rules).ok_or_else(|| {
            let names: Vec<&str> = Rules::NAMED.iter().map(|&(known, _)| known).collect();
            value_error(format!("'{rules}' is not a rule set: expected {}", names.join(", ")))
        })?;
        let start = match position {
            Some(text) => text.parse::<Position>().map_err(|error| {
                value_error(format!("bad position '{}': {error}", text.chars().take(100).collect::<String>()))
            })?,
            None => Position::start(),
        };
        let deal = match seed {
            Some(_) if position.is_some() => {
                return Err(value_error("a seed deals a whole set: it goes with no position"));
            }
            Some(seed) => {
                let seed = seed.within("seed", 0..=i64::MAX as u64)?;
                Some((seed, deal::deal(seed)))
            }
            None => None,
        };
        let mut made = Self { game: Game::new(start.clone(), named), start, rules: rules.to_owned(), deal };
        for mv in moves.unwrap_or_default() {
            made.push(&mv)?;
        }
        Ok(made)
    }

    /// The position as text: rows, side, pool and quiet plies.
    #[getter]
    fn position(&self) -> String {
        self.game.position().to_string()
    }

    /// The side to move; None before the first flip.
    #[getter]
    fn turn(&self) -> Option<Side> {
        self.game.position().side_to_move().map(side)
    }

    /// The legal moves and flips; none after the end.
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        self.game.moves().into_iter().map(|mv| text::move_text(mv, SquareStyle::Wide)).collect()
    }

    /// The plies so far, flips with what they revealed.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.game.played().iter().map(|&ply| text::played_text(ply, SquareStyle::Wide)).collect()
    }

    /// How the game ended; None while it goes on.
    #[getter]
    fn end(&self) -> Option<BanqiEnd> {
        self.game.end().map(BanqiEnd::from)
    }

    /// How many pieces of each letter lie face down.
    #[getter]
    fn pool(&self) -> BTreeMap<char, u8> {
        let pool = self.game.position().pool();
        Piece::all()
            .map(|piece| (piece.letter(), pool[piece.index()]))
            .filter(|(_, count)| *count > 0)
            .collect()
    }

    /// Plays a move or a flip and returns it, a flip with what it revealed.
    fn push(&mut self, r#move: &str) -> PyResult<String> {
        let at_fault = |error: &dyn std::fmt::Display| {
            value_error(format!("'{}': {error}", r#move.chars().take(40).collect::<String>()))
        };
        let (mv, shown) = text::parse_move(r#move, SquareStyle::Wide).map_err(value_error)?;
        let dealt = self.deal.as_ref().map(|(_, deal)| deal[mv.from().index()]);
        let ply = match (mv.is_flip(), shown.or(dealt)) {
            (false, _) => Played::Step(mv.from(), mv.to()),
            (true, Some(shown)) => Played::Flip(mv.from(), shown),
            (true, None) => {
                return Err(at_fault(&"it does not say what the flip revealed, and nothing was dealt"));
            }
        };
        if dealt.is_some_and(|dealt| mv.is_flip() && ply != Played::Flip(mv.from(), dealt)) {
            return Err(at_fault(&"another piece was dealt there"));
        }
        self.game.play(ply).map_err(|error| at_fault(&error))?;
        Ok(text::played_text(ply, SquareStyle::Wide))
    }

    /// Takes the last ply back and returns it.
    fn pop(&mut self) -> PyResult<String> {
        let plies = self.game.played();
        let (last, before) =
            plies.split_last().ok_or_else(|| value_error("there is no move to take back"))?;
        let mut game = Game::new(self.start.clone(), *self.game.rules());
        before.iter().try_for_each(|ply| game.play(*ply)).map_err(value_error)?;
        let last = text::played_text(*last, SquareStyle::Wide);
        self.game = game;
        Ok(last)
    }

    fn copy(&self) -> Self {
        self.clone()
    }

    /// Games are equal if rules, start, deal and moves are.
    fn __eq__(&self, other: &Self) -> bool {
        self.__getnewargs__() == other.__getnewargs__()
    }

    fn __getnewargs__(&self) -> (Option<String>, &str, Option<u64>, Vec<String>) {
        let seed = self.deal.as_ref().map(|(seed, _)| *seed);
        let position = seed.is_none().then(|| self.start.to_string());
        (position, &self.rules, seed, self.moves())
    }

    fn __str__(&self) -> String {
        self.position()
    }

    fn __repr__(&self) -> String {
        format!("<banqi.Game '{}', {}>", self.position(), self.rules)
    }
}

const fn side(side: BanqiSide) -> Side {
    match side {
        BanqiSide::Red => Side::Red,
        BanqiSide::Black => Side::Black,
    }
}

/// How a game of Banqi ended.
#[pyclass(module = "chuhe.banqi", frozen, get_all)]
pub(crate) struct BanqiEnd {
    /// The winner; None for a draw.
    winner: Option<Side>,
    /// `all-taken`, `no-move`, `long-chase`, `quiet` or `repetition`.
    reason: &'static str,
}

impl From<GameEnd> for BanqiEnd {
    fn from(end: GameEnd) -> Self {
        let (winner, reason) = match end {
            GameEnd::Won { by, because: WinReason::AllTaken } => (Some(by), "all-taken"),
            GameEnd::Won { by, because: WinReason::NoMove } => (Some(by), "no-move"),
            GameEnd::Won { by, because: WinReason::LongChase } => (Some(by), "long-chase"),
            GameEnd::Drawn(DrawReason::Quiet) => (None, "quiet"),
            GameEnd::Drawn(DrawReason::Repetition) => (None, "repetition"),
        };
        Self { winner: winner.map(side), reason }
    }
}

#[pymethods]
impl BanqiEnd {
    fn __repr__(&self) -> String {
        let winner = match self.winner {
            Some(Side::Red) => "Red wins",
            Some(Side::Black) => "Black wins",
            None => "draw",
        };
        format!("<banqi.End {winner}: {}>", self.reason)
    }
}

/// A Banqi engine in this process.
///
/// >>> import chuhe
/// >>> from chuhe import banqi
/// >>> result = banqi.Engine(hash=1).play(banqi.Game(seed=3), chuhe.Limit(nodes=500))
/// >>> result.move in banqi.Game().legal_moves
/// True
#[pyclass(module = "chuhe.banqi", frozen)]
pub(crate) struct BanqiEngine {
    engine: Mutex<Box<Engine>>,
}

#[pymethods]
impl BanqiEngine {
    #[new]
    #[pyo3(signature = (threads = None, hash = None))]
    fn new(threads: Option<Integer>, hash: Option<Integer>) -> PyResult<Self> {
        let threads = threads.map_or(Ok(1), |threads| threads.within("threads", 1..=1024))? as usize;
        let hash = hash.map_or(Ok(32), |hash| hash.within("hash", 1..=65_536))? as usize;
        Ok(Self { engine: Mutex::new(Box::new(Engine::new(Params::default(), threads, hash))) })
    }

    /// Searches a move or a flip to play, without the GIL.
    fn play(&self, py: Python<'_>, game: &BanqiGame, limit: &Limit) -> PyResult<BanqiResult> {
        if game.game.end().is_some() {
            return Err(value_error("the game is over"));
        }
        let limits = limit.banqi_limits()?;
        let game = game.game.clone();
        let answer = py.detach(|| locked(&self.engine).search(&game, &limits));
        Ok(answer.into())
    }

    /// Forgets what earlier searches found.
    fn new_game(&self) {
        locked(&self.engine).new_game();
    }
}

/// The result of a Banqi search.
#[pyclass(module = "chuhe.banqi", frozen, get_all)]
pub(crate) struct BanqiResult {
    /// The move or flip.
    r#move: String,
    /// Its score for the side to move; a soldier is worth 45, a general 600 at the start.
    score: i32,
    /// Plies to the proven end, negative if lost.
    plies_to_end: Option<i32>,
    /// The last completed depth.
    depth: u32,
    /// Nodes of all threads.
    nodes: u64,
    /// Seconds.
    time: f64,
}

impl From<Answer> for BanqiResult {
    fn from(answer: Answer) -> Self {
        let best: Move = answer.best;
        Self {
            r#move: text::move_text(best, SquareStyle::Wide),
            score: answer.score,
            plies_to_end: answer.plies_to_end,
            depth: answer.depth,
            nodes: answer.nodes,
            time: answer.time.as_secs_f64(),
        }
    }
}

#[pymethods]
impl BanqiResult {
    fn __repr__(&self) -> String {
        format!("<banqi.Result {}, {:+}, depth {}>", self.r#move, self.score, self.depth)
    }
}
