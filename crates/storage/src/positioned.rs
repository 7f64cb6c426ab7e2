//! Reading parts of a file without mapping it: a file that somebody shortens under a memory map ends the process.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

/// A file that is read in parts, by any number of threads at once. If it changes meanwhile, a read fails or gives other
/// bytes, so what is read must be checked.
#[derive(Debug)]
pub struct PositionedFile {
    file: File,
    len: u64,
}

impl PositionedFile {
    /// Opens a file.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        Ok(Self { file, len })
    }

    /// Its length when it was opened.
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Whether it was empty when it was opened.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes of a range; an error if it does not lie within the file.
    pub fn read(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        // A damaged header may ask for more than there is memory.
        if range.start > range.end || range.end > self.len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let len = usize::try_from(range.end - range.start).map_err(io::Error::other)?;
        let mut bytes = vec![0; len];
        read_exact_at(&self.file, &mut bytes, range.start)?;
        Ok(bytes)
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                bytes = &mut bytes[read..];
                at += read as u64;
            }
        }
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_exact_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_is_cut_is_an_error_not_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, [7; 100_000]).unwrap();
        let file = PositionedFile::open(&path).unwrap();
        assert_eq!(file.read(99_998..100_000).unwrap(), [7, 7]);
        assert!(file.read(99_999..100_001).is_err());
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(10).unwrap();
        assert!(file.read(99_998..100_000).is_err());
        assert_eq!(file.read(0..10).unwrap(), [7; 10]);
    }
}
