//! Big blocks of memory that are read here and there, in the largest pages the system gives: with pages of 4 kB almost
//! every look-up would first have to look up the page. The tables of the searches are such blocks.
#![allow(unsafe_code)]

use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;

/// Types for which all bits zero is a value.
///
/// # Safety
/// Memory filled with zeros must be a valid value of the type, and its alignment at most a page.
pub unsafe trait Zero {}

// SAFETY: zero is a value of every integer and of its atomic twin.
unsafe impl Zero for AtomicU64 {}
// SAFETY: as above.
unsafe impl Zero for u64 {}
// SAFETY: as above.
unsafe impl Zero for i16 {}

/// A slice of zeros to begin with.
pub struct Slab<T> {
    memory: MmapMut,
    len: usize,
    items: PhantomData<T>,
}

/// Blocks of this size can be pages of their own.
const LARGE_PAGE: usize = 2 << 20;

impl<T: Zero> Slab<T> {
    /// A slab of so many items, or the reason why the system does not give it.
    pub fn new(len: usize) -> io::Result<Self> {
        let too_much = || io::Error::from(io::ErrorKind::OutOfMemory);
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(too_much)?;
        let rounded = bytes.checked_next_multiple_of(LARGE_PAGE).ok_or_else(too_much)?;
        let memory = MmapMut::map_anon(rounded)?;
        #[cfg(target_os = "linux")]
        {
            // Only a wish: without large pages everything works, a little slower.
            let _ = memory.advise(memmap2::Advice::HugePage);
        }
        Ok(Self { memory, len, items: PhantomData })
    }

    /// Brings an item into the cache ahead of its use.
    ///
    /// # Panics
    /// If there is no such item.
    #[inline]
    pub fn prefetch(&self, place: usize) {
        let item: *const T = &self[place];
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch reads nothing, and the address is that of an item.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(item.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = item;
    }
}

impl<T> Deref for Slab<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the mapping is page-aligned, holds at least `len` items and lives as long as the
        // slab; its bytes were zero at first, which is a value of `T`, and are written only as `T`.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.len) }
    }
}

impl<T> DerefMut for Slab<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and the slab is borrowed for writing.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slab_starts_with_zeros_and_keeps_what_is_written() {
        let mut slab: Slab<u64> = Slab::new(300_000).unwrap();
        assert_eq!(slab.len(), 300_000);
        assert!(slab.iter().all(|item| *item == 0));
        slab[299_999] = 7;
        assert_eq!(slab[299_999], 7);
    }

    #[test]
    fn what_cannot_be_had_is_refused() {
        assert!(Slab::<u64>::new(usize::MAX).is_err());
        assert!(Slab::<u64>::new(usize::MAX / 16).is_err());
    }
}
