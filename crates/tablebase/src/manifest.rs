//! The manifest: sizes and checksums of table files, so that two people who build agree.
//!
//! A line a table, fields separated by tabs: file name, bytes, XXH3 (128 bits) of the file, metric, and the repetition
//! rules that the values hold under. Lines that begin with `#` are comments.

use std::fmt;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use xxhash_rust::xxh3::xxh3_128;

use crate::file::{FileError, TableFile};
use crate::play::ValidFor;

/// The tables that were built so far, with `chuhe tb manifest`.
const COMMITTED: &str = include_str!("../manifest.txt");

const HEAD: &str = "\
# Endgame tables: file, bytes, XXH3 (128 bits) of the file, metric, repetition rules. Written by `chuhe tb manifest`.
";

/// Sizes and checksums of table files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    tables: Vec<ManifestEntry>,
}

/// What a manifest says of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestEntry {
    /// The name of the file: `KR-KN.dtm-wxf`.
    pub file: String,
    /// Its length.
    pub bytes: u64,
    /// XXH3 of its bytes.
    pub checksum: u128,
    /// `dtm`, `dtc` or `wdl`.
    pub metric: String,
    /// The repetition rules that the values hold under: `all`, `none`, `check`, `wxf` or `cxa`.
    pub rules: String,
}

/// How a file compares with a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Byte for byte the same.
    Same,
    /// Other bytes.
    Different,
    /// The manifest has no such file.
    Unlisted,
}

/// A line that is no entry of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is no entry of a manifest: '{text}'")]
pub struct ManifestError {
    line: usize,
    text: String,
}

impl Manifest {
    /// The manifest that comes with the program.
    pub fn committed() -> Self {
        COMMITTED.parse().expect("a test reads the committed manifest")
    }

    /// The manifest of some entries, by name.
    pub fn new(mut tables: Vec<ManifestEntry>) -> Self {
        tables.sort_by(|a, b| a.file.cmp(&b.file));
        Self { tables }
    }

    /// The entries, by name.
    pub fn tables(&self) -> &[ManifestEntry] {
        &self.tables
    }

    /// Compares a table with the entry of its name.
    pub fn compare(&self, found: &ManifestEntry) -> Comparison {
        match self.tables.iter().find(|known| known.file == found.file) {
            None => Comparison::Unlisted,
            Some(known) if known == found => Comparison::Same,
            Some(_) => Comparison::Different,
        }
    }
}

impl ManifestEntry {
    /// The entry of a table file; its blocks are not looked at.
    pub fn of_file(path: &Path) -> Result<Self, FileError> {
        let table = TableFile::open(path)?;
        let bytes = fs::read(path).map_err(|error| FileError::Io { path: path.to_owned(), error })?;
        Ok(Self::new(&table, &bytes))
    }

    /// The entry of an open table with these bytes.
    pub(crate) fn new(table: &TableFile, bytes: &[u8]) -> Self {
        let (material, kind) = (table.index().material(), table.kind());
        Self {
            file: crate::file_name(material, kind),
            bytes: bytes.len() as u64,
            checksum: xxh3_128(bytes),
            metric: kind.metric.name().to_owned(),
            rules: ValidFor::of(material, kind.rules).name().to_owned(),
        }
    }
}

impl fmt::Display for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HEAD)?;
        for ManifestEntry { file, bytes, checksum, metric, rules } in &self.tables {
            writeln!(f, "{file}\t{bytes}\t{checksum:032x}\t{metric}\t{rules}")?;
        }
        Ok(())
    }
}

impl FromStr for Manifest {
    type Err = ManifestError;

    fn from_str(text: &str) -> Result<Self, ManifestError> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let entries = lines.map(|(number, line)| {
            parsed(line).ok_or_else(|| ManifestError { line: number + 1, text: line.to_owned() })
        });
        Ok(Self::new(entries.collect::<Result<_, _>>()?))
    }
}

fn parsed(line: &str) -> Option<ManifestEntry> {
    let [file, bytes, checksum, metric, rules] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    Some(ManifestEntry {
        file: file.to_owned(),
        bytes: bytes.parse().ok()?,
        checksum: u128::from_str_radix(checksum, 16).ok()?,
        metric: metric.to_owned(),
        rules: rules.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Folder, Kind};

    #[test]
    fn the_committed_manifest_reads_and_writes_the_same() {
        let manifest = Manifest::committed();
        assert_eq!(manifest.to_string(), COMMITTED);
        let names: Vec<&str> = manifest.tables().iter().map(|table| table.file.as_str()).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "each file once: {names:?}");
    }

    /// Whoever changes the solver or the format so that files differ must write the manifest again.
    #[test]
    fn a_table_built_now_is_the_one_in_the_manifest() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        folder.build(&"KN-KB".parse().unwrap(), Kind::default(), 1 << 28, &|_, _| {}).unwrap();
        let manifest = Manifest::committed();
        for path in folder.files().unwrap() {
            assert_eq!(
                manifest.compare(&ManifestEntry::of_file(&path).unwrap()),
                Comparison::Same,
                "{path:?}"
            );
        }
    }

    #[test]
    fn built_in_tables_are_those_of_the_manifest() {
        let (manifest, archive) = (Manifest::committed(), crate::Archive::built_in());
        for material in archive.materials() {
            let entry = archive.manifest_entry(material).unwrap().unwrap();
            assert_eq!(manifest.compare(&entry), Comparison::Same, "{material}");
        }
    }

    #[test]
    fn other_bytes_and_other_names_are_found() {
        let entry = "KN-K.dtm\t10\tff\tdtm\tall".parse::<Manifest>().unwrap().tables()[0].clone();
        let manifest = Manifest::new(vec![entry.clone()]);
        assert_eq!(manifest.compare(&entry), Comparison::Same);
        let damaged = ManifestEntry { checksum: 0xfe, ..entry.clone() };
        assert_eq!(manifest.compare(&damaged), Comparison::Different);
        let other = ManifestEntry { file: "KR-K.dtm".to_owned(), ..entry };
        assert_eq!(manifest.compare(&other), Comparison::Unlisted);
    }

    #[test]
    fn a_bad_line_is_named() {
        let error = "# head\nKN-K.dtm\tten\tff\tdtm\tall".parse::<Manifest>().unwrap_err();
        assert_eq!(error.to_string(), "line 2 is no entry of a manifest: 'KN-K.dtm\tten\tff\tdtm\tall'");
    }
}
