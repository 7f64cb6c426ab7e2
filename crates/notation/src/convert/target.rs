//! Where converted games go: into one file, or each into a file of its own.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use chuhe_storage::AtomicFile;

use super::{Conversion, ConvertError, Source, at};
use crate::failure::{CannotHold, Loss};
use crate::format::{Format, RecordWriter};
use crate::record::Game;

/// Where games go.
pub(super) enum Target<'a> {
    /// All into one file.
    File { conversion: &'a Conversion, writer: Option<RecordWriter<AtomicFile>> },
    /// Each into a file of its own. The first waits: if it stays alone, it needs no folder.
    Files {
        conversion: &'a Conversion,
        first: Option<(PathBuf, Vec<u8>)>,
        taken: HashSet<PathBuf>,
        is_folder: bool,
    },
}

type Written = Result<Vec<Loss>, CannotHold>;

impl<'a> Target<'a> {
    pub(super) fn new(conversion: &'a Conversion) -> Self {
        if conversion.format.holds_one_game() && !chuhe_storage::is_standard(&conversion.output) {
            let is_folder = conversion.input.is_dir() || Format::of_path(&conversion.output).is_none();
            return Self::Files { conversion, first: None, taken: HashSet::new(), is_folder };
        }
        Self::File { conversion, writer: None }
    }

    pub(super) fn write(&mut self, game: &Game, source: &Source<'_>) -> Result<Written, ConvertError> {
        match self {
            Self::File { conversion, writer } => {
                let output = &conversion.output;
                if writer.is_none() {
                    let file = AtomicFile::create(output).map_err(at(output))?;
                    *writer = Some(RecordWriter::new(conversion.format, conversion.style, file));
                }
                let writer = writer.as_mut().expect("the writer was created above");
                writer.add(game).map_err(at(output))
            }
            Self::Files { conversion, first, taken, is_folder } => {
                let mut writer = RecordWriter::new(conversion.format, conversion.style, Vec::new());
                let losses = match writer.add(game).map_err(at(&conversion.output))? {
                    Ok(losses) => losses,
                    Err(reason) => return Ok(Err(reason)),
                };
                let bytes = writer.finish("").map_err(at(&conversion.output))?;
                let path = free_name(conversion, source, taken);
                if !*is_folder && first.is_none() && taken.len() == 1 {
                    *first = Some((path, bytes));
                    return Ok(Ok(losses));
                }
                *is_folder = true;
                for (path, bytes) in first.take().into_iter().chain([(path, bytes)]) {
                    write_file(&path, &bytes)?;
                }
                Ok(Ok(losses))
            }
        }
    }

    /// Completes the output; what was written, if anything.
    pub(super) fn finish(self) -> Result<Option<PathBuf>, ConvertError> {
        match self {
            Self::File { conversion, writer } => {
                let Some(writer) = writer else { return Ok(None) };
                let output = &conversion.output;
                let name = output.file_stem().unwrap_or_default().to_string_lossy();
                writer.finish(&name).and_then(AtomicFile::commit).map_err(at(output))?;
                Ok(Some(output.clone()))
            }
            Self::Files { conversion, first: Some((_, bytes)), .. } => {
                write_file(&conversion.output, &bytes)?;
                Ok(Some(conversion.output.clone()))
            }
            Self::Files { taken, .. } if taken.is_empty() => Ok(None),
            Self::Files { conversion, .. } => Ok(Some(folder(conversion))),
        }
    }
}

/// The folder for many games: the output without its extension.
fn folder(conversion: &Conversion) -> PathBuf {
    match Format::of_path(&conversion.output) {
        Some(_) => conversion.output.with_extension(""),
        None => conversion.output.clone(),
    }
}

/// A name for a game that no other game has: that of the file it comes from, and its number in there.
fn free_name(conversion: &Conversion, source: &Source<'_>, taken: &mut HashSet<PathBuf>) -> PathBuf {
    let below = source.path.strip_prefix(&conversion.input).ok().and_then(Path::parent);
    let folder = folder(conversion).join(below.unwrap_or(Path::new("")));
    let mut stem = source.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if !source.format.holds_one_game() {
        stem += &format!("-{:05}", source.game);
    }
    let extension = conversion.format.extension();
    let mut path = folder.join(format!("{stem}.{extension}"));
    let mut copy = 1;
    while !taken.insert(path.clone()) {
        copy += 1;
        path = folder.join(format!("{stem}-{copy}.{extension}"));
    }
    path
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), ConvertError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(at(folder))?;
    }
    chuhe_storage::write_atomic(path, bytes).map_err(at(path))
}
