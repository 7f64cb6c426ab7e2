//! Files that grow as long as a run lasts: journals, shards, lists of games.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

/// Opens a file to read what it has and to write on, or creates it. It is locked until it is closed, so that two runs never
/// write one file.
pub fn open_growing(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(io::Error::new(io::ErrorKind::ResourceBusy, "another run is writing this file"))
        }
        // Some network file systems have no locks.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    #[test]
    fn one_run_at_a_time_writes_and_the_next_finds_its_work() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut first = open_growing(&path).unwrap();
        first.write_all(b"one").unwrap();
        assert_eq!(open_growing(&path).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        drop(first);
        let mut text = String::new();
        open_growing(&path).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "one");
    }
}
