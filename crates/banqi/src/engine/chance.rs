//! Chance nodes: a flip's expected score (expectimax), with Star1 and Star2 pruning (Ballard 1983).

use crate::engine::eval::LARGEST;
use crate::engine::search::{INFINITE, Node, Worker};
use crate::moves::{Move, MoveList};
use crate::piece::Piece;
use crate::position::Position;
use crate::square::Square;

/// An outcome of a flip, weighted by the number of face-down pieces that lead to it.
struct Outcome {
    after: Position,
    weight: i32,
    /// Bounds on its score for the flipper.
    low: i32,
    high: i32,
}

/// The outcomes of one flip.
struct ChanceNode {
    outcomes: Vec<Outcome>,
    total: i32,
}

impl ChanceNode {
    /// Every outcome starts with the bounds `low` and `high`.
    fn new(position: &Position, square: Square, low: i32, high: i32) -> Self {
        let hidden = Piece::all().filter(|piece| position.pool()[piece.index()] > 0);
        let outcomes: Vec<Outcome> = hidden
            .map(|piece| {
                let mut after = position.clone();
                after.play_flip(square, piece);
                Outcome { after, weight: position.pool()[piece.index()].into(), low, high }
            })
            .collect();
        let total = outcomes.iter().map(|outcome| outcome.weight).sum();
        Self { outcomes, total }
    }

    /// The weighted sums of the lower and upper bounds.
    fn bounds(&self) -> (i32, i32) {
        self.outcomes.iter().fold((0, 0), |(low, high), outcome| {
            (low + outcome.weight * outcome.low, high + outcome.weight * outcome.high)
        })
    }

    /// Star1: the window in which the score of one outcome matters, given the bounds of the others.
    fn star1_window(&self, place: usize, alpha: i32, beta: i32) -> (i32, i32) {
        let Outcome { weight, low, high, .. } = self.outcomes[place];
        let (all_low, all_high) = self.bounds();
        let (others_low, others_high) = (all_low - weight * low, all_high - weight * high);
        let from = (alpha * self.total - others_high).div_euclid(weight);
        let to = (beta * self.total - others_low + weight - 1).div_euclid(weight);
        ((low - 1).max(from), (high + 1).min(to))
    }

    /// The bound that the known outcomes already prove, if they decide the window.
    fn cutoff(&self, alpha: i32, beta: i32) -> Option<i32> {
        match self.bounds() {
            (_, high) if high <= alpha * self.total => Some(alpha),
            (low, _) if low >= beta * self.total => Some(beta),
            _ => None,
        }
    }

    /// The expected score once all outcomes are known.
    fn expectation(&self) -> i32 {
        self.bounds().0.div_euclid(self.total)
    }
}

impl Worker<'_> {
    /// The expected score of a flip for the flipper: exact inside the window, a bound outside. Outcomes are clamped to a
    /// range around the static evaluation: a flip seldom decides a game immediately, and narrow ranges give narrow windows.
    pub(crate) fn search_flip(&mut self, position: &Position, square: Square, node: Node) -> i32 {
        let before = match position.side_to_move() {
            Some(_) => self.evaluator.score(position, -INFINITE, INFINITE),
            None => 0,
        };
        let swing = self.evaluator.params.flip_swing;
        let (low, high) = ((before - swing).max(-LARGEST), (before + swing).min(LARGEST));
        let mut chance = ChanceNode::new(position, square, low, high);
        if self.pruning.star && self.star2_fails_low(&mut chance, node) {
            return node.alpha;
        }
        for place in 0..chance.outcomes.len() {
            let score = self.search_outcome(&chance, place, node);
            if self.is_over() {
                return node.alpha;
            }
            let outcome = &mut chance.outcomes[place];
            (outcome.low, outcome.high) = (score, score);
            if self.pruning.star
                && let Some(bound) = chance.cutoff(node.alpha, node.beta)
            {
                return bound;
            }
        }
        chance.expectation()
    }

    /// The score of one outcome for the flipper, within its Star1 window.
    fn search_outcome(&mut self, chance: &ChanceNode, place: usize, node: Node) -> i32 {
        let outcome = &chance.outcomes[place];
        let (from, to) = match self.pruning.star {
            true => chance.star1_window(place, node.alpha, node.beta),
            false => (outcome.low - 1, outcome.high + 1),
        };
        if from >= to {
            return outcome.high.min(to);
        }
        let child =
            Node { alpha: -to, beta: -from, ply: node.ply + 1, reversible_plies: 0, may_pass: true, ..node };
        self.keys.push(outcome.after.key());
        let score = -self.search(&outcome.after, child);
        self.keys.pop();
        score.clamp(outcome.low, outcome.high)
    }

    /// Star2: one good reply to each outcome bounds it from above. True if all together fail low.
    fn star2_fails_low(&mut self, chance: &mut ChanceNode, node: Node) -> bool {
        for outcome in &mut chance.outcomes {
            if let Some(reply) = self.probe_reply(&outcome.after, node.depth, node.ply + 1) {
                outcome.high = outcome.high.min(-reply).max(outcome.low);
            }
            if self.is_over() {
                return false;
            }
        }
        chance.bounds().1 <= node.alpha * chance.total
    }

    /// A lower bound for the side to move: the static evaluation at the horizon, or the score of its best capture by MVV.
    fn probe_reply(&mut self, position: &Position, depth: i32, ply: usize) -> Option<i32> {
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
        self.keys.push(next.key());
        let node = Node {
            depth: depth - 1,
            alpha: -INFINITE,
            beta: INFINITE,
            ply: ply + 1,
            reversible_plies: 0,
            may_pass: true,
        };
        let score = -self.search(&next, node);
        self.keys.pop();
        Some(score)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::engine::eval::Evaluator;
    use crate::engine::order::History;
    use crate::engine::params::Params;
    use crate::engine::search::Pruning;
    use crate::engine::transposition_table::TranspositionTable;
    use crate::limits::{Limits, Watch};
    use crate::rules::{Captures, Rules};

    /// The expected score of a flip without heuristic pruning, and its nodes.
    fn expected(text: &str, square: Square, depth: i32, window: (i32, i32), star: bool) -> (i32, u64) {
        let position: Position = text.parse().unwrap();
        let mut evaluator = Evaluator::new(Captures::from(&Rules::OLYMPIAD), Params::default());
        let (tt, stop) = (TranspositionTable::new(1), AtomicBool::new(false));
        let mut worker = Worker {
            rules: Rules::OLYMPIAD,
            evaluator: &mut evaluator,
            tt: &tt,
            endgames: None,
            lookups: HashMap::new(),
            watch: Watch::new(Limits::default()),
            stop: &stop,
            pruning: Pruning { heuristic: false, star },
            keys: vec![position.key()],
            history: History::new(),
            draw: 0,
        };
        let (alpha, beta) = window;
        let node = Node { depth, alpha, beta, ply: 0, reversible_plies: 0, may_pass: true };
        let score = worker.search_flip(&position, square, node);
        (score, worker.watch.nodes)
    }

    #[test]
    fn star_pruning_changes_no_score() {
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
        assert!(star_nodes < 7 * plain_nodes, "pruning saves nodes: {star_nodes} against 7 × {plain_nodes}");
    }
}
