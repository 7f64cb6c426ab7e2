//! Memory from the system: an anonymous map, in huge pages where there are any.

use std::io;

use memmap2::{MmapOptions, MmapRaw};

const HUGE_PAGE: usize = 2 << 20;

/// A raw map: it never forms a `&[u8]` over the memory, which items may write through shared references (atomics).
pub(crate) struct Memory(MmapRaw);

impl Memory {
    /// At least this many zero bytes, from the start of a page.
    pub(crate) fn zeroed(bytes: usize) -> io::Result<Self> {
        let rounded = bytes.checked_next_multiple_of(HUGE_PAGE).ok_or(io::ErrorKind::OutOfMemory)?;
        let map: MmapRaw = MmapOptions::new().len(rounded).map_anon()?.into();
        #[cfg(all(target_os = "linux", not(miri)))] // Miri knows no madvise.
        {
            // Best effort: small pages work, only slower.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Ok(Self(map))
    }

    #[inline]
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.0.as_ptr()
    }

    #[inline]
    pub(crate) fn as_mut_ptr(&self) -> *mut u8 {
        self.0.as_mut_ptr()
    }
}
