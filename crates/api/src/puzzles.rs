//! `GET /api/puzzles`: mates and tactics from the project's own suites.

use serde::Serialize;

const MATES: &str = include_str!("../../../suites/mates.txt");
const TACTICS: &str = include_str!("../../../suites/tactics.txt");

/// A position with one best move or a forced mate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Puzzle {
    fen: &'static str,
    /// Moves to mate, for a mate puzzle.
    mate: Option<u8>,
    /// The only winning move, for a tactical puzzle.
    best: Option<&'static str>,
}

/// The puzzles: mates from the shortest, then tactics.
pub fn all() -> impl Iterator<Item = Puzzle> {
    let mates = entries(MATES)
        .filter_map(|(fen, moves)| Some(Puzzle { fen, mate: Some(moves.parse().ok()?), best: None }));
    let tactics = entries(TACTICS).map(|(fen, mv)| Puzzle { fen, mate: None, best: Some(mv) });
    mates.chain(tactics)
}

fn entries(suite: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = suite.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(" ; ")).map(|(fen, rest)| (fen, rest.trim()))
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;

    #[test]
    fn every_line_of_the_suites_is_a_puzzle() {
        let lines = |suite: &str| suite.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(all().count(), lines(MATES) + lines(TACTICS));
        for puzzle in all() {
            let position: Position = puzzle.fen.parse().unwrap();
            assert!(puzzle.mate.is_some() != puzzle.best.is_some());
            if let Some(best) = puzzle.best {
                assert!(position.is_legal(parse_move(best, RankStyle::FromZero).unwrap()));
            }
        }
    }
}
