//! The referee's verdict and its reasons.

use chuhe_board::Side as BoardSide;
use chuhe_notation::record::Game as Record;
use chuhe_referee::{Clause, Placed, Reason as RefereeReason, Referee, Verdict as RefereeVerdict};
use chuhe_report::Language;
use chuhe_report::verdict::{described, sentence, what};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::arguments::{Integer, parsed, value_error};
use crate::board::Board;
use crate::game::Game;
use crate::moves::{Move, Side};

/// What the referee says of a game.
///
/// >>> import chuhe
/// >>> chase = "g6h6 g2h2 h6g6 h2g2".split()
/// >>> verdict = chuhe.judge(chuhe.Board("3k5/9/9/6c2/9/9/9/6R2/9/5K3 b", chase * 2))
/// >>> verdict.result, verdict.clause, verdict.offender
/// ('0-1', 'perpetual-chase', Side.RED)
/// >>> verdict.sentence()
/// 'Black wins: Red chases the same piece with every move.'
/// >>> verdict.sentence("zh-Hant")
/// '黑方勝：紅方長捉，不變作負。'
/// >>> reason = verdict.reasons[1]
/// >>> reason.move, reason.nature, reason.links[0].by, reason.text("zh-Hans")
/// (Move('g2h2'), 'chase', ('R', 25), '捉（车h2攻炮h6）')
#[pyclass(module = "chuhe", frozen)]
pub(crate) struct Verdict {
    verdict: RefereeVerdict,
}

#[pymethods]
impl Verdict {
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` while the game goes on.
    #[getter]
    fn result(&self) -> &'static str {
        self.verdict.outcome.as_str()
    }

    /// The winner, if there is one.
    #[getter]
    fn winner(&self) -> Option<Side> {
        self.verdict.outcome.winner().map(Side::from)
    }

    /// The rule that decides: `checkmate`, `perpetual-check`, `perpetual-chase`, `repetition`, `move-limit` …
    #[getter]
    fn clause(&self) -> Option<&'static str> {
        self.verdict.clause.map(Clause::name)
    }

    /// The side that loses by an offence.
    #[getter]
    fn offender(&self) -> Option<Side> {
        self.verdict.offender.map(Side::from)
    }

    /// What each move of the repeated stretch was, if repetition decides.
    #[getter]
    fn reasons(&self) -> Vec<Reason> {
        self.verdict.reasons.iter().cloned().map(|reason| Reason { reason }).collect()
    }

    /// Result and rule in a sentence; the language is `en`, `zh-Hant` or `zh-Hans`.
    #[pyo3(signature = (language = "en"))]
    fn sentence(&self, language: &str) -> PyResult<String> {
        Ok(sentence(&self.verdict, parsed::<Language>(language)?))
    }

    /// The sentence and a line for each reason.
    #[pyo3(signature = (language = "en"))]
    fn text(&self, language: &str) -> PyResult<String> {
        Ok(described(&self.verdict, parsed::<Language>(language)?))
    }

    fn __repr__(&self) -> String {
        format!("<Verdict {}>", sentence(&self.verdict, Language::English))
    }
}

impl Verdict {
    pub(crate) const fn new(verdict: RefereeVerdict) -> Self {
        Self { verdict }
    }
}

/// What one move of the repeated stretch was.
#[pyclass(module = "chuhe", frozen)]
pub(crate) struct Reason {
    reason: RefereeReason,
}

#[pymethods]
impl Reason {
    /// The number of the ply in the game, from 1.
    #[getter]
    fn ply(&self) -> usize {
        self.reason.ply
    }

    /// Who moved.
    #[getter]
    fn side(&self) -> Side {
        self.reason.side.into()
    }

    /// The move.
    #[getter]
    fn r#move(&self) -> Move {
        Move(self.reason.mv)
    }

    /// `check`, `chase`, `threat`, `attack`, `offer`, `block` or `idle`.
    #[getter]
    fn nature(&self) -> &'static str {
        self.reason.nature.name()
    }

    /// The pieces that it brings into relation.
    #[getter]
    fn links(&self) -> Vec<Link> {
        let placed = |placed: Placed| (placed.piece.letter(), placed.at.index());
        self.reason.links.iter().map(|link| Link { by: placed(link.by), on: placed(link.on) }).collect()
    }

    /// The reason in words.
    #[pyo3(signature = (language = "en"))]
    fn text(&self, language: &str) -> PyResult<String> {
        Ok(what(&self.reason, parsed::<Language>(language)?))
    }

    fn __repr__(&self) -> String {
        let side = if self.reason.side == BoardSide::Red { "Red" } else { "Black" };
        format!(
            "<Reason {}. {} {side}: {}>",
            self.reason.ply,
            self.reason.mv,
            what(&self.reason, Language::English)
        )
    }
}

/// Two pieces that a move brings into relation, each as its FEN letter and its point.
#[pyclass(module = "chuhe", frozen, get_all)]
pub(crate) struct Link {
    /// The piece that acts.
    by: (char, usize),
    /// The piece that is acted upon.
    on: (char, usize),
}

#[pymethods]
impl Link {
    fn __repr__(&self) -> String {
        format!("Link(by={:?}, on={:?})", self.by, self.on)
    }
}

/// A game, or a board with its moves.
pub(crate) enum Judged<'py> {
    Board(PyRef<'py, Board>),
    Game(PyRef<'py, Game>),
}

impl<'py> FromPyObject<'_, 'py> for Judged<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(board) = object.cast::<Board>() {
            return Ok(Self::Board(board.try_borrow()?));
        }
        match object.cast::<Game>() {
            Ok(game) => Ok(Self::Game(game.try_borrow()?)),
            Err(_) => {
                let kind = object.get_type().name()?;
                Err(PyTypeError::new_err(format!("expected a Board or a Game, not {kind}")))
            }
        }
    }
}

impl Judged<'_> {
    /// The game as a record.
    pub(crate) fn record(&self) -> PyResult<Record> {
        match self {
            Self::Board(board) => Ok(Game::new(Some(board))?.record),
            Self::Game(game) => Ok(game.record.clone()),
        }
    }

    /// The moves as the referee takes them; of a record, the main line.
    pub(crate) fn line(&self) -> PyResult<chuhe_referee::Game> {
        match self {
            Self::Board(board) => Ok(board.line.clone()),
            Self::Game(game) => {
                let mut line = chuhe_referee::Game::new(game.record.start().clone());
                game.record.main_moves().try_for_each(|mv| line.play(mv)).map_err(value_error)?;
                Ok(line)
            }
        }
    }
}

/// The referee's verdict on a board with its moves, or on the main line of a game.
///
/// The rules are `wxf` (world), `axf` (Asia), `cxa` (China 1999) or `computer` (only perpetual check loses). `fold` is the
/// occurrence of a position at which repetition is judged, 3 or 2.
///
/// >>> import chuhe
/// >>> chuhe.judge(chuhe.Board()).sentence()
/// 'Undecided: the game goes on.'
#[pyfunction]
#[pyo3(signature = (game, rules = "wxf", fold = None))]
pub(crate) fn judge(
    py: Python<'_>,
    game: Judged<'_>,
    rules: &str,
    fold: Option<Integer>,
) -> PyResult<Verdict> {
    let fold = fold.map_or(Ok(3), |fold| fold.within("fold", 2..=3))? as usize;
    let referee = Referee::new(parsed(rules)?).with_fold(fold);
    let line = game.line()?;
    Ok(Verdict::new(py.detach(|| referee.judge(&line))))
}
