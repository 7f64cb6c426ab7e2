//! Converting files and whole folders of records.

mod target;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use crate::failure::{CannotHold, Loss, RecordError};
use crate::format::{Format, Reading, read_records};
use crate::pgn::MoveStyle;
use crate::record::Game;
use crate::{dhtmlxq, encoding};
use target::Target;

/// What to convert, and how.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// A file, or a folder that is searched for records; `-` is standard input.
    pub input: PathBuf,
    /// A file; or a folder, for a format that holds one game a file. `-` is standard output.
    pub output: PathBuf,
    /// The format of what is written.
    pub format: Format,
    /// How moves are written where the format leaves a choice.
    pub style: MoveStyle,
    /// How records are read.
    pub reading: Reading,
}

/// Why nothing was converted.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// A file or folder cannot be read or written.
    #[error("{}", .path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Input and output are the same file.
    #[error("{} would be written over while it is read", .0.display())]
    SameFile(PathBuf),
}

/// The result of a conversion.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many files with records were read.
    pub files: usize,
    /// How many games were written.
    pub games: usize,
    /// How many moves these have, variations included.
    pub moves: usize,
    /// The file or folder that was written; `None` if there was no game.
    pub output: Option<PathBuf>,
    /// Games that were not converted.
    pub skipped: Vec<Skipped>,
    /// Faults of games that were converted as far as they could be read.
    pub faults: Vec<(PathBuf, RecordError)>,
    /// Files of a folder that are no records.
    pub ignored: Vec<PathBuf>,
    /// What the format could not hold, and in how many games.
    pub losses: BTreeMap<Loss, usize>,
}

/// A game, or a whole file, that was not converted.
#[derive(Clone, Debug)]
pub struct Skipped {
    /// The file it stands in.
    pub file: PathBuf,
    /// Why it was skipped.
    pub reason: SkipReason,
}

/// Why a game was not converted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SkipReason {
    /// Its file cannot be opened.
    #[error("{0}")]
    Unopened(String),
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(RecordError),
    /// It cannot be written.
    #[error("game {game}: {reason}")]
    CannotHold {
        /// The number of the game in its file.
        game: usize,
        /// What the format lacks.
        reason: CannotHold,
    },
}

impl Conversion {
    /// Converts. `on_progress` is called after each game.
    pub fn run(&self, mut on_progress: impl FnMut(Progress)) -> Result<Report, ConvertError> {
        let mut report = Report::default();
        let files = self.files(&mut report)?;
        let mut target = Target::new(self);
        let mut reader = Reader::new(&files, self.reading);
        for path in files {
            let bytes = match chuhe_storage::read(&path) {
                Ok(bytes) => bytes,
                Err(error) => {
                    report
                        .skipped
                        .push(Skipped { file: path, reason: SkipReason::Unopened(error.to_string()) });
                    continue;
                }
            };
            let format = Format::of_file(&path, &bytes);
            reader.read(&path, &bytes, |progress, number, game| {
                on_progress(progress);
                report.take(game, &Source { path: &path, format, game: number }, &mut target)
            })?;
            report.files += 1;
        }
        report.output = target.finish()?;
        Ok(report)
    }

    /// The files to read, in the order of their names.
    fn files(&self, report: &mut Report) -> Result<Vec<PathBuf>, ConvertError> {
        let same =
            |one: io::Result<PathBuf>, other: io::Result<PathBuf>| one.is_ok() && one.ok() == other.ok();
        if self.input.is_file() && same(fs::canonicalize(&self.input), fs::canonicalize(&self.output)) {
            return Err(ConvertError::SameFile(self.input.clone()));
        }
        let found = find_records(&self.input)?;
        report.ignored = found.ignored;
        Ok(found.files)
    }
}

/// What a folder holds.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The files with records, in the order of their names.
    pub files: Vec<PathBuf>,
    /// Other files.
    pub ignored: Vec<PathBuf>,
}

/// The records in a folder and the folders below it; or the one file that `input` is, `-` for standard input.
pub fn find_records(input: &Path) -> Result<Found, ConvertError> {
    let mut found = Found::default();
    if chuhe_storage::is_standard(input) || !fs::metadata(input).map_err(at(input))?.is_dir() {
        found.files.push(input.to_owned());
        return Ok(found);
    }
    let mut folders = vec![input.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(at(&folder))? {
            let entry = entry.map_err(at(&folder))?;
            let path = entry.path();
            // Links to folders could lead in a circle.
            let kind = entry.file_type().map_err(at(&path))?;
            if kind.is_dir() {
                folders.push(path);
            } else if is_record(&path) {
                found.files.push(path);
            } else {
                found.ignored.push(path);
            }
        }
    }
    found.files.sort();
    found.ignored.sort();
    Ok(found)
}

/// Whether a file of a folder is a record by its name, or by its first bytes if the name says nothing.
fn is_record(path: &Path) -> bool {
    // macOS puts what it knows about `game.xqf` into `._game.xqf` beside it.
    if path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"._")) {
        return false;
    }
    match Format::of_path(path) {
        Some(_) => !is_other_page(path),
        None => {
            let mut head = [0; 16];
            let read = fs::File::open(path).and_then(|mut file| file.read(&mut head));
            read.is_ok_and(|bytes| Format::of_content(&head[..bytes]).is_some())
        }
    }
}

/// Whether a file is a web page without a game. A file that cannot be read is no page: its error is reported later.
fn is_other_page(path: &Path) -> bool {
    let is_page = path.extension().and_then(|extension| extension.to_str()).is_some_and(|extension| {
        extension.eq_ignore_ascii_case("html") || extension.eq_ignore_ascii_case("htm")
    });
    is_page && fs::read(path).is_ok_and(|bytes| !dhtmlxq::is_dhtmlxq(&encoding::decode(&bytes)))
}

/// How far the reading of files is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The games read, bad ones included.
    pub games: u64,
    /// About how many bytes these take.
    pub bytes: u64,
    /// The bytes of all files.
    pub of_bytes: u64,
}

/// Reads files one after the other and knows how far it is.
pub struct Reader {
    reading: Reading,
    progress: Progress,
}

impl Reader {
    /// Prepares to read these files.
    pub fn new(files: &[PathBuf], reading: impl Into<Reading>) -> Self {
        let bytes = |file: &PathBuf| fs::metadata(file).map_or(0, |metadata| metadata.len());
        let of_bytes = files.iter().map(bytes).sum();
        Self { reading: reading.into(), progress: Progress { of_bytes, ..Progress::default() } }
    }

    /// Reads the games of a file, whose content is `bytes`, on a thread of its own and calls `each` with their
    /// numbers, until it fails.
    pub fn read<E>(
        &mut self,
        path: &Path,
        bytes: &[u8],
        mut each: impl FnMut(Progress, usize, Result<Game, RecordError>) -> Result<(), E>,
    ) -> Result<(), E> {
        /// How many games may wait to be written.
        const AHEAD: usize = 256;
        let format = Format::of_file(path, bytes);
        let (before, size) = (self.progress.bytes, bytes.len() as u64);
        // Standard input has no size before it is read.
        self.progress.of_bytes = self.progress.of_bytes.max(before + size);
        let estimated = format.estimated_games(bytes) as u64;
        let reading = self.reading;
        let (sender, receiver) = mpsc::sync_channel(AHEAD);
        thread::scope(|scope| {
            scope.spawn(move || {
                read_records(format, bytes, reading, |game| match sender.send(game) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                });
            });
            // The receiver is dropped with the loop; if that is early, reading ends, too.
            receiver.into_iter().enumerate().try_for_each(|(index, game)| {
                self.progress.games += 1;
                self.progress.bytes = before + size / estimated * (index as u64 + 1).min(estimated);
                each(self.progress, index + 1, game)
            })
        })?;
        self.progress.bytes = before + size;
        Ok(())
    }
}

/// An input or output error with the path it belongs to.
fn at(path: &Path) -> impl Fn(io::Error) -> ConvertError {
    move |source| ConvertError::Io { path: path.to_owned(), source }
}

/// Where a game comes from.
struct Source<'a> {
    path: &'a Path,
    format: Format,
    game: usize,
}

impl Report {
    /// Passes a game on and notes what came of it.
    fn take(
        &mut self,
        game: Result<Game, RecordError>,
        source: &Source<'_>,
        target: &mut Target<'_>,
    ) -> Result<(), ConvertError> {
        let outcome = match game {
            Ok(game) => {
                self.faults.extend(game.faults().iter().map(|fault| (source.path.to_owned(), fault.clone())));
                let moves = game.move_count();
                target
                    .write(&game, source)?
                    .map(|losses| (moves, losses))
                    .map_err(|reason| SkipReason::CannotHold { game: source.game, reason })
            }
            Err(error) => Err(SkipReason::Unreadable(error)),
        };
        match outcome {
            Ok((moves, mut losses)) => {
                self.games += 1;
                self.moves += moves;
                losses.sort();
                losses.dedup();
                for loss in losses {
                    *self.losses.entry(loss).or_default() += 1;
                }
            }
            Err(reason) => self.skipped.push(Skipped { file: source.path.to_owned(), reason }),
        }
        Ok(())
    }
}
