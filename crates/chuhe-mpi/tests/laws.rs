//! The laws of the crate `cluster` between processes; `tools/test-cluster` runs this under `mpirun`.

#[path = "../../cluster/tests/common/laws.rs"]
mod laws;

use std::panic::{AssertUnwindSafe, catch_unwind};

use chuhe_cluster::link::Link;
use chuhe_cluster::link::mpi::MpiLink;

fn main() {
    let mut link = MpiLink::start().expect("MPI starts");
    // The other ranks wait for this one, so a failure must end them, too.
    if catch_unwind(AssertUnwindSafe(|| laws::all(&mut link))).is_err() {
        link.abort("a law is broken");
    }
}
