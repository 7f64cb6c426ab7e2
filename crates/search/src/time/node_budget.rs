//! `go nodes N`: all threads together search at most N nodes, claimed in batches.

use std::sync::atomic::{AtomicU64, Ordering};

/// The nodes that no worker has claimed yet.
pub(crate) struct NodeBudget {
    left: AtomicU64,
    /// The first claim of the first worker, which answers: helpers on few cores must not use up its nodes.
    share: u64,
    batch: u64,
}

/// The largest batch of several threads: what a thread may leave unused at the end.
const LARGEST_BATCH: u64 = 1024;

impl NodeBudget {
    /// A budget for this many threads; without a limit it never ends.
    pub(crate) fn new(limit: Option<u64>, threads: usize) -> Self {
        let batch = match (limit, threads) {
            (None, _) | (_, 1) => u64::MAX,
            (Some(limit), threads) => (limit / (8 * threads as u64)).clamp(1, LARGEST_BATCH),
        };
        let limit = limit.unwrap_or(u64::MAX);
        Self { left: AtomicU64::new(limit), share: (limit / threads.max(1) as u64).max(1), batch }
    }

    /// Claims the nodes that a worker starts with: an even share for the first, a batch for a helper.
    pub(crate) fn claim_first(&self, id: usize) -> u64 {
        self.take(if id == 0 { self.share } else { self.batch })
    }

    /// Claims a batch of nodes; 0 when none are left.
    pub(crate) fn claim(&self) -> u64 {
        self.take(self.batch)
    }

    fn take(&self, most: u64) -> u64 {
        if self.left.load(Ordering::Relaxed) == u64::MAX {
            return u64::MAX;
        }
        let take = |left: u64| Some(left.saturating_sub(most));
        let before = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).unwrap_or(0);
        before.min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_add_up_to_the_limit() {
        for (limit, threads) in [(1, 1), (1, 8), (1000, 3), (123_457, 64)] {
            let budget = NodeBudget::new(Some(limit), threads);
            let batches: Vec<u64> = std::iter::from_fn(|| Some(budget.claim()).filter(|n| *n > 0)).collect();
            assert_eq!(batches.iter().sum::<u64>(), limit);
            assert_eq!(batches.len() == 1, threads == 1 || limit == 1);
        }
        assert_eq!(NodeBudget::new(None, 4).claim(), u64::MAX);
        assert_eq!(NodeBudget::new(Some(6400), 64).claim_first(0), 100);
        assert_eq!(NodeBudget::new(Some(6400), 1).claim_first(0), 6400);
        assert_eq!(NodeBudget::new(Some(0), 4).claim_first(0), 0);
    }
}
