//! The book grows by itself: drop-out expansion.
//!
//! The leaf that matters most is the one that good play leads to soonest: each ply costs 1, and each centisoldier
//! that a move gives away costs something more (Lincke, "Strategies for the automatic construction of opening
//! books", 2000). A [`Scorer`] looks at it, its moves come into the book, and their scores flow back by minimax over
//! the graph: transpositions are one position, and moves that repeat one are judged by the referee.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use chuhe_board::{Key, Move, Position};
use chuhe_referee::{Game, Outcome, Referee};

use crate::entry::Flags;
use crate::{BookMove, Entries, moves_in, slot};

/// Whoever scores positions: an engine.
pub trait Scorer {
    /// Looks at the position at the end of a game.
    fn score(&mut self, game: &Game) -> Scored;
}

/// What a scorer found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scored {
    /// The best moves with their scores for the side to move, best first; none if the game is over.
    pub lines: Vec<(Move, i16)>,
    /// How deep it looked.
    pub depth: u8,
    /// The move that a shallow search likes best, with the score that a deep one gives it.
    pub shallow: Option<(Move, i16)>,
}

/// How a book grows.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    /// What a centisoldier that is given away costs, in thousandths of a ply.
    pub loss_cost: u64,
    /// Moves that give away more are not followed.
    pub most_loss: i16,
    /// A shallow favourite that is so much worse falls into a trap.
    pub trap_margin: i16,
    /// No line is longer.
    pub plies: usize,
}

impl Default for Expansion {
    fn default() -> Self {
        Self { loss_cost: 100, most_loss: 100, trap_margin: 100, plies: 40 }
    }
}

/// A place where the book ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// How to get there from the start position.
    pub path: Vec<Move>,
    key: Key,
}

/// A position of the book that was reached.
struct Reached {
    position: Position,
    path: Vec<Move>,
}

/// Scores of games that the rules decide.
const DECIDED: i16 = 10_000;

impl Expansion {
    /// The leaves that matter most, at most so many. The start position is the first of an empty book.
    pub fn leaves(&self, entries: &Entries, most: usize) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.walk(entries, |leaf| {
            leaves.push(leaf);
            leaves.len() < most
        });
        leaves
    }

    /// Walks from the start, cheapest first; tells leaves until it is told to stop. The positions on the way.
    fn walk(&self, entries: &Entries, mut tell: impl FnMut(Leaf) -> bool) -> Vec<Reached> {
        let mut reached = Vec::new();
        let mut done: HashSet<Key> = HashSet::new();
        let mut waiting: BinaryHeap<(Reverse<(u64, usize)>, usize)> = BinaryHeap::new();
        let mut known = vec![Reached { position: Position::start(), path: Vec::new() }];
        waiting.push((Reverse((0, 0)), 0));
        while let Some((Reverse((cost, _)), index)) = waiting.pop() {
            let here = std::mem::replace(
                &mut known[index],
                Reached { position: Position::start(), path: Vec::new() },
            );
            let key = here.position.merged_key().0;
            if !done.insert(key) {
                continue;
            }
            if !entries.contains_key(&key) {
                if here.path.len() < self.plies && !tell(Leaf { path: here.path, key }) {
                    break;
                }
                continue;
            }
            let moves = moves_in(entries, &here.position);
            let best = moves.iter().filter_map(|known| known.score).max().unwrap_or(0);
            for next in &moves {
                let loss = best.saturating_sub(next.score.unwrap_or(best));
                if loss > self.most_loss || next.flags.falls {
                    continue;
                }
                let mut position = here.position.clone();
                let _ = position.play(next.mv, &mut ());
                let mut path = here.path.clone();
                path.push(next.mv);
                let cost = cost + 1000 + self.loss_cost * loss.max(0) as u64;
                waiting.push((Reverse((cost, known.len())), known.len()));
                known.push(Reached { position, path });
            }
            reached.push(here);
        }
        reached
    }

    /// Takes the scores of a leaf into the book.
    pub fn take(&self, entries: &mut Entries, leaf: &Leaf, scored: &Scored) {
        let mut position = Position::start();
        let mut parent = None;
        for mv in &leaf.path {
            parent = Some((position.clone(), *mv));
            let _ = position.play(*mv, &mut ());
        }
        debug_assert_eq!(position.merged_key().0, leaf.key);
        let best = scored.lines.first().map_or(0, |(_, score)| *score);
        let mut moves: Vec<BookMove> = Vec::new();
        for (mv, score) in &scored.lines {
            let (_, mv) = slot(&position, *mv);
            if !moves.iter().any(|known| known.mv == mv) {
                moves.push(with_score(mv, *score, scored.depth));
            }
        }
        if let Some((mv, score)) = scored.shallow
            && best.saturating_sub(score) >= self.trap_margin
        {
            let (_, mv) = slot(&position, mv);
            if !moves.iter().any(|known| known.mv == mv) {
                moves.push(with_score(mv, score, scored.depth));
            }
            moves.iter_mut().filter(|known| known.mv == mv).for_each(|known| known.flags.falls = true);
            if let Some((before, mv)) = parent {
                mark_setting(entries, &before, mv);
            }
        }
        entries.insert(leaf.key, moves);
    }

    /// Lets scores flow back to the start until nothing changes; which positions changed.
    pub fn back_up(&self, entries: &mut Entries, referee: &Referee) -> HashSet<Key> {
        /// Rounds through the graph; cycles that are no repetition of the path need more than one.
        const MOST_ROUNDS: usize = 8;
        let reached = self.walk(entries, |_| true);
        let mut changed = HashSet::new();
        let mut verdicts = HashMap::new();
        for _ in 0..MOST_ROUNDS {
            let before = changed.len();
            let mut is_quiet = true;
            for here in reached.iter().rev() {
                let (key, is_mirrored) = here.position.merged_key();
                let mut moves = entries[&key].clone();
                for known in &mut moves {
                    let mv = if is_mirrored { known.mv.mirrored() } else { known.mv };
                    let backed = self.backed_up(entries, here, mv, referee, &mut verdicts);
                    if backed.is_some() && backed != known.score {
                        known.score = backed;
                        is_quiet = false;
                        changed.insert(key);
                    }
                }
                entries.insert(key, moves);
            }
            if is_quiet && before == changed.len() {
                break;
            }
        }
        changed
    }

    /// The score that a move has by what comes after it; nothing if the book ends behind it.
    fn backed_up(
        &self,
        entries: &Entries,
        here: &Reached,
        mv: Move,
        referee: &Referee,
        verdicts: &mut HashMap<(Key, Move), Option<i16>>,
    ) -> Option<i16> {
        if !here.position.is_legal(mv) {
            return None;
        }
        let judged =
            *verdicts.entry((here.position.key(), mv)).or_insert_with(|| repetition(&here.path, mv, referee));
        if judged.is_some() {
            return judged;
        }
        let mut child = here.position.clone();
        let _ = child.play(mv, &mut ());
        let replies = entries.get(&child.merged_key().0)?;
        match replies.is_empty() {
            true => Some(DECIDED),
            false => replies.iter().filter_map(|known| known.score).max().map(|best| best.saturating_neg()),
        }
    }
}

fn with_score(mv: Move, score: i16, depth: u8) -> BookMove {
    BookMove { score: Some(score), depth, flags: Flags::default(), ..BookMove::new(mv) }
}

/// The move leads to where the opponent's shallow favourite falls.
fn mark_setting(entries: &mut Entries, position: &Position, mv: Move) {
    let (key, mv) = slot(position, mv);
    let moves = entries.get_mut(&key).into_iter().flatten();
    moves.filter(|known| known.mv == mv).for_each(|known| known.flags.sets = true);
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
        outcome if outcome == Outcome::win_of(mover) => DECIDED,
        _ => -DECIDED,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores by a rule that tests can foresee: the first legal move is best, the next ones 20 less each; at the
    /// fourth ply the mover finds out that it stands badly.
    struct Rule;

    impl Scorer for Rule {
        fn score(&mut self, game: &Game) -> Scored {
            let base = if game.history().len() == 3 { -90 } else { 0 };
            let moves = game.position().moves();
            let lines =
                moves.iter().take(3).enumerate().map(|(rank, mv)| (*mv, base - 20 * rank as i16)).collect();
            let shallow = (game.history().len() == 2).then(|| (moves[5], -300));
            Scored { lines, depth: 5, shallow }
        }
    }

    fn grown(count: usize) -> Entries {
        let expansion = Expansion::default();
        let mut entries = Entries::new();
        for _ in 0..count {
            let leaf = expansion.leaves(&entries, 1).remove(0);
            let mut game = Game::new(Position::start());
            for mv in &leaf.path {
                game.play(*mv).unwrap();
            }
            expansion.take(&mut entries, &leaf, &Rule.score(&game));
            expansion.back_up(&mut entries, &Referee::default());
        }
        entries
    }

    #[test]
    fn the_best_line_grows_first() {
        let expansion = Expansion::default();
        let mut entries = grown(2);
        let leaf = expansion.leaves(&entries, 1).remove(0);
        assert_eq!(leaf.path.len(), 2);
        let mut position = Position::start();
        for mv in &leaf.path {
            let _ = position.play(*mv, &mut ());
        }
        // Red does well against the best reply, so Black takes the next one, which gives away 20.
        let scored = Scored { lines: vec![(position.moves()[0], 500)], ..Scored::default() };
        expansion.take(&mut entries, &leaf, &scored);
        expansion.back_up(&mut entries, &Referee::default());
        let first = moves_in(&entries, &Position::start());
        let (_, best) = slot(&Position::start(), leaf.path[0]);
        let known = first.iter().find(|known| known.mv == best).unwrap();
        assert_eq!(known.score, Some(20));
    }

    #[test]
    fn scores_flow_back_by_minimax() {
        let entries = grown(40);
        let expansion = Expansion::default();
        for here in expansion.walk(&entries, |_| true) {
            for known in moves_in(&entries, &here.position) {
                let mut child = here.position.clone();
                let _ = child.play(known.mv, &mut ());
                let best = moves_in(&entries, &child).iter().filter_map(|known| known.score).max();
                if let Some(best) = best
                    && repetition(&here.path, known.mv, &Referee::default()).is_none()
                {
                    assert_eq!(known.score, Some(-best), "{:?} {}", here.path, known.mv);
                }
            }
        }
    }

    #[test]
    fn shallow_favourites_that_fall_are_marked_and_never_followed() {
        let entries = grown(12);
        let marked =
            |flag: fn(&BookMove) -> bool| entries.values().flatten().filter(|known| flag(known)).count();
        assert!(marked(|known| known.flags.falls) > 0);
        assert!(marked(|known| known.flags.sets) > 0);
        let leaves = Expansion::default().leaves(&entries, 1000);
        assert!(leaves.iter().all(|leaf| leaf.path.len() <= 40));
    }

    #[test]
    fn a_repetition_is_judged() {
        let moves = ["b0c2", "b9c7", "c2b0", "c7b9", "b0c2", "b9c7", "c2b0"];
        let mut path: Vec<Move> = Vec::new();
        for text in moves {
            path.push(
                chuhe_board::coords::parse_move(text, chuhe_board::coords::RankStyle::FromZero).unwrap(),
            );
        }
        assert_eq!(repetition(&path[..2], path[2], &Referee::default()), None);
        assert_eq!(repetition(&path[..6], path[6], &Referee::default()), Some(0));
    }
}
