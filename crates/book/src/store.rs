//! The key-value store of a growing book: an embedded database (redb) with atomic commits.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use chuhe_board::Key;
use redb::{
    Database, DatabaseError, ReadTransaction, ReadableDatabase, ReadableTable, ReadableTableMetadata,
    TableDefinition, WriteTransaction,
};

use xxhash_rust::xxh3::Xxh3Default;

use crate::entry::{merge_moves, pack, unpack};
use crate::learn::{LearnedGame, subtract_moves};
use crate::{Book, BookError, BookMove, Entries};

const POSITIONS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("positions");
/// The batches of games in the store, by their hash, and whether they were learned.
const BATCHES: TableDefinition<'_, u64, bool> = TableDefinition::new("batches");
/// Learned games by number, so that they can be unlearned.
const LEARNED_GAMES: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("lessons");

/// A book that grows.
pub struct Store {
    path: PathBuf,
    /// `None` only while it is dropped.
    database: Option<Database>,
}

impl Drop for Store {
    fn drop(&mut self) {
        // Closing writes, and a damaged file may end that too.
        let database = self.database.take();
        let _ = catch_unwind(AssertUnwindSafe(move || drop(database)));
    }
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
    /// It is truncated or altered.
    #[error("{} is damaged: move it away, and it is made again from the book", .0.display())]
    Damaged(PathBuf),
    /// Its book cannot be read or written.
    #[error(transparent)]
    Book(#[from] BookError),
}

/// Runs what touches the database. It checks its pages only in part and panics at some kinds of damage.
fn guarded<T>(path: &Path, work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(StoreError::Damaged(path.to_owned())))
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
        let database = guarded(path, || {
            loop {
                match Database::create(path) {
                    Err(DatabaseError::DatabaseAlreadyOpen) if began.elapsed() < PATIENCE => {
                        thread::sleep(PAUSE);
                    }
                    other => break other.map_err(reason),
                }
            }
        })?;
        let store = Self { path: path.to_owned(), database: Some(database) };
        store.write(|transaction| {
            transaction.open_table(POSITIONS).map_err(failed)?;
            transaction.open_table(LEARNED_GAMES).map_err(failed)?;
            transaction.open_table(BATCHES).map_err(failed)?;
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

    fn database(&self) -> &Database {
        self.database.as_ref().expect("only dropping takes the database away")
    }

    /// The number of positions.
    pub fn len(&self) -> Result<u64, StoreError> {
        self.read(|transaction| transaction.open_table(POSITIONS).map_err(failed)?.len().map_err(failed))
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> Result<bool, StoreError> {
        Ok(self.len()? == 0)
    }

    /// All entries.
    pub fn entries(&self) -> Result<Entries, StoreError> {
        self.read(|transaction| {
            let table = transaction.open_table(POSITIONS).map_err(failed)?;
            let mut entries = Entries::new();
            for row in table.iter().map_err(failed)? {
                let (key, value) = row.map_err(failed)?;
                entries.insert(Key::from_number(key.value()), unpack(value.value()));
            }
            Ok(entries)
        })
    }

    /// Merges entries in one transaction.
    pub fn merge(&self, news: &Entries) -> Result<(), StoreError> {
        self.write(|transaction| change(transaction, news, |known, moves| merge_moves(known, moves)))
    }

    /// Replaces entries in one transaction.
    pub fn replace(&self, news: &Entries) -> Result<(), StoreError> {
        self.write(|transaction| change(transaction, news, |known, moves| known.clone_from(moves)))
    }

    /// Merges what a command adds and writes the book; returns false if the store had this batch already. The commit
    /// of the store is the point before which nothing was added and behind which everything was: it notes the batch, so
    /// that a command that is killed at any point and run again adds its games once.
    pub fn merge_and_write(
        &self,
        news: &Entries,
        write: impl FnOnce(&Self) -> Result<(), StoreError>,
    ) -> Result<bool, StoreError> {
        let batch = news.iter().flat_map(|(key, moves)| [key.get().to_le_bytes().to_vec(), pack(moves)]);
        let merge = |transaction: &_| change(transaction, news, |known, moves| merge_moves(known, moves));
        let is_new = self.once(batch, false, merge)?;
        write(self)?;
        Ok(is_new)
    }

    /// The same for games to learn.
    pub fn learn_and_write(
        &self,
        games: &[LearnedGame],
        write: impl FnOnce(&Self) -> Result<(), StoreError>,
    ) -> Result<bool, StoreError> {
        let batch = games.iter().map(LearnedGame::packed);
        let learn = |transaction: &_| games.iter().try_for_each(|game| learn_in(transaction, game));
        let is_new = self.once(batch, true, learn)?;
        write(self)?;
        Ok(is_new)
    }

    /// Does `work` unless it was done for this batch; returns whether it did.
    fn once(
        &self,
        batch: impl Iterator<Item = Vec<u8>>,
        is_learned: bool,
        work: impl FnOnce(&WriteTransaction) -> Result<(), StoreError>,
    ) -> Result<bool, StoreError> {
        let mut hasher = Xxh3Default::new();
        for part in batch {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(&part);
        }
        let batch = hasher.digest();
        self.write(|transaction| {
            let mut batches = transaction.open_table(BATCHES).map_err(failed)?;
            let is_new = batches.insert(batch, is_learned).map_err(failed)?.is_none();
            if is_new {
                work(transaction)?;
            }
            Ok(is_new)
        })
    }

    /// Adds a game.
    pub fn learn(&self, game: &LearnedGame) -> Result<(), StoreError> {
        self.write(|transaction| learn_in(transaction, game))
    }

    /// The number of learned games, which can be unlearned.
    pub fn learned_games(&self) -> Result<u64, StoreError> {
        self.read(|transaction| transaction.open_table(LEARNED_GAMES).map_err(failed)?.len().map_err(failed))
    }

    /// Unlearns the latest games, at most `most`; returns how many. What they added is subtracted, except the day on
    /// which moves were last seen. All of them may be learned again.
    pub fn unlearn(&self, most: u64) -> Result<u64, StoreError> {
        self.write(|transaction| {
            let mut batches = transaction.open_table(BATCHES).map_err(failed)?;
            batches.retain(|_, is_learned| !is_learned).map_err(failed)
        })?;
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

    /// Runs one read transaction.
    fn read<T>(&self, work: impl FnOnce(&ReadTransaction) -> Result<T, StoreError>) -> Result<T, StoreError> {
        guarded(&self.path, || work(&self.database().begin_read().map_err(failed)?))
    }

    /// Runs one write transaction.
    fn write<T>(
        &self,
        work: impl FnOnce(&WriteTransaction) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        guarded(&self.path, || {
            let transaction = self.database().begin_write().map_err(failed)?;
            let done = work(&transaction)?;
            transaction.commit().map_err(failed)?;
            Ok(done)
        })
    }
}

fn learn_in(transaction: &WriteTransaction, game: &LearnedGame) -> Result<(), StoreError> {
    change(transaction, &game.entries(), |known, moves| merge_moves(known, moves))?;
    let mut games = transaction.open_table(LEARNED_GAMES).map_err(failed)?;
    let number = games.last().map_err(failed)?.map_or(0, |(number, _)| number.value() + 1);
    games.insert(number, game.packed().as_slice()).map_err(failed)?;
    Ok(())
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
    use chuhe_board::{Outcome, Position};

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

    /// Bytes of a store changed at random, and stores cut short: each is an error or still readable, and the program
    /// lives on. The damage of each number is the same on every machine.
    #[test]
    fn a_damaged_store_is_an_error_not_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.store");
        let news: Entries = (1..400_u64)
            .map(|key| {
                let moves = Position::start().moves().into_iter().map(BookMove::new).collect();
                (Key::from_number(key.wrapping_mul(0x9E37_79B9_7F4A_7C15)), moves)
            })
            .collect();
        Store::open(&path).unwrap().merge(&news).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let used: Vec<usize> =
            (0..whole.len()).filter(|at| *at < 256 || whole[*at] != 0).step_by(7).collect();
        let mut errors = 0;
        for number in 0..60_usize {
            let mut bytes = whole.clone();
            for step in 0..=number % 4 {
                let at = used[(number * 7919 + step * 104_729) % used.len()];
                bytes[at] ^= 1 << (number % 8);
            }
            if number % 10 == 0 {
                bytes.truncate(whole.len() / (2 + number / 10));
            }
            std::fs::write(&path, bytes).unwrap();
            let used = Store::open(&path).and_then(|store| {
                store.entries()?;
                store.merge(&news)
            });
            errors += usize::from(used.is_err());
        }
        assert!(errors > 0, "the damage went unnoticed");
    }

    /// A kill is a `write` that never comes back.
    #[test]
    fn a_killed_command_that_is_run_again_adds_its_games_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("a.store")).unwrap();
        let mv = Position::start().moves()[0];
        let (key, stored) = crate::slot(&Position::start(), mv);
        let news = Entries::from([(key, vec![BookMove { count: 3, ..BookMove::new(stored) }])]);
        let count = || store.entries().unwrap()[&key][0].count;
        let killed = |_: &Store| Err(BookError::NotABook("killed".into()).into());
        assert!(store.merge_and_write(&news, killed).is_err());
        assert!(store.merge_and_write(&news, killed).is_err());
        assert!(
            !store.merge_and_write(&news, |_| Ok(())).unwrap(),
            "killed behind the commit, or after the end"
        );
        assert_eq!(count(), 3);

        let game =
            LearnedGame { side: chuhe_board::Side::Red, outcome: Outcome::RedWins, day: 0, moves: vec![mv] };
        let games = [game.clone(), game];
        assert!(store.learn_and_write(&games, killed).is_err());
        assert!(!store.learn_and_write(&games, |_| Ok(())).unwrap());
        assert_eq!((count(), store.learned_games().unwrap()), (5, 2));
        assert_eq!(store.unlearn(2).unwrap(), 2);
        assert!(
            store.learn_and_write(&games, |_| Ok(())).unwrap(),
            "what was unlearned may be learned again"
        );
        assert!(!store.merge_and_write(&news, |_| Ok(())).unwrap());
        assert_eq!(count(), 5);
    }
}
