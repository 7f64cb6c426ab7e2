//! A puzzle, and the line of text that holds it.

use std::fmt;
use std::str::FromStr;

use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_board::fen::FenError;
use chuhe_board::{Move, Position};
use thiserror::Error;

use crate::Theme;

/// What the solver must reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Mate in this many moves.
    Mate(u8),
    /// A winning position.
    Win,
    /// The only move that does not lose.
    Hold,
}

/// A position in which one move is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// Where it starts; the solver is the side to move.
    pub position: Position,
    /// What the solver must reach.
    pub goal: Goal,
    /// How hard it is, on the scale of the engine's `UCI_Elo`.
    pub rating: u32,
    /// What happens in the solution.
    pub themes: Vec<Theme>,
    /// The solution, with the best defence; it begins and ends with a move of the solver.
    pub solution: Vec<Move>,
}

/// A line that is no puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PuzzleError {
    /// A field is missing.
    #[error("expected 'FEN ; goal ; rating ; themes ; moves', found '{0}'")]
    Fields(String),
    /// The position cannot be read.
    #[error(transparent)]
    Position(#[from] FenError),
    /// The goal is none of ours.
    #[error("'{0}' is none of 'mate N', 'win' and 'hold'")]
    Goal(String),
    /// The rating is no number.
    #[error("'{0}' is no rating")]
    Rating(String),
    /// The theme is none of ours.
    #[error("'{0}' is no theme")]
    Theme(String),
    /// The solution has an even number of moves, or none.
    #[error("the solution does not end with a move of the solver")]
    Length,
    /// A move of the solution cannot be played.
    #[error("'{0}' is no legal move in the solution")]
    Move(String),
}

impl fmt::Display for Goal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mate(moves) => write!(formatter, "mate {moves}"),
            Self::Win => formatter.write_str("win"),
            Self::Hold => formatter.write_str("hold"),
        }
    }
}

impl FromStr for Goal {
    type Err = PuzzleError;

    fn from_str(text: &str) -> Result<Self, PuzzleError> {
        let unknown = || PuzzleError::Goal(text.to_owned());
        match text.split_once(' ') {
            Some(("mate", moves)) => moves.parse().map(Self::Mate).map_err(|_| unknown()),
            None if text == "win" => Ok(Self::Win),
            None if text == "hold" => Ok(Self::Hold),
            _ => Err(unknown()),
        }
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self.position.to_string();
        let board: Vec<&str> = fen.split(' ').take(2).collect();
        let themes: Vec<&str> = self.themes.iter().map(|theme| theme.key()).collect();
        let moves: Vec<String> = self.solution.iter().map(Move::to_string).collect();
        let (board, themes, moves) = (board.join(" "), themes.join(" "), moves.join(" "));
        write!(formatter, "{board} ; {} ; {} ; {themes} ; {moves}", self.goal, self.rating)
    }
}

impl FromStr for Puzzle {
    type Err = PuzzleError;

    fn from_str(line: &str) -> Result<Self, PuzzleError> {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [fen, goal, rating, themes, moves] = fields[..] else {
            return Err(PuzzleError::Fields(line.to_owned()));
        };
        let position: Position = fen.parse()?;
        let theme = |key: &str| Theme::from_key(key).ok_or_else(|| PuzzleError::Theme(key.to_owned()));
        let solution = legal_moves(&position, moves)?;
        if solution.len().is_multiple_of(2) {
            return Err(PuzzleError::Length);
        }
        Ok(Self {
            position,
            goal: goal.parse()?,
            rating: rating.parse().map_err(|_| PuzzleError::Rating(rating.to_owned()))?,
            themes: themes.split_whitespace().map(theme).collect::<Result<_, _>>()?,
            solution,
        })
    }
}

fn legal_moves(start: &Position, text: &str) -> Result<Vec<Move>, PuzzleError> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let mv = parse_move(word, RankStyle::FromZero).ok().filter(|mv| position.is_legal(*mv));
        let mv = mv.ok_or_else(|| PuzzleError::Move(word.to_owned()))?;
        let _ = position.play(mv, &mut ());
        moves.push(mv);
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "3k5/R8/9/9/9/9/9/9/9/1R2K4 w ; mate 1 ; 650 ; double-chariots ; b0b9";

    #[test]
    fn a_line_is_read_and_written_the_same() {
        assert_eq!(LINE.parse::<Puzzle>().unwrap().to_string(), LINE);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |from: &str, to: &str| LINE.replace(from, to).parse::<Puzzle>().unwrap_err();
        assert_eq!(error("b0b9", "b0c9"), PuzzleError::Move("b0c9".to_owned()));
        assert_eq!(error("b0b9", "b0b9 d9e9"), PuzzleError::Move("d9e9".to_owned()));
        assert_eq!(error("b0b9", "a8a7 d9d8"), PuzzleError::Length);
        assert_eq!(error("mate 1", "mates"), PuzzleError::Goal("mates".to_owned()));
        assert_eq!(error("650", "hard"), PuzzleError::Rating("hard".to_owned()));
        assert_eq!(error("double", "triple"), PuzzleError::Theme("triple-chariots".to_owned()));
        assert!(matches!(error("3k5", "3k6"), PuzzleError::Position(_)));
        assert!(matches!(error(" ; 650", ""), PuzzleError::Fields(_)));
    }
}
