//! What must hold for every puzzle that comes with the program.

use std::collections::HashSet;

use chuhe_puzzles::{Goal, Puzzle, read};

fn shipped() -> Vec<Puzzle> {
    read(chuhe_puzzles::shipped()).collect::<Result<_, _>>().expect("every line is a puzzle")
}

#[test]
fn no_puzzle_comes_twice_or_as_its_mirror_image() {
    let mut seen = HashSet::new();
    for puzzle in shipped() {
        assert!(seen.insert(puzzle.position.merged_key().0), "{puzzle}");
    }
}

#[test]
fn mates_end_in_mate_in_as_many_moves_as_asked() {
    for puzzle in shipped() {
        let Goal::Mate(moves) = puzzle.goal else { continue };
        assert_eq!(puzzle.solution.len(), 2 * usize::from(moves) - 1, "{puzzle}");
        let mut position = puzzle.position.clone();
        for mv in &puzzle.solution {
            let _ = position.play(*mv, &mut ());
        }
        assert!(!position.has_moves(), "{puzzle}");
    }
}

#[test]
fn there_is_something_to_choose_in_every_puzzle() {
    for puzzle in shipped() {
        assert!(puzzle.position.moves().len() >= 2, "{puzzle}");
    }
}

/// A mate that is asked for in one move must be the only one: the page calls everything else wrong or slow.
#[test]
fn a_mate_in_one_is_unique() {
    for puzzle in shipped().into_iter().filter(|puzzle| puzzle.goal == Goal::Mate(1)) {
        let mates = puzzle.position.moves().into_iter().filter(|mv| {
            let mut after = puzzle.position.clone();
            let _ = after.play(*mv, &mut ());
            !after.has_moves()
        });
        assert!(mates.eq(puzzle.solution.iter().copied()), "{puzzle}");
    }
}
