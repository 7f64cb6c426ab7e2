//! Cluster search: lazy SMP over the ranks of a job (Deep Elephant).
//!
//! Rank 0 talks to the GUI: a [`ClusterSearcher`] is the searcher of its session, and its [`Coordinator`] runs on the
//! thread that owns the link. All other ranks are workers ([`work`]). Commands are broadcast as a star; transposition
//! table entries travel along a [`Topology`], and votes on the move are added up along it.

mod cluster_searcher;
mod coordinator;
mod message;
mod supervisor;
mod tt_relay;
mod vote;
mod worker;

use std::time::Duration;

use crate::topology::Topology;

pub use cluster_searcher::{ClusterSearcher, StopHandle};
pub use coordinator::Coordinator;
pub use message::{EntryBatch, Message, Start};
pub use supervisor::supervise;
pub use vote::{SearchResult, Vote, VoteCount};
pub use worker::work;

/// How transposition table entries and votes are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The way both travel.
    pub topology: Topology,
    /// The least depth of an entry that is sent.
    pub least_depth: i32,
    /// The time between two messages with entries.
    pub interval: Duration,
}

impl Default for Exchange {
    fn default() -> Self {
        Self { topology: Topology::default(), least_depth: 3, interval: Duration::from_millis(2) }
    }
}

/// How often a rank polls its link.
const POLL_INTERVAL: Duration = Duration::from_millis(1);
/// How long a rank waits for the votes of each level below it.
const VOTE_TIMEOUT: Duration = Duration::from_millis(15);
/// How often workers report their node counts.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);
