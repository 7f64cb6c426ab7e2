//! Matches keys with positions: foreign books hold keys only, so import and export walk from the start position.

use std::collections::{HashMap, HashSet, VecDeque};

use chuhe_board::{Move, Position};

use super::{Imported, Keys};
use crate::store::merge_moves;
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

    /// Walks from the start position through the rows that have its keys, or those of its mirror image.
    pub(super) fn matched(&self, keys: &Keys) -> Imported {
        let mut entries = Entries::new();
        let mut matched = 0;
        walk(|position| {
            let mut followed = Vec::new();
            for (image, is_mirrored) in [(position.clone(), false), (position.mirrored(), true)] {
                if is_mirrored && position.key() == image.key() {
                    break;
                }
                let rows = self.rows.get(&keys.key(&image)).into_iter().flatten();
                for known in rows.filter(|known| image.is_legal(known.mv)) {
                    matched += 1;
                    let known = known.clone().turned(is_mirrored);
                    followed.push(known.mv);
                    let (key, mv) = slot(position, known.mv);
                    merge_moves(entries.entry(key).or_default(), &[BookMove { mv, ..known }]);
                }
            }
            followed
        });
        Imported { entries, unmatched: self.count - matched }
    }
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
            let mut child = position.clone();
            let _ = child.play(mv, &mut ());
            if seen.insert(child.merged_key().0) {
                waiting.push_back(child);
            }
        }
    }
}
