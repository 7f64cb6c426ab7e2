//! What the server has on its disk: the opening book, endgame tables, the game collection and folders of
//! records. Requests name none of these files; the settings do.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use chuhe_book::{Book, BookError};
use chuhe_collection::Collection;
use chuhe_storage::Home;
use chuhe_tablebase::Folder;

use crate::settings::Settings;
use crate::tables::Tables;

/// What the server has on its disk.
pub(crate) struct Library {
    pub(crate) book: Book,
    pub(crate) tables: Arc<Tables>,
    /// Where the game collection is; nothing if the environment names no place.
    pub(crate) games: Option<PathBuf>,
    /// The collection itself, opened when it is first asked for.
    pub(crate) collection: Mutex<Option<Collection>>,
    /// Folders of records, with all links followed.
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
        // A folder that is not there yet cannot be resolved; it counts from the next start on.
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
