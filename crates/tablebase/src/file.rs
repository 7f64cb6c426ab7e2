//! Table files: header, directory and compressed blocks. `docs/tablebases.md` describes the format byte by byte.

pub(crate) mod archive;
pub(crate) mod block;
pub(crate) mod bytes;
pub(crate) mod prediction;
mod range_coder;

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chuhe_board::Side;
use chuhe_storage::{AtomicFile, PositionedFile};
use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use self::block::{BlockInfo, Codec, PackError, PackedSide, check, pack};
use self::bytes::Reader;
use self::prediction::{CONTEXTS, Layout, Rank};
use self::range_coder::{Probability, SCALE};
use crate::kind::{Kind, Metric, Rules};
use crate::table::Table;
use crate::value::{FREE_BYTE, Packed, Value, Values};
use crate::{Index, Material};

const MAGIC: [u8; 8] = *b"ChuheTB\n";
/// The format version.
pub const VERSION: u16 = 2;
const NAME_LEN: usize = 40;
/// The length of the header, checksums included.
const HEADER: usize = 96;
/// The probability of a context that was never counted.
const EVEN: Probability = 1 << (SCALE - 1);

/// Why a table file cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// An I/O error.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// Not a Chuhe table.
    #[error("{0}: not a Chuhe table")]
    Foreign(PathBuf),
    /// Another version of the format.
    #[error("{path}: format version {found}, but this program reads version {VERSION}")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u16,
    },
    /// Truncated or corrupted.
    #[error("{path}: damaged: {what}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
    /// The values do not fit the format.
    #[error("{path}: {error}")]
    Pack {
        /// The file.
        path: PathBuf,
        /// Why.
        error: PackError,
    },
}

impl FileError {
    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            Self::Foreign(path)
            | Self::Io { path, .. }
            | Self::Version { path, .. }
            | Self::Damaged { path, .. }
            | Self::Pack { path, .. } => path,
        }
    }
}

/// An open table file.
pub struct TableFile {
    path: PathBuf,
    data: Data,
    kind: Kind,
    index: Arc<Index>,
    layout: Layout,
    sides: [SideBlocks; 2],
    data_checksum: u64,
    data_start: usize,
}

/// The bytes of a table file.
enum Data {
    File(PositionedFile),
    BuiltIn(&'static [u8]),
}

impl Data {
    fn len(&self) -> u64 {
        match self {
            Self::File(file) => file.len(),
            Self::BuiltIn(bytes) => bytes.len() as u64,
        }
    }

    fn read(&self, range: Range<u64>) -> io::Result<Cow<'static, [u8]>> {
        match self {
            Self::File(file) => file.read(range).map(Cow::Owned),
            Self::BuiltIn(bytes) => {
                let part = bytes.get(range.start as usize..range.end as usize);
                part.map(Cow::Borrowed).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
            }
        }
    }

    /// The xxh3 of everything from a byte on.
    fn checksum(&self, start: u64) -> io::Result<u64> {
        /// Read at a time.
        const PORTION: u64 = 1 << 20;
        let mut hasher = Xxh3::new();
        let mut at = start;
        while at < self.len() {
            let end = self.len().min(at + PORTION);
            hasher.update(&self.read(at..end)?);
            at = end;
        }
        Ok(hasher.digest())
    }
}

/// The blocks of one side to move.
struct SideBlocks {
    codec: Codec,
    checks: Vec<u16>,
    /// Where each block starts in the file, and where the last one ends.
    starts: Vec<u64>,
}

/// The name of the file of a table.
pub fn file_name(material: &Material, kind: Kind) -> String {
    format!("{}.{}", material.canonical().0, kind.extension())
}

/// Writes a table atomically. Returns the size in bytes.
pub(crate) fn write(table: &Table, folder: &Path) -> Result<u64, FileError> {
    let kind = table.kind();
    let path = folder.join(file_name(table.index().material(), kind));
    let layout = Layout::new(table.index());
    let mut sides = Vec::new();
    for side in Side::ALL {
        let packed = pack(table.values(side), &layout)
            .map_err(|error| FileError::Pack { path: path.clone(), error })?;
        sides.push(packed);
    }
    write_packed(table.index(), &layout, &sides, kind, folder)
}

/// Writes the compressed sides of a table, as [`write`] does.
pub(crate) fn write_packed(
    index: &Index,
    layout: &Layout,
    sides: &[PackedSide],
    kind: Kind,
    folder: &Path,
) -> Result<u64, FileError> {
    let path = folder.join(file_name(index.material(), kind));
    let mut head = Vec::new();
    for side in sides {
        write_directory(&side.codec, &side.blocks, side.bytes.len() as u64, &mut head);
    }
    let mut data_hash = Xxh3::new();
    sides.iter().for_each(|side| data_hash.update(&side.bytes));
    let mut bytes = header(index, kind, layout, head.len() as u64, data_hash.digest());
    let head_checksum = xxh3_64(&[&bytes[..HEADER - 8], &head[..]].concat());
    bytes[HEADER - 8..].copy_from_slice(&head_checksum.to_le_bytes());
    bytes.extend(head);
    let parts: Vec<&[u8]> =
        [&bytes[..]].into_iter().chain(sides.iter().map(|side| &side.bytes[..])).collect();
    write_atomically(&path, &parts)?;
    Ok(parts.iter().map(|part| part.len() as u64).sum())
}

/// Writes a file of these parts atomically.
fn write_atomically(path: &Path, parts: &[&[u8]]) -> Result<(), FileError> {
    let written = || {
        let mut file = replacement(path)?;
        parts.iter().try_for_each(|part| file.write_all(part))?;
        file.commit()
    };
    written().map_err(|error| FileError::Io { path: path.to_owned(), error })
}

/// A temporary file per process, since several may build tables in one folder.
pub(crate) fn replacement(path: &Path) -> io::Result<AtomicFile> {
    AtomicFile::with_extension(path, &format!("new-{}", std::process::id()))
}

fn header(index: &Index, kind: Kind, layout: &Layout, head_len: u64, data_checksum: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.push(match kind.metric {
        Metric::Dtm => 0,
        Metric::Dtc => 1,
        Metric::Wdl => 2,
    });
    bytes.push(match kind.rules {
        Rules::Plain => 0,
        Rules::PerpetualCheck => 1,
        Rules::Wxf => 2,
        Rules::Cxa => 3,
    });
    bytes.extend((layout.block_len() as u32).to_le_bytes());
    let mut name = index.material().to_string().into_bytes();
    name.resize(NAME_LEN, 0);
    bytes.extend(name);
    bytes.extend(index.len().to_le_bytes());
    bytes.extend(head_len.to_le_bytes());
    bytes.resize(HEADER - 16, 0);
    bytes.extend(data_checksum.to_le_bytes());
    bytes.extend([0; 8]);
    bytes
}

/// Appends the directory of one side's blocks.
fn write_directory(codec: &Codec, blocks: &[BlockInfo], data_len: u64, head: &mut Vec<u8>) {
    head.extend(data_len.to_le_bytes());
    head.extend((codec.ranking.len() as u16).to_le_bytes());
    for packed in &codec.ranking {
        head.extend(packed.to_le_bytes());
    }
    let used: Vec<(usize, Probability)> = codec
        .probabilities
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, probability)| *probability != EVEN)
        .collect();
    head.extend((used.len() as u16).to_le_bytes());
    for (context, probability) in used {
        head.extend((context as u16).to_le_bytes());
        head.extend(probability.to_le_bytes());
    }
    for block in blocks {
        head.extend(block.len.to_le_bytes());
        head.extend(block.check.to_le_bytes());
    }
}

const _: () = assert!(CONTEXTS <= u16::MAX as usize);

impl TableFile {
    /// Opens a table. Checks everything but its blocks, which are checked when read.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let file =
            PositionedFile::open(path).map_err(|error| FileError::Io { path: path.to_owned(), error })?;
        Self::read(Data::File(file), path)
    }

    /// Opens a table of the built-in archive.
    fn in_memory(bytes: &'static [u8], material: &Material) -> Result<Self, FileError> {
        let path = format!("built in: {}", file_name(material, Kind::default()));
        Self::read(Data::BuiltIn(bytes), Path::new(&path))
    }

    fn read(data: Data, path: &Path) -> Result<Self, FileError> {
        let damaged = |what| FileError::Damaged { path: path.to_owned(), what };
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => damaged("it is truncated"),
            _ => FileError::Io { path: path.to_owned(), error },
        };
        let start = data.read(0..data.len().min(HEADER as u64)).map_err(failed)?;
        if start.get(..MAGIC.len()) != Some(&MAGIC) {
            return Err(FileError::Foreign(path.to_owned()));
        }
        let mut reader = Reader::new(&start[MAGIC.len()..]);
        let header = Header::read(&mut reader, path)?;
        let head_end = (HEADER as u64).saturating_add(header.head_len);
        let head = &*data.read(HEADER as u64..head_end).map_err(failed)?;
        if xxh3_64(&[&start[..HEADER - 8], head].concat()) != header.head_checksum {
            return Err(damaged("the checksum of its header is wrong"));
        }
        let index = Arc::new(Index::new(&header.material));
        let layout = Layout::new(&index);
        if index.len() != header.entries || layout.block_len() as u64 != header.block_len {
            return Err(damaged("its index differs"));
        }
        let data_start = HEADER + head.len();
        let mut reader = Reader::new(head);
        let mut start = data_start as u64;
        let mut side =
            || read_side(&mut reader, &layout, &mut start).ok_or_else(|| damaged("its directory is wrong"));
        let sides = [side()?, side()?];
        if start != data.len() {
            return Err(damaged("its length differs from its header"));
        }
        Ok(Self {
            path: path.to_owned(),
            kind: header.kind,
            index,
            layout,
            sides,
            data_checksum: header.data_checksum,
            data_start,
            data,
        })
    }

    /// The file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is built into the program.
    pub fn is_built_in(&self) -> bool {
        matches!(self.data, Data::BuiltIn(_))
    }

    /// The kind of the table.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How positions are numbered.
    pub fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// The size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.data.len()
    }

    /// The block that holds an entry, and the entry's place in it.
    #[inline]
    pub(crate) fn block_of(&self, number: u64) -> (usize, usize) {
        let len = self.layout.block_len() as u64;
        ((number / len) as usize, (number % len) as usize)
    }

    /// The value of a rank.
    #[inline]
    pub(crate) fn value(&self, side: Side, rank: Rank) -> Value {
        let ranking = &self.sides[side.index()].codec.ranking;
        Value::from_packed(ranking.get(usize::from(rank)).copied().unwrap_or(0))
    }

    /// Decompresses a block; its ranks start at [`Self::ranks_start`] of the buffer.
    pub(crate) fn unpack(&self, side: Side, block: usize, buffer: &mut Vec<Rank>) -> Result<(), FileError> {
        let damaged = |what| FileError::Damaged { path: self.path.clone(), what };
        let blocks = &self.sides[side.index()];
        let bytes = self.data.read(blocks.starts[block]..blocks.starts[block + 1]);
        let bytes = bytes.map_err(|_| damaged("it has changed"))?;
        if check(&bytes) != blocks.checks[block] {
            return Err(damaged("the check value of a block is wrong"));
        }
        blocks.codec.unpack(&self.layout, block, &bytes, buffer);
        Ok(())
    }

    /// Where the ranks of a block start in a buffer after [`Self::unpack`].
    pub(crate) fn ranks_start(&self) -> usize {
        self.layout.block_len()
    }

    /// Decompresses the whole table.
    pub fn load_whole(&self) -> Result<Table, FileError> {
        self.load([true, true])
    }

    /// Decompresses the wanted sides.
    pub(crate) fn load(&self, wanted: [bool; 2]) -> Result<Table, FileError> {
        let mut values = [None, None];
        for side in Side::ALL.into_iter().filter(|side| wanted[side.index()]) {
            values[side.index()] = Some(self.load_side(side)?);
        }
        Ok(Table::new(Arc::clone(&self.index), self.kind, values))
    }

    fn load_side(&self, side: Side) -> Result<Values, FileError> {
        let ranking = &self.sides[side.index()].codec.ranking;
        let small = ranking.iter().all(|packed| *packed < FREE_BYTE.into());
        let len = self.index.len() as usize;
        if small {
            let mut bytes = vec![0; len];
            self.fill(side, &mut bytes, |packed| packed as u8)?;
            Ok(Values::Bytes(bytes))
        } else {
            let mut words = vec![0; len];
            self.fill(side, &mut words, |packed| packed)?;
            Ok(Values::Words(words))
        }
    }

    fn fill<T: Send + Copy>(
        &self,
        side: Side,
        values: &mut [T],
        convert: impl Fn(Packed) -> T + Sync,
    ) -> Result<(), FileError> {
        let ranking = &self.sides[side.index()].codec.ranking;
        values.par_chunks_mut(self.layout.block_len()).enumerate().try_for_each_init(
            Vec::new,
            |buffer, (block, values)| {
                self.unpack(side, block, buffer)?;
                for (value, &rank) in values.iter_mut().zip(&buffer[self.ranks_start()..]) {
                    *value = convert(ranking.get(usize::from(rank)).copied().unwrap_or(0));
                }
                Ok(())
            },
        )
    }

    /// Verifies the checksum of all blocks.
    pub(crate) fn check_data(&self) -> Result<(), FileError> {
        match self.data.checksum(self.data_start as u64) {
            Ok(checksum) if checksum == self.data_checksum => Ok(()),
            Ok(_) => Err(FileError::Damaged {
                path: self.path.clone(),
                what: "the checksum of its blocks is wrong",
            }),
            Err(error) => Err(FileError::Io { path: self.path.clone(), error }),
        }
    }
}

struct Header {
    kind: Kind,
    block_len: u64,
    material: Material,
    entries: u64,
    head_len: u64,
    data_checksum: u64,
    head_checksum: u64,
}

impl Header {
    fn read(reader: &mut Reader<'_>, path: &Path) -> Result<Self, FileError> {
        let damaged = |what| FileError::Damaged { path: path.to_owned(), what };
        let cut = || damaged("it is truncated");
        let version = reader.u16().ok_or_else(cut)?;
        if version != VERSION {
            return Err(FileError::Version { path: path.to_owned(), found: version });
        }
        let metric = match reader.u8().ok_or_else(cut)? {
            0 => Metric::Dtm,
            1 => Metric::Dtc,
            2 => Metric::Wdl,
            _ => return Err(damaged("it has an unknown metric")),
        };
        let rules = match reader.u8().ok_or_else(cut)? {
            0 => Rules::Plain,
            1 => Rules::PerpetualCheck,
            2 => Rules::Wxf,
            3 => Rules::Cxa,
            _ => return Err(damaged("it follows unknown rules")),
        };
        let block_len = reader.u32().ok_or_else(cut)?.into();
        let name = reader.take(NAME_LEN).ok_or_else(cut)?;
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        let material = std::str::from_utf8(name).ok().and_then(|name| name.parse().ok());
        let entries = reader.u64().ok_or_else(cut)?;
        let head_len = reader.u64().ok_or_else(cut)?;
        reader.take(HEADER - 16 - MAGIC.len() - 8 - NAME_LEN - 16).ok_or_else(cut)?;
        Ok(Self {
            kind: Kind { metric, rules },
            block_len,
            material: material.ok_or_else(|| damaged("it names no endgame"))?,
            entries,
            head_len,
            data_checksum: reader.u64().ok_or_else(cut)?,
            head_checksum: reader.u64().ok_or_else(cut)?,
        })
    }
}

fn read_side(reader: &mut Reader<'_>, layout: &Layout, start: &mut u64) -> Option<SideBlocks> {
    let data_len = reader.u64()?;
    let ranks = reader.u16()?;
    let ranking = (0..ranks).map(|_| reader.u16()).collect::<Option<Vec<Packed>>>()?;
    let mut probabilities = vec![EVEN; CONTEXTS];
    for _ in 0..reader.u16()? {
        let context = reader.u16()?;
        *probabilities.get_mut(usize::from(context))? = reader.u16()?;
    }
    let mut checks = Vec::with_capacity(layout.blocks());
    let mut starts = vec![*start];
    for _ in 0..layout.blocks() {
        *start += u64::from(reader.u16()?);
        starts.push(*start);
        checks.push(reader.u16()?);
    }
    let is_complete = *start - starts[0] == data_len;
    let has_ranks = (1..=usize::from(Rank::MAX)).contains(&ranking.len());
    (is_complete && has_ranks).then_some(SideBlocks {
        codec: Codec { ranking, probabilities },
        checks,
        starts,
    })
}
