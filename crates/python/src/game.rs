//! A game record: a tree of moves with comments, marks and tags.

use std::mem;

use chuhe_board::{Outcome, Position};
use chuhe_notation::json;
use chuhe_notation::record::{Game as Record, GameBuilder, Mark, NodeId};
use chuhe_referee::Game as Line;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::arguments::{Integer, value_error};
use crate::board::{Board, move_style, written};
use crate::moves::{Move, MoveLike};
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
    fn new(board: Option<&Board>) -> PyResult<Self> {
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
        Headers { game: slf.unbind() }
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
        Node { game: slf.unbind(), id: NodeId::ROOT }
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
    fn variations(slf: Bound<'_, Self>) -> PyResult<Vec<Node>> {
        Ok(Node { game: slf.clone().unbind(), id: NodeId::ROOT }.children(slf.py()))
    }

    /// The nodes of the main line, without the root.
    fn mainline(slf: Bound<'_, Self>) -> Vec<Node> {
        let nodes: Vec<NodeId> = slf.borrow().record.main_line().collect();
        nodes.into_iter().map(|id| Node { game: slf.clone().unbind(), id }).collect()
    }

    /// The moves of the main line.
    fn mainline_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.record.main_moves().map(Move))
    }

    /// The last node of the main line.
    fn end(slf: Bound<'_, Self>) -> Node {
        let id = slf.borrow().record.main_line().last().unwrap_or(NodeId::ROOT);
        Node { game: slf.unbind(), id }
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
        Node { game: slf.unbind(), id: NodeId::ROOT }.add_variation(py, r#move, comment, nags)
    }

    /// Adds moves to the end of the main line and returns the last node.
    fn add_line(slf: Bound<'_, Self>, moves: Vec<MoveLike>) -> PyResult<Node> {
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
    fn add(&mut self, id: NodeId, moves: impl IntoIterator<Item = MoveLike>) -> PyResult<NodeId> {
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
    fn add_one(&mut self, id: NodeId, mv: MoveLike) -> PyResult<NodeId> {
        let mv = Board { line: Line::new(self.record.position_at(id)) }.legal(mv)?;
        let mut builder = GameBuilder::of(mem::replace(&mut self.record, Record::new(Position::start())));
        builder.go_to(id);
        let added = builder.play(mv);
        self.record = builder.finish();
        added.map_err(value_error)
    }
}

/// A place in a game: the start position or the position after a move.
///
/// >>> import chuhe
/// >>> game = chuhe.Game()
/// >>> node = game.add_variation("h2e2").add_variation("h9g7", comment="solid", nags=[1])
/// >>> node.move, node.ply, node.nags, node.parent.move
/// (Move('h9g7'), 2, [1], Move('h2e2'))
/// >>> print(game.pgn("coordinates").splitlines()[4])
/// 1. h2e2 h9g7 $1 {solid} *
#[pyclass(module = "chuhe", frozen)]
pub(crate) struct Node {
    game: Py<Game>,
    id: NodeId,
}

#[pymethods]
impl Node {
    /// The game that the node belongs to.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The move that leads here; None at the root.
    #[getter]
    fn r#move(&self, py: Python<'_>) -> Option<Move> {
        self.game.borrow(py).record.mv(self.id).map(Move)
    }

    /// How many moves lead here.
    #[getter]
    fn ply(&self, py: Python<'_>) -> usize {
        self.game.borrow(py).record.ply(self.id)
    }

    /// The node before; None at the root.
    #[getter]
    fn parent(&self, py: Python<'_>) -> Option<Self> {
        let parent = self.game.borrow(py).record.parent(self.id);
        (self.id != NodeId::ROOT).then(|| self.at(py, parent))
    }

    /// The nodes after this one, that of the main line first.
    #[getter]
    fn variations(&self, py: Python<'_>) -> Vec<Self> {
        self.children(py)
    }

    /// The node that continues the line, if there is one.
    fn next(&self, py: Python<'_>) -> Option<Self> {
        let next = self.game.borrow(py).record.first_child(self.id);
        next.map(|id| self.at(py, id))
    }

    /// Whether no move follows.
    fn is_end(&self, py: Python<'_>) -> bool {
        self.game.borrow(py).record.first_child(self.id).is_none()
    }

    /// Whether the node is on the main line.
    fn is_mainline(&self, py: Python<'_>) -> bool {
        let record = &self.game.borrow(py).record;
        self.id == NodeId::ROOT || record.main_line().any(|id| id == self.id)
    }

    /// The board here, with the moves that lead here.
    fn board(&self, py: Python<'_>) -> PyResult<Board> {
        let record = &self.game.borrow(py).record;
        let mut moves = Vec::new();
        let mut id = self.id;
        while let Some(mv) = record.mv(id) {
            moves.push(mv);
            id = record.parent(id);
        }
        let mut line = Line::new(record.start().clone());
        for mv in moves.into_iter().rev() {
            line.play(mv).map_err(value_error)?;
        }
        Ok(Board { line })
    }

    /// The comment on the move.
    #[getter]
    fn comment(&self, py: Python<'_>) -> String {
        self.game.borrow(py).record.comment(self.id).to_owned()
    }

    #[setter]
    fn set_comment(&self, py: Python<'_>, comment: &str) {
        self.game.borrow_mut(py).record.set_comment(self.id, comment);
    }

    /// The numeric annotation glyphs: 1 for `!`, 4 for `??`.
    #[getter]
    fn nags(&self, py: Python<'_>) -> Vec<u16> {
        self.game.borrow(py).record.marks(self.id).iter().map(|mark| mark.0.into()).collect()
    }

    #[setter]
    fn set_nags(&self, py: Python<'_>, nags: Vec<Integer>) -> PyResult<()> {
        let marks = marks(&nags)?;
        self.game.borrow_mut(py).record.set_marks(self.id, &marks);
        Ok(())
    }

    /// Adds a move behind the others here and returns its node.
    #[pyo3(signature = (r#move, comment = "", nags = None))]
    fn add_variation(
        &self,
        py: Python<'_>,
        r#move: MoveLike,
        comment: &str,
        nags: Option<Vec<Integer>>,
    ) -> PyResult<Self> {
        let marks = marks(&nags.unwrap_or_default())?;
        let id = {
            let mut game = self.game.borrow_mut(py);
            let id = game.add_one(self.id, r#move)?;
            game.record.set_comment(id, comment);
            game.record.set_marks(id, &marks);
            id
        };
        Ok(self.at(py, id))
    }

    /// Adds a line of moves here and returns its last node. If a move is illegal, none is added.
    fn add_line(&self, py: Python<'_>, moves: Vec<MoveLike>) -> PyResult<Self> {
        let id = self.game.borrow_mut(py).add(self.id, moves)?;
        Ok(self.at(py, id))
    }

    /// The move in WXF; empty at the root.
    fn wxf(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py, "wxf")
    }

    /// The move in a style, see `Board.variation`; empty at the root.
    #[pyo3(signature = (style = "traditional"))]
    fn text(&self, py: Python<'_>, style: &str) -> PyResult<String> {
        let style = move_style(style)?;
        let record = &self.game.borrow(py).record;
        let before = record.position_at(record.parent(self.id));
        Ok(record.mv(self.id).map_or_else(String::new, |mv| written(&before, mv, style)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game.is(&other.game) && self.id == other.id
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        let record_ply = self.ply(py) as isize;
        Ok(record_ply ^ (self.game.as_ptr() as isize))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let mv = self.r#move(py).map_or_else(|| "start".to_owned(), |mv| mv.0.to_string());
        format!("<Node {mv}, ply {}>", self.ply(py))
    }
}

impl Node {
    fn at(&self, py: Python<'_>, id: NodeId) -> Self {
        Self { game: self.game.clone_ref(py), id }
    }

    fn children(&self, py: Python<'_>) -> Vec<Self> {
        let children: Vec<NodeId> = self.game.borrow(py).record.children(self.id).collect();
        children.into_iter().map(|id| self.at(py, id)).collect()
    }
}

fn marks(nags: &[Integer]) -> PyResult<Vec<Mark>> {
    nags.iter().map(|nag| Ok(Mark(nag.within("nag", 0..=255)? as u8))).collect()
}

/// An outcome by its token.
pub(crate) fn outcome(text: &str) -> PyResult<Outcome> {
    Outcome::from_token(text)
        .ok_or_else(|| value_error(format!("'{text}' is not a result: expected 1-0, 0-1, 1/2-1/2 or *")))
}

/// The headers of a game by name, in any case of its letters; a live view with the methods of a dictionary.
///
/// >>> import chuhe
/// >>> game = chuhe.Game()
/// >>> game.headers["Red"] = "許銀川"
/// >>> dict(game.headers), "red" in game.headers, game.headers.get("Black", "?")
/// ({'Red': '許銀川'}, True, '?')
#[pyclass(module = "chuhe", frozen, mapping)]
pub(crate) struct Headers {
    game: Py<Game>,
}

#[pymethods]
impl Headers {
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        self.value(py, name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __setitem__(&self, py: Python<'_>, name: &str, value: &str) -> PyResult<()> {
        let is_name = |character: char| character.is_alphanumeric() || character == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(value_error(format!(
                "'{name}' is not a header: use letters, digits and underscores"
            )));
        }
        self.game.borrow_mut(py).record.tags.set(name, value);
        Ok(())
    }

    fn __delitem__(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.__getitem__(py, name)?;
        self.game.borrow_mut(py).record.tags.set(name, "");
        Ok(())
    }

    fn __contains__(&self, py: Python<'_>, name: &str) -> bool {
        self.value(py, name).is_some()
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.items(py).len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.keys(py))?.try_iter()?.into_any())
    }

    /// The value of a header, or the default.
    #[pyo3(signature = (name, default = None))]
    fn get(&self, py: Python<'_>, name: &str, default: Option<String>) -> Option<String> {
        self.value(py, name).or(default)
    }

    /// The names in their order.
    fn keys(&self, py: Python<'_>) -> Vec<String> {
        self.items(py).into_iter().map(|(name, _)| name).collect()
    }

    /// The values in their order.
    fn values(&self, py: Python<'_>) -> Vec<String> {
        self.items(py).into_iter().map(|(_, value)| value).collect()
    }

    /// Names and values in their order.
    fn items(&self, py: Python<'_>) -> Vec<(String, String)> {
        let game = self.game.borrow(py);
        game.record.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// Sets headers from a dictionary.
    fn update(&self, py: Python<'_>, headers: std::collections::BTreeMap<String, String>) -> PyResult<()> {
        headers.iter().try_for_each(|(name, value)| self.__setitem__(py, name, value))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let items: Vec<String> =
            self.items(py).iter().map(|(name, value)| format!("{name:?}: {value:?}")).collect();
        format!("Headers({{{}}})", items.join(", "))
    }
}

impl Headers {
    fn value(&self, py: Python<'_>, name: &str) -> Option<String> {
        self.game.borrow(py).record.tags.get(name).map(str::to_owned)
    }
}
