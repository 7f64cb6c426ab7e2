//! Some pieces on some points: `C@e2 n@g7 .@e3`.

use std::str::FromStr;

use chuhe_board::coords::{CoordsError, parse_square};
use chuhe_board::{Move, Piece, Position, Square};

/// What must stand on some points. The mirror image counts, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    points: Vec<(Square, Option<Piece>)>,
}

/// A text that is no pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPattern {
    /// A word is not of the form `C@e2`.
    #[error(
        "'{0}' is no part of a pattern: expected a piece and its point such as C@e2, or .@e2 for an empty one"
    )]
    Word(String),
    /// A point is not on the board.
    #[error(transparent)]
    Point(#[from] CoordsError),
    /// There is nothing to look for.
    #[error("the pattern is empty")]
    Empty,
}

impl FromStr for Pattern {
    type Err = BadPattern;

    fn from_str(text: &str) -> Result<Self, BadPattern> {
        let mut points = Vec::new();
        for word in text.split_whitespace() {
            let bad = || BadPattern::Word(word.chars().take(20).collect());
            let (piece, point) = word.split_once('@').ok_or_else(bad)?;
            let piece = match piece {
                "." => None,
                _ => Some(piece.parse().ok().and_then(Piece::from_letter).ok_or_else(bad)?),
            };
            points.push((parse_square(point)?, piece));
        }
        if points.is_empty() { Err(BadPattern::Empty) } else { Ok(Self { points }) }
    }
}

impl Pattern {
    /// After how many plies the pattern is first on the board. Moves are not checked, so that a million
    /// games are looked through in seconds.
    pub(super) fn first_ply(&self, start: &Position, moves: &[Move]) -> Option<usize> {
        let mut board = [None; Square::COUNT];
        for (piece, square) in start.pieces_on_board() {
            board[square.index()] = Some(piece);
        }
        if self.is_on(&board) {
            return Some(0);
        }
        moves
            .iter()
            .position(|mv| {
                board[mv.to().index()] = board[mv.from().index()].take();
                self.is_on(&board)
            })
            .map(|index| index + 1)
    }

    fn is_on(&self, board: &[Option<Piece>; Square::COUNT]) -> bool {
        self.points.iter().all(|(square, piece)| board[square.index()] == *piece)
            || self.points.iter().all(|(square, piece)| board[square.mirrored().index()] == *piece)
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;

    #[test]
    fn a_pattern_or_its_image_is_found() {
        let moves = ["h2e2", "h9g7", "h0g2"].map(|text| parse_move(text, RankStyle::FromZero).unwrap());
        let ply = |pattern: &str| pattern.parse::<Pattern>().unwrap().first_ply(&Position::start(), &moves);
        assert_eq!(ply("K@e0"), Some(0));
        assert_eq!(ply("C@e2 n@g7"), Some(2));
        assert_eq!(ply("C@e2 N@c2"), Some(3));
        assert_eq!(ply(".@h2"), Some(1));
        assert_eq!(ply("C@e4"), None);
    }

    #[test]
    fn what_is_no_pattern_is_named() {
        for text in ["", "C", "X@e2", "C@z9", "CC@e2"] {
            assert!(text.parse::<Pattern>().is_err(), "{text}");
        }
    }
}
