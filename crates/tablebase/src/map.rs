//! Files as memory.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// A file whose bytes can be read like memory; pages are loaded when they are first read.
pub(crate) struct Map(Mmap);

impl Map {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        // SAFETY: the map is only read. Table files are never changed in place, not by this crate: a new
        // file replaces an old one by its name, and the map keeps the old one alive.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Self(map))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}
