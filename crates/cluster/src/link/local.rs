//! Ranks that are threads of one process: for tests, and for who has no MPI.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Channel, Inbox, LARGEST_MESSAGE, Letter, Link, LinkError};

/// One end of the links between the threads of a process.
#[derive(Debug)]
pub struct LocalLink {
    rank: usize,
    others: Vec<Sender<Letter>>,
    arriving: Receiver<Letter>,
    inbox: Inbox,
    /// Why the job was ended, once it was.
    end: Arc<Mutex<Option<String>>>,
}

/// The links of so many ranks, one for each.
pub fn links(ranks: usize) -> Vec<LocalLink> {
    let (others, arriving): (Vec<_>, Vec<_>) = (0..ranks).map(|_| mpsc::channel()).unzip();
    let end = Arc::default();
    let link = |(rank, arriving)| LocalLink {
        rank,
        others: others.clone(),
        arriving,
        inbox: Inbox::default(),
        end: Arc::clone(&end),
    };
    arriving.into_iter().enumerate().map(link).collect()
}

impl LocalLink {
    fn go_on(&self) -> Result<(), LinkError> {
        match &*self.end.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(reason) => Err(LinkError::Aborted(reason.clone())),
            None => Ok(()),
        }
    }
}

/// A rank that fails ends the job, as a process that dies ends a job of MPI.
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

    /// Whatever is sent to a rank that has gone is lost.
    fn send(&mut self, to: usize, channel: Channel, bytes: &[u8]) -> Result<(), LinkError> {
        self.go_on()?;
        if bytes.len() > LARGEST_MESSAGE {
            return Err(LinkError::TooLong(bytes.len()));
        }
        let other = self.others.get(to).ok_or(LinkError::NoSuchRank(to))?;
        let _ = other.send(Letter { from: self.rank, channel, bytes: bytes.to_vec() });
        Ok(())
    }

    fn receive(&mut self, from: Option<usize>, channel: Channel) -> Result<Option<Letter>, LinkError> {
        self.go_on()?;
        self.arriving.try_iter().for_each(|letter| self.inbox.put(letter));
        Ok(self.inbox.take(from, channel))
    }

    fn abort(&mut self, reason: &str) -> LinkError {
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        let reason = end.get_or_insert_with(|| format!("rank {}: {reason}", self.rank));
        LinkError::Aborted(reason.clone())
    }
}
