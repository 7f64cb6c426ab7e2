//! Probing: positions looked up in table files, from any number of threads.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};

use chuhe_board::{Position, Side};

use crate::Material;
use crate::file::archive::Archive;
use crate::file::prediction::Rank;
use crate::file::{FileError, TableFile};
use crate::folder::Folder;
use crate::kind::Kind;
use crate::value::Value;

/// Slots of the direct-mapped cache of decompressed blocks: about 16 MB.
const CACHED_BLOCKS: usize = 4096;

/// A set of open tables.
pub struct Prober {
    tables: Vec<Member>,
    by_material: HashMap<Material, usize>,
    most_pieces: u32,
    cache: Vec<Mutex<Cached>>,
}

struct Member {
    material: Material,
    /// Built-in tables are opened when they are first needed.
    file: OnceLock<Option<TableFile>>,
    /// A block was damaged: the table is not probed again.
    broken: AtomicBool,
}

/// A decompressed block, or none.
#[derive(Default)]
struct Cached {
    key: Option<(usize, Side, usize)>,
    ranks: Vec<Rank>,
}

impl Prober {
    /// Opens all tables in a folder that [serve](Kind::serving) a kind. Returns the errors of unusable files, too; the others still work.
    pub fn open(folder: &Folder, kind: Kind) -> (Self, Vec<FileError>) {
        Self::open_files(folder, kind, &[kind.extension(), kind.metric.name()])
    }

    /// Opens the tables in a folder that are of exactly this kind.
    pub(crate) fn open_exactly(folder: &Folder, kind: Kind) -> (Self, Vec<FileError>) {
        Self::open_files(folder, kind, &[kind.extension()])
    }

    fn open_files(folder: &Folder, kind: Kind, extensions: &[&str]) -> (Self, Vec<FileError>) {
        let mut prober = Self::none();
        let mut faults = Vec::new();
        let files = folder.files().unwrap_or_else(|error| {
            faults.push(FileError::Io { path: folder.path().to_owned(), error });
            Vec::new()
        });
        for path in files {
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            if !extensions.contains(&extension) {
                continue;
            }
            match TableFile::open(&path) {
                Ok(file) => {
                    let material = *file.index().material();
                    if file.kind() == kind.serving(&material) {
                        prober.add(material, OnceLock::from(Some(file)));
                    }
                }
                Err(fault) => faults.push(fault),
            }
        }
        (prober, faults)
    }

    /// A prober without tables, which knows only the draws without attackers.
    pub fn none() -> Self {
        let cache = (0..CACHED_BLOCKS).map(|_| Mutex::default()).collect();
        Self { tables: Vec::new(), by_material: HashMap::new(), most_pieces: 2, cache }
    }

    /// Adds the built-in tables of this kind that the folder lacks.
    #[must_use]
    pub fn with_built_in(mut self, kind: Kind) -> Self {
        for material in Archive::built_in().materials() {
            if kind.serving(material) == Kind::default() && !self.contains(material) {
                self.add(*material, OnceLock::new());
            }
        }
        self
    }

    fn add(&mut self, material: Material, file: OnceLock<Option<TableFile>>) {
        self.most_pieces = self.most_pieces.max(material.pieces());
        self.by_material.insert(material, self.tables.len());
        self.tables.push(Member { material, file, broken: AtomicBool::new(false) });
    }

    /// Whether there is a table of an endgame.
    pub fn contains(&self, material: &Material) -> bool {
        self.by_material.contains_key(&material.canonical().0)
    }

    /// The number of tables.
    pub fn tables(&self) -> usize {
        self.tables.len()
    }

    /// The most pieces of any table, generals included.
    pub fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// The open file of an endgame.
    pub fn file(&self, material: &Material) -> Option<&TableFile> {
        self.tables[*self.by_material.get(&material.canonical().0)?].file()
    }

    /// The value of a legal position for the side to move; `None` if there is no table for it, or its block
    /// is damaged.
    pub fn probe(&self, position: &Position) -> Option<Value> {
        if position.occupied().len() > self.most_pieces {
            return None;
        }
        let (material, _) = Material::of(position).canonical();
        if material.is_harmless() {
            return Some(Value::Draw);
        }
        let table = *self.by_material.get(&material)?;
        let member = &self.tables[table];
        let file = member.file()?;
        let (number, side) = file.index().find(position)?;
        self.rank(table, member, file, number, side).map(|rank| file.value(side, rank))
    }

    fn rank(&self, table: usize, member: &Member, file: &TableFile, number: u64, side: Side) -> Option<Rank> {
        if member.broken.load(Relaxed) {
            return None;
        }
        let (block, place) = file.block_of(number);
        let key = (table, side, block);
        let mut cached = self.cache[slot_of(key)].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if cached.key != Some(key) {
            cached.key = None;
            let mut buffer = Vec::new();
            if file.unpack(side, block, &mut buffer).is_err() {
                member.broken.store(true, Relaxed);
                return None;
            }
            cached.ranks.clear();
            cached.ranks.extend(&buffer[file.ranks_start()..]);
            cached.key = Some(key);
        }
        cached.ranks.get(place).copied()
    }

    /// Empties the cache.
    pub fn forget(&self) {
        for cached in &self.cache {
            cached.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).key = None;
        }
    }
}

impl Member {
    fn file(&self) -> Option<&TableFile> {
        let open = || Archive::built_in().open(&self.material)?.ok();
        self.file.get_or_init(open).as_ref()
    }
}

/// The cache slot of a block.
fn slot_of((table, side, block): (usize, Side, usize)) -> usize {
    let mixed = (table as u64) << 40 ^ (block as u64) << 1 ^ side as u64;
    (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize % CACHED_BLOCKS
}
