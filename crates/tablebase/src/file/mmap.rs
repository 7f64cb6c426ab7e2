//! Memory-mapped files.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap as Map;

/// A read-only memory map.
pub(crate) struct Mmap(Map);

impl Mmap {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        // SAFETY: the map is only read, and table files are never changed in place: a new file replaces an old one by
        // its name, and the map keeps the old one alive.
        let map = unsafe { Map::map(&file)? };
        Ok(Self(map))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}
