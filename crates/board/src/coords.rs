//! Moves and points as coordinates: `h2e2`, ICCS' `H2-E2`, and the same with ranks counted 1–10.
//!
//! `a1a2` is a move in both styles, so the style is always stated and never guessed.

use std::fmt;

use crate::{Bitboard, Move, Square};

/// How ranks are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum RankStyle {
    /// 0–9 from Red's back rank: ICCS, UCCI and most Xiangqi engines.
    #[default]
    FromZero,
    /// 1–10 from Red's back rank: Fairy-Stockfish and its relatives.
    FromOne,
}

impl RankStyle {
    /// The number written for Red's back rank.
    pub const fn first(self) -> u8 {
        match self {
            Self::FromZero => 0,
            Self::FromOne => 1,
        }
    }
}

/// Why a text is no move or point in coordinates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoordsError {
    /// The text is not of the form file, rank, file, rank.
    #[error("'{text}' is not a move: expected two points such as 'h{0}e{0}'", .style.first() + 2)]
    Form {
        /// What was read.
        text: String,
        /// The style it was read in.
        style: RankStyle,
    },
    /// The text is not of the form file, rank.
    #[error("'{0}' is not a point: expected a file a–i and a rank")]
    PointForm(String),
    /// A rank is off the board.
    #[error("rank {rank} in '{text}' is off the board: ranks are {}–{}", .style.first(), .style.first() + 9)]
    Rank {
        /// What was read.
        text: String,
        /// The rank in it.
        rank: u8,
        /// The style it was read in.
        style: RankStyle,
    },
    /// Both points are the same.
    #[error("'{0}' ends where it starts")]
    SamePoint(String),
}

/// Reads a move such as `h2e2`, `H2E2` or `H2-E2`.
///
/// ```
/// use chuhe_board::coords::{self, RankStyle};
///
/// let mv = coords::parse_move("H2-E2", RankStyle::FromZero).unwrap();
/// assert_eq!(mv.to_string(), "h2e2");
/// assert_eq!(coords::parse_move("h3e3", RankStyle::FromOne), Ok(mv));
/// ```
pub fn parse_move(text: &str, style: RankStyle) -> Result<Move, CoordsError> {
    let form = || CoordsError::Form { text: shortened(text), style };
    let (from, rest) = split_point(text).ok_or_else(form)?;
    let (to, rest) = split_point(rest.strip_prefix('-').unwrap_or(rest)).ok_or_else(form)?;
    if !rest.is_empty() {
        return Err(form());
    }
    let on_board = |(file, rank): (u8, u8)| {
        rank.checked_sub(style.first())
            .and_then(|rank| Square::at(file, rank))
            .ok_or_else(|| CoordsError::Rank { text: shortened(text), rank, style })
    };
    Move::between(on_board(from)?, on_board(to)?).ok_or_else(|| CoordsError::SamePoint(shortened(text)))
}

/// Reads a point with its rank counted from 0: `e4`.
pub fn parse_square(text: &str) -> Result<Square, CoordsError> {
    match split_point(text) {
        Some(((file, rank), "")) => Square::at(file, rank).ok_or_else(|| CoordsError::Rank {
            text: shortened(text),
            rank,
            style: RankStyle::FromZero,
        }),
        _ => Err(CoordsError::PointForm(shortened(text))),
    }
}

/// Writes a move in the given style: `h2e2` or `h3e3`.
pub fn write_move(mv: Move, style: RankStyle) -> Coords {
    Coords { mv, first: style.first(), iccs: false }
}

/// Writes a move as ICCS does: `H2-E2`.
pub fn write_iccs(mv: Move) -> Coords {
    Coords { mv, first: 0, iccs: true }
}

/// A move that prints itself as coordinates; made by [`write_move`] and [`write_iccs`].
#[derive(Clone, Copy, Debug)]
pub struct Coords {
    mv: Move,
    first: u8,
    iccs: bool,
}

impl fmt::Display for Coords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.mv.from(), self.mv.to());
        let (letter, dash) = if self.iccs { (b'A', "-") } else { (b'a', "") };
        let file = |square: Square| (letter + square.file()) as char;
        let rank = |square: Square| square.rank() + self.first;
        write!(f, "{}{}{dash}{}{}", file(from), rank(from), file(to), rank(to))
    }
}

/// A file 0–8 and the number behind it, and the rest of the text.
fn split_point(text: &str) -> Option<((u8, u8), &str)> {
    let letter = text.bytes().next()?.to_ascii_lowercase();
    if !(b'a'..=b'i').contains(&letter) {
        return None;
    }
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    let rank = text[1..=digits].parse().ok()?;
    Some(((letter - b'a', rank), &text[1 + digits..]))
}

/// The text, cut where an error message would drown in it.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.chars().count() <= LONGEST {
        text.to_owned()
    } else {
        text.chars().take(LONGEST).chain(['…']).collect()
    }
}

/// The set of the points named in the text: `points("e4 e5")`.
///
/// # Panics
/// If a name is not a point; meant for tests and constants.
pub fn points(names: &str) -> Bitboard {
    names.split_whitespace().map(|name| parse_square(name).expect("names of points")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_style_reads_what_it_writes() {
        for from in Square::all() {
            for to in Square::all().filter(|to| *to != from) {
                let mv = Move::new(from, to);
                for style in [RankStyle::FromZero, RankStyle::FromOne] {
                    assert_eq!(parse_move(&write_move(mv, style).to_string(), style), Ok(mv));
                }
                assert_eq!(parse_move(&write_iccs(mv).to_string(), RankStyle::FromZero), Ok(mv));
            }
        }
    }

    #[test]
    fn the_style_decides_what_a_rank_means() {
        let zero = parse_move("a1a2", RankStyle::FromZero).unwrap();
        let one = parse_move("a1a2", RankStyle::FromOne).unwrap();
        assert_eq!(zero.to_string(), "a1a2");
        assert_eq!(one.to_string(), "a0a1");
    }

    #[test]
    fn errors_name_the_culprit() {
        let message = |text, style| parse_move(text, style).unwrap_err().to_string();
        assert_eq!(
            message("h10h9", RankStyle::FromZero),
            "rank 10 in 'h10h9' is off the board: ranks are 0–9"
        );
        assert_eq!(message("a0a1", RankStyle::FromOne), "rank 0 in 'a0a1' is off the board: ranks are 1–10");
        assert_eq!(
            message("j2e2", RankStyle::FromZero),
            "'j2e2' is not a move: expected two points such as 'h2e2'"
        );
        assert_eq!(message("e4e4", RankStyle::FromZero), "'e4e4' ends where it starts");
    }
}
