//! Best-first traversal of the book from the start position: the positions it reaches and its leaves.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use chuhe_board::{Key, Move, Outcome, Position};
use chuhe_referee::{Game, Referee};

use super::{Expansion, Leaf, is_unsearched};
use crate::{BookMove, Entries};

/// The score of a game that the rules decide.
pub(super) const DECIDED: i16 = 10_000;

/// What a traversal found, cheapest first.
pub(super) struct Traversal {
    pub(super) leaves: Vec<Leaf>,
    pub(super) reached: Vec<Reached>,
}

/// A position whose moves have scores.
pub(super) struct Reached {
    pub(super) key: Key,
    pub(super) links: Vec<Link>,
}

/// Where a move leads.
pub(super) struct Link {
    /// The move as the book has it.
    pub(super) mv: Move,
    pub(super) to: Key,
    /// The referee's verdict if it repeats a position of its own line.
    pub(super) judged: Option<i16>,
}

/// A step of the walk: a position and the way to it.
struct Step {
    before: Option<(usize, Move)>,
    key: Key,
    /// `None` once it has been visited.
    position: Option<Position>,
}

/// All steps of a walk so far.
struct Walk {
    steps: Vec<Step>,
    waiting: BinaryHeap<Reverse<(u64, usize)>>,
}

impl Walk {
    fn begin() -> Self {
        let mut walk = Self { steps: Vec::new(), waiting: BinaryHeap::new() };
        walk.add(0, None, Position::start());
        walk
    }

    fn add(&mut self, cost: u64, before: Option<(usize, Move)>, position: Position) {
        self.waiting.push(Reverse((cost, self.steps.len())));
        self.steps.push(Step { before, key: position.key(), position: Some(position) });
    }

    /// The moves that lead to a step.
    fn path(&self, index: usize) -> Vec<Move> {
        let mut path: Vec<Move> =
            self.back(index).filter_map(|index| self.steps[index].before.map(|(_, mv)| mv)).collect();
        path.reverse();
        path
    }

    /// A step and those before it, back to the start.
    fn back(&self, index: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(index), |index| self.steps[*index].before.map(|(before, _)| before))
    }

    /// What the referee says of a move that leads back to a position of its own line.
    fn judged(&self, index: usize, mv: Move, child: &Position, referee: &Referee) -> Option<i16> {
        let repeats = self.back(index).any(|before| self.steps[before].key == child.key());
        repeats.then(|| repetition(&self.path(index), mv, referee)).flatten()
    }
}

impl Expansion {
    /// Walks from the start, cheapest first (Dijkstra), until `most` leaves are found. Judges repetitions if given a
    /// referee.
    pub(super) fn traverse(&self, entries: &Entries, referee: Option<&Referee>, most: usize) -> Traversal {
        let mut found = Traversal { leaves: Vec::new(), reached: Vec::new() };
        let mut done: HashSet<Key> = HashSet::new();
        let mut walk = Walk::begin();
        while let Some(Reverse((cost, index))) = walk.waiting.pop() {
            let Some(position) = walk.steps[index].position.take() else { continue };
            let (key, is_mirrored) = position.merged_key();
            if !done.insert(key) {
                continue;
            }
            let Some(moves) = entries.get(&key).filter(|moves| moves.is_empty() || !is_unsearched(moves))
            else {
                let path = walk.path(index);
                if path.len() < self.plies {
                    found.leaves.push(Leaf { path });
                }
                if found.leaves.len() >= most {
                    break;
                }
                continue;
            };
            let range = Range::of(moves);
            let mut links = Vec::with_capacity(moves.len());
            for known in moves {
                let mv = known.clone().turned(is_mirrored).mv;
                if !position.is_legal(mv) {
                    continue;
                }
                let mut child = position.clone();
                let _ = child.play(mv, &mut ());
                let judged = referee.and_then(|referee| walk.judged(index, mv, &child, referee));
                let to = child.merged_key().0;
                links.push(Link { mv: known.mv, to, judged });
                if let Some(step) = self.cost(known, &range).filter(|_| !done.contains(&to)) {
                    walk.add(cost + step, Some((index, mv)), child);
                }
            }
            found.reached.push(Reached { key, links });
        }
        found
    }

    /// What it costs to follow a move; `None` if it is not followed. Named lines are followed into their traps.
    fn cost(&self, known: &BookMove, range: &Range) -> Option<u64> {
        if known.flags.theory {
            return Some(self.theory_cost);
        }
        let loss = range.loss(known);
        (loss <= self.most_loss && !known.flags.falls).then(|| 1000 + self.loss_cost * loss as u64)
    }
}

/// The scores of a position's moves.
struct Range {
    best: i16,
    worst: i16,
}

impl Range {
    fn of(moves: &[BookMove]) -> Self {
        let scores = || moves.iter().filter_map(|known| known.score);
        Self { best: scores().max().unwrap_or(0), worst: scores().min().unwrap_or(0) }
    }

    /// What a move gives away; one without a score as much as the worst that has one.
    fn loss(&self, known: &BookMove) -> i16 {
        self.best.saturating_sub(known.score.unwrap_or(self.worst)).max(0)
    }
}

/// What the referee says if the move repeats a position of its own path; for the side that makes it.
fn repetition(path: &[Move], mv: Move, referee: &Referee) -> Option<i16> {
    let mut game = Game::new(Position::start());
    for mv in path.iter().chain([&mv]) {
        game.play(*mv).ok()?;
    }
    game.history().occurrences().next()?;
    let mover = !game.position().side_to_move();
    Some(match referee.with_fold(2).judge(&game).outcome {
        Outcome::Undecided | Outcome::Draw => 0,
        outcome if outcome == Outcome::won_by(mover) => DECIDED,
        _ => -DECIDED,
    })
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;
    use crate::expand::{Line, Scored};
    use crate::slot;

    fn moves(line: &str) -> Vec<Move> {
        line.split(' ').map(|text| parse_move(text, RankStyle::FromZero).unwrap()).collect()
    }

    #[test]
    fn a_repetition_is_judged() {
        let path = moves("b0c2 b9c7 c2b0 c7b9 b0c2 b9c7 c2b0");
        assert_eq!(repetition(&path[..2], path[2], &Referee::default()), None);
        assert_eq!(repetition(&path[..6], path[6], &Referee::default()), Some(0));
    }

    #[test]
    fn a_line_that_goes_round_is_judged_where_it_closes() {
        let line = moves("h0g2 h9g7 g2h0 g7h9");
        let mut entries = Entries::new();
        let mut position = Position::start();
        for (ply, mv) in line.iter().enumerate() {
            let (key, mv_here) = slot(&position, *mv);
            // Both sides have winning scores until the referee judges the repetition.
            let score = Some(if ply == 3 { 500 } else { 50 });
            entries.insert(key, vec![BookMove { score, ..BookMove::new(mv_here) }]);
            let _ = position.play(*mv, &mut ());
        }
        assert_eq!(position.key(), Position::start().key());
        Expansion::default().back_up(&mut entries, &Referee::default());
        assert!(entries.values().flatten().all(|known| known.score == Some(0)), "{entries:?}");
    }

    #[test]
    fn positions_of_games_are_leaves_until_a_search_has_looked() {
        let start = Position::start();
        let cannon = moves("h2e2")[0];
        let (key, mv) = slot(&start, cannon);
        let mut entries = Entries::from([(key, vec![BookMove { count: 5, ..BookMove::new(mv) }])]);
        let expansion = Expansion::default();
        assert_eq!(expansion.leaves(&entries, 1)[0].path, []);
        let scored = Scored { lines: vec![Line { depth: 9, ..Line::new(cannon, 30) }], shallow: None };
        expansion.take(&mut entries, &Leaf { path: Vec::new() }, &scored);
        let known = &entries[&key][0];
        assert_eq!((known.count, known.score, known.depth), (5, Some(30), 9));
        assert_eq!(expansion.leaves(&entries, 1)[0].path, [mv]);
    }
}
