//! Ranks as processes of an MPI job.
//!
//! The thread that initialised MPI makes all calls (`MPI_THREAD_FUNNELED`).

use std::io::Write;

use mpi::Threading;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, MatchedReceiveVec, Source};

use super::{Backoff, Channel, Inbox, LARGEST_MESSAGE, Link, LinkError, Packet};

/// The link between the processes that `mpirun` started together.
pub struct MpiLink {
    world: SimpleCommunicator,
    inbox: Inbox,
    /// Finalises MPI on drop; declared last, so dropped last.
    _universe: Universe,
}

impl MpiLink {
    /// Initialises MPI; `None` if that was done already.
    pub fn start() -> Option<Self> {
        let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
        let world = universe.world();
        Some(Self { world, inbox: Inbox::default(), _universe: universe })
    }
}

/// Moves all received messages into the inbox.
fn drain(world: &SimpleCommunicator, inbox: &mut Inbox) {
    for channel in [Channel::PointToPoint, Channel::Collective] {
        while let Some(found) = world.any_process().immediate_matched_probe_with_tag(tag(channel)) {
            let (bytes, status) = found.matched_receive_vec::<u8>();
            inbox.put(Packet { from: status.source_rank() as usize, channel, bytes });
        }
    }
}

const fn tag(channel: Channel) -> i32 {
    match channel {
        Channel::PointToPoint => 1,
        Channel::Collective => 2,
    }
}

impl Link for MpiLink {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn ranks(&self) -> usize {
        self.world.size() as usize
    }

    fn send(&mut self, to: usize, channel: Channel, bytes: &[u8]) -> Result<(), LinkError> {
        if bytes.len() > LARGEST_MESSAGE {
            return Err(LinkError::TooLong(bytes.len()));
        }
        if to >= self.ranks() {
            return Err(LinkError::NoSuchRank(to));
        }
        let (world, inbox, mut backoff) = (&self.world, &mut self.inbox, Backoff::default());
        mpi::request::scope(|scope| {
            let mut sending =
                world.process_at_rank(to as i32).immediate_send_with_tag(scope, bytes, tag(channel));
            // MPI buffers short messages; long ones wait until the receiver is ready (rendezvous).
            while let Err(unfinished) = sending.test() {
                sending = unfinished;
                drain(world, inbox);
                backoff.wait();
            }
        });
        Ok(())
    }

    fn receive(&mut self, from: Option<usize>, channel: Channel) -> Result<Option<Packet>, LinkError> {
        drain(&self.world, &mut self.inbox);
        Ok(self.inbox.take(from, channel))
    }

    fn abort(&mut self, reason: &str) -> LinkError {
        // If standard error is closed, only the message is lost.
        let _ = writeln!(std::io::stderr(), "chuhe-mpi: rank {}: {reason}", self.world.rank());
        self.world.abort(1)
    }
}
