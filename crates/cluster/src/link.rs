//! How ranks talk: a small trait that MPI and plain threads both fulfil.
//!
//! A link moves bytes and knows nothing of what they mean. Everything that waits does so by looking again after a
//! short sleep, because MPI's own waiting keeps a core busy that a search could use.

pub mod local;
#[cfg(feature = "mpi")]
pub mod mpi;

use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

/// Messages are never longer; what is, is cut into pieces.
pub const LARGEST_MESSAGE: usize = 1 << 26;

/// Messages that must not be taken for one another travel on channels of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Whatever the ranks have to say.
    Talk,
    /// Parts of a [`Link::gather`] or [`Link::all_to_all`].
    Together,
}

/// A message that has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// The rank that sent it.
    pub from: usize,
    /// On which channel.
    pub channel: Channel,
    /// What it holds.
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
    /// Somebody ended the job.
    #[error("the job was ended: {0}")]
    Aborted(String),
    /// A part of an exchange is malformed.
    #[error("rank {0} sent a malformed part of an exchange")]
    Malformed(usize),
}

/// What ranks talk through. Ranks are numbered from 0.
pub trait Link {
    /// The number of this rank.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn ranks(&self) -> usize;

    /// Sends a message. Two messages to the same rank on the same channel arrive in the order they were sent. Messages
    /// that arrive meanwhile are kept, so ranks that send to each other at once do not wait for ever.
    fn send(&mut self, to: usize, channel: Channel, bytes: &[u8]) -> Result<(), LinkError>;

    /// The oldest message on a channel, from one rank or from any, if one has arrived.
    fn receive(&mut self, from: Option<usize>, channel: Channel) -> Result<Option<Letter>, LinkError>;

    /// Ends the job on all ranks and tells the reason. Over MPI this does not return.
    fn abort(&mut self, reason: &str) -> LinkError;

    /// Waits for a message, at most so long.
    fn wait(
        &mut self,
        from: Option<usize>,
        channel: Channel,
        patience: Duration,
    ) -> Result<Option<Letter>, LinkError> {
        let start = Instant::now();
        let mut nap = Nap::default();
        loop {
            let letter = self.receive(from, channel)?;
            if letter.is_some() || start.elapsed() >= patience {
                return Ok(letter);
            }
            nap.take();
        }
    }

    /// Collects a message of every rank at `root`, which gets them by rank; the others get nothing.
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

    /// Every rank gives every rank a part, its own included; returns what the ranks gave this one.
    fn all_to_all(&mut self, mut parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, LinkError> {
        let (rank, ranks) = (self.rank(), self.ranks());
        parts.resize(ranks, Vec::new());
        // Each starts with its neighbour, so that no rank is sent everything at once.
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

/// Nobody is waited for longer: a rank that needs more to answer in an exchange is lost.
const LOST: Duration = Duration::from_secs(24 * 60 * 60);
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
        link.send(to, Channel::Together, &message)?;
        if more == LAST {
            return Ok(());
        }
    }
}

fn receive_in_pieces<L: Link + ?Sized>(link: &mut L, from: usize) -> Result<Vec<u8>, LinkError> {
    let mut bytes = Vec::new();
    loop {
        let letter = link.wait(Some(from), Channel::Together, LOST)?.ok_or(LinkError::Malformed(from))?;
        let (more, piece) = letter.bytes.split_first().ok_or(LinkError::Malformed(from))?;
        bytes.extend_from_slice(piece);
        if *more != MORE_FOLLOWS {
            return Ok(bytes);
        }
    }
}

/// Letters that have arrived and were not asked for yet.
#[derive(Debug, Default)]
pub(crate) struct Inbox(VecDeque<Letter>);

impl Inbox {
    pub(crate) fn put(&mut self, letter: Letter) {
        self.0.push_back(letter);
    }

    pub(crate) fn take(&mut self, from: Option<usize>, channel: Channel) -> Option<Letter> {
        let fits = |letter: &Letter| letter.channel == channel && from.is_none_or(|from| from == letter.from);
        let place = self.0.iter().position(fits)?;
        self.0.remove(place)
    }
}

/// Sleeps that get longer while nothing happens.
#[derive(Debug, Default)]
pub(crate) struct Nap(u32);

impl Nap {
    const LONGEST: Duration = Duration::from_millis(1);

    pub(crate) fn take(&mut self) {
        match self.0 {
            0..8 => thread::yield_now(),
            naps => thread::sleep(Duration::from_micros(20u64 << (naps - 8).min(6)).min(Self::LONGEST)),
        }
        self.0 += 1;
    }
}
