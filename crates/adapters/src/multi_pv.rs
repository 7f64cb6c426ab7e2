//! Searches for several lines (MultiPV) whose scores can be compared.

use chuhe_referee::Game;
use chuhe_search::{Bound, Control, Event, Limits, Line, Pool};

/// The lines of the last complete iteration: in the one that a limit cuts off, the moves behind the first have no exact
/// scores. Without a complete iteration, what the search has.
pub fn search(pool: &mut Pool, game: &Game, limits: &Limits) -> Vec<Line> {
    search_and_watch(pool, game, limits, &mut |_| {})
}

/// As [`search`]; `watch` sees every line that the search reports.
pub fn search_and_watch(
    pool: &mut Pool,
    game: &Game,
    limits: &Limits,
    watch: &mut dyn FnMut(&Line),
) -> Vec<Line> {
    let expected = limits.lines.max(1).min(game.position().moves().len() - limits.banned.len());
    let (mut pending, mut complete) = (Vec::new(), Vec::new());
    let answer = pool.search(game, limits, &Control::default(), &mut |event| {
        let Event::Line(line) = event else { return };
        watch(&line);
        if line.rank == 1 {
            pending.clear();
        }
        if line.bound == Bound::Exact && line.rank == pending.len() + 1 {
            pending.push(line);
        }
        if pending.len() == expected {
            complete = std::mem::take(&mut pending);
        }
    });
    if complete.is_empty() { answer.lines } else { complete }
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;

    use super::*;

    #[test]
    fn all_lines_are_of_one_depth_and_in_order() {
        let game = Game::new(Position::start());
        for nodes in [2000, 2500, 3000] {
            let limits = Limits { lines: 4, ..Limits::nodes(nodes) };
            let lines = search(&mut Pool::new(1, 1), &game, &limits);
            assert_eq!(lines.len(), 4);
            assert!(lines.iter().all(|line| line.depth == lines[0].depth && line.bound == Bound::Exact));
            assert!(lines.windows(2).all(|pair| pair[0].score >= pair[1].score));
        }
    }
}
