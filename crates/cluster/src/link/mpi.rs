//! Ranks that are processes of an MPI job.
//!
//! All calls are made by the thread that started MPI, which every implementation allows.

use std::io::Write;

use mpi::Threading;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, MatchedReceiveVec, Source};

use super::{Channel, Inbox, LARGEST_MESSAGE, Letter, Link, LinkError, Nap};

/// The link between the processes that `mpirun` started together.
pub struct MpiLink {
    world: SimpleCommunicator,
    inbox: Inbox,
    /// Ends MPI when the link is dropped; declared last, so dropped last.
    _universe: Universe,
}

impl MpiLink {
    /// Starts MPI; `None` if it runs already.
    pub fn start() -> Option<Self> {
        let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
        let world = universe.world();
        Some(Self { world, inbox: Inbox::default(), _universe: universe })
    }
}

/// Moves everything that has arrived into the inbox.
fn collect(world: &SimpleCommunicator, inbox: &mut Inbox) {
    for channel in [Channel::Talk, Channel::Together] {
        while let Some(found) = world.any_process().immediate_matched_probe_with_tag(tag(channel)) {
            let (bytes, status) = found.matched_receive_vec::<u8>();
            inbox.put(Letter { from: status.source_rank() as usize, channel, bytes });
        }
    }
}

const fn tag(channel: Channel) -> i32 {
    match channel {
        Channel::Talk => 1,
        Channel::Together => 2,
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
        let (world, inbox, mut nap) = (&self.world, &mut self.inbox, Nap::default());
        mpi::request::scope(|scope| {
            let mut sending =
                world.process_at_rank(to as i32).immediate_send_with_tag(scope, bytes, tag(channel));
            // Short messages are on their way at once; for long ones MPI waits until the other side receives.
            while let Err(unfinished) = sending.test() {
                sending = unfinished;
                collect(world, inbox);
                nap.take();
            }
        });
        Ok(())
    }

    fn receive(&mut self, from: Option<usize>, channel: Channel) -> Result<Option<Letter>, LinkError> {
        collect(&self.world, &mut self.inbox);
        Ok(self.inbox.take(from, channel))
    }

    fn abort(&mut self, reason: &str) -> LinkError {
        // Standard error is all that is left to say it on; if it is closed, nothing is lost but the words.
        let _ = writeln!(std::io::stderr(), "chuhe-mpi: rank {}: {reason}", self.world.rank());
        self.world.abort(1)
    }
}
