//! A board: a position and the moves that led to it.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};

use chuhe_board::{
    Move as BoardMove, Outcome, Piece, Position, Side as BoardSide, Square, attacks, fen, perft,
};
use chuhe_notation::chinese::{self, Script};
use chuhe_notation::pgn::{MoveStyle, parse_any_move};
use chuhe_notation::wxf;
use chuhe_referee::{Game as Line, Referee};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::arguments::{Integer, parsed, value_error};
use crate::moves::{Move, MoveLike, MoveList, Point, Side, point, rank_style};
use crate::svg::Picture;
use crate::verdict::Verdict;

/// A position and the moves that led to it: `Board()` is the start of a game, `Board(fen)` any position.
///
/// Moves are `Move` objects or texts in any notation: `h2e2`, `H2-E2`, `C2=5`, `炮二平五`. Only legal moves are played. Where a
/// list of moves is wanted, one text with moves between spaces will do.
///
/// >>> import chuhe
/// >>> board = chuhe.Board()
/// >>> len(board.legal_moves)
/// 44
/// >>> board.push("炮二平五")
/// Move('h2e2')
/// >>> board.push("a0a5")
/// Traceback (most recent call last):
/// ValueError: ply 2: a0a5 is illegal: no piece of Black stands on a0
/// >>> board.pop()
/// Move('h2e2')
/// >>> board == chuhe.Board()
/// True
#[pyclass(module = "chuhe", from_py_object)]
#[derive(Clone)]
pub(crate) struct Board {
    pub(crate) line: Line,
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (fen = None, moves = None))]
    fn new(fen: Option<&str>, moves: Option<MoveList>) -> PyResult<Self> {
        let start = match fen {
            Some(text) => position(text)?,
            None => Position::start(),
        };
        let mut board = Self { line: Line::new(start) };
        for mv in moves.unwrap_or_default().0 {
            board.push(mv)?;
        }
        Ok(board)
    }

    /// The board with pieces on their points, as `piece_map` gives them.
    ///
    /// >>> import chuhe
    /// >>> chuhe.Board.from_pieces({4: "K", 13: "R", 84: "k"}).fen()
    /// '3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1'
    #[staticmethod]
    #[pyo3(signature = (pieces, turn = Side::Red))]
    fn from_pieces(pieces: HashMap<Integer, String>, turn: Side) -> PyResult<Self> {
        let placed = pieces.iter().map(|(square, letter)| Ok((piece(letter)?, point(square)?)));
        let position = Position::from_pieces(placed.collect::<PyResult<Vec<_>>>()?, turn.into());
        Ok(Self { line: Line::new(position.map_err(value_error)?) })
    }

    /// The position as a FEN.
    fn fen(&self) -> String {
        self.position().to_string()
    }

    /// Puts another position on the board and forgets the moves.
    fn set_fen(&mut self, fen: &str) -> PyResult<()> {
        self.line = Line::new(position(fen)?);
        Ok(())
    }

    /// Puts the start of a game on the board.
    fn reset(&mut self) {
        self.line = Line::new(Position::start());
    }

    /// The side to move.
    #[getter]
    fn turn(&self) -> Side {
        self.position().side_to_move().into()
    }

    /// The number of the round, from 1.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        self.position().round()
    }

    /// Plies since the last capture.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        self.position().quiet_plies()
    }

    /// The Zobrist key of pieces, points and side to move.
    #[getter]
    fn key(&self) -> u64 {
        self.position().key().get()
    }

    /// One key for the position and its mirror image, as books and collections use it.
    #[getter]
    fn merged_key(&self) -> u64 {
        self.position().merged_key().0.get()
    }

    /// The legal moves.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.position().moves().into_iter().map(Move))
    }

    /// Whether a move is legal here; text that is no move is an error.
    fn is_legal(&self, r#move: MoveLike) -> PyResult<bool> {
        Ok(self.position().is_legal(self.read(r#move)?))
    }

    /// Plays a legal move and returns it.
    pub(crate) fn push(&mut self, r#move: MoveLike) -> PyResult<Move> {
        let mv = self.read(r#move)?;
        self.line.play(mv).map_err(value_error)?;
        Ok(Move(mv))
    }

    /// Takes the last move back and returns it.
    fn pop(&mut self) -> PyResult<Move> {
        self.line.take_back().map(Move).ok_or_else(|| value_error("there is no move to take back"))
    }

    /// The last move.
    fn peek(&self) -> PyResult<Move> {
        self.moves().last().map(Move).ok_or_else(|| value_error("no move was played yet"))
    }

    /// The moves that were played.
    #[getter]
    fn move_stack(&self) -> Vec<Move> {
        self.moves().map(Move).collect()
    }

    /// How many moves were played.
    fn ply(&self) -> usize {
        self.line.history().len()
    }

    /// The board before the first move.
    fn root(&self) -> Self {
        Self { line: Line::new(self.line.start().clone()) }
    }

    /// A copy with its moves, or without them.
    ///
    /// >>> import chuhe
    /// >>> board = chuhe.Board(moves=["h2e2", "h9g7"])
    /// >>> board.copy(stack=False).move_stack
    /// []
    #[pyo3(signature = (*, stack = true))]
    fn copy(&self, stack: bool) -> Self {
        if stack { self.clone() } else { Self { line: Line::new(self.position().clone()) } }
    }

    /// The position mirrored left to right.
    fn mirror(&self) -> Self {
        Self { line: Line::new(self.position().mirrored()) }
    }

    /// The position with the sides exchanged across the river.
    fn across(&self) -> Self {
        Self { line: Line::new(self.position().across()) }
    }

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        self.position().is_in_check()
    }

    /// Whether the side to move is in check and has no legal move.
    fn is_checkmate(&self) -> bool {
        self.is_check() && !self.position().has_moves()
    }

    /// Whether the side to move has no legal move and is not in check; in Xiangqi it has lost.
    fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.position().has_moves()
    }

    /// Whether the referee ends the game here: mate, stalemate, repetition or the move limit.
    #[pyo3(signature = (rules = "wxf"))]
    fn is_game_over(&self, rules: &str) -> PyResult<bool> {
        Ok(self.judged(rules)? != Outcome::Undecided)
    }

    /// The result by the referee: `1-0`, `0-1`, `1/2-1/2`, or `*` while the game goes on.
    #[pyo3(signature = (rules = "wxf"))]
    fn result(&self, rules: &str) -> PyResult<&'static str> {
        Ok(self.judged(rules)?.as_str())
    }

    /// The referee's verdict if it ends the game here, else None.
    ///
    /// >>> import chuhe
    /// >>> mate = chuhe.Board("3k5/3R5/3R5/9/9/9/9/9/9/4K4 b").outcome()
    /// >>> mate.winner, mate.clause
    /// (Side.RED, 'checkmate')
    #[pyo3(signature = (rules = "wxf"))]
    fn outcome(&self, rules: &str) -> PyResult<Option<Verdict>> {
        let verdict = Referee::new(parsed(rules)?).judge(&self.line);
        Ok((verdict.outcome != Outcome::Undecided).then(|| Verdict::new(verdict)))
    }

    /// Whether the position is on the board for the `count`th time. Who has to give way is for `judge` to say.
    #[pyo3(signature = (count = None))]
    fn is_repetition(&self, count: Option<Integer>) -> PyResult<bool> {
        let count = count.map_or(Ok(3), |count| count.within("count", 1..=u16::MAX.into()))? as usize;
        Ok(self.line.history().occurrences().count() + 1 >= count)
    }

    /// Whether a legal move gives check.
    fn gives_check(&self, r#move: MoveLike) -> PyResult<bool> {
        let mv = self.legal(r#move)?;
        let mut after = self.position().clone();
        let _ = after.play(mv, &mut ());
        Ok(after.is_in_check())
    }

    /// Whether a legal move takes a piece.
    fn is_capture(&self, r#move: MoveLike) -> PyResult<bool> {
        let mv = self.legal(r#move)?;
        Ok(self.position().piece_on(mv.to()).is_some())
    }

    /// The points of the pieces that give check.
    fn checkers(&self) -> Vec<usize> {
        self.position().legality().checkers().into_iter().map(Square::index).collect()
    }

    /// The points of a side's pieces that attack a point, which is given by its number or its name. Pins are not considered.
    fn attackers(&self, side: Side, square: Point) -> Vec<usize> {
        let position = self.position();
        let all = position.attackers_to(square.0, position.occupied());
        (all & position.pieces(side.into())).into_iter().map(Square::index).collect()
    }

    /// Whether a side attacks a point. Pins are not considered.
    fn is_attacked_by(&self, side: Side, square: Point) -> bool {
        !self.attackers(side, square).is_empty()
    }

    /// The points on which the piece of a point could take; none without a piece.
    ///
    /// >>> import chuhe
    /// >>> [chuhe.square_name(square) for square in chuhe.Board().attacks("b0")]
    /// ['a2', 'c2']
    fn attacks(&self, square: Point) -> Vec<usize> {
        let (position, from) = (self.position(), square.0);
        let attacked = position
            .piece_on(from)
            .map(|piece| attacks::of(piece.kind(), piece.side(), from, position.occupied()));
        attacked.into_iter().flatten().map(Square::index).collect()
    }

    /// The point of a side's general.
    fn king(&self, side: Side) -> usize {
        self.position().general(side.into()).index()
    }

    /// The points of the pieces with a FEN letter.
    ///
    /// >>> import chuhe
    /// >>> chuhe.Board().pieces("R"), len(chuhe.Board().pieces("p"))
    /// ([0, 8], 5)
    fn pieces(&self, letter: &str) -> PyResult<Vec<usize>> {
        let piece = piece(letter)?;
        let points = self.position().pieces_of(piece.side(), piece.kind());
        Ok(points.into_iter().map(Square::index).collect())
    }

    /// The piece on a point as its FEN letter, upper case for Red.
    ///
    /// >>> import chuhe
    /// >>> chuhe.Board().piece_at(4), chuhe.Board().piece_at("e9")
    /// ('K', 'k')
    fn piece_at(&self, square: Point) -> Option<char> {
        self.position().piece_on(square.0).map(Piece::letter)
    }

    /// All pieces by their points.
    fn piece_map(&self) -> BTreeMap<usize, char> {
        let pieces = self.position().pieces_on_board();
        pieces.map(|(piece, square)| (square.index(), piece.letter())).collect()
    }

    /// What makes the position one that no game leads to, in words; empty for any real position.
    fn oddities(&self) -> Vec<String> {
        self.position().implausibilities().iter().map(ToString::to_string).collect()
    }

    /// How many lines of `depth` plies there are.
    ///
    /// >>> import chuhe
    /// >>> chuhe.Board().perft(3)
    /// 79666
    fn perft(&self, py: Python<'_>, depth: Integer) -> PyResult<u64> {
        let depth = depth.within("depth", 0..=DEEPEST_PERFT)? as u32;
        Ok(py.detach(|| perft::count(self.position(), depth)))
    }

    /// The lines of `depth` plies below each legal move.
    fn divide(&self, py: Python<'_>, depth: Integer) -> PyResult<Vec<(Move, u64)>> {
        let depth = depth.within("depth", 1..=DEEPEST_PERFT)? as u32;
        let counts = py.detach(|| perft::divide(self.position(), depth, 1));
        Ok(counts.into_iter().map(|(mv, count)| (Move(mv), count)).collect())
    }

    /// Reads a move in any notation. It need not be legal if it is in coordinates.
    ///
    /// >>> import chuhe
    /// >>> chuhe.Board().parse_move("C2=5")
    /// Move('h2e2')
    #[pyo3(signature = (text, ranks = None))]
    fn parse_move(&self, text: &str, ranks: Option<Integer>) -> PyResult<Move> {
        self.read_move(text, ranks).map(Move)
    }

    /// A legal move in WXF, `C2=5`.
    fn wxf(&self, r#move: MoveLike) -> PyResult<String> {
        let mv = self.legal(r#move)?;
        Ok(wxf::write_move(self.position(), mv).to_string())
    }

    /// A legal move in Chinese, `炮二平五`; the script is `traditional` or `simplified`.
    #[pyo3(signature = (r#move, script = "traditional"))]
    fn chinese(&self, r#move: MoveLike, script: &str) -> PyResult<String> {
        let script = script_named(script)?;
        let mv = self.legal(r#move)?;
        Ok(chinese::write_move(self.position(), mv, script).to_string())
    }

    /// A line of legal moves from here as texts; the style is `coordinates`, `iccs`, `wxf`, `traditional` or `simplified`.
    ///
    /// >>> import chuhe
    /// >>> chuhe.Board().variation(["h2e2", "h9g7"], "traditional")
    /// ['炮二平五', '馬８進７']
    #[pyo3(signature = (moves, style = "wxf"))]
    fn variation(&self, moves: MoveList, style: &str) -> PyResult<Vec<String>> {
        let style = move_style(style)?;
        let mut board = self.copy(false);
        let mut texts = Vec::with_capacity(moves.0.len());
        for mv in moves.0 {
            let mv = board.legal(mv)?;
            texts.push(written(board.position(), mv, style));
            board.line.play(mv).map_err(value_error)?;
        }
        Ok(texts)
    }

    /// The board as SVG. Arrows are moves, legal or not.
    #[pyo3(signature = (*, orientation = Side::Red, arrows = None, size = None))]
    fn svg(&self, orientation: Side, arrows: Option<MoveList>, size: Option<Integer>) -> PyResult<String> {
        let size = size.map_or(Ok(360), |size| size.within("size", 16..=16_384))?;
        let arrows = arrows
            .unwrap_or_default()
            .0
            .into_iter()
            .map(|arrow| self.read(arrow))
            .collect::<PyResult<_>>()?;
        let last_move = self.moves().last();
        Ok(Picture { orientation: orientation.into(), last_move, arrows, size }.drawn(self.position()))
    }

    pub(crate) fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(Side::Red, None, None)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.position() == other.position()
    }

    /// Two boards are equal and have the same hash if the position is the same, with its counters. A board that is a
    /// key must not be played on.
    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.position().key().get().hash(&mut hasher);
        hasher.finish()
    }

    /// The board as text with Chinese names of the pieces, wide as they are.
    ///
    /// >>> import chuhe
    /// >>> print(chuhe.Board().unicode().splitlines()[0])
    /// 車馬象士將士象馬車
    fn unicode(&self) -> String {
        self.rows(|piece| piece.map_or('．', |piece| chinese::piece_name(piece, Script::Traditional)), "")
    }

    fn __str__(&self) -> String {
        self.rows(|piece| piece.map_or('.', Piece::letter), " ")
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.position())
    }

    fn __getnewargs__(&self) -> (String, Vec<Move>) {
        (self.line.start().to_string(), self.move_stack())
    }
}

/// Deeper counts take longer than anyone waits.
const DEEPEST_PERFT: u64 = 20;

impl Board {
    pub(crate) const fn position(&self) -> &Position {
        self.line.position()
    }

    fn moves(&self) -> impl DoubleEndedIterator<Item = BoardMove> {
        self.line.history().plies().iter().filter_map(|ply| ply.mv())
    }

    /// The rows of the board from Black's bank to Red's, with a character for each point.
    fn rows(&self, character: impl Fn(Option<Piece>) -> char, between: &str) -> String {
        let row = |rank: u8| {
            let on = |file| Square::at(file, rank).and_then(|square| self.position().piece_on(square));
            let characters: Vec<String> =
                (0..Square::FILES).map(|file| character(on(file)).to_string()).collect();
            characters.join(between)
        };
        (0..Square::RANKS).rev().map(row).collect::<Vec<_>>().join("\n")
    }

    fn judged(&self, rules: &str) -> PyResult<Outcome> {
        Ok(Referee::new(parsed(rules)?).judge(&self.line).outcome)
    }

    fn read_move(&self, text: &str, ranks: Option<Integer>) -> PyResult<BoardMove> {
        parse_any_move(text, self.position(), rank_style(ranks)?).map_err(value_error)
    }

    /// A move, legal or not.
    fn read(&self, mv: MoveLike) -> PyResult<BoardMove> {
        match mv {
            MoveLike::Move(mv) => Ok(mv.0),
            MoveLike::Text(text) => self.read_move(&text, None),
        }
    }

    /// A move that is legal here, or why it is not.
    pub(crate) fn legal(&self, mv: MoveLike) -> PyResult<BoardMove> {
        let mv = self.read(mv)?;
        match self.position().fault(mv) {
            None => Ok(mv),
            Some(fault) => Err(value_error(format!("{mv} is illegal: {fault}"))),
        }
    }

    /// The side to move.
    pub(crate) const fn side_to_move(&self) -> BoardSide {
        self.position().side_to_move()
    }
}

/// The position of a FEN; the error quotes the text, shortened.
pub(crate) fn position(text: &str) -> PyResult<Position> {
    fen::parse(text).map_err(|error| {
        let quoted: String = text.chars().take(100).collect();
        value_error(format!("bad FEN '{quoted}': {error}"))
    })
}

/// A piece by its FEN letter.
fn piece(letter: &str) -> PyResult<Piece> {
    let mut letters = letter.chars();
    let single = letters.next().filter(|_| letters.next().is_none());
    single
        .and_then(Piece::from_letter)
        .ok_or_else(|| value_error(format!("'{letter}' is not a piece: expected a letter of KABNRCPkabnrcp")))
}

fn script_named(name: &str) -> PyResult<Script> {
    match name {
        "traditional" => Ok(Script::Traditional),
        "simplified" => Ok(Script::Simplified),
        _ => Err(value_error(format!("'{name}' is not a script: expected traditional or simplified"))),
    }
}

/// A style of writing moves by its name.
pub(crate) fn move_style(name: &str) -> PyResult<MoveStyle> {
    match name {
        "coordinates" => Ok(MoveStyle::Coordinates),
        "iccs" => Ok(MoveStyle::Iccs),
        "wxf" => Ok(MoveStyle::Wxf),
        "traditional" => Ok(MoveStyle::Chinese(Script::Traditional)),
        "simplified" => Ok(MoveStyle::Chinese(Script::Simplified)),
        _ => Err(value_error(format!(
            "'{name}' is not a style: expected coordinates, iccs, wxf, traditional or simplified"
        ))),
    }
}

/// A legal move of a position in a style.
pub(crate) fn written(position: &Position, mv: BoardMove, style: MoveStyle) -> String {
    let mut text = String::new();
    style.write(&mut text, position, mv);
    text
}
