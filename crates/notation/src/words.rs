//! What every notation in words says: which piece, which way, how far. [`crate::wxf`] and
//! [`crate::chinese`] spell it; this module finds the move that is meant and describes a given one.

use arrayvec::ArrayVec;
use chuhe_board::{Bitboard, Move, Piece, PieceKind, Position, Side, Square};

/// Why a text is no legal move of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// The text has not the parts of a move.
    #[error("'{text}' is not a move: expected one such as '{example}'")]
    Form {
        /// What was read.
        text: String,
        /// A move in the notation that was expected.
        example: &'static str,
    },
    /// A character that has no meaning at its place.
    #[error("unexpected {character:?} in '{text}'")]
    UnknownCharacter {
        /// The character.
        character: char,
        /// What was read.
        text: String,
    },
    /// No such piece stands on the board.
    #[error("'{text}': there is no {piece} {place}")]
    NoSuchPiece {
        /// What was read.
        text: String,
        /// The piece that is missing.
        piece: Piece,
        /// Where it should stand, in words.
        place: String,
    },
    /// More than one legal move fits.
    #[error("'{text}' is ambiguous: it may be {0} or {1}", .moves.0, .moves.1)]
    Ambiguous {
        /// What was read.
        text: String,
        /// Two of the moves that fit.
        moves: (Move, Move),
    },
    /// The piece exists but may not move so.
    #[error("'{text}' is not legal here")]
    NotLegal {
        /// What was read.
        text: String,
    },
}

/// The direction of a move as its player sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// 進: towards the opponent.
    Forward,
    /// 退: towards oneself.
    Backward,
    /// 平: along the rank.
    Sideways,
}

/// A place in a tandem: pieces of one kind and side on one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The one nearest to the opponent.
    Front,
    /// The one with as many in front of it as behind it.
    Middle,
    /// The one nearest to oneself.
    Rear,
    /// Counted from the front, from 1.
    Nth(u8),
}

/// How a text says which piece moves. Files are counted 1–9 from the player's right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// The piece on a file.
    OnFile(u8),
    /// The piece at a place of the tandem.
    InTandem(Place),
    /// The piece at a place of the tandem on a file.
    InTandemOn(Place, u8),
    /// The piece with this number when those of all tandems are counted together: from the player's
    /// right-most file, front to rear.
    InSeries(u8),
}

/// A move as words give it, before anyone looks at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) kind: PieceKind,
    pub(crate) which: Which,
    pub(crate) direction: Direction,
    /// Steps along the file, or the file where the move ends.
    pub(crate) number: u8,
}

/// A move as the board gives it, for a notation to choose its words from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Description {
    pub(crate) piece: Piece,
    pub(crate) file: u8,
    /// `None` if the file is enough to name the piece.
    pub(crate) tandem: Option<TandemPlace>,
    pub(crate) direction: Direction,
    pub(crate) number: u8,
}

/// The place of a piece in its tandem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TandemPlace {
    /// Counted from the front of its file, from 1.
    pub(crate) nth: u8,
    /// How many stand on its file.
    pub(crate) count: u8,
    /// Its number in [`Which::InSeries`].
    pub(crate) series: u8,
    /// Whether there are tandems on two files.
    pub(crate) two_files: bool,
}

/// The pieces of one kind on one file, front first. No side has more than five.
type Tandem = ArrayVec<Square, 5>;

/// Describes a legal move.
pub(crate) fn describe(position: &Position, mv: Move) -> Description {
    let piece = position.piece_on(mv.from()).expect("legal moves start on a piece");
    let side = piece.side();
    let (from, to) = (mv.from(), mv.to());
    let (rank, goal) = (from.seen_by(side).rank(), to.seen_by(side).rank());
    let direction = match goal.cmp(&rank) {
        std::cmp::Ordering::Greater => Direction::Forward,
        std::cmp::Ordering::Less => Direction::Backward,
        std::cmp::Ordering::Equal => Direction::Sideways,
    };
    let number = if from.file() == to.file() { goal.abs_diff(rank) } else { file_number(to, side) };
    let file = file_number(from, side);
    Description { piece, file, tandem: tandem_place(position, piece, from), direction, number }
}

fn tandem_place(position: &Position, piece: Piece, from: Square) -> Option<TandemPlace> {
    if !needs_place(piece.kind()) {
        return None;
    }
    let file = file_number(from, piece.side());
    let tandem = on_file(position, piece, file);
    if tandem.len() < 2 {
        return None;
    }
    let place_in = |squares: &[Square]| squares.iter().position(|square| *square == from);
    let series = series(position, piece);
    Some(TandemPlace {
        nth: place_in(&tandem)? as u8 + 1,
        count: tandem.len() as u8,
        series: place_in(&series)? as u8 + 1,
        two_files: series.len() > tandem.len(),
    })
}

/// Whether two pieces of a kind on one file could be meant by the same words. Of two advisors or
/// elephants on a file only the front one can retreat and only the rear one advance.
fn needs_place(kind: PieceKind) -> bool {
    !matches!(kind, PieceKind::General | PieceKind::Advisor | PieceKind::Elephant)
}

/// The legal move that the words mean. `text` is what the errors quote.
pub(crate) fn resolve(words: Words, position: &Position, text: &str) -> Result<Move, MoveTextError> {
    let piece = Piece::new(position.side_to_move(), words.kind);
    let standing = candidates(words.which, position, piece).map_err(|place| MoveTextError::NoSuchPiece {
        text: shortened(text),
        piece,
        place,
    })?;
    let legality = position.legality();
    let legal = |from: &Square| {
        let mv = Move::between(*from, destination(*from, piece, words)?)?;
        position.allows(&legality, mv).then_some(mv)
    };
    let moves: ArrayVec<Move, 5> = standing.iter().filter_map(legal).collect();
    match (moves.as_slice(), words.which) {
        ([mv], _) => Ok(*mv),
        ([], _) => Err(MoveTextError::NotLegal { text: shortened(text) }),
        // The rules of 1997 name the middle one of three or five by its file alone.
        (_, Which::OnFile(_)) if standing.len() % 2 == 1 => legal(&standing[standing.len() / 2])
            .ok_or_else(|| MoveTextError::NotLegal { text: shortened(text) }),
        ([first, second, ..], _) => {
            Err(MoveTextError::Ambiguous { text: shortened(text), moves: (*first, *second) })
        }
    }
}

/// The points of the pieces that may be meant, or where none was found.
fn candidates(which: Which, position: &Position, piece: Piece) -> Result<Tandem, String> {
    let found: Tandem = match which {
        Which::OnFile(file) => on_file(position, piece, file),
        Which::InTandem(place) => {
            tandems(position, piece).filter_map(|tandem| member(&tandem, place)).collect()
        }
        Which::InTandemOn(place, file) => {
            member(&on_file(position, piece, file), place).into_iter().collect()
        }
        Which::InSeries(number) => member(&series(position, piece), Place::Nth(number)).into_iter().collect(),
    };
    if !found.is_empty() {
        return Ok(found);
    }
    Err(match which {
        Which::OnFile(file) => format!("on file {file}"),
        Which::InTandem(place) => format!("{} of several on one file", named(place)),
        Which::InTandemOn(place, file) => format!("{} on file {file}", named(place)),
        Which::InSeries(number) => format!("number {number} among those that share a file"),
    })
}

fn named(place: Place) -> String {
    match place {
        Place::Front => "in front".to_owned(),
        Place::Middle => "in the middle".to_owned(),
        Place::Rear => "in the rear".to_owned(),
        Place::Nth(number) => format!("number {number}"),
    }
}

fn member(tandem: &[Square], place: Place) -> Option<Square> {
    let index = match place {
        Place::Front => 0,
        Place::Middle if tandem.len() % 2 == 1 => tandem.len() / 2,
        Place::Middle => return None,
        Place::Rear => tandem.len().checked_sub(1)?,
        Place::Nth(number) => usize::from(number).checked_sub(1)?,
    };
    tandem.get(index).copied()
}

/// The pieces on a file (1–9 from the player's right), front first.
fn on_file(position: &Position, piece: Piece, file: u8) -> Tandem {
    let column = match piece.side() {
        Side::Red => Square::FILES.checked_sub(file),
        Side::Black => file.checked_sub(1),
    };
    let column = column.filter(|column| *column < Square::FILES).map_or(Bitboard::EMPTY, Bitboard::file);
    let mut squares: Tandem =
        (position.pieces_of(piece.side(), piece.kind()) & column).into_iter().take(5).collect();
    if piece.side() == Side::Red {
        squares.reverse();
    }
    squares
}

/// Every file with several pieces, from the player's right.
fn tandems(position: &Position, piece: Piece) -> impl Iterator<Item = Tandem> {
    (1..=Square::FILES).map(move |file| on_file(position, piece, file)).filter(|tandem| tandem.len() > 1)
}

/// The pieces of all tandems, from the player's right, front first.
fn series(position: &Position, piece: Piece) -> Tandem {
    tandems(position, piece).flatten().take(5).collect()
}

/// How many pieces stand in the longest tandem; 0 without one.
pub(crate) fn longest_tandem(position: &Position, kind: PieceKind) -> u8 {
    let piece = Piece::new(position.side_to_move(), kind);
    tandems(position, piece).map(|tandem| tandem.len() as u8).max().unwrap_or(0)
}

/// The file of a point, 1–9 from the player's right.
fn file_number(square: Square, side: Side) -> u8 {
    match side {
        Side::Red => Square::FILES - square.file(),
        Side::Black => square.file() + 1,
    }
}

/// Where the words lead a piece that stands on `from`; `None` off the board or if this kind of piece
/// never moves so.
fn destination(from: Square, piece: Piece, words: Words) -> Option<Square> {
    let (files, ranks) = match piece.kind() {
        PieceKind::Advisor | PieceKind::Elephant | PieceKind::Horse => slanting(from, piece, words)?,
        _ => straight(from, piece, words)?,
    };
    let up_the_board = match piece.side() {
        Side::Red => ranks,
        Side::Black => -ranks,
    };
    from.offset(files, up_the_board)
}

/// The step in files and ranks of a piece whose number is always a file.
fn slanting(from: Square, piece: Piece, words: Words) -> Option<(i8, i8)> {
    let files = files_to(from, piece, words.number);
    let ranks = match (piece.kind(), files.unsigned_abs()) {
        (PieceKind::Advisor, 1) | (PieceKind::Horse, 2) => 1,
        (PieceKind::Elephant, 2) | (PieceKind::Horse, 1) => 2,
        _ => return None,
    };
    match words.direction {
        Direction::Forward => Some((files, ranks)),
        Direction::Backward => Some((files, -ranks)),
        Direction::Sideways => None,
    }
}

/// The step in files and ranks of a piece whose number is a count of steps but for moves along the
/// rank.
fn straight(from: Square, piece: Piece, words: Words) -> Option<(i8, i8)> {
    let steps = i8::try_from(words.number).ok()?;
    Some(match words.direction {
        Direction::Forward => (0, steps),
        Direction::Backward => (0, -steps),
        Direction::Sideways => (files_to(from, piece, words.number), 0),
    })
}

/// How many files to Red's right the file `number` lies.
fn files_to(from: Square, piece: Piece, number: u8) -> i8 {
    let difference = file_number(from, piece.side()) as i8 - number as i8;
    match piece.side() {
        Side::Red => difference,
        Side::Black => -difference,
    }
}

/// The half-width form of a full-width letter, digit or sign; any other character as it is.
pub(crate) fn narrow(character: char) -> char {
    match character {
        '！'..='～' => char::from_u32(character as u32 - ('！' as u32 - '!' as u32)).unwrap_or(character),
        _ => character,
    }
}

/// The text without white space at its ends, cut where it is too long to be quoted. Characters that
/// could upset a terminal are replaced.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 16;
    let mut characters = text.trim().chars();
    let mut quoted: String = characters.by_ref().take(LONGEST).collect();
    if characters.next().is_some() {
        quoted.push('…');
    }
    quoted.replace(char::is_control, "\u{FFFD}")
}
