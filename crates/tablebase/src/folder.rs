//! A folder of table files: builds, lists and verifies them.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::file::archive::{self, Archive, BUILT_IN_FILE, built_in_set};
use crate::file::{self, FileError, TableFile, file_name};
use crate::kind::{Kind, Metric, Rules};
use crate::plan::held;
use crate::repetition::MoveRules;
use crate::solve::captures::{Captures, Tables, needs};
use crate::solve::partition::Partition;
use crate::solve::{Checkpoints, SolveError, Stage, assembled, move_rules, solve};
use crate::verify::{Contradiction, verify};
use crate::{Index, Material};

/// Where table files are kept.
#[derive(Clone)]
pub struct Folder {
    path: PathBuf,
    /// The most work that a killed build may lose.
    checkpoint_interval: Duration,
    stop: Arc<AtomicBool>,
    referee: Option<&'static dyn MoveRules>,
}

impl fmt::Debug for Folder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Folder").field(&self.path).finish()
    }
}

/// Why a table cannot be built or verified.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The endgame cannot be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// An entry is wrong.
    #[error("{path}: {error}")]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The entry.
        error: Contradiction,
    },
    /// A table that another one depends on is missing.
    #[error("{material} is needed, but there is no {path}")]
    Missing {
        /// The endgame.
        material: Material,
        /// The file that should hold it.
        path: PathBuf,
    },
}

/// The progress of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildEvent {
    /// The file exists already.
    Present,
    /// The solver's progress.
    Solving(Stage),
    /// The solved table is being written.
    Writing,
    /// The file is written, with its size in bytes.
    Written(u64),
}

impl Folder {
    /// The folder of tables in the user's data folder; `None` if the environment has none.
    pub fn of_the_user() -> Option<Self> {
        Some(Self::new(chuhe_storage::Home::find()?.tables()))
    }

    /// The folder of a setting: the user's if it is empty, no folder for `none`.
    pub fn named(setting: &str) -> Option<Self> {
        match setting {
            "none" => None,
            "" => Self::of_the_user(),
            path => Some(Self::new(path)),
        }
    }

    /// The folder at a path; it need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        let checkpoint_interval = Duration::from_secs(20);
        Self { path: path.into(), checkpoint_interval, stop: Arc::default(), referee: None }
    }

    /// Sets who says what a chase is, for tables whose rules know it.
    pub fn judged_by(self, referee: Option<&'static dyn MoveRules>) -> Self {
        Self { referee, ..self }
    }

    /// Sets how often builds save a checkpoint.
    pub fn saving_every(self, checkpoint_interval: Duration) -> Self {
        Self { checkpoint_interval, ..self }
    }

    /// Sets a flag that stops builds; the next build resumes.
    pub fn stopped_by(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop, ..self }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the file of a table is, whether it exists or not.
    pub fn file(&self, material: &Material, kind: Kind) -> PathBuf {
        self.path.join(file_name(material, kind.serving(material)))
    }

    /// The table files in the folder, by name; a folder that does not exist has none.
    pub fn files(&self) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut files = Vec::new();
        for entry in entries {
            let path = entry?.path();
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            if Kind::all().any(|kind| kind.extension() == extension) {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    }

    /// Builds the table of an endgame and all missing tables that it depends on, within `memory` bytes.
    pub fn build(
        &self,
        material: &Material,
        kind: Kind,
        memory: u64,
        on_progress: &(dyn Fn(&Material, BuildEvent) + Sync),
    ) -> Result<(), FolderError> {
        // The largest table comes last; fail before building the others.
        SolveError::check_memory(material, kind, 0, memory)?;
        for member in material.family() {
            let kind = kind.serving(&member);
            if TableFile::open(&self.file(&member, kind)).is_ok() {
                on_progress(&member, BuildEvent::Present);
            } else {
                self.build_one(&member, kind, memory, &|event| on_progress(&member, event))?;
            }
        }
        Ok(())
    }

    /// Builds the table of one endgame. Those that it depends on must be in the folder or built in.
    pub fn build_one(
        &self,
        material: &Material,
        kind: Kind,
        memory: u64,
        on_progress: &(dyn Fn(BuildEvent) + Sync),
    ) -> Result<(), FolderError> {
        SolveError::check_memory(material, kind, held(material), memory)?;
        let created = fs::create_dir_all(&self.path);
        created.map_err(|error| FileError::Io { path: self.path.clone(), error })?;
        let index = Arc::new(Index::new(material));
        let captures = Captures::new(&index, kind.metric, &self.load_needs(material, kind)?);
        self.remove_drafts(&file_name(material, kind));
        let checkpoint = self.path.join(format!("{}.unfinished", file_name(material, kind)));
        let checkpoints =
            Checkpoints { path: &checkpoint, interval: self.checkpoint_interval, stop: &self.stop };
        let watch = |stage| on_progress(BuildEvent::Solving(stage));
        let table = solve(&index, captures, kind, self.referee, Some(checkpoints), &watch)?;
        on_progress(BuildEvent::Writing);
        let bytes = file::write(&table, &self.path)?;
        let _ = fs::remove_file(&checkpoint);
        on_progress(BuildEvent::Written(bytes));
        Ok(())
    }

    /// Removes temporary files that killed builds of this table left.
    fn remove_drafts(&self, table: &str) {
        for file in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let name = file.file_name();
            let rest = name.to_str().and_then(|name| name.strip_prefix(table));
            if rest.is_some_and(|rest| rest.starts_with(".new-") || rest.starts_with(".unfinished.new-")) {
                let _ = fs::remove_file(file.path());
            }
        }
    }

    /// Partition `which` of `partitions`. The tables that the endgame depends on must be in the folder. Tables with a
    /// repetition rule cannot be partitioned.
    pub fn partition(
        &self,
        material: &Material,
        metric: Metric,
        which: usize,
        partitions: usize,
    ) -> Result<Partition, FolderError> {
        let index = Arc::new(Index::new(material));
        let tables = self.load_needs(index.material(), plain(metric))?;
        let captures = Arc::new(Captures::new(&index, metric, &tables));
        Ok(Partition::new(index, captures, which, partitions))
    }

    /// Writes a partitioned table from the [values](Partition::values) of all partitions, in order, for each side to move.
    /// The file does not depend on the partitioning. Returns its size in bytes.
    pub fn write_partitions(
        &self,
        material: &Material,
        metric: Metric,
        values: [Vec<u16>; 2],
    ) -> Result<u64, FolderError> {
        let table = assembled(Arc::new(Index::new(material)), plain(metric), values)?;
        Ok(file::write(&table, &self.path)?)
    }

    /// Packs the complete tables of the built-in set into one archive in the folder. Returns its path.
    pub fn write_built_in(&self) -> Result<PathBuf, FolderError> {
        let path = self.path.join(BUILT_IN_FILE);
        let files: Vec<(Material, PathBuf)> = built_in_set()
            .into_iter()
            .map(|material| (material, self.file(&material, Kind::default())))
            .collect();
        archive::write(&path, &files)?;
        Ok(path)
    }

    /// Opens the table of an endgame: the file in the folder, or else the built-in one.
    pub fn open(&self, material: &Material, kind: Kind) -> Result<TableFile, FolderError> {
        let path = self.file(material, kind);
        if path.exists() {
            return Ok(TableFile::open(&path)?);
        }
        match Archive::built_in_of(kind.serving(material)).and_then(|archive| archive.open(material)) {
            Some(table) => Ok(table?),
            None => Err(FolderError::Missing { material: *material, path }),
        }
    }

    fn load_needs(&self, material: &Material, kind: Kind) -> Result<Tables, FolderError> {
        let mut tables = HashMap::new();
        for (rest, sides) in needs(material) {
            tables.insert(rest, Arc::new(self.open(&rest, kind)?.load(sides)?));
        }
        Ok(tables)
    }

    /// Checks the blocks of a table and derives every entry from its successors. A table in which one side has no attackers must
    /// also hold under the rules of the [referee](Self::judged_by), if there is one: it serves them.
    pub fn verify(
        &self,
        file: &TableFile,
        on_progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<(), FolderError> {
        file.check_data()?;
        let table = file.load([true, true])?;
        let kind = file.kind();
        let tables = self.load_needs(table.index().material(), kind)?;
        let captures = Captures::new(table.index(), kind.metric, &tables);
        let rules = if table.index().material().both_attack() {
            move_rules(kind.rules, self.referee)?
        } else {
            self.referee
        };
        verify(&table, &captures, rules, on_progress)
            .map_err(|error| FolderError::Wrong { path: file.path().to_owned(), error })
    }
}

/// The kind without a repetition rule.
fn plain(metric: Metric) -> Kind {
    Kind { metric, rules: Rules::Plain }
}
