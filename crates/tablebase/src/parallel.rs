//! Parallel loops. All go through one instantiation of rayon: one for each closure made a third of this crate's code.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// Calls `work` with each number.
pub(crate) fn for_each(numbers: Range<usize>, work: &(dyn Fn(usize) + Sync)) {
    numbers.into_par_iter().for_each(work);
}

/// What `work` makes of consecutive parts of a range, in order.
pub(crate) fn map_parts<T: Send>(range: Range<u64>, work: impl Fn(Range<u64>) -> T + Sync) -> Vec<T> {
    let len = range.end.saturating_sub(range.start);
    // So many that no thread waits long for the last ones.
    let parts = len.min(64 * rayon::current_num_threads() as u64);
    let bound = |part: usize| range.start + len * part as u64 / parts;
    let made: Vec<Mutex<Option<T>>> = (0..parts).map(|_| Mutex::new(None)).collect();
    for_each(0..made.len(), &|part| {
        let result = work(bound(part)..bound(part + 1));
        *made[part].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    made.into_iter().filter_map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_in_order_and_miss_nothing() {
        for range in [0..0, 5..6, 3..10, 17..100_000] {
            let parts = map_parts(range.clone(), |part| part.collect::<Vec<_>>());
            assert_eq!(parts.concat(), range.collect::<Vec<_>>());
        }
    }
}
