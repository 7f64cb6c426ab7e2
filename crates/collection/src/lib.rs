//! The game collection: games in one SQLite file, with an inverted index from positions and material to games.
//!
//! ```text
//! names     players, events and openings, each once
//! games     what games are searched by: names, date, result, and fingerprints for duplicates
//! records   what a game is: start, moves (two bytes each), other tags, and the whole PGN if the game has
//!           variations, comments or marks
//! segments  \ the index: see `postings`
//! postings  /
//! ```

mod duplicates;
mod import;
mod material;
mod packed;
mod postings;
mod query;
mod statistics;
mod stored;

pub use import::{Import, ImportReport, Skip};
pub use material::{BadMaterial, Material};
pub use packed::{PackedError, PackedGame, PackedGames, PackedWriter};
pub use query::{Found, GameSummary, Query};
pub use statistics::Results;

use std::path::{Path, PathBuf};
use std::time::Duration;

use chuhe_notation::folding::fold;
use chuhe_notation::record::Game;
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, OpenFlags, OptionalExtension};

/// A collection of games.
pub struct Collection {
    connection: Connection,
    results: Option<statistics::ResultCache>,
}

/// What goes wrong with a collection.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// The file cannot be opened, read or written.
    #[error("the game collection: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The folder of the file cannot be made.
    #[error("{}: {source}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is something else.
    #[error("{} is no game collection", .0.display())]
    NotACollection(PathBuf),
    /// The file was made by another version of the program.
    #[error("{} is a game collection of version {found}; this program knows version {VERSION}", .path.display())]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i32,
    },
    /// A compact list cannot be read.
    #[error("{}: {source}", .path.display())]
    List {
        /// The file.
        path: PathBuf,
        /// Why.
        source: PackedError,
    },
    /// There is no such game.
    #[error("there is no game {0} in the collection")]
    NoGame(u32),
    /// A game or a part of the index cannot be understood.
    #[error("the game collection is damaged: {0}")]
    Damaged(&'static str),
}

/// Says that a SQLite file is a collection: "chgc".
const APPLICATION: i32 = 0x6368_6763;
/// The version of the tables below.
const VERSION: i32 = 1;

const TABLES: &str = "
CREATE TABLE names(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE games(
    id INTEGER PRIMARY KEY, red INTEGER, black INTEGER, event INTEGER, opening INTEGER, ecco TEXT, date TEXT,
    result INTEGER NOT NULL, plies INTEGER NOT NULL, trace INTEGER NOT NULL, goal INTEGER NOT NULL);
CREATE TABLE records(id INTEGER PRIMARY KEY, start TEXT, moves BLOB NOT NULL, tags TEXT, whole TEXT);
CREATE TABLE segments(number INTEGER PRIMARY KEY, bits INTEGER NOT NULL, entries INTEGER NOT NULL);
CREATE TABLE postings(id INTEGER PRIMARY KEY, entries BLOB NOT NULL);
CREATE INDEX games_red ON games(red);
CREATE INDEX games_black ON games(black);
CREATE INDEX games_event ON games(event);
CREATE INDEX games_opening ON games(opening);
CREATE INDEX games_ecco ON games(ecco);
CREATE INDEX games_date ON games(date);
CREATE INDEX games_trace ON games(trace);
CREATE INDEX games_goal ON games(goal);
";

impl Collection {
    /// Opens a collection, or makes an empty one where there is no file.
    pub fn open(path: &Path) -> Result<Self, CollectionError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .map_err(|source| CollectionError::Folder { path: folder.to_owned(), source })?;
        }
        Self::checked(Connection::open(path)?, path)
    }

    /// Opens a collection only if there is one.
    pub fn open_existing(path: &Path) -> Result<Self, CollectionError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Self::checked(Connection::open_with_flags(path, flags)?, path)
    }

    /// An empty collection without a file.
    pub fn in_memory() -> Result<Self, CollectionError> {
        Self::checked(Connection::open_in_memory()?, Path::new(":memory:"))
    }

    /// The games of a compact list such as the starter collection, read into memory.
    pub fn of_list(path: &Path) -> Result<Self, CollectionError> {
        let list = std::fs::read(path).map_err(PackedError::from).and_then(|bytes| PackedGames::read(&bytes));
        let list = list.map_err(|source| CollectionError::List { path: path.to_owned(), source })?;
        let mut collection = Self::in_memory()?;
        let mut import = collection.import(true)?;
        for number in 0..list.games.len() {
            import.add(&list.record(number))?;
        }
        import.finish()?;
        Ok(collection)
    }

    fn checked(connection: Connection, path: &Path) -> Result<Self, CollectionError> {
        connection.busy_timeout(Duration::from_secs(10))?;
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
        connection
            .create_scalar_function("fold", 1, flags, |context| Ok(fold(&context.get::<String>(0)?)))?;
        let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        let not_ours = || CollectionError::NotACollection(path.to_owned());
        let application = pragma("application_id").map_err(|_| not_ours())?;
        let tables: u32 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        match (application, pragma("user_version")?, tables) {
            (APPLICATION, VERSION, _) => {}
            (APPLICATION, found, _) => {
                return Err(CollectionError::OtherVersion { path: path.to_owned(), found });
            }
            (0, 0, 0) => {
                connection.pragma_update(None, "journal_mode", "WAL")?;
                connection.execute_batch(&format!(
                    "BEGIN; {TABLES} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; COMMIT;"
                ))?;
            }
            _ => return Err(not_ours()),
        }
        // With a write-ahead log this loses no more than the last transactions when the power fails.
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "cache_size", -64_000)?;
        Ok(Self { connection, results: None })
    }

    /// How many games there are.
    pub fn len(&self) -> Result<usize, CollectionError> {
        Ok(self.connection.query_row("SELECT count(*) FROM games", [], |row| row.get::<_, i64>(0))? as usize)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> Result<bool, CollectionError> {
        Ok(self.len()? == 0)
    }

    /// A game with everything its record said.
    pub fn game(&self, id: u32) -> Result<Game, CollectionError> {
        stored::read(&self.connection, id)
    }

    /// The number of the name in the table of names, if it is there.
    fn name_id(&self, text: &str) -> Result<Option<i64>, CollectionError> {
        let mut statement = self.connection.prepare_cached("SELECT id FROM names WHERE text = ?")?;
        Ok(statement.query_row([text], |row| row.get(0)).optional()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_others_are_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other.db");
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE t(a);").unwrap();
        assert!(matches!(Collection::open(&path), Err(CollectionError::NotACollection(_))));
        std::fs::write(&path, "no database at all, but long enough to be taken for one").unwrap();
        assert!(matches!(Collection::open(&path), Err(CollectionError::NotACollection(_))));
        let own = folder.path().join("deep/games.db");
        Collection::open(&own).unwrap();
        let collection = Collection::open_existing(&own).unwrap();
        assert!(collection.is_empty().unwrap());
        collection.connection.pragma_update(None, "user_version", 9).unwrap();
        assert!(matches!(Collection::open(&own), Err(CollectionError::OtherVersion { found: 9, .. })));
    }
}
