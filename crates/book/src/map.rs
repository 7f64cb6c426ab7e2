//! Memory-mapped files.
#![allow(unsafe_code, reason = "the system maps files for us, and others could change them meanwhile")]

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Maps a file. Books are never changed in place: a new one is written beside the old and takes its name.
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read only, and what it holds is checked before it is used: every number that is taken
    // from it is compared with the length first, so that a change by somebody else cannot lead outside it.
    unsafe { Mmap::map(file) }
}
