//! A game record: a tree of moves with comments, marks and tags.

use std::collections::BTreeMap;
use std::mem;

use chuhe_board::{Outcome, Position};
use chuhe_notation::json;
use chuhe_notation::record::{Game as Record, GameBuilder, NodeId};
use chuhe_referee::Game as Line;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::arguments::{Integer, value_error};
use crate::board::{Board, move_style};
use crate::headers::Headers;
use crate::moves::{Move, MoveLike, MoveList};
use crate::node::Node;
use crate::records;

/// A game record: headers, a start position, a tree of legal moves with comments and marks (NAGs), a result.
///
/// >>> import chuhe
/// >>> game = chuhe.Game.from_pgn('[Red "甲"]\n1. 炮二平五 (1. 兵七進一 {仙人指路}) 馬8進7 1-0')
/// >>> game.headers["Red"], game.result
/// ('甲', '1-0')
/// >>> [node.wxf() for node in game.mainline()]
/// ['C2=5', 'H8+7']
/// >>> game.variations[1].comment
/// '仙人指路'
#[pyclass(module = "chuhe", from_py_object)]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) record: Record,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (board = None))]
    pub(crate) fn new(board: Option<&Board>) -> PyResult<Self> {
        let start = board.map_or_else(Position::start, |board| board.line.start().clone());
        let mut game = Self { record: Record::new(start) };
        let moves = board.into_iter().flat_map(|board| board.line.history().plies());
        game.add(NodeId::ROOT, moves.filter_map(|ply| ply.mv()).map(|mv| MoveLike::Move(Move(mv))))?;
        Ok(game)
    }

    /// The first game of a PGN text.
    #[staticmethod]
    fn from_pgn(py: Python<'_>, text: &str) -> PyResult<Self> {
        records::first_game(py, text.as_bytes().to_vec(), "pgn")
    }

    /// The first game of a JSON text.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Self> {
        records::first_game(py, text.as_bytes().to_vec(), "json")
    }

    /// The headers (tags) by name, without result and start position; changes go to the game.
    #[getter]
    fn headers(slf: Bound<'_, Self>) -> Headers {
        Headers::of(slf.unbind())
    }

    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[getter]
    fn result(&self) -> &'static str {
        self.record.outcome.as_str()
    }

    #[setter]
    fn set_result(&mut self, result: &str) -> PyResult<()> {
        self.record.outcome = outcome(result)?;
        Ok(())
    }

    /// The board at the start.
    fn board(&self) -> Board {
        Board { line: Line::new(self.record.start().clone()) }
    }

    /// The node of the start position.
    #[getter]
    fn root(slf: Bound<'_, Self>) -> Node {
        Node::root(slf.unbind())
    }

    /// The comment on the start position.
    #[getter]
    fn comment(&self) -> &str {
        self.record.comment(NodeId::ROOT)
    }

    #[setter]
    fn set_comment(&mut self, comment: &str) {
        self.record.set_comment(NodeId::ROOT, comment);
    }

    /// The nodes of the first moves, that of the main line first.
    #[getter]
    fn variations(slf: Bound<'_, Self>) -> Vec<Node> {
        let py = slf.py();
        Node::root(slf.unbind()).variations(py)
    }

    /// The nodes of the main line, without the root.
    fn mainline(slf: Bound<'_, Self>) -> Vec<Node> {
        let py = slf.py();
        Node::root(slf.unbind()).mainline(py)
    }

    /// The moves of the main line.
    fn mainline_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.record.main_moves().map(Move))
    }

    /// The last node of the main line.
    fn end(slf: Bound<'_, Self>) -> Node {
        let py = slf.py();
        Node::root(slf.unbind()).end(py)
    }

    /// The node of the first move of the main line, if there is one.
    fn next(slf: Bound<'_, Self>) -> Option<Node> {
        let py = slf.py();
        Node::root(slf.unbind()).next(py)
    }

    /// A copy of the game without a node and all behind it.
    ///
    /// >>> import chuhe
    /// >>> game = chuhe.Game.from_pgn("1. 炮二平五 (1. 兵七進一 卒7進1) 馬8進7 *")
    /// >>> len(game), len(game.without(game.variations[1]))
    /// (4, 2)
    fn without(slf: &Bound<'_, Self>, node: &Node) -> PyResult<Self> {
        let dropped = node.within(slf)?;
        if dropped == NodeId::ROOT {
            return Err(value_error("the start position cannot be left out"));
        }
        Ok(Self { record: pruned(&slf.borrow().record, dropped) })
    }

    /// Adds a first move behind the others and returns its node.
    #[pyo3(signature = (r#move, comment = "", nags = None))]
    fn add_variation(
        slf: Bound<'_, Self>,
        r#move: MoveLike,
        comment: &str,
        nags: Option<Vec<Integer>>,
    ) -> PyResult<Node> {
        let py = slf.py();
        Node::root(slf.unbind()).add_variation(py, r#move, comment, nags)
    }

    /// Adds moves to the end of the main line and returns the last node.
    fn add_line(slf: Bound<'_, Self>, moves: MoveList) -> PyResult<Node> {
        let py = slf.py();
        Self::end(slf).add_line(py, moves)
    }

    /// What of the file could not be read, in words; what was legal is in the game.
    #[getter]
    fn faults(&self) -> Vec<String> {
        self.record.faults().iter().map(ToString::to_string).collect()
    }

    /// The game as PGN; see `Board.variation` for the styles.
    #[pyo3(signature = (style = "iccs"))]
    fn pgn(&self, style: &str) -> PyResult<String> {
        Ok(chuhe_notation::pgn::write(&self.record, move_style(style)?).text)
    }

    /// The game as JSON.
    fn json(&self) -> String {
        json::write(&self.record)
    }

    /// The game in a format: `pgn`, `xqf`, `cbr`, `cbl`, `dhtmlxq`, `cbf`, `chn`, `txt` or `json`.
    ///
    /// >>> import chuhe
    /// >>> data = chuhe.Game(chuhe.Board(moves=["h2e2"])).to_bytes("xqf")
    /// >>> [len(game) for game in chuhe.read_games(data)]
    /// [1]
    #[pyo3(signature = (format, style = None))]
    fn to_bytes<'py>(
        slf: Bound<'py, Self>,
        format: &str,
        style: Option<&str>,
    ) -> PyResult<Bound<'py, pyo3::types::PyBytes>> {
        let py = slf.py();
        let games = PyList::new(py, [slf])?;
        records::dump_games(games.as_any(), format, style, "")
    }

    /// Writes the game to a file; the format is that of its extension. Returns what the format could not hold, in words.
    #[pyo3(signature = (path, format = None, style = None))]
    fn write(
        slf: Bound<'_, Self>,
        path: std::path::PathBuf,
        format: Option<&str>,
        style: Option<&str>,
    ) -> PyResult<Vec<String>> {
        let games = PyList::new(slf.py(), [slf])?;
        records::write_games(path, games.as_any(), format, style, "")
    }

    fn copy(&self) -> Self {
        self.clone()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.record == other.record
    }

    /// The number of moves, those of variations included.
    fn __len__(&self) -> usize {
        self.record.move_count()
    }

    const fn __bool__(&self) -> bool {
        true
    }

    fn __str__(&self) -> PyResult<String> {
        self.pgn("iccs")
    }

    fn __repr__(&self) -> String {
        let tag = |name| self.record.tags.get(name).unwrap_or("?");
        format!("<Game {} – {}, {}, {} moves>", tag("Red"), tag("Black"), self.result(), self.__len__())
    }

    fn __reduce__<'py>(slf: Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let json = slf.borrow().json();
        Ok((slf.get_type().getattr("from_json")?, (json,)))
    }
}

impl Game {
    /// Adds a line of moves below a node; returns the last node. On an error nothing changes.
    pub(crate) fn add(&mut self, id: NodeId, moves: impl IntoIterator<Item = MoveLike>) -> PyResult<NodeId> {
        let mut builder = GameBuilder::of(self.record.clone());
        builder.go_to(id);
        for mv in moves {
            let here = Board { line: Line::new(builder.position().clone()) };
            let mv = here.legal(mv)?;
            builder.play(mv).map_err(value_error)?;
        }
        let last = builder.node();
        self.record = builder.finish();
        Ok(last)
    }

    /// Adds one move below a node, without the copy that a line needs to fall back to.
    pub(crate) fn add_one(&mut self, id: NodeId, mv: MoveLike) -> PyResult<NodeId> {
        let mv = Board { line: Line::new(self.record.position_at(id)) }.legal(mv)?;
        let mut builder = GameBuilder::of(mem::replace(&mut self.record, Record::new(Position::start())));
        builder.go_to(id);
        let added = builder.play(mv);
        self.record = builder.finish();
        added.map_err(value_error)
    }
}

/// A record without a node and all behind it.
fn pruned(record: &Record, dropped: NodeId) -> Record {
    let mut builder = GameBuilder::new(record.start().clone());
    builder.set_tags(record.tags.clone());
    builder.set_outcome(record.outcome);
    builder.add_comment(record.comment(NodeId::ROOT));
    // The node of the copy for each node that is kept.
    let mut copies = BTreeMap::from([(NodeId::ROOT, NodeId::ROOT)]);
    for node in record.preorder() {
        let (Some(mv), Some(&parent)) = (record.mv(node), copies.get(&record.parent(node))) else { continue };
        if node == dropped {
            continue;
        }
        builder.go_to(parent);
        copies.insert(node, builder.play(mv).expect("a move of a record is legal"));
        builder.add_comment(record.comment(node));
        record.marks(node).iter().for_each(|mark| builder.add_mark(*mark));
    }
    builder.finish()
}

/// An outcome by its token.
pub(crate) fn outcome(text: &str) -> PyResult<Outcome> {
    Outcome::from_token(text)
        .ok_or_else(|| value_error(format!("'{text}' is not a result: expected 1-0, 0-1, 1/2-1/2 or *")))
}
