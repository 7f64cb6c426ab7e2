//! The store: positions in an embedded database that survives a kill in the middle of a write.

use std::path::{Path, PathBuf};

use chuhe_board::Key;
use redb::{Database, ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition};

use crate::entry::{pack, unpack};
use crate::{BookMove, Entries};

const POSITIONS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("positions");

/// A book that grows.
pub struct Store {
    database: Database,
}

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be opened.
    #[error("{}: {reason}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: Box<redb::Error>,
    },
    /// It cannot be read or written.
    #[error("the book store: {0}")]
    Database(Box<redb::Error>),
}

fn failed(error: impl Into<redb::Error>) -> StoreError {
    StoreError::Database(Box::new(error.into()))
}

impl Store {
    /// Opens a store, or makes an empty one where there is no file.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let reason = |error: redb::DatabaseError| StoreError::Open {
            path: path.to_owned(),
            reason: Box::new(error.into()),
        };
        let database = Database::create(path).map_err(reason)?;
        let transaction = database.begin_write().map_err(failed)?;
        transaction.open_table(POSITIONS).map_err(failed)?;
        transaction.commit().map_err(failed)?;
        Ok(Self { database })
    }

    /// How many positions there are.
    pub fn len(&self) -> Result<u64, StoreError> {
        let transaction = self.database.begin_read().map_err(failed)?;
        transaction.open_table(POSITIONS).map_err(failed)?.len().map_err(failed)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> Result<bool, StoreError> {
        Ok(self.len()? == 0)
    }

    /// Everything it holds.
    pub fn entries(&self) -> Result<Entries, StoreError> {
        let transaction = self.database.begin_read().map_err(failed)?;
        let table = transaction.open_table(POSITIONS).map_err(failed)?;
        let mut entries = Entries::new();
        for row in table.iter().map_err(failed)? {
            let (key, value) = row.map_err(failed)?;
            entries.insert(Key::from_number(key.value()), unpack(value.value()));
        }
        Ok(entries)
    }

    /// Adds to what is known: all of it, or nothing if it is killed on the way.
    pub fn merge(&self, news: &Entries) -> Result<(), StoreError> {
        self.change(news.iter().map(|(key, moves)| (*key, moves)), |known, moves| merge_moves(known, moves))
    }

    /// Replaces positions: all of them, or none if it is killed on the way.
    pub fn replace(&self, news: &Entries) -> Result<(), StoreError> {
        self.change(news.iter().map(|(key, moves)| (*key, moves)), |known, moves| known.clone_from(moves))
    }

    fn change<'a>(
        &self,
        news: impl Iterator<Item = (Key, &'a Vec<BookMove>)>,
        join: impl Fn(&mut Vec<BookMove>, &Vec<BookMove>),
    ) -> Result<(), StoreError> {
        let transaction = self.database.begin_write().map_err(failed)?;
        {
            let mut table = transaction.open_table(POSITIONS).map_err(failed)?;
            for (key, moves) in news {
                let old = table.get(key.get()).map_err(failed)?;
                let mut known = old.map_or_else(Vec::new, |value| unpack(value.value()));
                join(&mut known, moves);
                table.insert(key.get(), pack(&known).as_slice()).map_err(failed)?;
            }
        }
        transaction.commit().map_err(failed)
    }
}

/// Adds moves to moves, each to its own kind.
pub(crate) fn merge_moves(known: &mut Vec<BookMove>, news: &[BookMove]) {
    for new in news {
        match known.iter_mut().find(|known| known.mv == new.mv) {
            Some(known) => known.merge(new),
            None => known.push(new.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;

    use super::*;

    #[test]
    fn what_is_merged_adds_up_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.store");
        let moves = Position::start().moves();
        let key = Position::start().merged_key().0;
        let news = |mv| Entries::from([(key, vec![BookMove { count: 1, ..BookMove::new(mv) }])]);
        let store = Store::open(&path).unwrap();
        store.merge(&news(moves[0])).unwrap();
        store.merge(&news(moves[0])).unwrap();
        store.merge(&news(moves[1])).unwrap();
        drop(store);
        let entries = Store::open(&path).unwrap().entries().unwrap();
        let counts: Vec<_> = entries[&key].iter().map(|known| (known.mv, known.count)).collect();
        assert_eq!(counts, [(moves[0], 2), (moves[1], 1)]);
        std::fs::write(&path, "something else").unwrap();
        assert!(matches!(Store::open(&path), Err(StoreError::Open { .. })));
    }
}
