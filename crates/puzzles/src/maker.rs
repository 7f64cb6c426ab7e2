//! Makes puzzles of the moments of a game: finds, proves, follows the solution, names and rates.

use std::sync::Arc;

use chuhe_adapters::repetition::rules_of_tables;
use chuhe_adapters::{endgames, multi_pv};
use chuhe_board::{Move, Position};
use chuhe_referee::{Game, RuleSet};
use chuhe_search::{Limits, Pool};
use chuhe_tablebase::PlayTables;

use crate::games::Moment;
use crate::promise::promise;
use crate::rating::rating;
use crate::theme::themes;
use crate::{Goal, Puzzle};

/// A cheap look before the proof.
const GLANCE_NODES: u64 = 12_000;
/// Nodes for a move of the line whose outcome is proved: the defence, and the rest of a mate.
const LINE_NODES: u64 = 25_000;
/// The most moves that the solver must find, mates excepted.
const MOST_MOVES: usize = 4;
/// The most puzzles of one game.
const MOST_PER_GAME: usize = 4;
/// What nearly everybody sees is no puzzle.
const LEAST_RATING: u32 = 750;
/// Mates in one are, unless a beginner always sees them.
const LEAST_MATE_RATING: u32 = 620;

/// Makes puzzles, the same ones of the same moments.
pub struct Maker {
    pool: Pool,
    proof_nodes: u64,
}

impl Maker {
    /// Proves by searches of this many nodes.
    pub fn new(proof_nodes: u64) -> Self {
        let mut pool = Pool::new(1, 16);
        // The built-in tables alone: a user's own would make other puzzles.
        let tables = PlayTables::built_in(rules_of_tables(RuleSet::default()));
        pool.set_endgames(Some(endgames::of(Arc::new(tables))));
        Self { pool, proof_nodes }
    }

    /// The puzzles of a game.
    pub fn puzzles(&mut self, moments: &[Moment]) -> Vec<Puzzle> {
        let mut puzzles = Vec::new();
        let mut next = 0;
        while let Some(moment) = moments.get(next)
            && puzzles.len() < MOST_PER_GAME
        {
            next += 1;
            if promise(moment.best, moment.second).is_none() {
                continue;
            }
            if let Some(puzzle) = self.puzzle(&moment.position) {
                // The positions of its solution are no puzzles of their own.
                next += puzzle.solution.len();
                puzzles.push(puzzle);
            }
        }
        puzzles
    }

    /// The puzzle of a position, if one move is right by a clear margin.
    fn puzzle(&mut self, position: &Position) -> Option<Puzzle> {
        self.only_move(position, GLANCE_NODES)?;
        let (goal, solution) = self.solution(position)?;
        let mut puzzle = Puzzle { position: position.clone(), goal, rating: 0, themes: Vec::new(), solution };
        puzzle.themes = themes(&puzzle);
        puzzle.rating = rating(&mut self.pool, &puzzle);
        let least = match goal {
            Goal::Mate(1) => LEAST_MATE_RATING,
            Goal::Mate(_) => 0,
            Goal::Win | Goal::Hold => LEAST_RATING,
        };
        (puzzle.rating >= least).then_some(puzzle)
    }

    /// The right move of a position and what it reaches.
    fn only_move(&mut self, position: &Position, nodes: u64) -> Option<(Goal, Move)> {
        self.pool.clear();
        let limits = Limits { lines: 2, ..Limits::nodes(nodes) };
        let lines = multi_pv::search(&mut self.pool, &Game::new(position.clone()), &limits);
        let [best, second] = &lines[..] else {
            return None;
        };
        promise(best.score, second.score).map(|goal| (goal, best.moves[0]))
    }

    /// The goal and the whole solution: as long as one move is right, or to the mate.
    fn solution(&mut self, start: &Position) -> Option<(Goal, Vec<Move>)> {
        let (goal, first) = self.only_move(start, self.proof_nodes)?;
        if let Goal::Mate(moves) = goal {
            return self.mating_line(start, first, moves).map(|line| (goal, line));
        }
        let mut position = start.clone();
        let mut line = vec![first];
        let _ = position.play(first, &mut ());
        while line.len() < 2 * MOST_MOVES - 1
            && let Some(reply) = self.best_move(&position)
        {
            let _ = position.play(reply, &mut ());
            let Some((_, mv)) =
                self.only_move(&position, self.proof_nodes).filter(|(reached, _)| continues(goal, *reached))
            else {
                break;
            };
            let _ = position.play(mv, &mut ());
            line.extend([reply, mv]);
        }
        Some((goal, line))
    }

    /// A mate with the longest defence that the search finds; `None` if it does not come in time.
    fn mating_line(&mut self, start: &Position, first: Move, moves: u8) -> Option<Vec<Move>> {
        let mut position = start.clone();
        let mut line = vec![first];
        let _ = position.play(first, &mut ());
        while position.has_moves() {
            if line.len() >= 2 * usize::from(moves) {
                return None;
            }
            let mv = self.best_move(&position)?;
            let _ = position.play(mv, &mut ());
            line.push(mv);
        }
        (line.len() == 2 * usize::from(moves) - 1).then_some(line)
    }

    fn best_move(&mut self, position: &Position) -> Option<Move> {
        self.pool.clear();
        let game = Game::new(position.clone());
        let lines = multi_pv::search(&mut self.pool, &game, &Limits::nodes(LINE_NODES));
        lines.first().map(|line| line.moves[0])
    }
}

/// Whether a later move of the solution belongs to the same task.
fn continues(goal: Goal, reached: Goal) -> bool {
    match goal {
        Goal::Hold => reached == Goal::Hold,
        Goal::Win | Goal::Mate(_) => reached != Goal::Hold,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(fen: &str) -> Option<Puzzle> {
        Maker::new(20_000).puzzle(&fen.parse().unwrap())
    }

    #[test]
    fn a_mate_is_followed_to_its_end() {
        let puzzle = made("4k4/2R1a4/4R4/7P1/9/9/9/9/p2r5/2BAKA1r1 w").unwrap();
        assert_eq!((puzzle.goal, puzzle.solution.len()), (Goal::Mate(2), 3));
        let mut position = puzzle.position.clone();
        for mv in puzzle.solution {
            let _ = position.play(mv, &mut ());
        }
        assert!(!position.has_moves());
    }

    #[test]
    fn where_several_moves_win_there_is_no_puzzle() {
        assert_eq!(made("3k5/9/9/9/9/9/9/9/R8/R3K4 w"), None);
        assert_eq!(made(chuhe_board::fen::START), None);
    }
}
