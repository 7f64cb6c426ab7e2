//! Message passing between ranks: one small trait, implemented over MPI and over plain threads.
//!
//! A link moves bytes. All waiting is polling with back-off, because MPI's own waiting spins on a core that a search
//! could use.

pub mod gateway;
pub mod local;
#[cfg(feature = "mpi")]
pub mod mpi;
pub mod pipe;

use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

/// Longer messages are sent in pieces.
pub const LARGEST_MESSAGE: usize = 1 << 26;

/// Keeps the two kinds of communication apart, as tags do in MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Single messages.
    PointToPoint,
    /// Messages of a [`Link::gather`] or [`Link::all_to_all`].
    Collective,
}

/// A received message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// The rank that sent it.
    pub from: usize,
    /// Its channel.
    pub channel: Channel,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Why a message cannot be sent or received.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// There is no such rank.
    #[error("there is no rank {0}")]
    NoSuchRank(usize),
    /// The message is longer than [`LARGEST_MESSAGE`].
    #[error("a message of {0} bytes is too long")]
    TooLong(usize),
    /// A rank aborted the job.
    #[error("job aborted: {0}")]
    Aborted(String),
    /// A message of a collective operation is malformed.
    #[error("rank {0} sent a malformed collective message")]
    Malformed(usize),
}

/// A rank's end of the connection to all others. Ranks are numbered from 0.
pub trait Link {
    /// The number of this rank.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn ranks(&self) -> usize;

    /// Sends a message. Messages to one rank on one channel arrive in order. Incoming messages are
    /// buffered meanwhile, so two ranks that send to each other do not deadlock.
    fn send(&mut self, to: usize, channel: Channel, bytes: &[u8]) -> Result<(), LinkError>;

    /// The oldest message on a channel, from one rank or from any, if one has arrived.
    fn receive(&mut self, from: Option<usize>, channel: Channel) -> Result<Option<Packet>, LinkError>;

    /// Aborts the job on all ranks with a reason. Over MPI this does not return.
    fn abort(&mut self, reason: &str) -> LinkError;

    /// Waits for a message until the timeout.
    fn wait(
        &mut self,
        from: Option<usize>,
        channel: Channel,
        timeout: Duration,
    ) -> Result<Option<Packet>, LinkError> {
        let start = Instant::now();
        let mut backoff = Backoff::default();
        loop {
            let packet = self.receive(from, channel)?;
            if packet.is_some() || start.elapsed() >= timeout {
                return Ok(packet);
            }
            backoff.wait();
        }
    }

    /// Collects a message of every rank at `root`, in the order of ranks; the others get `None`.
    fn gather(&mut self, root: usize, bytes: &[u8]) -> Result<Option<Vec<Vec<u8>>>, LinkError> {
        if self.rank() != root {
            send_in_pieces(self, root, bytes)?;
            return Ok(None);
        }
        let mut all = Vec::with_capacity(self.ranks());
        for from in 0..self.ranks() {
            all.push(if from == root { bytes.to_vec() } else { receive_in_pieces(self, from)? });
        }
        Ok(Some(all))
    }

    /// Every rank sends every rank a part, itself included. Returns the parts sent to this rank.
    fn all_to_all(&mut self, mut parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, LinkError> {
        let (rank, ranks) = (self.rank(), self.ranks());
        parts.resize(ranks, Vec::new());
        // Each starts with its neighbour, to spread the load.
        for step in 1..ranks {
            let to = (rank + step) % ranks;
            send_in_pieces(self, to, &parts[to])?;
            parts[to] = Vec::new();
        }
        for from in (0..ranks).filter(|&from| from != rank) {
            parts[from] = receive_in_pieces(self, from)?;
        }
        Ok(parts)
    }
}

/// A rank that takes longer in a collective operation is lost.
const COLLECTIVE_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);
const MORE_FOLLOWS: u8 = 1;
const LAST: u8 = 0;

fn send_in_pieces<L: Link + ?Sized>(link: &mut L, to: usize, bytes: &[u8]) -> Result<(), LinkError> {
    let mut pieces = bytes.chunks(LARGEST_MESSAGE - 1).peekable();
    loop {
        let piece = pieces.next().unwrap_or_default();
        let more = if pieces.peek().is_some() { MORE_FOLLOWS } else { LAST };
        let mut message = Vec::with_capacity(piece.len() + 1);
        message.push(more);
        message.extend_from_slice(piece);
        link.send(to, Channel::Collective, &message)?;
        if more == LAST {
            return Ok(());
        }
    }
}

fn receive_in_pieces<L: Link + ?Sized>(link: &mut L, from: usize) -> Result<Vec<u8>, LinkError> {
    let mut bytes = Vec::new();
    loop {
        let packet = link
            .wait(Some(from), Channel::Collective, COLLECTIVE_TIMEOUT)?
            .ok_or(LinkError::Malformed(from))?;
        let (more, piece) = packet.bytes.split_first().ok_or(LinkError::Malformed(from))?;
        bytes.extend_from_slice(piece);
        if *more != MORE_FOLLOWS {
            return Ok(bytes);
        }
    }
}

/// Received messages that were not asked for yet.
#[derive(Debug, Default)]
pub(crate) struct Inbox(VecDeque<Packet>);

impl Inbox {
    pub(crate) fn put(&mut self, packet: Packet) {
        self.0.push_back(packet);
    }

    pub(crate) fn take(&mut self, from: Option<usize>, channel: Channel) -> Option<Packet> {
        let fits = |packet: &Packet| packet.channel == channel && from.is_none_or(|from| from == packet.from);
        let place = self.0.iter().position(fits)?;
        self.0.remove(place)
    }
}

/// Exponential back-off: yields first, then sleeps up to a millisecond.
#[derive(Debug, Default)]
pub(crate) struct Backoff(u32);

impl Backoff {
    const LONGEST: Duration = Duration::from_millis(1);

    pub(crate) fn wait(&mut self) {
        match self.0 {
            0..8 => thread::yield_now(),
            waits => thread::sleep(Duration::from_micros(20u64 << (waits - 8).min(6)).min(Self::LONGEST)),
        }
        self.0 += 1;
    }
}
