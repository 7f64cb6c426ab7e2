//! Data on disk: opening book, endgame tables, game collection and folders of records. The settings name
//! these files; requests never do.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use chuhe_book::{Book, BookError};
use chuhe_collection::{Collection, CollectionError};
use chuhe_storage::Home;
use chuhe_tablebase::Folder;
use serde::{Deserialize, Serialize};

use crate::settings::Settings;
use crate::tables::Tables;

/// A collection of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum GameSource {
    /// The starter collection.
    Ours,
    /// The user's collection.
    #[default]
    Mine,
}

/// The server's data on disk.
pub(crate) struct Library {
    pub(crate) book: Book,
    pub(crate) tables: Arc<Tables>,
    /// Path of the game collection; `None` if there is no home directory.
    pub(crate) games: Option<PathBuf>,
    /// The collection, opened on first use.
    collection: Mutex<Option<Collection>>,
    /// Path of the starter collection, if it is installed.
    starter: Option<PathBuf>,
    /// The starter collection, read on first use.
    starter_games: Mutex<Option<Collection>>,
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
            starter: settings.starter.clone().or_else(chuhe_storage::starter_collection),
            starter_games: Mutex::default(),
            records,
        })
    }

    /// Asks a collection; `None` if there is none. It is read from disk the first time.
    pub(crate) fn with_games<T>(
        &self,
        source: GameSource,
        query: impl FnOnce(&mut Collection) -> Result<T, CollectionError>,
    ) -> Result<Option<T>, CollectionError> {
        let (path, collection) = match source {
            GameSource::Ours => (&self.starter, &self.starter_games),
            GameSource::Mine => (&self.games, &self.collection),
        };
        let Some(path) = path.as_ref().filter(|path| path.exists()) else { return Ok(None) };
        let mut collection = collection.lock().unwrap_or_else(PoisonError::into_inner);
        let collection = match &mut *collection {
            Some(collection) => collection,
            none => none.insert(match source {
                GameSource::Ours => Collection::of_list(path)?,
                GameSource::Mine => Collection::open_existing(path)?,
            }),
        };
        query(collection).map(Some)
    }
}
