//! Self-play shards: files of samples with a checksum per block.
//!
//! | bytes | what |
//! |---|---|
//! | 0–31 | file header: the eight letters `CHUHESP2`, then zeros |
//! | then, for each block: 0–3 | the letters `BLCK` |
//! | 4–7 | the number of samples, 1 to 65 536, little-endian |
//! | 8–15 | XXH3-64 of the packed samples, little-endian |
//! | 16–23 | zeros |
//! | 24–31 | XXH3-64 of the 24 bytes before, little-endian |
//! | 32– | the packed samples, 32 bytes each ([`Sample`]) |
//!
//! A shard is append-only, one block per game, so a kill loses at most the game being written. Everything is a
//! multiple of 32 bytes: after a damaged block header the reader resynchronises on the next valid one.
//! Version 1 (`CHUHESP1`, samples without blocks or checksums) is still read, but never appended to.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use chuhe_storage::open_growing;
use xxhash_rust::xxh3::xxh3_64;

use crate::{Sample, SampleError};

const MAGIC: &[u8; 8] = b"CHUHESP2";
const MAGIC_V1: &[u8; 8] = b"CHUHESP1";
const BLOCK_MAGIC: &[u8; 4] = b"BLCK";
/// The size of the file header, of a block header and of a sample.
const UNIT: usize = Sample::SIZE;
/// The most samples in a block, so that a damaged count never asks for much memory.
const LARGEST_BLOCK: usize = 1 << 16;

/// Why a shard cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The file cannot be read or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The file is something else.
    #[error("{}: not a shard of samples", .0.display())]
    Foreign(PathBuf),
    /// The file is of version 1, which has no checksums.
    #[error("{}: a shard of an earlier version is read-only; choose another seed or folder", .0.display())]
    Old(PathBuf),
    /// Samples in it are damaged. Those that follow can still be read.
    #[error("{}: samples {} to {}: {damage}", .path.display(), .samples.start, .samples.end - 1)]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which samples, from 0. After a damaged block header their number is an estimate.
        samples: Range<u64>,
        /// The fault.
        damage: Damage,
    },
}

/// What is wrong with a stretch of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The samples do not match the checksum of their block.
    #[error("checksum mismatch")]
    Checksum,
    /// No valid block header where one should be.
    #[error("damaged block header")]
    Header,
    /// A sample that cannot be unpacked.
    #[error(transparent)]
    Sample(#[from] SampleError),
}

/// The header of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BlockHeader {
    samples: usize,
    checksum: u64,
}

impl BlockHeader {
    fn of(packed: &[u8]) -> Self {
        Self { samples: packed.len() / Sample::SIZE, checksum: xxh3_64(packed) }
    }

    fn to_bytes(self) -> [u8; UNIT] {
        let mut bytes = [0; UNIT];
        bytes[..4].copy_from_slice(BLOCK_MAGIC);
        bytes[4..8].copy_from_slice(&(self.samples as u32).to_le_bytes());
        bytes[8..16].copy_from_slice(&self.checksum.to_le_bytes());
        let own = xxh3_64(&bytes[..24]);
        bytes[24..].copy_from_slice(&own.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; UNIT]) -> Option<Self> {
        let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let samples = (number(0) >> 32) as usize;
        let is_valid = bytes.starts_with(BLOCK_MAGIC)
            && number(24) == xxh3_64(&bytes[..24])
            && (1..=LARGEST_BLOCK).contains(&samples);
        is_valid.then(|| Self { samples, checksum: number(8) })
    }
}

/// Appends games to a shard. Holds a lock on the file, so that two runs never write one shard.
#[derive(Debug)]
pub struct ShardWriter {
    path: PathBuf,
    file: File,
    samples: u64,
}

impl ShardWriter {
    /// Opens a shard to continue it, or creates it. A block cut off by a kill is removed.
    pub fn open(path: &Path) -> Result<Self, ShardError> {
        let at = |error| ShardError::Io { path: path.to_owned(), error };
        let mut file = open_growing(path).map_err(at)?;
        if file.metadata().map_err(at)?.len() < UNIT as u64 {
            // New, or cut off by a kill; a short file of anything else is left alone.
            let mut begun = Vec::new();
            file.read_to_end(&mut begun).map_err(at)?;
            let header = header();
            let missing =
                header.strip_prefix(&begun[..]).ok_or_else(|| ShardError::Foreign(path.to_owned()))?;
            file.write_all(missing).map_err(at)?;
            return Ok(Self { path: path.to_owned(), file, samples: 0 });
        }
        if version(&mut file, path)? == 1 {
            return Err(ShardError::Old(path.to_owned()));
        }
        let (samples, end) = measure(&mut file).map_err(at)?;
        file.set_len(end).map_err(at)?;
        file.seek(SeekFrom::Start(end)).map_err(at)?;
        Ok(Self { path: path.to_owned(), file, samples })
    }

    /// Appends samples as one block (several if there are very many). After a kill a block is whole or absent.
    pub fn append(&mut self, samples: &[Sample]) -> Result<(), ShardError> {
        for samples in samples.chunks(LARGEST_BLOCK) {
            let mut block = vec![0; UNIT];
            block.extend(samples.iter().flat_map(Sample::packed));
            let header = BlockHeader::of(&block[UNIT..]).to_bytes();
            block[..UNIT].copy_from_slice(&header);
            self.file.write_all(&block).map_err(|error| ShardError::Io { path: self.path.clone(), error })?;
            self.samples += samples.len() as u64;
        }
        Ok(())
    }

    /// How many samples the shard holds.
    pub const fn samples(&self) -> u64 {
        self.samples
    }
}

/// The number of samples after the file header, and where the last whole block ends. Damaged stretches between
/// valid blocks stay.
fn measure(file: &mut File) -> io::Result<(u64, u64)> {
    let length = file.metadata()?.len();
    let (mut samples, mut at) = (0, UNIT as u64);
    while at + UNIT as u64 <= length {
        let mut bytes = [0; UNIT];
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut bytes)?;
        let block = BlockHeader::from_bytes(&bytes);
        let end = at + (UNIT * (1 + block.map_or(0, |block| block.samples))) as u64;
        if end > length {
            break;
        }
        samples += block.map_or(0, |block| block.samples as u64);
        at = end;
    }
    Ok((samples, at))
}

/// The samples of a shard, in order. A block cut off at the end is passed over; damage is an item and reading
/// continues after it; an I/O error is the last item.
pub fn read(path: &Path) -> Result<impl Iterator<Item = Result<Sample, ShardError>> + use<>, ShardError> {
    let mut file = File::open(path).map_err(|error| ShardError::Io { path: path.to_owned(), error })?;
    let version = version(&mut file, path)?;
    let file = BufReader::with_capacity(1 << 20, file);
    Ok(Reader { file, path: path.to_owned(), version, index: 0, block: Vec::new(), next: 0, is_done: false })
}

struct Reader<R> {
    file: R,
    path: PathBuf,
    version: u8,
    /// How many samples came before, damaged ones included.
    index: u64,
    /// The packed samples of the current block, and which is next.
    block: Vec<u8>,
    next: usize,
    is_done: bool,
}

impl<R: Read> Reader<R> {
    /// Fills `block`; `None` at the end of the file.
    fn fill(&mut self) -> io::Result<Option<Result<(), Damage>>> {
        self.block.clear();
        self.next = 0;
        let Some(unit) = self.unit()? else { return Ok(None) };
        if self.version == 1 {
            self.block.extend(unit);
            return Ok(Some(Ok(())));
        }
        let Some(header) = BlockHeader::from_bytes(&unit) else {
            return Ok(Some(Err(Damage::Header)));
        };
        let size = header.samples * Sample::SIZE;
        self.file.by_ref().take(size as u64).read_to_end(&mut self.block)?;
        if self.block.len() < size {
            return Ok(None);
        }
        Ok(Some(if xxh3_64(&self.block) == header.checksum { Ok(()) } else { Err(Damage::Checksum) }))
    }

    fn unit(&mut self) -> io::Result<Option<[u8; UNIT]>> {
        let mut unit = [0; UNIT];
        match self.file.read_exact(&mut unit) {
            Ok(()) => Ok(Some(unit)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn damaged(&mut self, damage: Damage, samples: u64) -> ShardError {
        let first = self.index;
        self.index += samples;
        ShardError::Damaged { path: self.path.clone(), samples: first..self.index, damage }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Sample, ShardError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        if self.next == self.block.len() {
            match self.fill() {
                Ok(Some(Ok(()))) => {}
                Ok(Some(Err(damage))) => {
                    // A damaged header hides its block; each step over it is about one sample.
                    let lost = (self.block.len() / Sample::SIZE).max(1) as u64;
                    self.block.clear();
                    return Some(Err(self.damaged(damage, lost)));
                }
                Ok(None) => {
                    self.is_done = true;
                    return None;
                }
                Err(error) => {
                    self.is_done = true;
                    return Some(Err(ShardError::Io { path: self.path.clone(), error }));
                }
            }
        }
        let end = self.next + Sample::SIZE;
        let packed = self.block[self.next..end].try_into().expect("blocks hold whole samples");
        self.next = end;
        Some(match Sample::unpacked(packed) {
            Ok(sample) => {
                self.index += 1;
                Ok(sample)
            }
            Err(error) => Err(self.damaged(error.into(), 1)),
        })
    }
}

fn header() -> [u8; UNIT] {
    let mut header = [0; UNIT];
    header[..MAGIC.len()].copy_from_slice(MAGIC);
    header
}

/// Reads the file header: the version of the format.
fn version(file: &mut File, path: &Path) -> Result<u8, ShardError> {
    let mut header = [0; UNIT];
    match file.read_exact(&mut header) {
        Ok(()) if header.starts_with(MAGIC) => Ok(2),
        Ok(()) if header.starts_with(MAGIC_V1) => Ok(1),
        Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
            Err(ShardError::Io { path: path.to_owned(), error })
        }
        _ => Err(ShardError::Foreign(path.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;
    use chuhe_eval::Score;

    use super::*;
    use crate::Wdl;

    fn some(count: u16) -> Vec<Sample> {
        let sample =
            |ply| Sample { position: Position::start(), score: Score::DRAW, outcome: Wdl::Draw, ply };
        (0..count).map(sample).collect()
    }

    /// The plies of what can be read, and how many samples are reported as damaged.
    fn contents(path: &Path) -> (Vec<u16>, u64) {
        let (mut plies, mut damaged) = (Vec::new(), 0);
        for sample in read(path).unwrap() {
            match sample {
                Ok(sample) => plies.push(sample.ply),
                Err(ShardError::Damaged { samples, .. }) => damaged += samples.end - samples.start,
                Err(error) => panic!("{error}"),
            }
        }
        (plies, damaged)
    }

    #[test]
    fn a_shard_continues_where_it_was_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shard");
        // A kill within the second block's header, right behind it, and within its samples.
        for cut in [7, UNIT, UNIT + 7, 3 * UNIT] {
            let _ = std::fs::remove_file(&path);
            let mut writer = ShardWriter::open(&path).unwrap();
            writer.append(&some(3)).unwrap();
            writer.append(&some(4)).unwrap();
            drop(writer);
            let file = File::options().write(true).open(&path).unwrap();
            file.set_len((UNIT + 4 * UNIT + cut) as u64).unwrap();
            assert_eq!(contents(&path), (vec![0, 1, 2], 0));
            let mut writer = ShardWriter::open(&path).unwrap();
            assert_eq!(writer.samples(), 3);
            writer.append(&some(2)).unwrap();
            assert_eq!(contents(&path), (vec![0, 1, 2, 0, 1], 0));
        }
    }

    #[test]
    fn every_flipped_bit_is_noticed_and_costs_one_block() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shard");
        let mut writer = ShardWriter::open(&path).unwrap();
        for count in [3, 4, 2] {
            writer.append(&some(count)).unwrap();
        }
        drop(writer);
        let whole = std::fs::read(&path).unwrap();
        let second = UNIT + 4 * UNIT..UNIT + 9 * UNIT;
        for bit in second.start * 8..second.end * 8 {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, bytes).unwrap();
            let (plies, damaged) = contents(&path);
            assert_eq!(plies, [0, 1, 2, 0, 1], "bit {bit}");
            assert!((4..=5).contains(&damaged), "bit {bit}: {damaged}");
            // Appending keeps what follows the damage.
            ShardWriter::open(&path).unwrap().append(&some(1)).unwrap();
            assert_eq!(contents(&path).0, [0, 1, 2, 0, 1, 0], "bit {bit}");
        }
    }

    #[test]
    fn a_header_that_was_cut_off_is_completed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shard");
        for length in [0, 5, MAGIC.len(), UNIT - 1] {
            std::fs::write(&path, &header()[..length]).unwrap();
            ShardWriter::open(&path).unwrap().append(&some(2)).unwrap();
            assert_eq!(contents(&path), (vec![0, 1], 0), "{length} bytes were there");
        }
    }

    #[test]
    fn version_1_is_read_but_never_appended_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shard");
        let mut bytes = vec![0; UNIT];
        bytes[..8].copy_from_slice(MAGIC_V1);
        bytes.extend(some(3).iter().flat_map(Sample::packed));
        // The second sample is damaged so that it shows, the last one cut off.
        bytes[UNIT + Sample::SIZE + 5] ^= 0xFF;
        bytes.truncate(bytes.len() - 7);
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(contents(&path), (vec![0], 1));
        assert!(matches!(ShardWriter::open(&path), Err(ShardError::Old(_))));
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }

    #[test]
    fn two_writers_never_share_a_shard() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shard");
        let mut first = ShardWriter::open(&path).unwrap();
        let busy = ShardWriter::open(&path).unwrap_err();
        assert!(busy.to_string().contains("another run is writing this file"), "{busy}");
        // A shard can be read while it grows.
        first.append(&some(2)).unwrap();
        assert_eq!(contents(&path), (vec![0, 1], 0));
        drop(first);
        assert_eq!(ShardWriter::open(&path).unwrap().samples(), 2);
    }

    #[test]
    fn nothing_comes_after_an_io_error() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk is broken"))
            }
        }
        let packed = some(1)[0].packed();
        let header = BlockHeader::of(&packed).to_bytes();
        let file = header.as_slice().chain(packed.as_slice()).chain(Broken);
        let reader = Reader {
            file,
            path: PathBuf::new(),
            version: 2,
            index: 0,
            block: Vec::new(),
            next: 0,
            is_done: false,
        };
        let found: Vec<_> = reader.take(9).collect();
        assert!(matches!(found[..], [Ok(_), Err(ShardError::Io { .. })]), "{found:?}");
    }

    #[test]
    fn foreign_files_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let foreign = folder.path().join("foreign");
        for text in ["not a shard, but long enough to have a header", "a short note"] {
            std::fs::write(&foreign, text).unwrap();
            assert!(matches!(ShardWriter::open(&foreign), Err(ShardError::Foreign(_))));
            assert!(matches!(read(&foreign).err(), Some(ShardError::Foreign(_))));
            assert_eq!(std::fs::read_to_string(&foreign).unwrap(), text);
        }
    }
}
