//! The game collection.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::vec;

use chuhe_board::coords::RankStyle;
use chuhe_book::Pattern;
use chuhe_collection::{self as collection, CollectionError, Material, Query};
use chuhe_notation::convert::{Reader, find_records};
use chuhe_storage::Home;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arguments::{Integer, locked, os_error, parsed, value_error};
use crate::board::Board;
use crate::game::{Game, outcome};
use crate::records::records_of;

/// A collection of games in a file: `Collection()` is the user's, `Collection(path)` another, made if it is not there.
///
/// >>> import chuhe, os, tempfile
/// >>> path = os.path.join(tempfile.mkdtemp(), "games.db")
/// >>> with chuhe.Collection(path) as games:
/// ...     report = games.add([chuhe.Game.from_pgn('[Red "許銀川"]\n1. 炮二平五 馬8進7 1-0')])
/// ...     found = games.search(player="許", result="1-0", position=chuhe.Board(moves=["h2e2"]))
/// >>> report.added, found.total, found.games[0].red, found.games[0].ply
/// (1, 1, '許銀川', 1)
#[pyclass(module = "chuhe", frozen)]
pub(crate) struct Collection {
    collection: Mutex<Option<collection::Collection>>,
    path: PathBuf,
}

#[pymethods]
impl Collection {
    #[new]
    #[pyo3(signature = (path = None))]
    fn new(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Self> {
        let users = || Home::find().map(|home| home.games());
        let path =
            path.or_else(users).ok_or_else(|| value_error("there is no home folder: name the file"))?;
        let collection = py.detach(|| collection::Collection::open(&path)).map_err(value_error)?;
        Ok(Self { collection: Mutex::new(Some(collection)), path })
    }

    /// Adds games; those that are there already, also mirrored, are skipped.
    #[pyo3(signature = (games, *, keep_duplicates = false))]
    fn add(&self, py: Python<'_>, games: &Bound<'_, PyAny>, keep_duplicates: bool) -> PyResult<ImportReport> {
        let records = records_of(games)?;
        self.with(py, |collection| {
            let mut import = collection.import(keep_duplicates)?;
            records.iter().try_for_each(|record| import.add(record))?;
            import.finish().map(ImportReport::from)
        })
    }

    /// Adds the games of a record file, or of all record files in a folder.
    #[pyo3(signature = (path, *, keep_duplicates = false))]
    fn import_records(&self, py: Python<'_>, path: PathBuf, keep_duplicates: bool) -> PyResult<ImportReport> {
        fs::metadata(&path).map_err(|error| os_error(&path, &error))?;
        let files = find_records(&path).map_err(value_error)?.files;
        let mut reader = Reader::new(&files, RankStyle::FromZero);
        let mut contents = Vec::new();
        for file in files {
            contents.push((fs::read(&file).map_err(|error| os_error(&file, &error))?, file));
        }
        self.with(py, |collection| {
            let mut import = collection.import(keep_duplicates)?;
            for (bytes, file) in &contents {
                let name = file.display().to_string();
                reader.read(file, bytes, |_, _, game| match game {
                    Ok(game) => import.add_from(&name, &game),
                    Err(error) => {
                        import.skip(name.clone(), error);
                        Ok(())
                    }
                })?;
            }
            import.finish().map(ImportReport::from)
        })
    }

    /// Finds games; everything that is asked for must hold.
    ///
    /// Keywords: `position` (a Board; its mirror image counts), `material` (`'RNP rcp'`), `pattern` (`'C@e2 n@g7'`), parts
    /// of names: `player`, `red`, `black`, `event`, `opening`; `result`, `since`, `until` (`'2014.06'`), `duplicates`.
    #[pyo3(signature = (*, skip = None, most = None, **query))]
    fn search(
        &self,
        py: Python<'_>,
        skip: Option<Integer>,
        most: Option<Integer>,
        query: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<SearchResult> {
        let skip = skip.map_or(Ok(0), |skip| skip.within("skip", 0..=u32::MAX.into()))? as usize;
        let most = most.map_or(Ok(20), |most| most.within("most", 0..=u32::MAX.into()))? as usize;
        let query = wanted(query)?;
        let found = self.with(py, |collection| collection.search(&query, skip, most))?;
        Ok(SearchResult {
            total: found.total,
            games: found.games.into_iter().map(GameSummary::from).collect(),
        })
    }

    /// The numbers of the games that `search` finds, all of them.
    #[pyo3(signature = (**query))]
    fn matching(&self, py: Python<'_>, query: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<u32>> {
        let query = wanted(query)?;
        self.with(py, |collection| collection.matching(&query))
    }

    /// A game by its number.
    fn __getitem__(&self, py: Python<'_>, id: Integer) -> PyResult<Game> {
        let id = id.within("id", 0..=u32::MAX.into())? as u32;
        Ok(Game { record: self.with(py, |collection| collection.game(id))? })
    }

    /// All games, one after the other; those that are added meanwhile do not come up.
    fn __iter__(slf: Bound<'_, Self>) -> PyResult<Games> {
        let ids = slf.get().with(slf.py(), |collection| collection.matching(&Query::default()))?;
        Ok(Games { collection: slf.unbind(), ids: Mutex::new(ids.into_iter()) })
    }

    /// The number of games.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |collection| collection.len())
    }

    /// Closes the file.
    fn close(&self) {
        drop(locked(&self.collection).take());
    }

    const fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close();
    }

    fn __repr__(&self) -> String {
        format!("<Collection {}>", self.path.display())
    }
}

impl Collection {
    /// Works on the open collection without the GIL.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut collection::Collection) -> Result<T, CollectionError> + Send,
    ) -> PyResult<T> {
        py.detach(|| match locked(&self.collection).as_mut() {
            Some(collection) => work(collection).map_err(value_error),
            None => Err(value_error("the collection is closed")),
        })
    }
}

/// The games of a collection, read one at a time.
#[pyclass(module = "chuhe", frozen)]
struct Games {
    collection: Py<Collection>,
    ids: Mutex<vec::IntoIter<u32>>,
}

#[pymethods]
impl Games {
    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        let Some(id) = locked(&self.ids).next() else { return Ok(None) };
        let record = self.collection.get().with(py, |collection| collection.game(id))?;
        Ok(Some(Game { record }))
    }
}

/// The query of keyword arguments; an unknown keyword is named.
fn wanted(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Query> {
    const TEXTS: [&str; 7] = ["player", "red", "black", "event", "opening", "since", "until"];
    let mut query = Query::default();
    let Some(keywords) = keywords else { return Ok(query) };
    for (name, value) in keywords {
        let name: String = name.extract()?;
        if value.is_none() {
            continue;
        }
        match name.as_str() {
            "position" => query.position = Some(value.extract::<PyRef<'_, Board>>()?.position().clone()),
            "material" => query.material = Some(parsed::<Material>(&value.extract::<String>()?)?),
            "pattern" => query.pattern = Some(parsed::<Pattern>(&value.extract::<String>()?)?),
            "result" => query.result = Some(outcome(&value.extract::<String>()?)?),
            "duplicates" => query.duplicates = value.extract()?,
            "player" => query.player = value.extract()?,
            "red" => query.red = value.extract()?,
            "black" => query.black = value.extract()?,
            "event" => query.event = value.extract()?,
            "opening" => query.opening = value.extract()?,
            "since" => query.since = value.extract()?,
            "until" => query.until = value.extract()?,
            _ => {
                let known: BTreeSet<&str> = TEXTS
                    .into_iter()
                    .chain(["position", "material", "pattern", "result", "duplicates"])
                    .collect();
                let known: Vec<&str> = known.into_iter().collect();
                return Err(value_error(format!(
                    "'{name}' cannot be searched for: use {}",
                    known.join(", ")
                )));
            }
        }
    }
    Ok(query)
}

/// What came of adding games.
#[pyclass(module = "chuhe", frozen, get_all)]
pub(crate) struct ImportReport {
    /// Games added.
    added: usize,
    /// Games that were there already.
    same: usize,
    /// Games that were there with moves exchanged.
    transposed: usize,
    /// Games that could not be read, and why.
    skipped: Vec<String>,
    /// Games that were cut at a fault, and why.
    faults: Vec<String>,
}

impl From<collection::ImportReport> for ImportReport {
    fn from(report: collection::ImportReport) -> Self {
        let texts = |skips: &[collection::Skip]| {
            skips.iter().map(|skip| format!("{}, {}", skip.source, skip.reason)).collect()
        };
        let (skipped, faults) = (texts(&report.skipped), texts(&report.faults));
        Self { added: report.added, same: report.same, transposed: report.transposed, skipped, faults }
    }
}

#[pymethods]
impl ImportReport {
    fn __repr__(&self) -> String {
        format!("<ImportReport {} added, {} there already>", self.added, self.same + self.transposed)
    }
}

/// A page of the games that match.
#[pyclass(module = "chuhe", frozen, get_all)]
pub(crate) struct SearchResult {
    /// How many games match.
    total: usize,
    /// Those that were asked for.
    games: Vec<GameSummary>,
}

#[pymethods]
impl SearchResult {
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.games.iter().cloned())?.try_iter()?.into_any())
    }

    /// How many games the page has; `total` counts all that match.
    fn __len__(&self) -> usize {
        self.games.len()
    }

    fn __repr__(&self) -> String {
        format!("<SearchResult {} of {} games>", self.games.len(), self.total)
    }
}

/// A game in a list.
#[pyclass(module = "chuhe", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct GameSummary {
    /// Its number in the collection.
    id: u32,
    /// Red's name.
    red: Option<String>,
    /// Black's name.
    black: Option<String>,
    /// The event.
    event: Option<String>,
    /// The opening.
    opening: Option<String>,
    /// The date.
    date: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: String,
    /// How many moves it has.
    plies: usize,
    /// After how many plies the position or pattern that was asked for is first on the board.
    ply: Option<usize>,
}

impl From<collection::GameSummary> for GameSummary {
    fn from(game: collection::GameSummary) -> Self {
        Self {
            id: game.id,
            red: game.red,
            black: game.black,
            event: game.event,
            opening: game.opening,
            date: game.date,
            result: game.result,
            plies: game.plies,
            ply: game.ply,
        }
    }
}

#[pymethods]
impl GameSummary {
    fn __repr__(&self) -> String {
        let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".to_owned());
        format!("<GameSummary {}: {} – {}, {}>", self.id, name(&self.red), name(&self.black), self.result)
    }
}
