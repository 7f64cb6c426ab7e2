//! Whole games, move by move.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::thread;

use chuhe_board::Side as BoardSide;
use chuhe_book::Book as OpeningBook;
use chuhe_notation::record::Game as Record;
use chuhe_report::analyse as report;
use chuhe_report::analyse::{Journal, Settings};
use chuhe_report::{ScoreJson, annotate, page};
use chuhe_search::{Control, Limits};
use pyo3::prelude::*;

use crate::arguments::{Integer, parsed, value_error};
use crate::book::{Book, Opening};
use crate::engine::endgames;
use crate::game::Game;
use crate::limit::Limit;
use crate::moves::Side;
use crate::verdict::Judged;

/// The analysis of a game; made by `analyse`.
#[pyclass(module = "chuhe", frozen)]
pub(crate) struct GameAnalysis {
    analysis: report::GameAnalysis,
    record: Record,
}

#[pymethods]
impl GameAnalysis {
    /// What is said of each move of the main line.
    #[getter]
    fn moves(&self) -> Vec<MoveAnalysis> {
        self.analysis.moves.iter().map(MoveAnalysis::from).collect()
    }

    /// How Red played.
    #[getter]
    fn red(&self) -> SideSummary {
        (&self.analysis.sides.red).into()
    }

    /// How Black played.
    #[getter]
    fn black(&self) -> SideSummary {
        (&self.analysis.sides.black).into()
    }

    /// The opening.
    #[getter]
    fn opening(&self) -> Option<Opening> {
        self.analysis.opening.map(|opening| chuhe_report::explore::OpeningJson::from(opening).into())
    }

    /// After how many plies the book knew no more.
    #[getter]
    fn book_plies(&self) -> Option<usize> {
        self.analysis.book_plies
    }

    /// After how many plies the endgame tables knew the position for the first time.
    #[getter]
    fn table_from(&self) -> Option<usize> {
        self.analysis.table_from
    }

    /// The referee's verdict in a sentence, by language: `en`, `zh-Hant`, `zh-Hans`.
    #[getter]
    fn verdict(&self) -> BTreeMap<&'static str, String> {
        let texts = &self.analysis.verdict_texts;
        [("en", &texts.en), ("zh-Hant", &texts.zh_hant), ("zh-Hans", &texts.zh_hans)]
            .map(|(language, text)| (language, text.clone()))
            .into()
    }

    /// The game with marks, comments and better lines as variations.
    fn annotated(&self) -> Game {
        Game { record: annotate::annotated(&self.record, &self.analysis) }
    }

    /// The analysis as JSON, as `chuhe analyze --json` prints it for a game.
    fn json(&self) -> PyResult<String> {
        serde_json::to_string(&self.analysis).map_err(value_error)
    }

    /// The analysis as a page to click through.
    #[pyo3(signature = (title = "Chuhe"))]
    fn html(&self, title: &str) -> String {
        page::written(title, std::slice::from_ref(&self.analysis))
    }

    fn __repr__(&self) -> String {
        let (red, black) = (&self.analysis.sides.red, &self.analysis.sides.black);
        format!("<GameAnalysis accuracy {:.1} – {:.1} %>", red.accuracy, black.accuracy)
    }
}

/// How a side played.
#[pyclass(module = "chuhe", frozen, get_all)]
pub(crate) struct SideSummary {
    /// How many moves it made.
    moves: usize,
    /// 100 if no move lost anything.
    accuracy: f64,
    /// Points lost by a move on average; a win is 100 points.
    average_loss: f64,
    /// Moves marked `?!`.
    inaccuracies: usize,
    /// Moves marked `?`.
    mistakes: usize,
    /// Moves marked `??`.
    blunders: usize,
    /// Moves marked `!`.
    finds: usize,
}

impl From<&report::SideSummary> for SideSummary {
    fn from(side: &report::SideSummary) -> Self {
        Self {
            moves: side.moves,
            accuracy: side.accuracy,
            average_loss: side.average_loss,
            inaccuracies: side.inaccuracies,
            mistakes: side.mistakes,
            blunders: side.blunders,
            finds: side.finds,
        }
    }
}

#[pymethods]
impl SideSummary {
    fn __repr__(&self) -> String {
        format!("<SideSummary accuracy {:.1} %, {:.1} points lost a move>", self.accuracy, self.average_loss)
    }
}

/// What is said of a move. Scores and expectations are Red's.
#[pyclass(module = "chuhe", frozen, get_all)]
pub(crate) struct MoveAnalysis {
    /// The number of the ply, from 1.
    ply: usize,
    /// Who moved.
    side: Side,
    /// The move in coordinates.
    r#move: String,
    /// The move in WXF.
    wxf: String,
    /// The move in Chinese, traditional characters.
    chinese: String,
    /// The best move in coordinates, which may be the one that was played.
    best: String,
    /// The best line in coordinates.
    line: Vec<String>,
    /// The score after the move in centisoldiers; None if a mate is in sight.
    cp: Option<i32>,
    /// Moves to mate after the move; negative if Red gets mated.
    mate: Option<i32>,
    /// Red's expected result after the move, in percent.
    expectation: f64,
    /// How many points the move lost.
    loss: f64,
    /// `!`, `?!`, `?` or `??`.
    mark: Option<String>,
    /// Whether the book knows the move.
    in_book: bool,
    /// Whether the endgame tables know the position after the move.
    in_tables: bool,
}

impl From<&report::MoveAnalysis> for MoveAnalysis {
    fn from(judged: &report::MoveAnalysis) -> Self {
        let (cp, mate) = match judged.score {
            ScoreJson::Cp(score) => (Some(score), None),
            ScoreJson::Mate(moves) => (None, Some(moves)),
        };
        Self {
            ply: judged.ply,
            side: if judged.side == "red" { Side::Red } else { Side::Black },
            r#move: judged.mv.clone(),
            wxf: judged.wxf.clone(),
            chinese: judged.chinese.clone(),
            best: judged.best.clone(),
            line: judged.line.clone(),
            cp,
            mate,
            expectation: judged.expectation,
            loss: judged.loss,
            mark: judged.mark.clone(),
            in_book: judged.in_book,
            in_tables: judged.in_tables,
        }
    }
}

#[pymethods]
impl MoveAnalysis {
    fn __repr__(&self) -> String {
        let mark = self.mark.as_deref().unwrap_or_default();
        format!("<MoveAnalysis {}. {}{mark}, -{:.1}>", self.ply, self.wxf, self.loss)
    }
}

/// Analyses a game, or a board with its moves: every position of the main line is searched, on all cores.
///
/// The limit is that of one position, 200,000 nodes by default. `callback` gets the number of positions done and in total.
///
/// >>> import chuhe
/// >>> game = chuhe.Game(chuhe.Board(moves=["h2e2", "h9g7", "h0g2"]))
/// >>> analysis = chuhe.analyse(game, chuhe.Limit(nodes=500), threads=1, hash=1)
/// >>> [judged.wxf for judged in analysis.moves]
/// ['C2=5', 'H8+7', 'H2+3']
#[pyfunction]
#[pyo3(signature = (game, limit = None, *, threads = None, hash = None, rules = "wxf", book = None, tablebase = "",
    callback = None))]
#[expect(clippy::too_many_arguments, reason = "keywords")]
pub(crate) fn analyse(
    py: Python<'_>,
    game: Judged<'_>,
    limit: Option<&Limit>,
    threads: Option<Integer>,
    hash: Option<Integer>,
    rules: &str,
    book: Option<&Book>,
    tablebase: &str,
    callback: Option<Py<PyAny>>,
) -> PyResult<GameAnalysis> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let rules = parsed(rules)?;
    let settings = Settings {
        limits: limit.map_or_else(|| Ok(Limits::nodes(200_000)), |limit| limit.limits(BoardSide::Red))?,
        threads: threads.map_or(Ok(cores as u64), |threads| threads.within("threads", 1..=1024))? as usize,
        mebibytes: hash.map_or(Ok(16), |hash| hash.within("hash", 1..=1 << 22))? as usize,
        rules,
        endgames: endgames(tablebase, rules)?,
    };
    let record = game.record()?;
    // The caller may use the game from a callback.
    drop(game);
    let (mut journal, control) = (Journal::in_memory(), Control::default());
    let mut failure = None;
    let searched = py.detach(|| {
        report::search(std::slice::from_ref(&record), &settings, &mut journal, &control, |done, total| {
            let heard = Python::attach(|py| {
                py.check_signals()?;
                callback.as_ref().map_or(Ok(()), |callback| callback.call1(py, (done, total)).map(drop))
            });
            if let Err(error) = heard {
                control.stop();
                failure.get_or_insert(error);
            }
        })
    });
    if let Some(error) = failure {
        return Err(error);
    }
    searched.map_err(value_error)?;
    let embedded;
    let book = match book {
        Some(book) => &book.book,
        None => {
            embedded = OpeningBook::embedded();
            &embedded
        }
    };
    let analysis = report::judge(&record, &journal, &settings, Some(book)).map_err(value_error)?;
    Ok(GameAnalysis { analysis, record })
}
