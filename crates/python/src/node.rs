//! A place in a game record.

use chuhe_notation::record::{Mark, NodeId};
use chuhe_referee::Game as Line;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::arguments::{Integer, value_error};
use crate::board::{Board, move_style, written};
use crate::game::Game;
use crate::moves::{Move, MoveLike, MoveList};

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
    pub(crate) fn variations(&self, py: Python<'_>) -> Vec<Self> {
        let children: Vec<NodeId> = self.game.borrow(py).record.children(self.id).collect();
        children.into_iter().map(|id| self.at(py, id)).collect()
    }

    /// The node that continues the line, if there is one.
    pub(crate) fn next(&self, py: Python<'_>) -> Option<Self> {
        let next = self.game.borrow(py).record.first_child(self.id);
        next.map(|id| self.at(py, id))
    }

    /// The nodes of the line that continues from here, without this one.
    pub(crate) fn mainline(&self, py: Python<'_>) -> Vec<Self> {
        std::iter::successors(self.next(py), |node| node.next(py)).collect()
    }

    /// The moves of the line that continues from here.
    fn mainline_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.mainline(py).iter().filter_map(|node| node.r#move(py)))
    }

    /// The last node of the line that continues from here.
    pub(crate) fn end(&self, py: Python<'_>) -> Self {
        self.mainline(py).pop().unwrap_or_else(|| self.at(py, self.id))
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
    pub(crate) fn add_variation(
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

    /// Makes the move the first of its variations, and those that lead to it too, so that it is on the main line.
    ///
    /// >>> import chuhe
    /// >>> game = chuhe.Game.from_pgn("1. 炮二平五 (1. 兵七進一 卒7進1) 馬8進7 *")
    /// >>> game.variations[1].promote_to_main()
    /// >>> [node.wxf() for node in game.mainline()]
    /// ['P7+1', 'P7+1']
    fn promote_to_main(&self, py: Python<'_>) {
        self.game.borrow_mut(py).record.promote_to_main(self.id);
    }

    /// Adds a line of moves here and returns its last node. If a move is illegal, none is added.
    pub(crate) fn add_line(&self, py: Python<'_>, moves: MoveList) -> PyResult<Self> {
        let id = self.game.borrow_mut(py).add(self.id, moves.0)?;
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

    /// The board here, for notebooks.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.board(py)?._repr_svg_()
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

    /// The node of the start position.
    pub(crate) const fn root(game: Py<Game>) -> Self {
        Self { game, id: NodeId::ROOT }
    }

    /// The number of the node in a game that it must belong to.
    pub(crate) fn within(&self, game: &Bound<'_, Game>) -> PyResult<NodeId> {
        match self.game.is(game) {
            true => Ok(self.id),
            false => Err(value_error("the node belongs to another game")),
        }
    }
}

fn marks(nags: &[Integer]) -> PyResult<Vec<Mark>> {
    nags.iter().map(|nag| Ok(Mark(nag.within("nag", 0..=255)? as u8))).collect()
}
