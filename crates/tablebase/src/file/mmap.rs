//! Memory-mapped files; where the system maps none, files in memory.
#![allow(unsafe_code)]

use std::io;
use std::path::Path;

/// A read-only memory map.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) struct Mmap(memmap2::Mmap);

/// The content of a file.
#[cfg(target_arch = "wasm32")]
pub(crate) struct Mmap(Vec<u8>);

impl Mmap {
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = std::fs::File::open(path)?;
        // SAFETY: the map is only read, and table files are never changed in place: a new file replaces an old one by
        // its name, and the map keeps the old one alive.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Ok(Self(map))
    }

    #[cfg(target_arch = "wasm32")]
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        std::fs::read(path).map(Self)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}
