//! Matches keys with positions: foreign books hold keys only, so import and export walk from the start position.

use std::collections::{HashMap, HashSet, VecDeque};

use chuhe_board::{Key, Move, Position};

use super::{Imported, Keys};
use crate::entry::merge_moves;
use crate::{BookMove, Entries, moves_in, slot};

/// The moves of a foreign book by the keys of their positions.
#[derive(Default)]
pub(super) struct Rows {
    rows: HashMap<u64, Vec<BookMove>>,
    count: usize,
}

impl Rows {
    /// Adds a row; one whose move is none at all can only be counted.
    pub(super) fn add(&mut self, key: u64, known: Option<BookMove>) {
        self.count += 1;
        if let Some(known) = known {
            self.rows.entry(key).or_default().push(known);
        }
    }

    /// Walks from the start position through the rows that have its keys, or those of its mirror image. Books may hold
    /// the moves of one side only, so every legal reply to a book move is tried; where rows are left, every reply to
    /// every move.
    pub(super) fn matched(&self, keys: &Keys) -> Imported {
        let mut search = Search {
            rows: self,
            keys,
            seen: HashSet::from([Position::start().merged_key().0]),
            waiting: VecDeque::from([Position::start()]),
            found: Vec::new(),
            entries: Entries::new(),
            matched: 0,
        };
        search.walk();
        let mut budget = MOST_LEAPS;
        let mut next = 0;
        while next < search.found.len() && search.matched < self.count && budget > 0 {
            let position = search.found[next].clone();
            next += 1;
            for child in children(&position) {
                if search.seen.contains(&child.merged_key().0) {
                    continue;
                }
                for leap in children(&child) {
                    budget = budget.saturating_sub(1);
                    search.meet(leap);
                }
            }
            search.walk();
        }
        Imported { entries: search.entries, unmatched: self.count - search.matched }
    }

    /// The rows of a position, each as a move of `position`; those of its mirror image, too.
    fn of(&self, position: &Position, keys: &Keys) -> Vec<(BookMove, bool)> {
        let mirrored = position.mirrored();
        let mut found = Vec::new();
        for (image, is_mirrored) in [(position, false), (&mirrored, true)] {
            if is_mirrored && position.key() == image.key() {
                break;
            }
            let rows = self.rows.get(&keys.key(image)).into_iter().flatten();
            found.extend(rows.map(|known| (known.clone().turned(is_mirrored), image.is_legal(known.mv))));
        }
        found
    }
}

/// The most positions that are tried two plies away from the book: some seconds.
const MOST_LEAPS: usize = 10_000_000;

/// A walk through a foreign book.
struct Search<'a> {
    rows: &'a Rows,
    keys: &'a Keys,
    /// Book positions that were met.
    seen: HashSet<Key>,
    /// Those that are still to be visited.
    waiting: VecDeque<Position>,
    /// Those that were visited.
    found: Vec<Position>,
    entries: Entries,
    matched: usize,
}

impl Search<'_> {
    fn walk(&mut self) {
        while let Some(position) = self.waiting.pop_front() {
            for (known, _) in self.rows.of(&position, self.keys).into_iter().filter(|(_, is_legal)| *is_legal)
            {
                self.matched += 1;
                children(&after(&position, known.mv)).for_each(|reply| self.meet(reply));
                let (key, mv) = slot(&position, known.mv);
                merge_moves(self.entries.entry(key).or_default(), &[BookMove { mv, ..known }]);
            }
            children(&position).for_each(|child| self.meet(child));
            self.found.push(position);
        }
    }

    /// Takes a position that is in the book. Keys of 32 bits may agree by chance, so all its moves must be legal.
    fn meet(&mut self, position: Position) {
        let key = position.merged_key().0;
        if self.seen.contains(&key) {
            return;
        }
        let rows = self.rows.of(&position, self.keys);
        if !rows.is_empty() && rows.iter().all(|(_, is_legal)| *is_legal) {
            self.seen.insert(key);
            self.waiting.push_back(position);
        }
    }
}

fn children(position: &Position) -> impl Iterator<Item = Position> {
    position.moves().into_iter().map(|mv| after(position, mv))
}

fn after(position: &Position, mv: Move) -> Position {
    let mut child = position.clone();
    let _ = child.play(mv, &mut ());
    child
}

/// The rows of our own book for another program, each with the key of its position; and how many moves could
/// not be reached from the start position.
pub(super) fn rows_of(entries: &Entries, keys: &Keys) -> (Vec<(u64, BookMove)>, usize) {
    let mut rows = Vec::new();
    walk(|position| {
        let known = moves_in(entries, position);
        // Our own keys are those of the image that the book holds.
        let (merged, is_mirrored) = position.merged_key();
        let key = match keys {
            Keys::Own => merged.get(),
            Keys::Numbers(_) if is_mirrored => keys.key(&position.mirrored()),
            Keys::Numbers(_) => keys.key(position),
        };
        rows.extend(known.iter().map(|known| (key, known.clone().turned(is_mirrored))));
        known.into_iter().map(|known| known.mv).collect()
    });
    let unreached = entries.values().map(Vec::len).sum::<usize>().saturating_sub(rows.len());
    (rows, unreached)
}

/// Visits positions from the start, mirror images once; `follow` says which moves lead on.
fn walk(mut follow: impl FnMut(&Position) -> Vec<Move>) {
    let mut seen = HashSet::from([Position::start().merged_key().0]);
    let mut waiting = VecDeque::from([Position::start()]);
    while let Some(position) = waiting.pop_front() {
        for mv in follow(&position) {
            let child = after(&position, mv);
            if seen.insert(child.merged_key().0) {
                waiting.push_back(child);
            }
        }
    }
}
