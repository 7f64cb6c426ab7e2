//! Drop-out expansion (Lincke 2000): the engine extends the book by its own searches.
//!
//! The next leaf is the one that good play reaches first: a ply costs 1, and each centisoldier that a move gives away
//! costs more. A [`Scorer`] searches it, its best moves enter the book, and scores are backed up by minimax over the
//! graph: transpositions are one position, and the referee judges moves that repeat one.
//!
//! [`LeafQueue`] is the work queue, one round of leaves at a time; [`grow()`] runs worker threads on it. The book
//! depends only on the scores, not on the order in which they arrive.

mod grow;
mod queue;
mod traverse;

use std::collections::HashSet;

use chuhe_board::{Key, Move, Position};
use chuhe_referee::{Game, Referee};

pub use grow::grow;
pub use queue::LeafQueue;

use crate::{BookMove, Entries, slot};
use traverse::{DECIDED, Reached};

/// An engine that scores positions.
pub trait Scorer {
    /// Searches the position at the end of a game.
    fn score(&mut self, game: &Game) -> Scored;
}

/// What a scorer found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scored {
    /// The best moves with their principal variations, best first; none if the game is over.
    pub lines: Vec<Line>,
    /// The move that a shallow search likes best, with the score that a deep one gives it.
    pub shallow: Option<(Move, i16)>,
}

/// A move with its score and principal variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The move.
    pub mv: Move,
    /// Its score for the side to move.
    pub score: i16,
    /// The depth of the search.
    pub depth: u8,
    /// The play that the search expects after it.
    pub then: Vec<Move>,
}

impl Line {
    /// A move with its score alone.
    pub const fn new(mv: Move, score: i16) -> Self {
        Self { mv, score, depth: 0, then: Vec::new() }
    }
}

/// Parameters of an expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// What a centisoldier that is given away costs, in thousandths of a ply.
    pub loss_cost: u64,
    /// What a move of a named line costs, whatever it gives away, in thousandths of a ply.
    pub theory_cost: u64,
    /// The plies of a principal variation that enter the book with the score of its search.
    pub inherited: usize,
    /// Moves that give away more are not followed.
    pub most_loss: i16,
    /// A favourite of a shallow search that is this much worse than the best move falls into a trap.
    pub trap_margin: i16,
    /// No line is longer.
    pub plies: usize,
    /// Leaves scored between two backups; at least one.
    pub round: usize,
}

impl Default for Expansion {
    fn default() -> Self {
        Self {
            loss_cost: 50,
            theory_cost: 250,
            inherited: 3,
            most_loss: 100,
            trap_margin: 100,
            plies: 40,
            round: 32,
        }
    }
}

/// A place where the book ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// How to get there from the start position.
    pub path: Vec<Move>,
}

impl Leaf {
    /// The game that leads there.
    ///
    /// # Panics
    /// If the path has an illegal move.
    pub fn game(&self) -> Game {
        let mut game = Game::new(Position::start());
        for mv in &self.path {
            game.play(*mv).expect("books hold only legal moves");
        }
        game
    }
}

impl Expansion {
    /// The next leaves, at most `most`. An empty book has the start position as its leaf.
    pub fn leaves(&self, entries: &Entries, most: usize) -> Vec<Leaf> {
        self.traverse(entries, None, most).leaves
    }

    /// Adds the scores of a leaf to the book, and the principal variations behind its moves. Returns the changed
    /// positions.
    pub fn take(&self, entries: &mut Entries, leaf: &Leaf, scored: &Scored) -> Vec<Key> {
        let game = leaf.game();
        let position = game.position();
        let mut changed = vec![position.merged_key().0];
        let moves = entries.entry(position.merged_key().0).or_default();
        let mut seen = HashSet::new();
        let shallow = scored.shallow.filter(|(mv, _)| !scored.lines.iter().any(|line| line.mv == *mv));
        let shallow = shallow.map(|(mv, score)| Line::new(mv, score));
        for line in scored.lines.iter().chain(&shallow) {
            // Of two moves that are mirror images the first counts.
            let (_, mv) = slot(position, line.mv);
            if seen.insert(mv) {
                let known = entry_of(moves, mv);
                known.score = Some(line.score);
                known.depth = line.depth;
                known.flags.inherited = false;
            }
        }
        // The position's own search replaces what an earlier one expected here.
        moves.retain(|known| !known.flags.inherited || known.flags.theory || known.count > 0);
        for known in moves.iter_mut().filter(|known| known.flags.inherited) {
            (known.score, known.depth, known.flags.inherited) = (None, 0, false);
        }
        let favourites = scored.lines.first().map(|line| line.mv).into_iter();
        for mv in favourites.chain(scored.shallow.map(|(mv, _)| mv)) {
            entry_of(moves, slot(position, mv).1).flags.liked = true;
        }
        for line in &scored.lines {
            self.inherit(entries, position, line, &mut changed);
        }
        changed
    }

    /// Adds the principal variation behind a move, as far as the book has nothing better.
    fn inherit(&self, entries: &mut Entries, position: &Position, line: &Line, changed: &mut Vec<Key>) {
        let mut child = position.clone();
        let _ = child.play(line.mv, &mut ());
        let (mut score, mut depth) = (line.score, line.depth);
        for mv in line.then.iter().take(self.inherited) {
            (score, depth) = (score.saturating_neg(), depth.saturating_sub(1));
            if depth < LEAST_INHERITED_DEPTH || !child.is_legal(*mv) {
                return;
            }
            let (key, own) = slot(&child, *mv);
            let moves = entries.entry(key).or_default();
            if !is_unsearched(moves) {
                return;
            }
            let known = entry_of(moves, own);
            if known.score.is_none() || known.depth < depth {
                (known.score, known.depth, known.flags.inherited) = (Some(score), depth, true);
                changed.push(key);
            }
            let _ = child.play(*mv, &mut ());
        }
    }

    /// Backs scores up by minimax until nothing changes, and marks traps. Returns the changed positions.
    pub fn back_up(&self, entries: &mut Entries, referee: &Referee) -> HashSet<Key> {
        /// Rounds through the graph; cycles that are no repetition of the path need more than one.
        const MOST_ROUNDS: usize = 8;
        let reached = self.traverse(entries, Some(referee), usize::MAX).reached;
        let mut changed = HashSet::new();
        for _ in 0..MOST_ROUNDS {
            let mut is_quiet = true;
            for here in reached.iter().rev() {
                if back_up_one(entries, here) {
                    changed.insert(here.key);
                    is_quiet = false;
                }
            }
            if is_quiet {
                break;
            }
        }
        for here in &reached {
            if mark_falls(entries, here.key, self.trap_margin) {
                changed.insert(here.key);
            }
        }
        for here in &reached {
            if mark_sets(entries, here) {
                changed.insert(here.key);
            }
        }
        changed
    }
}

/// A principal variation is followed while at least this depth is left.
const LEAST_INHERITED_DEPTH: u8 = 7;

/// Whether no search has looked at a position itself: it is from games, named lines or principal variations.
fn is_unsearched(moves: &[BookMove]) -> bool {
    moves.iter().all(|known| known.score.is_none() || known.flags.inherited)
}

/// The entry of a move, added if missing.
fn entry_of(moves: &mut Vec<BookMove>, mv: Move) -> &mut BookMove {
    let at = moves.iter().position(|known| known.mv == mv).unwrap_or_else(|| {
        moves.push(BookMove::new(mv));
        moves.len() - 1
    });
    &mut moves[at]
}

/// Backs the scores of its children up to one position; whether any changed.
fn back_up_one(entries: &mut Entries, here: &Reached) -> bool {
    let backed: Vec<(Move, i16)> = here
        .links
        .iter()
        .filter_map(|link| Some((link.mv, link.judged.or_else(|| worth(entries, link.to))?)))
        .collect();
    let mut has_changed = false;
    for known in entries.get_mut(&here.key).into_iter().flatten() {
        let score = backed.iter().find(|(mv, _)| *mv == known.mv).map(|(_, score)| *score);
        if score.is_some() && score != known.score {
            known.score = score;
            has_changed = true;
        }
    }
    has_changed
}

/// The score of a position for the side that moved there; `None` where no search has looked.
fn worth(entries: &Entries, key: Key) -> Option<i16> {
    let replies = entries.get(&key)?;
    let searched = replies.iter().filter(|known| !known.flags.inherited);
    match replies.is_empty() {
        true => Some(DECIDED),
        false => searched.filter_map(|known| known.score).max().map(i16::saturating_neg),
    }
}

/// Marks favourites of a shallow search that are far from the best move: they fall into traps.
fn mark_falls(entries: &mut Entries, key: Key, margin: i16) -> bool {
    let moves = entries.get_mut(&key).map_or(&mut [][..], Vec::as_mut_slice);
    let best = moves.iter().filter_map(|known| known.score).max();
    let mut has_changed = false;
    for known in moves {
        let loss = best.zip(known.score).map_or(0, |(best, score)| best.saturating_sub(score));
        let falls = known.flags.liked && loss >= margin;
        has_changed |= known.flags.falls != falls;
        known.flags.falls = falls;
    }
    has_changed
}

/// Marks the moves after which a reply falls into a trap: they set traps.
fn mark_sets(entries: &mut Entries, here: &Reached) -> bool {
    let has_fall = |key| entries.get(&key).is_some_and(|moves| moves.iter().any(|known| known.flags.falls));
    let setting: Vec<Move> = here.links.iter().filter(|link| has_fall(link.to)).map(|link| link.mv).collect();
    let mut has_changed = false;
    for known in entries.get_mut(&here.key).into_iter().flatten() {
        let sets = setting.contains(&known.mv);
        has_changed |= known.flags.sets != sets;
        known.flags.sets = sets;
    }
    has_changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves_in;

    /// Scores by a rule that tests can foresee: the first legal move is best, the next ones 20 less each; at the
    /// fourth ply the mover finds out that it stands badly.
    #[derive(Clone)]
    pub(super) struct Rule;

    impl Scorer for Rule {
        fn score(&mut self, game: &Game) -> Scored {
            let base = if game.history().len() == 3 { -90 } else { 0 };
            let moves = game.position().moves();
            let lines = moves
                .iter()
                .take(3)
                .enumerate()
                .map(|(rank, mv)| Line::new(*mv, base - 20 * rank as i16))
                .collect();
            let shallow = (game.history().len() == 2).then(|| (moves[5], -300));
            Scored { lines, shallow }
        }
    }

    fn grown(count: usize) -> Entries {
        let expansion = Expansion::default();
        let mut entries = Entries::new();
        for _ in 0..count {
            let leaf = expansion.leaves(&entries, 1).remove(0);
            expansion.take(&mut entries, &leaf, &Rule.score(&leaf.game()));
            expansion.back_up(&mut entries, &Referee::default());
        }
        entries
    }

    #[test]
    fn the_best_line_grows_first() {
        let expansion = Expansion { loss_cost: 100, ..Expansion::default() };
        let mut entries = grown(2);
        let leaf = expansion.leaves(&entries, 1).remove(0);
        assert_eq!(leaf.path.len(), 2);
        let mut position = Position::start();
        for mv in &leaf.path {
            let _ = position.play(*mv, &mut ());
        }
        // Red does well against the best reply, so Black takes the next one, which gives away 20.
        let scored = Scored { lines: vec![Line::new(position.moves()[0], 500)], ..Scored::default() };
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
        let mut backed = 0;
        for here in Expansion::default().traverse(&entries, Some(&Referee::default()), usize::MAX).reached {
            for link in here.links.iter().filter(|link| link.judged.is_none()) {
                let known = entries[&here.key].iter().find(|known| known.mv == link.mv).unwrap();
                let replies = entries.get(&link.to).into_iter().flatten();
                if let Some(best) = replies.filter_map(|reply| reply.score).max() {
                    assert_eq!(known.score, Some(-best), "{}", known.mv);
                    backed += 1;
                }
            }
        }
        assert!(backed >= 39);
    }

    #[test]
    fn shallow_favourites_that_fall_are_marked_and_never_followed() {
        let entries = grown(12);
        let marked =
            |flag: fn(&BookMove) -> bool| entries.values().flatten().filter(|known| flag(known)).count();
        assert!(marked(|known| known.flags.falls) > 0);
        assert!(marked(|known| known.flags.sets) > 0);
        for leaf in Expansion::default().leaves(&entries, 1000) {
            let mut position = Position::start();
            for mv in &leaf.path {
                let known = moves_in(&entries, &position).into_iter().find(|known| known.mv == *mv).unwrap();
                assert!(!known.flags.falls, "{:?}", leaf.path);
                let _ = position.play(*mv, &mut ());
            }
        }
    }

    #[test]
    fn principal_variations_are_inherited_until_a_search_of_their_own() {
        let expansion = Expansion::default();
        let start = Leaf { path: Vec::new() };
        let first = start.game().position().moves()[0];
        let leaf = Leaf { path: vec![first] };
        let reply = leaf.game().position().moves()[0];
        let mut entries = Entries::new();
        let line = Line { depth: 9, then: vec![reply], ..Line::new(first, 30) };
        let changed = expansion.take(&mut entries, &start, &Scored { lines: vec![line], shallow: None });
        assert_eq!(changed.iter().collect::<HashSet<_>>(), entries.keys().collect(), "all of it is saved");
        let inherited = moves_in(&entries, leaf.game().position()).remove(0);
        assert_eq!((inherited.score, inherited.depth, inherited.flags.inherited), (Some(-30), 8, true));
        assert_eq!(expansion.leaves(&entries, 10).len(), 1, "it waits for a search of its own");
        let other = leaf.game().position().moves()[1];
        let scored = Scored { lines: vec![Line::new(other, -10)], shallow: None };
        expansion.take(&mut entries, &leaf, &scored);
        let moves = moves_in(&entries, leaf.game().position());
        assert_eq!((moves.len(), moves[0].mv, moves[0].flags.inherited), (1, other, false));
    }

    #[test]
    fn a_favourite_falls_as_soon_as_it_is_refuted_and_as_long() {
        let expansion = Expansion::default();
        let moves = Position::start().moves();
        let mut entries = Entries::new();
        let scored =
            Scored { lines: vec![Line::new(moves[0], 30), Line::new(moves[1], 10)], ..Scored::default() };
        expansion.take(&mut entries, &Leaf { path: Vec::new() }, &scored);
        let favourite = moves_in(&entries, &Position::start())[0].mv;
        let leaf = Leaf { path: vec![favourite] };
        let reply = leaf.game().position().moves()[0];
        let falls = |entries: &mut Entries, score| {
            expansion.take(
                entries,
                &leaf,
                &Scored { lines: vec![Line::new(reply, score)], ..Scored::default() },
            );
            expansion.back_up(entries, &Referee::default());
            moves_in(entries, &Position::start())[0].flags.falls
        };
        assert!(!falls(&mut entries, 0));
        assert!(falls(&mut entries, 200), "the deeper look refutes it");
    }
}
