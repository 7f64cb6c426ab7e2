//! A position: the pieces on their points and the side to move.

mod checks;
mod fault;
mod invariants;
mod legal;
mod movegen;

pub use checks::Checks;
pub use fault::Fault;
pub use invariants::{Implausible, Impossible};
pub use legal::Legality;
pub use movegen::Wanted;

use std::fmt;

use crate::{Bitboard, Key, Move, Observer, Piece, PieceKind, Side, Square, attacks};

/// The pieces on their points, the side to move, and the counters that a FEN carries.
///
/// ```
/// use chuhe_board::Position;
///
/// let mut position = Position::start();
/// assert_eq!(position.moves().len(), 44);
/// let undo = position.play(position.moves()[0], &mut ());
/// position.take_back(undo, &mut ());
/// assert_eq!(position, Position::start());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    kinds: [Bitboard; 7],
    sides: [Bitboard; 2],
    squares: [Option<Piece>; Square::COUNT],
    key: Key,
    side_to_move: Side,
    quiet_plies: u16,
    round: u16,
}

/// What [`Position::play`] needs back to take the move back.
#[derive(Clone, Copy, Debug)]
#[must_use = "a move can only be taken back with its undo"]
pub struct Undo {
    mv: Move,
    captured: Option<Piece>,
    quiet_plies: u16,
    round: u16,
    key: Key,
}

const _: () = assert!(size_of::<Undo>() == 16);

impl Undo {
    /// The move that was played.
    pub const fn mv(&self) -> Move {
        self.mv
    }

    /// The piece it took.
    pub const fn captured(&self) -> Option<Piece> {
        self.captured
    }
}

impl Position {
    /// The start of a normal game.
    pub fn start() -> Self {
        crate::fen::START.parse().expect("the start position is valid")
    }

    /// An empty board; only for building up a position that is checked afterwards.
    pub(crate) const fn empty(side_to_move: Side, quiet_plies: u16, round: u16) -> Self {
        Self {
            kinds: [Bitboard::EMPTY; 7],
            sides: [Bitboard::EMPTY; 2],
            squares: [None; Square::COUNT],
            key: Key::EMPTY,
            side_to_move,
            quiet_plies,
            round,
        }
    }

    /// A position from its parts, checked as [`crate::fen::parse`] checks a text.
    ///
    /// ```
    /// use chuhe_board::{Piece, Position, Side, coords::points};
    ///
    /// let at = |name| points(name).first().unwrap();
    /// let pieces = [(Piece::RedGeneral, at("e0")), (Piece::BlackGeneral, at("d9"))];
    /// let position = Position::from_pieces(pieces, Side::Red).unwrap();
    /// assert_eq!(position.to_string(), "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
    /// ```
    pub fn from_pieces(
        pieces: impl IntoIterator<Item = (Piece, Square)>,
        side_to_move: Side,
    ) -> Result<Self, Impossible> {
        let mut position = Self::empty(side_to_move, 0, 1);
        for (piece, square) in pieces {
            if position.squares[square.index()].is_some() {
                return Err(Impossible::TwoPieces(square));
            }
            position.put(piece, square);
        }
        position.seal()?;
        Ok(position)
    }

    /// Ends the building of a position: computes the key and checks that the rules allow it.
    pub(crate) fn seal(&mut self) -> Result<(), Impossible> {
        self.key = self.key_from_scratch();
        self.check_possible()
    }

    /// Who moves next.
    #[inline]
    pub const fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    /// The fingerprint of pieces, points and side to move.
    #[inline]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// The key added up anew from the board; always equal to [`Self::key`].
    pub fn key_from_scratch(&self) -> Key {
        self.pieces_on_board()
            .fold(Key::of_side(self.side_to_move), |key, (piece, square)| key ^ Key::of_piece(piece, square))
    }

    /// The key of the position mirrored left to right.
    pub fn mirrored_key(&self) -> Key {
        self.pieces_on_board().fold(Key::of_side(self.side_to_move), |key, (piece, square)| {
            key ^ Key::of_piece(piece, square.mirrored())
        })
    }

    /// One key for the position and its mirror image, and whether it is the image's: books and
    /// collections count both as one.
    pub fn merged_key(&self) -> (Key, bool) {
        let mirrored = self.mirrored_key();
        if mirrored < self.key { (mirrored, true) } else { (self.key, false) }
    }

    /// Whether `side` has a piece that can cross the river and attack.
    ///
    /// ```
    /// use chuhe_board::{Position, Side};
    ///
    /// let position: Position = "3k5/4a4/4b4/9/9/9/9/9/4A4/4KABp1 w".parse().unwrap();
    /// assert!(position.can_attack(Side::Black) && !position.can_attack(Side::Red));
    /// ```
    #[inline]
    pub fn can_attack(&self, side: Side) -> bool {
        use PieceKind::{Cannon, Chariot, Horse, Soldier};
        [Chariot, Horse, Cannon, Soldier].into_iter().any(|kind| !self.pieces_of(side, kind).is_empty())
    }

    /// Plies since the last capture.
    #[inline]
    pub const fn quiet_plies(&self) -> u16 {
        self.quiet_plies
    }

    /// The number of the round, from 1; it grows after Black's move.
    #[inline]
    pub const fn round(&self) -> u16 {
        self.round
    }

    /// The piece on a point.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// The points with a piece.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The points with a piece of `side`.
    #[inline]
    pub const fn pieces(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// The points with a piece of this kind, of either side.
    #[inline]
    pub const fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The points with this kind of `side`'s pieces.
    #[inline]
    pub const fn pieces_of(&self, side: Side, kind: PieceKind) -> Bitboard {
        self.sides[side.index()].and(self.kinds[kind.index()])
    }

    /// Where `side`'s general stands.
    #[inline]
    pub fn general(&self, side: Side) -> Square {
        self.pieces_of(side, PieceKind::General).first().expect("every position has both generals")
    }

    /// All pieces with their points, in the order of the points.
    pub fn pieces_on_board(&self) -> impl Iterator<Item = (Piece, Square)> {
        self.occupied().into_iter().filter_map(|square| Some((self.piece_on(square)?, square)))
    }

    /// Points from which pieces of either side attack `square` when the board is occupied as given.
    /// Generals count only with their step, not with their look along a file.
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let (slide, jump) = attacks::chariot_and_cannon(square, occupied);
        let soldiers = attacks::soldiers_to(Side::Red, square) & self.pieces(Side::Red)
            | attacks::soldiers_to(Side::Black, square) & self.pieces(Side::Black);
        (slide & self.kind(PieceKind::Chariot))
            | (jump & self.kind(PieceKind::Cannon))
            | (attacks::horses_to(square, occupied) & self.kind(PieceKind::Horse))
            | (attacks::elephant(square, occupied) & self.kind(PieceKind::Elephant))
            | (attacks::advisor(square) & self.kind(PieceKind::Advisor))
            | (attacks::general(square) & self.kind(PieceKind::General))
            | (soldiers & self.kind(PieceKind::Soldier))
    }

    /// Plays a move of the side to move. The move must be legal (see [`Self::is_legal`]); what else
    /// is played leaves a position in which the rules do not hold.
    ///
    /// # Panics
    /// If no piece stands where the move starts.
    #[inline]
    pub fn play(&mut self, mv: Move, observer: &mut impl Observer) -> Undo {
        let captured = self.piece_on(mv.to());
        let undo = Undo { mv, captured, quiet_plies: self.quiet_plies, round: self.round, key: self.key };
        let piece = self.piece_on(mv.from()).expect("moves start on a piece");
        self.quiet_plies = self.quiet_plies.saturating_add(1);
        self.round = self.round.saturating_add(self.side_to_move as u16);
        if let Some(captured) = captured {
            self.lift(captured, mv.to());
            self.key ^= Key::of_piece(captured, mv.to());
            self.quiet_plies = 0;
            observer.lifted(captured, mv.to());
        }
        self.shift(piece, mv.from(), mv.to());
        self.key ^= Key::of_piece(piece, mv.from()) ^ Key::of_piece(piece, mv.to());
        observer.lifted(piece, mv.from());
        observer.placed(piece, mv.to());
        self.pass_turn();
        undo
    }

    /// Takes back the move that [`Self::play`] returned this for.
    #[inline]
    pub fn take_back(&mut self, undo: Undo, observer: &mut impl Observer) {
        let Undo { mv, captured, quiet_plies, round, key } = undo;
        let piece = self.piece_on(mv.to()).expect("the piece that moved stands at its goal");
        self.shift(piece, mv.to(), mv.from());
        observer.lifted(piece, mv.to());
        observer.placed(piece, mv.from());
        if let Some(captured) = captured {
            self.put(captured, mv.to());
            observer.placed(captured, mv.to());
        }
        self.side_to_move = !self.side_to_move;
        self.quiet_plies = quiet_plies;
        self.round = round;
        self.key = key;
    }

    /// Gives the move to the other side, as a null move does; the counters stay. The side to move
    /// must not be in check.
    #[inline]
    pub fn pass(&mut self) {
        debug_assert!(!self.is_in_check());
        self.pass_turn();
    }

    /// Takes a [`Self::pass`] back.
    #[inline]
    pub fn take_back_pass(&mut self) {
        self.pass_turn();
    }

    /// The position mirrored left to right.
    pub fn mirrored(&self) -> Self {
        self.rearranged(self.side_to_move, |piece, square| (piece, square.mirrored()))
    }

    /// The position with the sides exchanged: Black's pieces become Red's, across the river.
    pub fn across(&self) -> Self {
        self.rearranged(!self.side_to_move, |piece, square| {
            (Piece::new(!piece.side(), piece.kind()), square.across())
        })
    }

    fn rearranged(&self, side_to_move: Side, change: impl Fn(Piece, Square) -> (Piece, Square)) -> Self {
        let mut position = Self::empty(side_to_move, self.quiet_plies, self.round);
        for (piece, square) in self.pieces_on_board() {
            let (piece, square) = change(piece, square);
            position.put(piece, square);
        }
        position.key = position.key_from_scratch();
        position
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.side_to_move = !self.side_to_move;
        self.key ^= Key::of_side(Side::Black);
    }

    #[inline]
    pub(crate) fn put(&mut self, piece: Piece, square: Square) {
        self.kinds[piece.kind().index()] |= square;
        self.sides[piece.side().index()] |= square;
        self.squares[square.index()] = Some(piece);
    }

    #[inline]
    fn lift(&mut self, piece: Piece, square: Square) {
        self.kinds[piece.kind().index()] -= square;
        self.sides[piece.side().index()] -= square;
        self.squares[square.index()] = None;
    }

    #[inline]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        let change = Bitboard::of(from) | to;
        self.kinds[piece.kind().index()] ^= change;
        self.sides[piece.side().index()] ^= change;
        self.squares[from.index()] = None;
        self.squares[to.index()] = Some(piece);
    }
}

/// The position as a canonical FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::fen::write(self, f)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}
