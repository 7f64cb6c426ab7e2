//! A fixed amount of work: the node count is the signature of the search, its time the speed.

use std::time::{Duration, Instant};

use chuhe_board::Position;
use chuhe_referee::Game;

use crate::{Control, Evaluator, Limits, Pool};

/// The positions, from opening to endgame.
pub const POSITIONS: &str = include_str!("../../../suites/bench.txt");
/// The depth each position is searched to.
pub const DEPTH: u32 = 12;

/// What a bench found.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// Positions looked at in all searches: changes exactly when the search changes.
    pub nodes: u64,
    /// Time for all searches.
    pub time: Duration,
}

/// Searches every position on one thread with a fresh memory, and finds nothing if `control` stops it. `tell` hears of
/// each position's nodes.
pub fn run(
    depth: u32,
    evaluator: Evaluator,
    control: &Control,
    mut tell: impl FnMut(&Position, u64),
) -> Option<Bench> {
    let mut pool = Pool::new(1, 16);
    pool.set_evaluator(evaluator);
    let start = Instant::now();
    let mut nodes = 0;
    for position in positions() {
        pool.forget();
        let game = Game::new(position);
        let answer = pool.search(&game, &Limits::depth(depth), control, &mut |_| {});
        if control.is_stopped() {
            return None;
        }
        tell(game.position(), answer.nodes);
        nodes += answer.nodes;
    }
    Some(Bench { nodes, time: start.elapsed() })
}

fn positions() -> impl Iterator<Item = Position> {
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.parse().expect("the bench holds valid positions"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_work_gives_the_same_count() {
        let count = || run(7, Evaluator::default(), &Control::default(), |_, _| {}).unwrap().nodes;
        let first = count();
        assert!(first > 10_000);
        assert_eq!(count(), first);
    }

    #[test]
    fn a_bench_that_was_stopped_finds_nothing() {
        let control = Control::default();
        let mut told = 0;
        let found = run(7, Evaluator::default(), &control, |_, _| {
            told += 1;
            control.stop();
        });
        assert!(found.is_none());
        assert_eq!(told, 1, "the position that was searched when it was stopped tells nothing");
    }
}
