//! The key-value store of a growing book: an embedded database (redb) with atomic commits.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use chuhe_board::Key;
use redb::{
    Database, DatabaseError, ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition,
    WriteTransaction,
};

use crate::entry::{merge_moves, pack, unpack};
use crate::learn::{LearnedGame, subtract_moves};
use crate::{Book, BookError, BookMove, Entries};

const POSITIONS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("positions");
/// Learned games by number, so that they can be unlearned.
const LEARNED_GAMES: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("lessons");

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
    #[error("book store: {0}")]
    Database(Box<redb::Error>),
    /// Its book cannot be read or written.
    #[error(transparent)]
    Book(#[from] BookError),
}

fn failed(error: impl Into<redb::Error>) -> StoreError {
    StoreError::Database(Box::new(error.into()))
}

/// Only one process can open a store; others wait this long.
const PATIENCE: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(50);

impl Store {
    /// Opens a store, or makes an empty one where there is no file.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let reason =
            |error: DatabaseError| StoreError::Open { path: path.to_owned(), reason: Box::new(error.into()) };
        let began = Instant::now();
        let database = loop {
            match Database::create(path) {
                Err(DatabaseError::DatabaseAlreadyOpen) if began.elapsed() < PATIENCE => thread::sleep(PAUSE),
                other => break other.map_err(reason)?,
            }
        };
        let store = Self { database };
        store.write(|transaction| {
            transaction.open_table(POSITIONS).map_err(failed)?;
            transaction.open_table(LEARNED_GAMES).map_err(failed)?;
            Ok(())
        })?;
        Ok(store)
    }

    /// The store of a book: `NAME.store` beside `NAME.book`. If it is missing, it is filled from the book. A file with
    /// the book's name that is not a book is an error, so that it is never overwritten.
    pub fn beside(book: &Path) -> Result<Self, StoreError> {
        let known = if book.exists() { Some(Book::open(book)?) } else { None };
        let store = Self::open(&book.with_extension("store"))?;
        if let Some(known) = known.filter(|known| !known.is_empty())
            && store.is_empty()?
        {
            store.replace(&known.entries())?;
        }
        Ok(store)
    }

    /// The number of positions.
    pub fn len(&self) -> Result<u64, StoreError> {
        let transaction = self.database.begin_read().map_err(failed)?;
        transaction.open_table(POSITIONS).map_err(failed)?.len().map_err(failed)
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> Result<bool, StoreError> {
        Ok(self.len()? == 0)
    }

    /// All entries.
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

    /// Merges entries in one transaction.
    pub fn merge(&self, news: &Entries) -> Result<(), StoreError> {
        self.write(|transaction| change(transaction, news, |known, moves| merge_moves(known, moves)))
    }

    /// Replaces entries in one transaction.
    pub fn replace(&self, news: &Entries) -> Result<(), StoreError> {
        self.write(|transaction| change(transaction, news, |known, moves| known.clone_from(moves)))
    }

    /// Adds a game.
    pub fn learn(&self, game: &LearnedGame) -> Result<(), StoreError> {
        self.write(|transaction| {
            change(transaction, &game.entries(), |known, moves| merge_moves(known, moves))?;
            let mut games = transaction.open_table(LEARNED_GAMES).map_err(failed)?;
            let number = games.last().map_err(failed)?.map_or(0, |(number, _)| number.value() + 1);
            games.insert(number, game.packed().as_slice()).map_err(failed)?;
            Ok(())
        })
    }

    /// The number of learned games, which can be unlearned.
    pub fn learned_games(&self) -> Result<u64, StoreError> {
        let transaction = self.database.begin_read().map_err(failed)?;
        transaction.open_table(LEARNED_GAMES).map_err(failed)?.len().map_err(failed)
    }

    /// Unlearns the latest games, at most `most`; returns how many. What they added is subtracted, except the day on
    /// which moves were last seen.
    pub fn unlearn(&self, most: u64) -> Result<u64, StoreError> {
        let mut count = 0;
        while count < most && self.unlearn_last()? {
            count += 1;
        }
        Ok(count)
    }

    fn unlearn_last(&self) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let mut games = transaction.open_table(LEARNED_GAMES).map_err(failed)?;
            let last = games.pop_last().map_err(failed)?;
            let Some(packed) = last.map(|(_, packed)| packed.value().to_vec()) else { return Ok(false) };
            let taught = LearnedGame::unpacked(&packed).map(|game| game.entries()).unwrap_or_default();
            change(transaction, &taught, |known, moves| subtract_moves(known, moves))?;
            let mut positions = transaction.open_table(POSITIONS).map_err(failed)?;
            for key in taught.keys() {
                let is_empty =
                    positions.get(key.get()).map_err(failed)?.is_none_or(|value| value.value().is_empty());
                if is_empty {
                    positions.remove(key.get()).map_err(failed)?;
                }
            }
            Ok(true)
        })
    }

    /// Runs one write transaction.
    fn write<T>(
        &self,
        work: impl FnOnce(&WriteTransaction) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let transaction = self.database.begin_write().map_err(failed)?;
        let done = work(&transaction)?;
        transaction.commit().map_err(failed)?;
        Ok(done)
    }
}

fn change(
    transaction: &WriteTransaction,
    news: &Entries,
    join: impl Fn(&mut Vec<BookMove>, &Vec<BookMove>),
) -> Result<(), StoreError> {
    let mut table = transaction.open_table(POSITIONS).map_err(failed)?;
    for (key, moves) in news {
        let old = table.get(key.get()).map_err(failed)?;
        let mut known = old.map_or_else(Vec::new, |value| unpack(value.value()));
        join(&mut known, moves);
        table.insert(key.get(), pack(&known).as_slice()).map_err(failed)?;
    }
    Ok(())
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
