//! Data on disk: opening book, endgame tables, game collection and folders of records. The settings name
//! these files; requests never do.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use chuhe_book::{Book, BookError};
use chuhe_collection::Collection;
use chuhe_storage::Home;
use chuhe_tablebase::Folder;

use crate::settings::Settings;
use crate::tables::Tables;

/// The server's data on disk.
pub(crate) struct Library {
    pub(crate) book: Book,
    pub(crate) tables: Arc<Tables>,
    /// Path of the game collection; `None` if there is no home directory.
    pub(crate) games: Option<PathBuf>,
    /// The collection, opened on first use.
    pub(crate) collection: Mutex<Option<Collection>>,
    /// Folders of records, canonicalised.
    pub(crate) records: Vec<PathBuf>,
}

impl Library {
    /// Opens what the settings name.
    pub(crate) fn open(settings: &Settings) -> Result<Self, BookError> {
        let home = Home::find();
        let book = match &settings.book {
            Some(path) => Book::open(path)?,
            None => Book::embedded(),
        };
        let folder = settings.tables.clone().map(Folder::new).or_else(Folder::of_the_user);
        let games = settings.games.clone().or_else(|| home.as_ref().map(Home::games));
        // A folder that does not exist yet is ignored until the next start.
        let records = settings.records.iter().filter_map(|folder| folder.canonicalize().ok()).collect();
        Ok(Self {
            book,
            tables: Arc::new(Tables::open(folder, settings.limits.table_memory << 20)),
            games,
            collection: Mutex::default(),
            records,
        })
    }
}
