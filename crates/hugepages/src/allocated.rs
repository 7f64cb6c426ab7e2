//! Memory from the allocator, where the system maps none: in a browser.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::io;
use std::ptr::NonNull;

const PAGE: usize = 4096;

/// Zeroed memory of its own.
pub(crate) struct Memory {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the memory has no owner but this value, and access to it is its user's affair, as with a raw map.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Memory {
    /// At least this many zero bytes, from the start of a page.
    pub(crate) fn zeroed(bytes: usize) -> io::Result<Self> {
        let layout = Layout::from_size_align(bytes.max(1), PAGE).map_err(|_| io::ErrorKind::OutOfMemory)?;
        // SAFETY: the size is not zero.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { start, layout })
    }

    #[inline]
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.start.as_ptr()
    }

    #[inline]
    pub(crate) fn as_mut_ptr(&self) -> *mut u8 {
        self.start.as_ptr()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: `zeroed` allocated it with this layout.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

#[test]
fn memory_is_zero_page_aligned_and_refused_if_too_large() {
    let memory = Memory::zeroed(10_000).unwrap();
    assert!(memory.as_ptr().addr().is_multiple_of(PAGE));
    // SAFETY: 10,000 bytes were asked for.
    let bytes = unsafe { std::slice::from_raw_parts_mut(memory.as_mut_ptr(), 10_000) };
    assert!(bytes.iter().all(|byte| *byte == 0));
    bytes.fill(7);
    assert!(Memory::zeroed(0).is_ok());
    assert!(Memory::zeroed(usize::MAX - 1).is_err());
}
