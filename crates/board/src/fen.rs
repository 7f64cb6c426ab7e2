//! Positions as text: Forsyth–Edwards notation for Xiangqi.
//!
//! `rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1`: the ranks from Black's
//! back rank down, the side to move (`w` or `r` for Red, `b` for Black), two fields that Xiangqi does
//! not use, the plies since the last capture and the number of the round. All but the first field
//! may be missing.

use std::fmt;
use std::str::FromStr;

use crate::position::{Implausible, Impossible};
use crate::{Piece, Position, Side, Square};

/// The start of a normal game.
pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// Nothing but white space.
    #[error("the FEN is empty")]
    Empty,
    /// Not ten ranks.
    #[error("expected 10 ranks separated by '/', found {0}")]
    RankCount(usize),
    /// A rank with too few or too many files.
    #[error("rank {rank} ('{text}') covers {files} files instead of 9")]
    RankWidth {
        /// The rank, 9 for the first in the text.
        rank: u8,
        /// How many files it covers.
        files: u32,
        /// The rank as written.
        text: String,
    },
    /// A letter that is no piece.
    #[error("'{0}' is not a piece letter")]
    UnknownPiece(char),
    /// The side to move is none of `w`, `r`, `b`.
    #[error("'{0}' is not a side to move: expected 'w' or 'r' for Red, 'b' for Black")]
    UnknownSide(String),
    /// A counter that is no number.
    #[error("the {what} '{text}' is not a number from 0 to {}", u16::MAX)]
    Counter {
        /// Which counter.
        what: &'static str,
        /// What was read.
        text: String,
    },
    /// More fields than a FEN has.
    #[error("unexpected '{0}' after the round number")]
    TrailingText(String),
    /// The pieces make no position.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// With [`parse_strict`]: a position that no game leads to.
    #[error(transparent)]
    Implausible(#[from] Implausible),
}

/// Reads a FEN. What is wrong with it is an error; what is only odd (see
/// [`Position::implausibilities`]) is let through.
///
/// ```
/// let position = chuhe_board::fen::parse("4k4/9/9/9/9/9/9/9/4A4/4K4 b").unwrap();
/// assert_eq!(position.to_string(), "4k4/9/9/9/9/9/9/9/4A4/4K4 b - - 0 1");
/// ```
pub fn parse(text: &str) -> Result<Position, FenError> {
    let mut fields = text.split_whitespace();
    let placement = fields.next().ok_or(FenError::Empty)?;
    // Fairy-Stockfish writes the pieces in hand behind the board; Xiangqi has none.
    let placement = placement.strip_suffix("[]").unwrap_or(placement);
    let side = fields.next().map_or(Ok(Side::Red), parse_side)?;
    let (_castling, _en_passant) = (fields.next(), fields.next());
    let quiet_plies = parse_counter("count of quiet plies", fields.next(), 0)?;
    let round = parse_counter("round number", fields.next(), 1)?.max(1);
    if let Some(text) = fields.next() {
        return Err(FenError::TrailingText(text.to_owned()));
    }

    let mut position = Position::empty(side, quiet_plies, round);
    place_ranks(&mut position, placement)?;
    position.seal()?;
    Ok(position)
}

/// Reads a FEN and refuses positions that no game leads to.
pub fn parse_strict(text: &str) -> Result<Position, FenError> {
    let position = parse(text)?;
    match position.implausibilities().first() {
        Some(odd) => Err((*odd).into()),
        None => Ok(position),
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        parse(text)
    }
}

/// Writes the canonical form: letters `KABNRCP`, side `w` or `b`, all six fields.
pub(crate) fn write(position: &Position, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for rank in (0..Square::RANKS).rev() {
        write_rank(position, rank, f)?;
        if rank > 0 {
            f.write_str("/")?;
        }
    }
    let side = match position.side_to_move() {
        Side::Red => 'w',
        Side::Black => 'b',
    };
    write!(f, " {side} - - {} {}", position.quiet_plies(), position.round())
}

fn write_rank(position: &Position, rank: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut empty = 0;
    for square in (0..Square::FILES).filter_map(|file| Square::at(file, rank)) {
        let Some(piece) = position.piece_on(square) else {
            empty += 1;
            continue;
        };
        if empty > 0 {
            write!(f, "{empty}")?;
            empty = 0;
        }
        write!(f, "{}", piece.letter())?;
    }
    if empty > 0 {
        write!(f, "{empty}")?;
    }
    Ok(())
}

fn parse_side(text: &str) -> Result<Side, FenError> {
    match text {
        "w" | "r" | "W" | "R" => Ok(Side::Red),
        "b" | "B" => Ok(Side::Black),
        _ => Err(FenError::UnknownSide(text.to_owned())),
    }
}

fn parse_counter(what: &'static str, text: Option<&str>, missing: u16) -> Result<u16, FenError> {
    match text {
        None | Some("-") => Ok(missing),
        Some(text) => text.parse().map_err(|_| FenError::Counter { what, text: text.to_owned() }),
    }
}

fn place_ranks(position: &mut Position, placement: &str) -> Result<(), FenError> {
    let ranks = placement.split('/').count();
    if ranks != Square::RANKS as usize {
        return Err(FenError::RankCount(ranks));
    }
    for (rank, text) in (0..Square::RANKS).rev().zip(placement.split('/')) {
        place_rank(position, rank, text)?;
    }
    Ok(())
}

fn place_rank(position: &mut Position, rank: u8, text: &str) -> Result<(), FenError> {
    let mut files = 0;
    for letter in text.chars() {
        if let Some(empty) = letter.to_digit(10) {
            files += empty;
            continue;
        }
        let piece = Piece::from_letter(letter).ok_or(FenError::UnknownPiece(letter))?;
        if let Some(square) = u8::try_from(files).ok().and_then(|file| Square::at(file, rank)) {
            position.put(piece, square);
        }
        files += 1;
    }
    if files != u32::from(Square::FILES) {
        return Err(FenError::RankWidth { rank, files, text: text.to_owned() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn the_canonical_form_reads_back() {
        assert_eq!(Position::start().to_string(), START);
        let east = START.replace(['N', 'n'], "H").replace("w", "r");
        assert!(parse(&east).is_err(), "black has no red horses");
        let letters = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR[] r";
        assert_eq!(parse(letters), Ok(Position::start()));
    }

    #[test]
    fn errors_say_what_is_wrong() {
        assert_eq!(message(" "), "the FEN is empty");
        assert_eq!(message("9/9 w"), "expected 10 ranks separated by '/', found 2");
        let wide = START.replace("p1p1p1p1p", "p1p1p1p1pp");
        assert_eq!(message(&wide), "rank 6 ('p1p1p1p1pp') covers 10 files instead of 9");
        assert_eq!(message(&START.replace('c', "q")), "'q' is not a piece letter");
        assert_eq!(
            message(&START.replace('w', "x")),
            "'x' is not a side to move: expected 'w' or 'r' for Red, 'b' for Black"
        );
        assert_eq!(
            message(&START.replace("0 1", "-3 1")),
            "the count of quiet plies '-3' is not a number from 0 to 65535"
        );
        assert_eq!(message(&format!("{START} moves")), "unexpected 'moves' after the round number");
        assert_eq!(message(&START.replace('K', "1")), "Red has no general");
        assert_eq!(message("3k5/9/9/9/9/9/9/9/9/3K5 w"), "the generals face each other on file d");
    }

    #[test]
    fn strictness_refuses_what_no_game_reaches() {
        let composed = "3k5/9/9/9/9/1P7/9/9/9/4K4 w - - 0 1";
        assert!(parse(composed).is_ok());
        assert_eq!(parse_strict(composed).unwrap_err().to_string(), "a red soldier cannot have reached b4");
        assert!(parse_strict(START).is_ok());
    }
}
