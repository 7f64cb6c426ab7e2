//! The key-value store of a growing book: an SQLite file with atomic commits and a checksum for each entry.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chuhe_board::Key;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, ffi, params};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64_with_seed};

use crate::entry::{merge_moves, pack, unpack};
use crate::learn::{LearnedGame, subtract_moves};
use crate::{Book, BookError, BookMove, Entries};

/// Says that an SQLite file is a store: "chbs".
const APPLICATION: i32 = 0x6368_6273;
/// The version of the tables below.
const VERSION: i32 = 1;

/// `positions` has the packed moves of a position by its Zobrist key, `batches` the batches of games in the store by
/// their hash and whether they were learned, `learned` the learned games by number, so that they can be unlearned.
const TABLES: [&str; 3] = ["positions", "batches", "learned"];

/// Only one process can open a store; others wait this long.
const PATIENCE: Duration = Duration::from_secs(3);

/// A book that grows.
pub struct Store {
    path: PathBuf,
    connection: Mutex<Connection>,
}

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be opened, read or written.
    #[error("{}: {source}", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// Another process has it open.
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// The file is something else.
    #[error("{} is no book store", .0.display())]
    NotAStore(PathBuf),
    /// It was made by another version of the program.
    #[error("{} was made by another version: move it away, and it is made again from the book", .0.display())]
    OtherVersion(PathBuf),
    /// It is truncated or altered.
    #[error("{} is damaged: move it away, and it is made again from the book", .0.display())]
    Damaged(PathBuf),
    /// Its book cannot be read or written.
    #[error(transparent)]
    Book(#[from] BookError),
}

impl Store {
    /// Opens a store, or makes an empty one where there is no file.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_within(path, PATIENCE)
    }

    fn open_within(path: &Path, patience: Duration) -> Result<Self, StoreError> {
        if is_redb(path) {
            return Err(StoreError::OtherVersion(path.to_owned()));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)
            .map_err(|source| StoreError::Sqlite { path: path.to_owned(), source })?;
        let store = Self { path: path.to_owned(), connection: Mutex::new(connection) };
        match store.read(|connection| lock(connection, patience))? {
            (APPLICATION, VERSION) => store.read(check)?,
            (APPLICATION, _) => return Err(StoreError::OtherVersion(store.path)),
            (0, 0) if store.read(has_no_tables)? => store.write(create)?,
            _ => return Err(StoreError::NotAStore(store.path)),
        }
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
        self.count("positions")
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> Result<bool, StoreError> {
        Ok(self.len()? == 0)
    }

    /// The number of learned games, which can be unlearned.
    pub fn learned_games(&self) -> Result<u64, StoreError> {
        self.count("learned")
    }

    fn count(&self, table: &str) -> Result<u64, StoreError> {
        let count = format!("SELECT count(*) FROM {table}");
        self.read(|connection| connection.query_row(&count, [], |row| row.get::<_, u32>(0).map(u64::from)))
    }

    /// All entries.
    pub fn entries(&self) -> Result<Entries, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare("SELECT value, key FROM positions")?;
            let rows = statement.query_map([], |row| {
                Ok((Key::from_number(row.get::<_, i64>(1)?.cast_unsigned()), unpack(blob(row)?)))
            })?;
            rows.collect()
        })
    }

    /// Merges entries in one transaction.
    pub fn merge(&self, news: &Entries) -> Result<(), StoreError> {
        self.write(|connection| change(connection, news, merge_moves))
    }

    /// Replaces entries in one transaction.
    pub fn replace(&self, news: &Entries) -> Result<(), StoreError> {
        self.write(|connection| {
            let mut write = writer(connection, "positions")?;
            news.iter().try_for_each(|(key, moves)| write(key.get(), &pack(moves)))
        })
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
        let merge = |connection: &_| change(connection, news, merge_moves);
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
        let learn = |connection: &_| games.iter().try_for_each(|game| learn_in(connection, game));
        let is_new = self.once(batch, true, learn)?;
        write(self)?;
        Ok(is_new)
    }

    /// Does `work` unless it was done for this batch; returns whether it did.
    fn once(
        &self,
        batch: impl Iterator<Item = Vec<u8>>,
        is_learned: bool,
        work: impl FnOnce(&Connection) -> rusqlite::Result<()>,
    ) -> Result<bool, StoreError> {
        let mut hasher = Xxh3Default::new();
        for part in batch {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(&part);
        }
        let batch = hasher.digest();
        self.write(|connection| {
            let mut known = connection.prepare_cached("SELECT 1 FROM batches WHERE key = ?")?;
            let is_new = !known.exists([batch.cast_signed()])?;
            if is_new {
                writer(connection, "batches")?(batch, &[is_learned.into()])?;
                work(connection)?;
            }
            Ok(is_new)
        })
    }

    /// Adds a game.
    pub fn learn(&self, game: &LearnedGame) -> Result<(), StoreError> {
        self.write(|connection| learn_in(connection, game))
    }

    /// Unlearns the latest games, at most `most`; returns how many. What they added is subtracted, except the day on
    /// which moves were last seen. All of them may be learned again.
    pub fn unlearn(&self, most: u64) -> Result<u64, StoreError> {
        self.write(|connection| {
            connection.execute("DELETE FROM batches WHERE value = ?", [[u8::from(true)]])
        })?;
        let mut count = 0;
        while count < most && self.write(unlearn_last)? {
            count += 1;
        }
        Ok(count)
    }

    /// Runs one transaction.
    fn write<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        self.read(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        })
    }

    /// Runs what changes nothing, or is one transaction. Errors name the file.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        // A panic rolls its transaction back.
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let path = || self.path.clone();
        work(&connection).map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy) => StoreError::InUse(path()),
            Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged(path()),
            Some(ErrorCode::NotADatabase) => StoreError::NotAStore(path()),
            _ => StoreError::Sqlite { path: path(), source: error },
        })
    }
}

/// Whether the file is a store from before stores were SQLite files.
fn is_redb(path: &Path) -> bool {
    let mut magic = [0; 4];
    File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && &magic == b"redb"
}

/// Locks the file until the store is closed; returns its application and version.
fn lock(connection: &Connection, patience: Duration) -> rusqlite::Result<(i32, i32)> {
    connection.busy_timeout(patience)?;
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    // A commit is on the disk when it returns.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "cache_size", -64_000)?;
    connection.execute_batch("BEGIN EXCLUSIVE; COMMIT")?;
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get(0));
    Ok((pragma("application_id")?, pragma("user_version")?))
}

fn has_no_tables(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0))
}

/// Reads the whole file: the pages must fit together and the entries match their checksums.
fn check(connection: &Connection) -> rusqlite::Result<()> {
    let verdict: String = connection.pragma_query_value(None, "quick_check", |row| row.get(0))?;
    if verdict != "ok" {
        return Err(damage());
    }
    for table in TABLES {
        let mut statement = connection.prepare(&format!("SELECT value, key, checksum FROM {table}"))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if row.get::<_, i64>(2)? != checksum(row.get(1)?, blob(row)?) {
                return Err(damage());
            }
        }
    }
    Ok(())
}

fn create(connection: &Connection) -> rusqlite::Result<()> {
    for table in TABLES {
        connection.execute_batch(&format!(
            "CREATE TABLE {table}(key INTEGER PRIMARY KEY, value BLOB NOT NULL, checksum INTEGER NOT NULL)"
        ))?;
    }
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", VERSION)
}

/// What SQLite reports where it finds damage itself.
fn damage() -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CORRUPT), None)
}

fn checksum(key: i64, value: &[u8]) -> i64 {
    xxh3_64_with_seed(value, key.cast_unsigned()).cast_signed()
}

/// The first column.
fn blob<'a>(row: &'a Row<'_>) -> rusqlite::Result<&'a [u8]> {
    Ok(row.get_ref(0)?.as_blob()?)
}

/// Writes entries of a table.
fn writer<'a>(
    connection: &'a Connection,
    table: &str,
) -> rusqlite::Result<impl FnMut(u64, &[u8]) -> rusqlite::Result<()> + use<'a>> {
    let mut insert =
        connection.prepare_cached(&format!("INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)"))?;
    Ok(move |key: u64, value: &[u8]| {
        let key = key.cast_signed();
        insert.execute(params![key, value, checksum(key, value)]).map(drop)
    })
}

fn learn_in(connection: &Connection, game: &LearnedGame) -> rusqlite::Result<()> {
    change(connection, &game.entries(), merge_moves)?;
    let number: i64 =
        connection.query_row("SELECT coalesce(max(key) + 1, 0) FROM learned", [], |row| row.get(0))?;
    writer(connection, "learned")?(number.cast_unsigned(), &game.packed())
}

/// Unlearns the latest game; false if there is none.
fn unlearn_last(connection: &Connection) -> rusqlite::Result<bool> {
    let mut take = connection
        .prepare_cached("DELETE FROM learned WHERE key = (SELECT max(key) FROM learned) RETURNING value")?;
    let Some(packed) = take.query_row([], |row| row.get::<_, Vec<u8>>(0)).optional()? else {
        return Ok(false);
    };
    let taught = LearnedGame::unpacked(&packed).map(|game| game.entries()).unwrap_or_default();
    change(connection, &taught, subtract_moves)?;
    let mut forget = connection.prepare_cached("DELETE FROM positions WHERE key = ? AND value = x''")?;
    for key in taught.keys() {
        forget.execute([key.get().cast_signed()])?;
    }
    Ok(true)
}

/// Joins entries with those of their positions.
fn change(
    connection: &Connection,
    news: &Entries,
    join: impl Fn(&mut Vec<BookMove>, &[BookMove]),
) -> rusqlite::Result<()> {
    let mut find = connection.prepare_cached("SELECT value FROM positions WHERE key = ?")?;
    let mut write = writer(connection, "positions")?;
    for (key, moves) in news {
        let known = find.query_row([key.get().cast_signed()], |row| Ok(unpack(blob(row)?)));
        let mut known = known.optional()?.unwrap_or_default();
        join(&mut known, moves);
        write(key.get(), &pack(&known))?;
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
        assert!(matches!(Store::open(&path), Err(StoreError::NotAStore(_))));
    }

    /// Bytes of a store changed at random, and stores cut short: each is an error, or the damage is where nothing is
    /// read and the store says what it said before. The damage of each number is the same on every machine.
    #[test]
    fn damage_of_a_store_is_never_read_as_truth() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.store");
        let start = Position::start();
        let mv = start.moves()[0];
        let game =
            LearnedGame { side: chuhe_board::Side::Red, outcome: Outcome::RedWins, day: 0, moves: vec![mv] };
        let news: Entries = (1..400_u64)
            .map(|key| {
                let moves = start.moves().into_iter().take(1 + key as usize % 9).map(BookMove::new).collect();
                (Key::from_number(key.wrapping_mul(0x9E37_79B9_7F4A_7C15)), moves)
            })
            .collect();
        let store = Store::open(&path).unwrap();
        store.merge_and_write(&news, |_| Ok(())).unwrap();
        store.learn_and_write(&[game], |_| Ok(())).unwrap();
        let truth = store.entries().unwrap();
        drop(store);
        let whole = std::fs::read(&path).unwrap();
        let used: Vec<usize> = (0..whole.len()).filter(|at| *at < 256 || whole[*at] != 0).collect();
        let mut errors = 0;
        for number in 0..300_usize {
            let mut bytes = whole.clone();
            for step in 0..=number % 4 {
                let at = used[(number * 7919 + step * 104_729) % used.len()];
                bytes[at] ^= 1 << (number % 8);
            }
            if number % 10 == 0 {
                bytes.truncate(whole.len() / (2 + number / 10));
            }
            std::fs::write(&path, bytes).unwrap();
            let read = Store::open(&path).and_then(|store| {
                let read = (store.entries()?, store.learned_games()?);
                Ok((read, store.merge_and_write(&news, |_| Ok(()))?))
            });
            match read {
                Ok(read) => assert_eq!(read, ((truth.clone(), 1), false), "{number}"),
                Err(_) => errors += 1,
            }
        }
        assert!(errors > 250, "{errors} of 300");
    }

    #[test]
    fn a_store_of_another_version_or_program_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.store");
        std::fs::write(&path, b"redb\x1A\x0A\xA9\x0D\x0A and more").unwrap();
        let error = Store::open(&path).err().unwrap();
        assert!(matches!(error, StoreError::OtherVersion(_)), "{error}");
        assert!(error.to_string().contains("move it away, and it is made again from the book"));
        std::fs::remove_file(&path).unwrap();
        drop(Store::open(&path).unwrap());
        Connection::open(&path).unwrap().pragma_update(None, "user_version", VERSION + 1).unwrap();
        assert!(matches!(Store::open(&path), Err(StoreError::OtherVersion(_))));
        std::fs::remove_file(&path).unwrap();
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE positions(key)").unwrap();
        assert!(matches!(Store::open(&path), Err(StoreError::NotAStore(_))));
    }

    #[test]
    fn a_store_in_use_is_waited_for_but_not_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.store");
        let first = Store::open(&path).unwrap();
        let second = Store::open_within(&path, Duration::from_millis(20));
        assert!(matches!(second, Err(StoreError::InUse(_))));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| Store::open_within(&path, Duration::from_secs(60)).map(drop));
            std::thread::sleep(Duration::from_millis(50));
            drop(first);
            waiting.join().unwrap().unwrap();
        });
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
