//! How hard a puzzle is: how high on the engine's ladder of levels one must stand to solve it.

use chuhe_adapters::Handicap;
use chuhe_adapters::multi_pv;
use chuhe_board::Move;
use chuhe_referee::Game;
use chuhe_search::{Limits, Line, Pool};

use crate::{Goal, Puzzle};

/// The ends of the ladder, as `UCI_Elo` has them.
const LEAST_ELO: f64 = 600.0;
const FULL_ELO: f64 = 3400.0;
/// The heights at which a level tries the puzzle. Higher ones search about as long as the proof did: from here on, the chance is
/// assumed to rise evenly to 1 at full strength.
const TRIED: [f64; 7] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
/// A level that solves it so surely leaves nothing for the levels above to miss.
const SURE: f64 = 0.97;

/// The rating: a solver with this rating finds the whole solution in about half of the cases.
pub(crate) fn rating(pool: &mut Pool, puzzle: &Puzzle) -> u32 {
    let (mut heights, mut chances) = (Vec::new(), Vec::new());
    for height in TRIED {
        heights.push(height);
        chances.push(chance(pool, puzzle, height));
        if chances.last().is_some_and(|chance| *chance > SURE) {
            break;
        }
    }
    heights.push(1.0);
    chances.push(1.0);
    // The area above the curve is the height at which a step from 0 to 1 would have the same area.
    let area: f64 = (1..heights.len())
        .map(|place| {
            (heights[place] - heights[place - 1]) * (2.0 - chances[place] - chances[place - 1]) / 2.0
        })
        .sum();
    (LEAST_ELO + area * (FULL_ELO - LEAST_ELO)).round() as u32
}

/// The chance that a level plays every move of the solution.
fn chance(pool: &mut Pool, puzzle: &Puzzle, height: f64) -> f64 {
    let handicap = Handicap::new(height).expect("full strength is not tried");
    let limits = handicap.hold_back(Limits::default());
    let mut game = Game::new(puzzle.position.clone());
    let mut chance = 1.0;
    for (ply, mv) in puzzle.solution.iter().enumerate() {
        if ply.is_multiple_of(2) {
            pool.clear();
            let lines = multi_pv::search(pool, &game, &limits);
            chance *= share_of(*mv, &lines, &handicap.chances(&lines), puzzle.goal);
        }
        game.play(*mv).expect("a solution is legal");
    }
    chance
}

/// The share of the right move among the lines of a level. Where a mate is asked for, other mates are neither right nor mistakes:
/// they are only too slow, as the solver knows from the task.
fn share_of(right: Move, lines: &[Line], chances: &[f64], goal: Goal) -> f64 {
    let is_slow_mate =
        |line: &Line| matches!(goal, Goal::Mate(_)) && line.score.mate_in().is_some_and(|moves| moves > 0);
    let (mut share, mut all) = (0.0, 0.0);
    for (line, chance) in lines.iter().zip(chances) {
        let is_right = line.moves.first() == Some(&right);
        if is_right || !is_slow_mate(line) {
            all += chance;
        }
        if is_right {
            share += chance;
        }
    }
    if all > 0.0 { share / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_in_one_is_easier_than_a_long_one() {
        let mut pool = Pool::new(1, 1);
        let mut rated = |line: &str| rating(&mut pool, &line.parse().unwrap());
        let easy = rated("3k5/R8/9/9/9/9/9/9/9/1R2K4 w ; mate 1 ; 0 ; ; b0b9");
        let hard = rated("5a3/3ka1N2/9/3P2P2/9/8n/3R5/B3B4/4A4/4KA3 w ; win ; 0 ; ; e0d0");
        assert!(easy < 1000, "{easy}");
        assert!(easy < hard, "{easy} {hard}");
    }
}
