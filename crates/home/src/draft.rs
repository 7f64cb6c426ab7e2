//! Files that take their name only when they are whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is written beside its place and moved there when it is whole: an error, a full disk or a kill
/// leaves what was there before.
///
/// A draft that is dropped unfinished removes itself. A kill leaves it, and the next draft of its name begins anew.
#[derive(Debug)]
pub struct Draft {
    file: BufWriter<File>,
    path: PathBuf,
    place: PathBuf,
    finished: bool,
}

impl Draft {
    /// A draft of the file `place`, beside it with `.part` added to its name.
    pub fn create(place: &Path) -> io::Result<Self> {
        Self::named(place, "part")
    }

    /// The same with another extension than `part`: one that no two programs share, where several may write the
    /// file at once.
    pub fn named(place: &Path, extension: &str) -> io::Result<Self> {
        let path = place.with_added_extension(extension);
        let file = BufWriter::new(File::create(&path)?);
        Ok(Self { file, path, place: place.to_owned(), finished: false })
    }

    /// Where the draft is, for libraries that write files by name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes sure that the draft is on the disk, and moves it to its place.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        fs::rename(&self.path, &self.place)?;
        self.finished = true;
        Ok(())
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.finished {
            // Nobody is left to be told if that fails as well.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Writes a whole file by way of a [`Draft`].
pub fn write_whole(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = Draft::create(place)?;
    draft.write_all(bytes)?;
    draft.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_old_file_stays_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("book.bin");
        write_whole(&place, b"old").unwrap();
        let mut draft = Draft::create(&place).unwrap();
        draft.write_all(b"new").unwrap();
        draft.flush().unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"old");
        assert_eq!(fs::read(draft.path()).unwrap(), b"new");
        draft.finish().unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["book.bin"]);
    }

    #[test]
    fn an_unfinished_draft_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("book.bin");
        write_whole(&place, b"old").unwrap();
        let mut draft = Draft::named(&place, "new-1").unwrap();
        draft.write_all(b"half").unwrap();
        assert_eq!(names(folder.path()), ["book.bin", "book.bin.new-1"]);
        drop(draft);
        assert_eq!(names(folder.path()), ["book.bin"]);
        assert_eq!(fs::read(&place).unwrap(), b"old");
    }

    #[test]
    fn a_draft_that_cannot_be_moved_or_made_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).unwrap();
        assert!(write_whole(&taken, b"new").is_err());
        assert_eq!(names(folder.path()), ["taken"]);
        assert!(write_whole(&folder.path().join("absent").join("file"), b"new").is_err());
    }

    #[test]
    fn what_a_kill_left_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("file");
        fs::write(folder.path().join("file.part"), "half of something longer").unwrap();
        write_whole(&place, b"new").unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["file"]);
    }
}
