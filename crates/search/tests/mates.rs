//! Mates whose distance was proved by trying everything: the search must find exactly that.

#[path = "support/mate_solver.rs"]
mod mate_solver;

use chuhe_board::Position;
use chuhe_referee::Game;
use chuhe_search::{Answer, Control, Limits, Pool};
use mate_solver::Solver;

const SUITE: &str = include_str!("../../../suites/mates.txt");

/// Far more than nearly all of them need.
const NODES: u64 = 4_000_000;

/// The positions with the moves to mate.
fn mates() -> impl Iterator<Item = (Position, u32)> {
    let lines = SUITE.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let (fen, moves) = line.split_once(';').expect("a distance after the position");
        (fen.trim().parse().expect("a position"), moves.trim().parse().expect("a number of moves"))
    })
}

fn distance(answer: &Answer) -> Option<i32> {
    answer.lines.first()?.score.plies_to_end()
}

#[test]
fn there_are_mates_of_every_distance() {
    let mut count = [0; 6];
    for (_, moves) in mates() {
        count[moves as usize] += 1;
    }
    assert!(count[1..].iter().all(|count| *count >= 40), "{count:?}");
    assert!(count.iter().sum::<i32>() >= 200, "{count:?}");
}

#[test]
fn the_search_finds_every_mate_in_its_exact_distance() {
    let mut pool = Pool::new(1, 16);
    let mut wrong = Vec::new();
    for (position, moves) in mates() {
        pool.clear();
        let limits = Limits { mate: Some(moves), ..Limits::nodes(NODES) };
        let answer = pool.search(&Game::new(position.clone()), &limits, &Control::default(), &mut |_| {});
        if distance(&answer) != Some(2 * moves as i32 - 1) {
            wrong.push(format!("{position} ; {moves}: {:?} plies", distance(&answer)));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_line_of_a_mate_ends_in_mate() {
    let mut pool = Pool::new(1, 16);
    for (position, moves) in mates().step_by(5) {
        pool.clear();
        let limits = Limits { mate: Some(moves), ..Limits::nodes(NODES) };
        let answer = pool.search(&Game::new(position.clone()), &limits, &Control::default(), &mut |_| {});
        let mut game = Game::new(position);
        for mv in &answer.lines[0].moves {
            game.play(*mv).expect("lines hold legal moves");
        }
        assert!(answer.lines[0].moves.len() < 2 * moves as usize);
        assert!(answer.lines[0].moves.len() + 1 < 2 * moves as usize || !game.position().has_moves());
    }
}

/// The longer ones take the solver too long for a test.
#[test]
fn short_distances_of_the_suite_are_proved_again() {
    for (position, moves) in mates().filter(|(_, moves)| *moves <= 2) {
        assert_eq!(
            Solver::with_patience(10_000_000).shortest_mate(&position, moves),
            Some(Some(moves)),
            "{position}"
        );
    }
}
