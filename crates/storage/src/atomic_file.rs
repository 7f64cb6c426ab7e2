//! Atomic file replacement: write to a temporary file beside the target, sync, rename.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// A file that replaces its target only when it is complete: an error, a full disk or a kill leaves what was
/// there before.
///
/// Only regular files are replaced. Symbolic links are followed, mode and owner are kept, a file with several
/// names (hard links) or an owner that cannot be kept is overwritten in place at the end, and devices, pipes and
/// whatever `/dev` and `/proc` name are written straight. `-` is standard output.
///
/// Dropping an uncommitted file removes its temporary. A kill leaves it, and the next one of its name overwrites it.
#[derive(Debug)]
pub struct AtomicFile {
    file: BufWriter<File>,
    target: Target,
    committed: bool,
}

#[derive(Debug)]
enum Target {
    /// `temporary` is renamed to `path`.
    Replace { temporary: PathBuf, path: PathBuf },
    /// The content of `temporary` is copied into `path`, which must stay the same file.
    Overwrite { temporary: PathBuf, path: PathBuf },
    /// No temporary: a device or a pipe.
    Straight,
}

impl AtomicFile {
    /// Opens a replacement for `path`, beside it with `.part` added to its name.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::with_extension(path, "part")
    }

    /// As [`Self::create`] with another extension than `part`: one that no two programs share, where several may
    /// write the file at once.
    pub fn with_extension(path: &Path, extension: &str) -> io::Result<Self> {
        if is_standard(path) {
            return Ok(Self::straight(standard_output()?));
        }
        let path = resolved(path)?;
        let old = match fs::metadata(&path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if old.as_ref().is_some_and(Metadata::is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if old.as_ref().is_some_and(|old| !old.is_file()) || is_special(&path) {
            return Ok(Self::straight(OpenOptions::new().append(true).open(&path)?));
        }
        let temporary = path.with_added_extension(extension);
        let file = File::create(&temporary)?;
        let replaceable = match old {
            Some(old) => take_over(&file, &old)?,
            None => true,
        };
        let target = match replaceable {
            true => Target::Replace { temporary, path },
            false => Target::Overwrite { temporary, path },
        };
        Ok(Self { file: BufWriter::new(file), target, committed: false })
    }

    fn straight(file: File) -> Self {
        Self { file: BufWriter::new(file), target: Target::Straight, committed: false }
    }

    /// Where the temporary is, for libraries that write files by name; an error if a device or a pipe is written.
    pub fn path(&self) -> io::Result<&Path> {
        match &self.target {
            Target::Replace { temporary, .. } | Target::Overwrite { temporary, .. } => Ok(temporary),
            Target::Straight => {
                Err(io::Error::new(io::ErrorKind::InvalidInput, "only a regular file can hold a database"))
            }
        }
    }

    /// Syncs the content to disk and puts it in its place.
    pub fn commit(mut self) -> io::Result<()> {
        self.file.flush()?;
        match &self.target {
            Target::Replace { temporary, path } => {
                self.file.get_ref().sync_all()?;
                fs::rename(temporary, path)?;
            }
            Target::Overwrite { temporary, path } => {
                self.file.get_ref().sync_all()?;
                let mut file = OpenOptions::new().write(true).truncate(true).open(path)?;
                io::copy(&mut File::open(temporary)?, &mut file)?;
                file.sync_all()?;
                fs::remove_file(temporary)?;
            }
            Target::Straight => {}
        }
        self.committed = true;
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let (false, Ok(temporary)) = (self.committed, self.path()) {
            // A failure here has nobody to report to.
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Replaces a file's content atomically; see [`AtomicFile`].
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes)?;
    file.commit()
}

/// Whether a path is `-`: standard input or output. A file of that name is `./-`.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The content of a file, or of standard input if the path is `-`.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !is_standard(path) {
        return fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Standard output without the buffer of the standard library, which would wait for line ends.
#[cfg(unix)]
fn standard_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}

#[cfg(not(any(unix, windows)))]
fn standard_output() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// How many symbolic links may lead to a file, as in the Linux kernel.
const LINKS: usize = 40;

/// The file that a chain of symbolic links leads to, whether it exists yet or not.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        // What `/proc` names need not be a path: a pipe, a deleted file.
        if is_special(&path) || !fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink()) {
            return Ok(path);
        }
        let link = fs::read_link(&path)?;
        path = path.parent().unwrap_or(Path::new("")).join(link);
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

/// Whether a path names a device, a descriptor or a process's own view: `/dev/stdout` is never replaced, even
/// where the shell redirects it to a regular file.
fn is_special(path: &Path) -> bool {
    cfg!(unix)
        && (path.starts_with("/dev") && !path.starts_with("/dev/shm")
            || path.starts_with("/proc")
            || path.starts_with("/sys"))
}

/// Gives the new file the mode and owner of the old one. Returns whether it can stand in for the old one.
#[cfg(unix)]
fn take_over(new: &File, old: &Metadata) -> io::Result<bool> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let made = new.metadata()?;
    let same_owner = (made.uid(), made.gid()) == (old.uid(), old.gid())
        || fchown(new, Some(old.uid()), Some(old.gid())).is_ok();
    new.set_permissions(old.permissions())?;
    Ok(same_owner && old.nlink() == 1)
}

#[cfg(not(unix))]
fn take_over(_: &File, _: &Metadata) -> io::Result<bool> {
    Ok(true)
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
    fn the_old_file_stays_until_the_new_one_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.bin");
        write_atomic(&path, b"old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read(file.path().unwrap()).unwrap(), b"new");
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["book.bin"]);
    }

    #[test]
    fn an_uncommitted_file_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.bin");
        write_atomic(&path, b"old").unwrap();
        let mut file = AtomicFile::with_extension(&path, "new-1").unwrap();
        file.write_all(b"half").unwrap();
        assert_eq!(names(folder.path()), ["book.bin", "book.bin.new-1"]);
        drop(file);
        assert_eq!(names(folder.path()), ["book.bin"]);
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    #[test]
    fn a_folder_in_the_way_or_an_absent_one_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).unwrap();
        assert!(write_atomic(&taken, b"new").is_err());
        assert_eq!(names(folder.path()), ["taken"]);
        assert!(write_atomic(&folder.path().join("absent").join("file"), b"new").is_err());
    }

    #[test]
    fn what_a_kill_left_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(folder.path().join("file.part"), "half of something longer").unwrap();
        write_atomic(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[cfg(unix)]
    mod special_files {
        use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
        use std::process::Command;
        use std::thread;

        use super::*;

        #[test]
        fn a_symbolic_link_stays_and_its_target_is_replaced() {
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir(folder.path().join("elsewhere")).unwrap();
            let target = folder.path().join("elsewhere/game.pgn");
            fs::write(&target, "old").unwrap();
            symlink("elsewhere/game.pgn", folder.path().join("near")).unwrap();
            symlink("near", folder.path().join("far")).unwrap();
            symlink("elsewhere/absent.pgn", folder.path().join("dangling")).unwrap();
            write_atomic(&folder.path().join("far"), b"new").unwrap();
            write_atomic(&folder.path().join("dangling"), b"made").unwrap();
            assert_eq!(fs::read(&target).unwrap(), b"new");
            assert_eq!(fs::read(folder.path().join("elsewhere/absent.pgn")).unwrap(), b"made");
            for link in ["near", "far", "dangling"] {
                assert!(fs::symlink_metadata(folder.path().join(link)).unwrap().is_symlink(), "{link}");
            }
            symlink("loop", folder.path().join("loop")).unwrap();
            assert!(write_atomic(&folder.path().join("loop"), b"new").is_err());
        }

        #[test]
        fn a_hard_link_keeps_all_its_names() {
            let folder = tempfile::tempdir().unwrap();
            let (one, two) = (folder.path().join("one"), folder.path().join("two"));
            fs::write(&one, "something longer").unwrap();
            fs::hard_link(&one, &two).unwrap();
            write_atomic(&one, b"new").unwrap();
            assert_eq!(fs::read(&two).unwrap(), b"new");
            assert_eq!(fs::metadata(&one).unwrap().ino(), fs::metadata(&two).unwrap().ino());
            assert_eq!(names(folder.path()), ["one", "two"]);
        }

        #[test]
        fn mode_and_owner_are_kept() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("private");
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            // Only root may give a file away; for others the owner is their own.
            let _ = std::os::unix::fs::chown(&path, Some(1234), Some(1234));
            let before = fs::metadata(&path).unwrap();
            write_atomic(&path, b"new").unwrap();
            let after = fs::metadata(&path).unwrap();
            assert_eq!(after.mode() & 0o777, 0o600);
            assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
            assert_eq!(fs::read(&path).unwrap(), b"new");
        }

        #[test]
        fn devices_are_written_straight() {
            write_atomic(Path::new("/dev/null"), b"gone").unwrap();
            assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
            let folder = tempfile::tempdir().unwrap();
            symlink("/dev/null", folder.path().join("nowhere")).unwrap();
            write_atomic(&folder.path().join("nowhere"), b"gone").unwrap();
            assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
            assert!(AtomicFile::create(Path::new("/dev/null")).unwrap().path().is_err());
        }

        #[test]
        fn a_pipe_carries_the_content_to_its_reader() {
            let folder = tempfile::tempdir().unwrap();
            let pipe = folder.path().join("pipe");
            assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            let reader = thread::spawn({
                let pipe = pipe.clone();
                move || fs::read(pipe).unwrap()
            });
            write_atomic(&pipe, b"through").unwrap();
            assert_eq!(reader.join().unwrap(), b"through");
            assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
            assert_eq!(names(folder.path()), ["pipe"]);
        }
    }
}
