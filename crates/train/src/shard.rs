//! Files of samples.
//!
//! A shard is a header of 32 bytes, the eight letters `CHUHESP1` and zeros, and packed samples. It
//! only grows, a game at a time, so a kill costs at most the game being written.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::{Sample, SampleError};

const MAGIC: &[u8; 8] = b"CHUHESP1";
const HEADER: usize = 32;

/// Why a shard cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The file cannot be read or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// The file is something else.
    #[error("{}: not a shard of samples", .0.display())]
    Foreign(PathBuf),
    /// A sample in it is damaged.
    #[error("{}: sample {index}: {error}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which sample, from 0.
        index: u64,
        /// What is wrong with it.
        error: SampleError,
    },
}

/// Appends games to a shard.
#[derive(Debug)]
pub struct ShardWriter {
    path: PathBuf,
    file: File,
    samples: u64,
}

impl ShardWriter {
    /// Opens a shard to go on with it, or starts it. A sample cut off by a kill is removed.
    pub fn open(path: &Path) -> Result<Self, ShardError> {
        let at = |error| ShardError::Io { path: path.to_owned(), error };
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(at)?;
        let length = file.metadata().map_err(at)?.len();
        if length < HEADER as u64 {
            // New, or cut off by a kill; a short file of anything else is left alone.
            let mut begun = Vec::new();
            file.read_to_end(&mut begun).map_err(at)?;
            let header = header();
            let missing =
                header.strip_prefix(&begun[..]).ok_or_else(|| ShardError::Foreign(path.to_owned()))?;
            file.write_all(missing).map_err(at)?;
        } else {
            check_header(&mut file, path)?;
        }
        let samples = length.saturating_sub(HEADER as u64) / Sample::SIZE as u64;
        file.set_len(HEADER as u64 + samples * Sample::SIZE as u64).map_err(at)?;
        file.seek(SeekFrom::End(0)).map_err(at)?;
        Ok(Self { path: path.to_owned(), file, samples })
    }

    /// Appends samples, all or, after a kill, a part of them.
    pub fn append(&mut self, samples: &[Sample]) -> Result<(), ShardError> {
        let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.packed()).collect();
        self.file.write_all(&bytes).map_err(|error| ShardError::Io { path: self.path.clone(), error })?;
        self.samples += samples.len() as u64;
        Ok(())
    }

    /// How many samples the shard holds.
    pub const fn samples(&self) -> u64 {
        self.samples
    }
}

/// The samples of a shard, one by one. A cut-off end is passed over; an error of the file is the last item.
pub fn read(path: &Path) -> Result<impl Iterator<Item = Result<Sample, ShardError>> + use<>, ShardError> {
    let mut file = File::open(path).map_err(|error| ShardError::Io { path: path.to_owned(), error })?;
    check_header(&mut file, path)?;
    Ok(samples(BufReader::with_capacity(1 << 20, file), path.to_owned()))
}

fn samples(mut file: impl Read, path: PathBuf) -> impl Iterator<Item = Result<Sample, ShardError>> {
    let mut index = 0;
    let mut has_failed = false;
    std::iter::from_fn(move || {
        if has_failed {
            return None;
        }
        let mut bytes = [0; Sample::SIZE];
        match file.read_exact(&mut bytes) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return None,
            Err(error) => {
                has_failed = true;
                return Some(Err(ShardError::Io { path: path.clone(), error }));
            }
        }
        index += 1;
        let damaged = |error| ShardError::Damaged { path: path.clone(), index: index - 1, error };
        Some(Sample::unpacked(&bytes).map_err(damaged))
    })
}

fn header() -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..MAGIC.len()].copy_from_slice(MAGIC);
    header
}

fn check_header(file: &mut File, path: &Path) -> Result<(), ShardError> {
    let mut header = [0; HEADER];
    match file.read_exact(&mut header) {
        Ok(()) if header.starts_with(MAGIC) => Ok(()),
        Ok(()) => Err(ShardError::Foreign(path.to_owned())),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Err(ShardError::Foreign(path.to_owned()))
        }
        Err(error) => Err(ShardError::Io { path: path.to_owned(), error }),
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;
    use chuhe_eval::Score;

    use super::*;
    use crate::Outcome;

    fn some(count: u16) -> Vec<Sample> {
        let sample =
            |ply| Sample { position: Position::start(), score: Score::DRAW, outcome: Outcome::Draw, ply };
        (0..count).map(sample).collect()
    }

    #[test]
    fn a_shard_goes_on_where_it_was_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shard");
        ShardWriter::open(&path).unwrap().append(&some(3)).unwrap();
        // A kill in the middle of the third sample.
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len((HEADER + 2 * Sample::SIZE + 7) as u64).unwrap();
        let mut writer = ShardWriter::open(&path).unwrap();
        assert_eq!(writer.samples(), 2);
        writer.append(&some(2)).unwrap();
        let plies: Vec<u16> = read(&path).unwrap().map(|sample| sample.unwrap().ply).collect();
        assert_eq!(plies, [0, 1, 0, 1]);
    }

    #[test]
    fn a_header_that_was_cut_off_is_completed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shard");
        for length in [0, 5, MAGIC.len(), HEADER - 1] {
            std::fs::write(&path, &header()[..length]).unwrap();
            ShardWriter::open(&path).unwrap().append(&some(2)).unwrap();
            assert_eq!(read(&path).unwrap().filter(Result::is_ok).count(), 2, "{length} bytes were there");
        }
    }

    #[test]
    fn nothing_comes_after_an_error_of_the_file() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk is broken"))
            }
        }
        let whole = some(1)[0].packed();
        let found: Vec<_> = samples(whole.as_slice().chain(Broken), PathBuf::new()).take(9).collect();
        assert!(matches!(found[..], [Ok(_), Err(ShardError::Io { .. })]), "{found:?}");
    }

    #[test]
    fn foreign_and_damaged_files_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let foreign = folder.path().join("foreign");
        for text in ["not a shard, but long enough to have a header", "a short note"] {
            std::fs::write(&foreign, text).unwrap();
            assert!(matches!(ShardWriter::open(&foreign), Err(ShardError::Foreign(_))));
            assert_eq!(std::fs::read_to_string(&foreign).unwrap(), text);
        }
        let damaged = folder.path().join("damaged");
        ShardWriter::open(&damaged).unwrap().append(&some(2)).unwrap();
        let mut bytes = std::fs::read(&damaged).unwrap();
        bytes[HEADER + Sample::SIZE + 5] ^= 0xFF;
        std::fs::write(&damaged, bytes).unwrap();
        let found: Vec<_> = read(&damaged).unwrap().collect();
        assert!(found[0].is_ok());
        assert!(matches!(found[1], Err(ShardError::Damaged { index: 1, .. })));
    }
}
