//! Table archives: the files of several tables in one file. The tables built into the program are an archive.
//! `docs/tablebases.md` describes the format byte by byte.

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::bytes::Reader;
use super::{FileError, NAME_LEN, TableFile, replacement};
use crate::Material;
use crate::kind::Kind;
use crate::manifest::ManifestEntry;

const MAGIC: [u8; 8] = *b"ChuheTA\n";
const VERSION: u16 = 1;
/// Magic, version, number of tables.
const HEADER: usize = 12;
/// Name and length.
const ENTRY: usize = NAME_LEN + 4;
const CHECKSUM: usize = 8;

/// The file that `chuhe tb build --set builtin` writes, byte for byte.
#[cfg(not(target_arch = "wasm32"))]
static BUILT_IN: &[u8] = include_bytes!("../../builtin.tables");

/// The same file, once the host has loaded it.
#[cfg(target_arch = "wasm32")]
static SUPPLIED: std::sync::OnceLock<Archive> = std::sync::OnceLock::new();

/// The name of the archive of the built-in set.
pub const BUILT_IN_FILE: &str = "builtin.tables";

/// Endgames whose families make up the built-in set: the eight endings of (Fang) and the smallest tables of the classic
/// set, 4 MB in all.
#[rustfmt::skip]
pub const BUILT_IN_SET: [&str; 32] = [
    "KN-KA", "KN-KB", "KR-KAABB", "KCA-KAABB", "KCAA-KAAB", "KCAA-KBB", "KCBB-K", "KCP-KAA",
    "KCPA-K", "KN-KAABB", "KN-KN", "KN-KP", "KNAA-K", "KNBB-K", "KNC-K", "KNN-K",
    "KNP-KA", "KP-KAABB", "KPA-KAA", "KPP-KAA", "KPP-KB", "KPPP-K", "KR-KC", "KR-KCA",
    "KR-KN", "KR-KP", "KRC-KA", "KRC-KB", "KRN-KA", "KRN-KB", "KRP-KAA", "KRP-KB",
];

/// Several tables in memory.
pub struct Archive {
    bytes: &'static [u8],
    tables: Vec<(Material, Range<usize>)>,
}

impl Archive {
    /// The tables built into the program; their metric is DTM, without a repetition rule.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn built_in() -> &'static Self {
        static ARCHIVE: std::sync::LazyLock<Archive> = std::sync::LazyLock::new(|| {
            let archive = Archive::read(BUILT_IN, Path::new(BUILT_IN_FILE));
            archive.unwrap_or(Archive::EMPTY)
        });
        &ARCHIVE
    }

    /// The file of the tables built into the program.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn built_in_file() -> &'static [u8] {
        BUILT_IN
    }

    /// The tables that the host has supplied; none before.
    #[cfg(target_arch = "wasm32")]
    pub fn built_in() -> &'static Self {
        static NONE: Archive = Archive::EMPTY;
        SUPPLIED.get().unwrap_or(&NONE)
    }

    /// Supplies the built-in archive, which the browser loads on demand. Only the first one counts; probers opened
    /// before do not have it.
    #[cfg(target_arch = "wasm32")]
    pub fn supply(bytes: Vec<u8>) -> Result<(), FileError> {
        let archive = Self::read(bytes.leak(), Path::new(BUILT_IN_FILE))?;
        let _ = SUPPLIED.set(archive);
        Ok(())
    }

    const EMPTY: Self = Self { bytes: &[], tables: Vec::new() };

    /// The built-in archive if it has tables of this kind.
    pub(crate) fn built_in_of(kind: Kind) -> Option<&'static Self> {
        (kind == Kind::default()).then(Self::built_in)
    }

    /// Reads the directory of an archive.
    pub fn read(bytes: &'static [u8], path: &Path) -> Result<Self, FileError> {
        let damaged = |what| FileError::Damaged { path: path.to_owned(), what };
        let mut reader = Reader::new(bytes);
        if reader.take(MAGIC.len()) != Some(&MAGIC) || reader.u16() != Some(VERSION) {
            return Err(FileError::Foreign(path.to_owned()));
        }
        let truncated = || damaged("it is truncated");
        let count = usize::from(reader.u16().ok_or_else(truncated)?);
        let directory_len = HEADER + count * ENTRY;
        let directory = bytes.get(..directory_len).ok_or_else(truncated)?;
        let mut tables = Vec::with_capacity(count);
        let mut start = directory_len + CHECKSUM;
        for _ in 0..count {
            let name = reader.take(NAME_LEN).ok_or_else(truncated)?;
            let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
            let material = std::str::from_utf8(name).ok().and_then(|name| name.parse().ok());
            let material = material.ok_or_else(|| damaged("it names no endgame"))?;
            let end = start + reader.u32().ok_or_else(truncated)? as usize;
            tables.push((material, start..end));
            start = end;
        }
        if reader.u64() != Some(xxh3_64(directory)) {
            return Err(damaged("the checksum of its directory is wrong"));
        }
        if start != bytes.len() {
            return Err(damaged("its length differs from its directory"));
        }
        Ok(Self { bytes, tables })
    }

    /// Its endgames, in the order of the archive.
    pub fn materials(&self) -> impl Iterator<Item = &Material> {
        self.tables.iter().map(|(material, _)| material)
    }

    /// The size of the archive in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Whether it has the table of an endgame.
    pub fn contains(&self, material: &Material) -> bool {
        let (material, _) = material.canonical();
        self.materials().any(|member| *member == material)
    }

    /// Opens the table of an endgame; `None` if the archive lacks it.
    pub fn open(&self, material: &Material) -> Option<Result<TableFile, FileError>> {
        let (material, _) = material.canonical();
        Some(TableFile::in_memory(self.file(&material)?, &material))
    }

    /// What a manifest says of the file of an endgame; `None` if the archive lacks it.
    pub fn manifest_entry(&self, material: &Material) -> Option<Result<ManifestEntry, FileError>> {
        let bytes = self.file(&material.canonical().0)?;
        Some(self.open(material)?.map(|table| ManifestEntry::new(&table, bytes)))
    }

    fn file(&self, material: &Material) -> Option<&'static [u8]> {
        let (_, range) = self.tables.iter().find(|(member, _)| member == material)?;
        Some(&self.bytes[range.clone()])
    }
}

/// The endgames of the built-in set, in the order of its archive: each after all that it depends on.
pub fn built_in_set() -> Vec<Material> {
    let mut members: Vec<Material> = Vec::new();
    for name in BUILT_IN_SET {
        let material: Material = name.parse().expect("the set consists of endgames");
        for member in material.family() {
            if !members.contains(&member) {
                members.push(member);
            }
        }
    }
    members
}

/// Writes an archive of complete table files. Returns its size in bytes.
pub(crate) fn write(path: &Path, files: &[(Material, PathBuf)]) -> Result<u64, FileError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |error| FileError::Io { path, error }
    };
    let mut directory = Vec::new();
    directory.extend(MAGIC);
    directory.extend(VERSION.to_le_bytes());
    directory.extend((files.len() as u16).to_le_bytes());
    let mut tables = Vec::new();
    for (material, file) in files {
        let bytes = std::fs::read(file).map_err(io(file))?;
        let mut name = material.to_string().into_bytes();
        name.resize(NAME_LEN, 0);
        directory.extend(name);
        directory.extend((bytes.len() as u32).to_le_bytes());
        tables.extend(bytes);
    }
    directory.extend(xxh3_64(&directory).to_le_bytes());
    let mut file = replacement(path).map_err(io(path))?;
    file.write_all(&directory).and_then(|()| file.write_all(&tables)).map_err(io(path))?;
    file.commit().map_err(io(path))?;
    Ok((directory.len() + tables.len()) as u64)
}
