//! The bench: fixed work whose node count is the search's signature (the bench signature) and whose time is its speed.

use std::time::Duration;

use chuhe_board::Position;
use chuhe_clock::Instant;
use chuhe_referee::Game;

use crate::{Control, Evaluator, Limits, Pool};

/// The positions, from opening to endgame.
pub const POSITIONS: &str = include_str!("../../../suites/bench.txt");
/// The depth each position is searched to.
pub const DEPTH: u32 = 12;

/// The result of a bench.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// Nodes of all searches: changes exactly when the search changes.
    pub nodes: u64,
    /// Time for all searches.
    pub time: Duration,
}

/// Searches every position on one thread with empty tables. Returns `None` if `control` stops it. `on_position` gets
/// each position with its nodes.
pub fn run(
    depth: u32,
    evaluator: Evaluator,
    control: &Control,
    mut on_position: impl FnMut(&Position, u64),
) -> Option<Bench> {
    let mut pool = Pool::new(1, 16);
    pool.set_evaluator(evaluator);
    let start = Instant::now();
    let mut nodes = 0;
    for position in positions() {
        pool.clear();
        let game = Game::new(position);
        let answer = pool.search(&game, &Limits::depth(depth), control, &mut |_| {});
        if control.is_stopped() {
            return None;
        }
        on_position(game.position(), answer.nodes);
        nodes += answer.nodes;
    }
    Some(Bench { nodes, time: start.elapsed() })
}

fn positions() -> impl Iterator<Item = Position> {
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.parse().expect("the bench file holds valid positions"))
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
    fn a_stopped_bench_has_no_result() {
        let control = Control::default();
        let mut positions = 0;
        let found = run(7, Evaluator::default(), &control, |_, _| {
            positions += 1;
            control.stop();
        });
        assert!(found.is_none());
        assert_eq!(positions, 1, "the position that was interrupted is not reported");
    }
}
