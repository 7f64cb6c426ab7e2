//! Cluster: one search, table build, self-play run or book expansion distributed over the ranks of an MPI job.
//!
//! Ranks communicate through a [`link::Link`]: MPI in the program `chuhe-mpi`, threads in tests. Rank 0 is the
//! coordinator, all others are workers. Messages are versioned values with checked lengths (see [`wire`]). A
//! [`handshake`] comes first: ranks start only if version, network and settings match.

pub mod book;
pub mod handshake;
pub mod link;
pub mod search;
pub mod selfplay;
pub mod tables;
pub mod topology;
pub mod wire;
pub mod work_queue;

mod panic_message;
