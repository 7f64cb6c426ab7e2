//! Flips: chance nodes with the cuts Star1 and Star2 of Ballard.

use crate::engine::eval::LARGEST;
use crate::engine::search::{INFINITE, Worker};
use crate::moves::{Move, MoveList};
use crate::piece::Piece;
use crate::position::Position;
use crate::square::Square;

/// An outcome of a flip and how many face-down pieces make it so.
struct Branch {
    after: Position,
    weight: i32,
    /// The least and the most that it can still be worth to the flipper.
    low: i32,
    high: i32,
}

impl Worker<'_> {
    /// The expected score of a flip for the flipper. With cuts it is exact inside the window and a bound
    /// outside. Each outcome is cut to a range around the position before the flip: what a flip shows
    /// seldom decides a game at once, and narrow ranges make narrow windows.
    pub(crate) fn expected(
        &mut self,
        position: &Position,
        square: Square,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        let before = if position.side_to_move().is_some() {
            self.evaluator.score(position, -INFINITE, INFINITE)
        } else {
            0
        };
        let swing = self.evaluator.params.flip_swing;
        let low = (before - swing).max(-LARGEST);
        let high = (before + swing).min(LARGEST);
        let mut branches: Vec<Branch> = Piece::all()
            .filter(|piece| position.pool()[piece.index()] > 0)
            .map(|piece| {
                let mut after = position.clone();
                after.play_flip(square, piece);
                Branch { after, weight: position.pool()[piece.index()].into(), low, high }
            })
            .collect();
        let total: i32 = branches.iter().map(|branch| branch.weight).sum();
        if self.shortcuts.star && self.probed_below(&mut branches, depth, alpha * total, ply) {
            return alpha;
        }
        for place in 0..branches.len() {
            let (below, above) = others(&branches, place);
            let branch = &branches[place];
            let (mut from, mut to) = (branch.low - 1, branch.high + 1);
            if self.shortcuts.star {
                // Star1: what this outcome must reach if the others do their best or their worst.
                from = from.max((alpha * total - above).div_euclid(branch.weight));
                to = to.min((beta * total - below + branch.weight - 1).div_euclid(branch.weight));
            }
            let score = if from < to {
                let after = branch.after.clone();
                let score = -self.after_flip(&after, depth, -to, -from, ply);
                if self.is_over() {
                    return alpha;
                }
                score.clamp(branch.low, branch.high)
            } else {
                branch.high.min(to)
            };
            let branch = &mut branches[place];
            (branch.low, branch.high) = (score, score);
            if self.shortcuts.star {
                let (below, above) = others(&branches, place);
                let known = score * branches[place].weight;
                if above + known <= alpha * total {
                    return alpha;
                }
                if below + known >= beta * total {
                    return beta;
                }
            }
        }
        let sum: i32 = branches.iter().map(|branch| branch.weight * branch.low).sum();
        sum.div_euclid(total)
    }

    fn after_flip(&mut self, after: &Position, depth: i32, alpha: i32, beta: i32, ply: usize) -> i32 {
        self.line.push(after.key());
        let score = self.search(after, depth, alpha, beta, ply + 1, 0, true);
        self.line.pop();
        score
    }

    /// Star2: one good reply to each outcome shows how little it can be worth at most. True if all
    /// together cannot reach the window.
    fn probed_below(&mut self, branches: &mut [Branch], depth: i32, needed: i32, ply: usize) -> bool {
        for branch in &mut *branches {
            if let Some(reply) = self.one_reply(&branch.after, depth, ply + 1) {
                branch.high = branch.high.min(-reply).max(branch.low);
            }
            if self.is_over() {
                return false;
            }
        }
        branches.iter().map(|branch| branch.weight * branch.high).sum::<i32>() <= needed
    }

    /// A score that the side to move surely gets: by standing still where only captures are searched, by
    /// its most natural capture elsewhere.
    fn one_reply(&mut self, position: &Position, depth: i32, ply: usize) -> Option<i32> {
        if depth <= 0 {
            return Some(self.evaluator.score(position, -INFINITE, INFINITE));
        }
        let mut list = MoveList::new();
        position.captures_into(&self.evaluator.captures, &mut list);
        let values = self.evaluator.values(position);
        let gain = |mv: &Move| position.piece_on(mv.to()).map_or(0, |victim| values[victim.index()]);
        let mv = list.into_iter().max_by_key(gain)?;
        let mut next = position.clone();
        next.play_step(mv);
        self.line.push(next.key());
        let score = -self.search(&next, depth - 1, -INFINITE, INFINITE, ply + 1, 0, true);
        self.line.pop();
        Some(score)
    }
}

/// The least and the most that all outcomes but one are worth together.
fn others(branches: &[Branch], place: usize) -> (i32, i32) {
    let rest = branches.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, branch)| branch);
    rest.fold((0, 0), |(low, high), branch| {
        (low + branch.weight * branch.low, high + branch.weight * branch.high)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::engine::eval::Evaluator;
    use crate::engine::order::Lessons;
    use crate::engine::params::Params;
    use crate::engine::search::Shortcuts;
    use crate::engine::table::Table;
    use crate::limits::{Limits, Watch};
    use crate::rules::{Captures, Rules};

    /// The expected score of a flip without table and reductions, and the positions it took.
    fn expected(text: &str, square: Square, depth: i32, window: (i32, i32), star: bool) -> (i32, u64) {
        let position: Position = text.parse().unwrap();
        let mut evaluator = Evaluator::new(Captures::from(&Rules::OLYMPIAD), Params::default());
        let (table, stop) = (Table::new(1), AtomicBool::new(false));
        let mut worker = Worker {
            rules: Rules::OLYMPIAD,
            evaluator: &mut evaluator,
            table: &table,
            endgames: None,
            lookups: HashMap::new(),
            watch: Watch::new(Limits::default()),
            stop: &stop,
            shortcuts: Shortcuts { heuristic: false, star },
            line: vec![position.key()],
            lessons: Lessons::new(),
            draw: 0,
        };
        let score = worker.expected(&position, square, depth, window.0, window.1, 0);
        (score, worker.watch.nodes)
    }

    #[test]
    fn cuts_at_flips_change_no_score() {
        let (mut plain_nodes, mut star_nodes) = (0, 0);
        for text in
            ["K2?4/1g1P4/3c2?1/5n2 r Rp 0", "?1C1g3/2p5/M4?2/4k2P r Gm 0", "g2?P3/2N1c3/?6k/3G4 b Rc 0"]
        {
            let position: Position = text.parse().unwrap();
            for square in position.face_down() {
                for depth in 0..=3 {
                    let (plain, nodes) = expected(text, square, depth, (-9999, 9999), false);
                    plain_nodes += nodes;
                    let (star, _) = expected(text, square, depth, (-9999, 9999), true);
                    assert_eq!(star, plain, "{text} {square:?} depth {depth}");
                    for around in [-400, -60, -1, 0, 1, 60, 400] {
                        let (alpha, beta) = (plain + around - 1, plain + around + 1);
                        let (cut, nodes) = expected(text, square, depth, (alpha, beta), true);
                        star_nodes += nodes;
                        assert_eq!(cut.clamp(alpha, beta), plain.clamp(alpha, beta), "{text} {around}");
                    }
                }
            }
        }
        assert!(star_nodes < 7 * plain_nodes, "cuts save positions: {star_nodes} against 7 × {plain_nodes}");
    }
}
