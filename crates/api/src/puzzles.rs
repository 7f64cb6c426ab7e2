//! `GET /api/puzzles`: the puzzles that come with the program.

use chuhe_puzzles::shipped;
use serde::Serialize;

/// A position in which one move is right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Puzzle {
    fen: &'static str,
    /// What the solver must reach.
    goal: PuzzleGoal,
    /// Moves to mate, if mate is the goal.
    mate: Option<u8>,
    /// How hard it is, on the scale of the levels.
    rating: u32,
    /// What happens in the solution: keys such as `iron-bolt`.
    themes: Vec<&'static str>,
    /// The solution with the best defence; it begins and ends with a move of the solver.
    solution: Vec<&'static str>,
}

/// What the solver of a puzzle must reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum PuzzleGoal {
    /// Mate in a number of moves.
    Mate,
    /// A winning position.
    Win,
    /// The only move that does not lose.
    Hold,
}

/// The puzzles, from easy to hard. Their lines are only split here; a test reads them whole.
pub fn all() -> impl Iterator<Item = Puzzle> {
    shipped().lines().filter(|line| !line.starts_with('#')).filter_map(split)
}

fn split(line: &'static str) -> Option<Puzzle> {
    let mut fields = line.split(';').map(str::trim);
    let (fen, goal) = (fields.next()?, fields.next()?);
    let mate = goal.strip_prefix("mate ").and_then(|moves| moves.parse().ok());
    Some(Puzzle {
        fen,
        goal: match goal {
            "win" => PuzzleGoal::Win,
            "hold" => PuzzleGoal::Hold,
            _ => PuzzleGoal::Mate,
        },
        mate,
        rating: fields.next()?.parse().ok()?,
        themes: fields.next()?.split_whitespace().collect(),
        solution: fields.next()?.split_whitespace().collect(),
    })
}

#[cfg(test)]
mod tests {
    use chuhe_puzzles::Goal;

    use super::*;

    #[test]
    fn every_shipped_line_is_split_as_it_is_read() {
        let read: Vec<_> = chuhe_puzzles::read(shipped()).collect::<Result<_, _>>().unwrap();
        let split: Vec<_> = all().collect();
        assert_eq!(split.len(), read.len());
        for (split, read) in split.iter().zip(read) {
            assert_eq!(split.mate, if let Goal::Mate(moves) = read.goal { Some(moves) } else { None });
            assert_eq!(split.goal == PuzzleGoal::Hold, read.goal == Goal::Hold);
            assert_eq!((split.rating, split.solution.len()), (read.rating, read.solution.len()));
            assert!(split.themes.iter().copied().eq(read.themes.iter().map(|theme| theme.key())));
        }
    }
}
