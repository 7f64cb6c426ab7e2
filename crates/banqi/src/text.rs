//! Positions and moves as text.
//!
//! A position is `ROWS SIDE POOL QUIET`: four rows from rank 1 down, each from file a to h, with letters
//! for pieces (`KGMRNCP`, lower case for Black), `?` for backs and digits for empty squares; `r`, `b` or,
//! before the first flip, `-`; the pool of what lies face down, each letter with its count if that is not
//! one, or `-`; the plies since the last flip or capture, which may be missing.

use std::fmt;
use std::str::FromStr;

use crate::moves::{Move, Played};
use crate::piece::{Counts, Piece, Side};
use crate::position::{Cell, Impossible, Position};
use crate::square::{Square, SquareStyle};

/// Why a text is no position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// Rows, side and pool at least.
    #[error("expected 'ROWS SIDE POOL [QUIET]', found {0} words")]
    Words(usize),
    /// Four are needed.
    #[error("expected 4 rows separated by '/', found {0}")]
    Rows(usize),
    /// Every row has eight squares.
    #[error("row {row} has {squares} squares instead of 8")]
    Width {
        /// 1–4.
        row: usize,
        /// How many squares it covers.
        squares: usize,
    },
    /// Not one of `KGMRNCPkgmrncp`.
    #[error("'{0}' is not a piece letter")]
    Letter(char),
    /// Not `r`, `b` or `-`.
    #[error("'{0}' is not a side: use r, b or - before the first flip")]
    Side(String),
    /// Letters with counts, or `-`.
    #[error("'{0}' is not a pool such as K2G… or -")]
    Pool(String),
    /// A small number.
    #[error("'{0}' is not a number of quiet plies")]
    Quiet(String),
    /// Well written, but it cannot be.
    #[error(transparent)]
    Impossible(#[from] Impossible),
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (rows, side, pool, quiet) = match words[..] {
            [rows, side, pool] => (rows, side, pool, "0"),
            [rows, side, pool, quiet] => (rows, side, pool, quiet),
            _ => return Err(PositionError::Words(words.len())),
        };
        let cells = parse_rows(rows, Piece::from_letter)?;
        let side = match side {
            "r" => Some(Side::Red),
            "b" => Some(Side::Black),
            "-" => None,
            _ => return Err(PositionError::Side(side.to_owned())),
        };
        let quiet = quiet.parse().map_err(|_| PositionError::Quiet(quiet.to_owned()))?;
        Ok(Self::new(&cells, parse_pool(pool)?, side, quiet)?)
    }
}

/// Four rows of eight squares; `piece` knows the letters.
pub(crate) fn parse_rows(
    text: &str,
    piece: impl Fn(char) -> Option<Piece>,
) -> Result<[Cell; Square::COUNT], PositionError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 4 {
        return Err(PositionError::Rows(rows.len()));
    }
    let mut cells = [Cell::Empty; Square::COUNT];
    for (row, text) in rows.iter().enumerate() {
        let mut column = 0;
        for letter in text.chars() {
            let cell = match letter {
                '1'..='8' => {
                    column += letter as usize - '0' as usize;
                    continue;
                }
                '?' => Cell::FaceDown,
                _ => Cell::Shown(piece(letter).ok_or(PositionError::Letter(letter))?),
            };
            if column < 8 {
                cells[row * 8 + column] = cell;
            }
            column += 1;
        }
        if column != 8 {
            return Err(PositionError::Width { row: row + 1, squares: column });
        }
    }
    Ok(cells)
}

fn parse_pool(text: &str) -> Result<Counts, PositionError> {
    let bad = || PositionError::Pool(text.to_owned());
    let mut pool = [0; Piece::COUNT];
    if text == "-" {
        return Ok(pool);
    }
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let piece = Piece::from_letter(letter).ok_or_else(bad)?;
        let count = match letters.peek() {
            Some(&digit @ '1'..='9') => {
                letters.next();
                digit as u8 - b'0'
            }
            _ => 1,
        };
        let total = &mut pool[piece.index()];
        *total = count.checked_add(*total).ok_or_else(bad)?;
    }
    Ok(pool)
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_rows(f, self, Piece::letter)?;
        let side = match self.side_to_move() {
            Some(Side::Red) => "r",
            Some(Side::Black) => "b",
            None => "-",
        };
        write!(f, " {side} {} {}", PoolText(self.pool()), self.quiet_plies())
    }
}

/// The rows of a position with letters from `letter`.
pub(crate) fn write_rows(
    out: &mut impl fmt::Write,
    position: &Position,
    letter: impl Fn(Piece) -> char,
) -> fmt::Result {
    let mut empty = 0;
    for square in Square::all() {
        if square.column() == 0 && square.row() > 0 {
            out.write_char('/')?;
        }
        let shown = match position.cell(square) {
            Cell::Empty => None,
            Cell::FaceDown => Some('?'),
            Cell::Shown(piece) => Some(letter(piece)),
        };
        empty += u8::from(shown.is_none());
        if empty > 0 && (shown.is_some() || square.column() == 7) {
            write!(out, "{empty}")?;
            empty = 0;
        }
        if let Some(shown) = shown {
            out.write_char(shown)?;
        }
    }
    Ok(())
}

/// A pool as positions write it.
pub struct PoolText<'a>(pub &'a Counts);

impl fmt::Display for PoolText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.iter().all(|&count| count == 0) {
            return f.write_str("-");
        }
        for piece in Piece::all() {
            match self.0[piece.index()] {
                0 => {}
                1 => write!(f, "{}", piece.letter())?,
                count => write!(f, "{}{count}", piece.letter())?,
            }
        }
        Ok(())
    }
}

/// Why a text is no move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a move: write a1-a2 for a step, c3 or c3(R) for a flip")]
pub struct MoveError(pub String);

/// A move as a player chooses it and, for a flip, the piece it reveals: `a1-a2`, `c3`, `c3(R)`.
pub fn parse_move(text: &str, style: SquareStyle) -> Result<(Move, Option<Piece>), MoveError> {
    let read = || {
        if let Some((from, to)) = text.split_once('-') {
            let (from, to) = (Square::parse(from, style)?, Square::parse(to, style)?);
            return (from != to).then_some((Move::new(from, to), None));
        }
        let Some((square, rest)) = text.split_once('(') else {
            return Some((Move::flip(Square::parse(text, style)?), None));
        };
        let mut letters = rest.strip_suffix(')')?.chars();
        let shown = Piece::from_letter(letters.next()?)?;
        let square = Square::parse(square, style)?;
        letters.next().is_none().then_some((Move::flip(square), Some(shown)))
    };
    read().ok_or_else(|| MoveError(text.to_owned()))
}

/// Writes a move as chosen: `a1-a2` or `c3`.
pub fn move_text(mv: Move, style: SquareStyle) -> String {
    if mv.is_flip() {
        return mv.from().text(style);
    }
    format!("{}-{}", mv.from().text(style), mv.to().text(style))
}

/// Writes what happened: `a1-a2` or `c3(R)`.
pub fn played_text(played: Played, style: SquareStyle) -> String {
    match played {
        Played::Flip(square, shown) => format!("{}({})", square.text(style), shown.letter()),
        Played::Step(..) => move_text(played.choice(), style),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "????????/????????/????????/???????? - KG2M2R2N2C2P5kg2m2r2n2c2p5 0";

    #[test]
    fn positions_are_written_as_they_are_read() {
        assert_eq!(Position::start().to_string(), START);
        for text in [START, "K7/8/3p4/?6? r Cc 12", "8/8/8/PPPPPk2 b - 0"] {
            assert_eq!(text.parse::<Position>().unwrap().to_string(), text);
        }
        let repeated: Position = "???5/8/8/8 r PPp".parse().unwrap();
        assert_eq!(repeated.to_string(), "???5/8/8/8 r P2p 0");
    }

    #[test]
    fn bad_positions_name_the_culprit() {
        for (text, complaint) in [
            ("", "expected 'ROWS SIDE POOL [QUIET]', found 0 words"),
            ("8/8/8 r -", "expected 4 rows separated by '/', found 3"),
            ("8/8/9/8 r -", "'9' is not a piece letter"),
            ("8/8/7/8 r -", "row 3 has 7 squares instead of 8"),
            ("8/8/88/8 r -", "row 3 has 16 squares instead of 8"),
            ("8/8/X7/8 r -", "'X' is not a piece letter"),
            ("8/8/8/8 w -", "'w' is not a side"),
            ("8/8/8/8 r 4", "'4' is not a pool"),
            ("8/8/8/8 r - x", "'x' is not a number of quiet plies"),
            ("8/8/8/KK6 r -", "there are 2 of 'K', a set has 1"),
            ("K?6/8/8/8 r K", "there are 2 of 'K', a set has 1"),
            ("?7/8/8/8 r P6", "there are 6 of 'P', a set has 5"),
            ("?7/8/8/8 r P2", "1 pieces lie face down, but the pool holds 2"),
            ("????4/8/8/8 - P4", "no side has a colour yet"),
            ("8/8/8/8 r P9P9P9P9P9P9P9P9P9P9P9P9P9P9P9P9P9P9P9P9P9P9P9P9P9P9P9P9P9", "is not a pool"),
        ] {
            let error = text.parse::<Position>().unwrap_err().to_string();
            assert!(error.starts_with(complaint) || error.contains(complaint), "{text}: {error}");
        }
    }

    #[test]
    fn moves_are_written_as_they_are_read_in_both_styles() {
        for (text, style) in
            [("a1-a2", SquareStyle::Wide), ("c3", SquareStyle::Wide), ("d8-d7", SquareStyle::Tall)]
        {
            let (mv, shown) = parse_move(text, style).unwrap();
            assert_eq!((move_text(mv, style), shown), (text.to_owned(), None));
        }
        let (mv, shown) = parse_move("b3(n)", SquareStyle::Tall).unwrap();
        let played = Played::Flip(mv.from(), shown.unwrap());
        assert_eq!(played_text(played, SquareStyle::Tall), "b3(n)");
        assert_eq!(played_text(played, SquareStyle::Wide), "c2(n)");
        for bad in ["", "a1-a1", "a1-", "a1-a9", "c3(", "c3(X)", "c3(R", "c3(RR)", "c3()", "(R)", "象"] {
            assert!(parse_move(bad, SquareStyle::Wide).is_err(), "{bad}");
        }
    }
}
