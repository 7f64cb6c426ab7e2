//! Pruning: reduces a book to what one side needs to play as it does with the whole.
//!
//! From the start position, keeps our best N moves and every reply in the book; unreachable positions are cut. After
//! the cut-off tree of Deep Elephant, whose definition is not in our copy of the paper.

use std::collections::HashSet;

use chuhe_board::{Key, Position, Side};

use crate::choose::by_merit;
use crate::{BookMove, Entries, moves_in};

/// What was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// What is left.
    pub entries: Entries,
    /// Nodes, which are moves of positions, before.
    pub before: usize,
    /// Nodes after.
    pub after: usize,
    /// For each of the first plies, the nodes before and after at that shortest distance from the start.
    pub plies: Vec<(usize, usize)>,
}

impl Cut {
    /// The share of the nodes that was cut, in percent.
    pub fn share(&self) -> f64 {
        100.0 - 100.0 * self.after as f64 / self.before.max(1) as f64
    }
}

/// The number of plies counted one by one.
const COUNTED_PLIES: usize = 10;

/// Keeps the best `keep` moves of each of `sides` and every answer to them.
pub fn prune(entries: &Entries, sides: &[Side], keep: usize) -> Cut {
    let mut kept = Entries::new();
    for side in sides {
        walk(entries, |position, moves| {
            let mut moves = moves;
            if position.side_to_move() == *side {
                by_merit(&mut moves);
                moves.truncate(keep);
            }
            let (key, is_mirrored) = position.merged_key();
            let known = kept.entry(key).or_default();
            for new in &moves {
                let new = new.clone().turned(is_mirrored);
                if !known.iter().any(|known| known.mv == new.mv) {
                    known.push(new);
                }
            }
            moves
        });
    }
    let (before, after) = (count_by_ply(entries), count_by_ply(&kept));
    let plies = (0..COUNTED_PLIES).map(|ply| (before[ply], after[ply])).collect();
    let nodes = |entries: &Entries| entries.values().map(Vec::len).sum();
    Cut { before: nodes(entries), after: nodes(&kept), plies, entries: kept }
}

/// Breadth-first walk over the reachable positions. `follow` chooses among the moves of each. Only the positions
/// of one ply are in memory.
fn walk(entries: &Entries, mut follow: impl FnMut(&Position, Vec<BookMove>) -> Vec<BookMove>) {
    let mut seen: HashSet<Key> = HashSet::from([Position::start().merged_key().0]);
    let mut here = vec![Position::start()];
    while !here.is_empty() {
        let mut next = Vec::new();
        for position in here {
            for known in follow(&position, moves_in(entries, &position)) {
                let mut child = position.clone();
                let _ = child.play(known.mv, &mut ());
                let key = child.merged_key().0;
                if entries.contains_key(&key) && seen.insert(key) {
                    next.push(child);
                }
            }
        }
        here = next;
    }
}

fn count_by_ply(entries: &Entries) -> [usize; COUNTED_PLIES] {
    let mut counts = [0; COUNTED_PLIES];
    walk(entries, |position, moves| {
        let ply = usize::from(position.round() - 1) * 2 + position.side_to_move().index();
        if let Some(count) = counts.get_mut(ply) {
            *count += moves.len();
        }
        moves
    });
    counts
}

#[cfg(test)]
mod tests {
    use chuhe_referee::{Game, Referee};

    use super::*;
    use crate::{Builder, Choice, Filter};
    use chuhe_board::Outcome;
    use chuhe_notation::record::GameBuilder;

    /// A book of random games that share their openings.
    fn random_book() -> Entries {
        let mut random = 7_u64;
        let mut next = move |bound: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % bound
        };
        let mut builder = Builder::new(Filter { plies: 12, ..Filter::default() });
        for _ in 0..2000 {
            let mut game = GameBuilder::new(Position::start());
            for _ in 0..12 {
                let moves = game.position().moves();
                game.play(moves[next(4).min(moves.len() - 1)]).unwrap();
            }
            game.set_outcome([Outcome::RedWins, Outcome::BlackWins, Outcome::Draw][next(3)]);
            builder.add(&game.finish());
        }
        builder.finish()
    }

    #[test]
    fn the_choice_with_our_colour_stays_whatever_the_opponent_plays() {
        let book = random_book();
        for side in Side::ALL {
            let cut = prune(&book, &[side], 1);
            assert!(cut.after < cut.before / 2, "{} of {}", cut.after, cut.before);
            let mut ours = 0;
            walk(&cut.entries, |position, moves| {
                if position.side_to_move() == side {
                    let game = Game::new(position.clone());
                    let choose = |entries| {
                        Choice::default().choose(moves_in(entries, position), &game, &Referee::default(), 0)
                    };
                    assert_eq!(choose(&cut.entries), choose(&book));
                    assert!(choose(&book).is_some());
                    ours += 1;
                } else {
                    assert_eq!(moves.len(), moves_in(&book, position).len(), "all replies are kept");
                }
                moves
            });
            assert!(ours > 20);
        }
    }

    #[test]
    fn more_is_kept_the_more_moves_are_kept() {
        let book = random_book();
        let after: Vec<usize> = (1..=4).map(|keep| prune(&book, &Side::ALL, keep).after).collect();
        assert!(after.is_sorted() && after[0] < after[3], "{after:?}");
        let whole = prune(&book, &Side::ALL, 100);
        assert_eq!((whole.after, whole.share()), (whole.before, 0.0));
        assert_eq!(whole.plies[0].0, whole.plies[0].1);
    }
}
