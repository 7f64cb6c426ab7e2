//! The laws of the crate `cluster` between processes; `tools/test-cluster` runs this under `mpirun`.

#[path = "../../cluster/tests/common/laws.rs"]
mod laws;

use chuhe_cluster::link::mpi::MpiLink;

fn main() {
    let mut link = MpiLink::start().expect("MPI starts");
    laws::all(&mut link);
}
