//! Ranks as threads of one process, for tests without MPI.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Channel, Inbox, LARGEST_MESSAGE, Link, LinkError, Packet};

/// A rank's end of the channels between threads.
#[derive(Debug)]
pub struct LocalLink {
    rank: usize,
    others: Vec<Sender<Packet>>,
    incoming: Receiver<Packet>,
    inbox: Inbox,
    /// The reason, once the job is aborted.
    aborted: Arc<Mutex<Option<String>>>,
}

/// The links of `ranks` ranks, one for each.
pub fn links(ranks: usize) -> Vec<LocalLink> {
    let (others, incoming): (Vec<_>, Vec<_>) = (0..ranks).map(|_| mpsc::channel()).unzip();
    let aborted = Arc::default();
    let link = |(rank, incoming)| LocalLink {
        rank,
        others: others.clone(),
        incoming,
        inbox: Inbox::default(),
        aborted: Arc::clone(&aborted),
    };
    incoming.into_iter().enumerate().map(link).collect()
}

impl LocalLink {
    fn check_aborted(&self) -> Result<(), LinkError> {
        match &*self.aborted.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(reason) => Err(LinkError::Aborted(reason.clone())),
            None => Ok(()),
        }
    }
}

/// A rank that panics aborts the job, as a process that dies ends an MPI job.
impl Drop for LocalLink {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.abort("failed");
        }
    }
}

impl Link for LocalLink {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.others.len()
    }

    /// Messages to a rank that has ended are lost.
    fn send(&mut self, to: usize, channel: Channel, bytes: &[u8]) -> Result<(), LinkError> {
        self.check_aborted()?;
        if bytes.len() > LARGEST_MESSAGE {
            return Err(LinkError::TooLong(bytes.len()));
        }
        let other = self.others.get(to).ok_or(LinkError::NoSuchRank(to))?;
        let _ = other.send(Packet { from: self.rank, channel, bytes: bytes.to_vec() });
        Ok(())
    }

    fn receive(&mut self, from: Option<usize>, channel: Channel) -> Result<Option<Packet>, LinkError> {
        self.check_aborted()?;
        self.incoming.try_iter().for_each(|packet| self.inbox.put(packet));
        Ok(self.inbox.take(from, channel))
    }

    fn abort(&mut self, reason: &str) -> LinkError {
        let mut aborted = self.aborted.lock().unwrap_or_else(PoisonError::into_inner);
        let reason = aborted.get_or_insert_with(|| format!("rank {}: {reason}", self.rank));
        LinkError::Aborted(reason.clone())
    }
}
