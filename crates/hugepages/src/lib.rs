//! Memory for large tables with random access, in huge pages where the system has them. With 4 kB pages almost every
//! look-up would miss the TLB.
#![allow(unsafe_code)]

#[cfg(any(target_arch = "wasm32", test))]
mod allocated;
#[cfg(not(target_arch = "wasm32"))]
mod mapped;

use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU64;

#[cfg(target_arch = "wasm32")]
use allocated::Memory;
#[cfg(not(target_arch = "wasm32"))]
use mapped::Memory;

/// Types for which all-zero bytes are a valid value.
///
/// # Safety
/// All-zero bytes must be a valid value of the type, its alignment must be at most 4096 (the smallest page), and it
/// must not need dropping.
pub unsafe trait Zero {}

// SAFETY: zero bytes are the integer 0 in every integer and atomic integer.
unsafe impl Zero for AtomicU64 {}
// SAFETY: as above.
unsafe impl Zero for u64 {}
// SAFETY: as above.
unsafe impl Zero for i16 {}

/// A slice in memory of its own, an anonymous memory map where the system has one; all zeros at first.
pub struct Slab<T> {
    memory: Memory,
    len: usize,
    items: PhantomData<T>,
}

const SMALL_PAGE: usize = 4096;

impl<T: Zero> Slab<T> {
    /// A slab of `len` items.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn new(len: usize) -> io::Result<Self> {
        const { assert!(align_of::<T>() <= 4096 && !std::mem::needs_drop::<T>()) };
        let bytes = len.checked_mul(size_of::<T>()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { memory: Memory::zeroed(bytes)?, len, items: PhantomData })
    }

    /// Writes to every page, on this many threads, so that the system allocates the memory now and not at first use.
    /// The content stays.
    pub fn prefault(&mut self, threads: usize)
    where
        T: Send,
    {
        let per_page = (SMALL_PAGE / size_of::<T>().max(1)).max(1);
        let chunk = self.len.div_ceil(threads.max(1)).next_multiple_of(per_page).max(per_page);
        if cfg!(target_arch = "wasm32") {
            return; // No threads and no pages.
        }
        std::thread::scope(|scope| {
            for part in self.chunks_mut(chunk) {
                scope.spawn(move || {
                    for item in part.iter_mut().step_by(per_page) {
                        let first_byte: *mut u8 = std::ptr::from_mut(item).cast();
                        // SAFETY: the byte belongs to an item borrowed for writing, and is written as it was read.
                        unsafe { first_byte.write_volatile(first_byte.read_volatile()) };
                    }
                });
            }
        });
    }

    /// Prefetches an item into the cache.
    ///
    /// # Panics
    /// If the index is out of bounds.
    #[inline]
    pub fn prefetch(&self, index: usize) {
        let item: *const T = &self[index];
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: SSE is part of x86-64. A prefetch does not access memory in the language's sense and never
            // faults; the address is that of an item, as the index above was checked.
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
        // SAFETY: `new` checked that `len * size_of::<T>()` does not overflow and `Memory` has at least as many bytes,
        // readable and writable; it starts at a page, which is as aligned as `T` (`Zero`, asserted in `new`). The bytes
        // were zero, a valid `T` (`Zero`), and are written only as `T`. The memory lives as long as `self`. The pointer
        // never was a `&[u8]`, so atomics may write through the shared slice.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.len) }
    }
}

impl<T> DerefMut for Slab<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; `&mut self` makes this the only reference into the memory.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    /// Items over many pages; Miri, which is slow, gets a few.
    const MANY: usize = if cfg!(miri) { 3000 } else { 300_000 };

    #[test]
    fn a_slab_is_zero_at_first_and_keeps_what_is_written() {
        let mut slab: Slab<u64> = Slab::new(MANY).unwrap();
        assert_eq!(slab.len(), MANY);
        assert!(slab.iter().all(|item| *item == 0));
        slab[MANY - 1] = 7;
        assert_eq!(slab[MANY - 1], 7);
    }

    #[test]
    fn threads_write_atomics_of_one_slab() {
        let slab: Slab<AtomicU64> = Slab::new(1000).unwrap();
        std::thread::scope(|scope| {
            for part in slab.chunks(250) {
                scope.spawn(move || part.iter().for_each(|item| item.store(3, Ordering::Relaxed)));
            }
        });
        assert_eq!(slab.iter().map(|item| item.load(Ordering::Relaxed)).sum::<u64>(), 3000);
    }

    #[test]
    fn prefaulting_keeps_the_content() {
        let mut slab: Slab<u64> = Slab::new(MANY).unwrap();
        slab.iter_mut().zip(1..).for_each(|(item, number)| *item = number);
        slab.prefault(3);
        assert!(slab.iter().zip(1..).all(|(item, number)| *item == number));
        Slab::<u64>::new(0).unwrap().prefault(2);
    }

    #[test]
    fn an_impossible_size_is_refused() {
        assert!(Slab::<u64>::new(usize::MAX).is_err());
        assert!(Slab::<u64>::new(usize::MAX / 16).is_err());
    }
}
