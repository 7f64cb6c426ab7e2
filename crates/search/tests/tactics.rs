//! Positions in which one move wins: a small search must find most of them.

use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_board::{Move, Position};
use chuhe_referee::Game;
use chuhe_search::{Control, Limits, Pool};

const SUITE: &str = include_str!("../../../suites/tactics.txt");
/// Positions a search may look at.
const NODES: u64 = 10_000;
/// The share that must be solved, in hundredths: well below what is, so that a change of the search
/// fails here only if it loses sight of tactics.
const FLOOR: usize = 60;

fn tactics() -> Vec<(Position, Move)> {
    let lines = SUITE.lines().filter(|line| !line.starts_with('#'));
    let read = |line: &str| {
        let (fen, mv) = line.split_once(';').expect("a move after the position");
        let mv = parse_move(mv.trim(), RankStyle::FromZero).expect("a move");
        (fen.trim().parse().expect("a position"), mv)
    };
    lines.map(read).collect()
}

#[test]
fn the_moves_of_the_suite_are_legal_and_not_the_only_ones() {
    assert!(tactics().len() >= 100);
    for (position, mv) in tactics() {
        assert!(position.is_legal(mv), "{position} ; {mv}");
        assert!(position.moves().len() > 1, "{position} ; {mv}");
    }
}

#[test]
fn most_winning_moves_are_found_in_a_small_search() {
    let mut pool = Pool::new(1, 16);
    let suite = tactics();
    let missed: Vec<String> = suite
        .iter()
        .filter_map(|(position, mv)| {
            pool.clear();
            let game = Game::new(position.clone());
            let answer = pool.search(&game, &Limits::nodes(NODES), &Control::default(), &mut |_| {});
            (answer.best != Some(*mv)).then(|| format!("{position} ; {mv}"))
        })
        .collect();
    let solved = suite.len() - missed.len();
    assert!(
        solved * 100 >= FLOOR * suite.len(),
        "only {solved} of {} solved; missed:\n{}",
        suite.len(),
        missed.join("\n")
    );
}
