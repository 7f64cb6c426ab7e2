//! The job's side of a [`pipe`](super::pipe): the ranks of a job count from 1, and rank 0 is the process that started it.
//! The first rank of the job passes on what goes in and out.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread;

use super::pipe::{Frame, Pipes, Sending, write_greeting};
use super::{Backoff, Channel, Inbox, Link, LinkError, Packet};

/// A link whose rank 0 is outside the job that `inner` links.
pub struct GatewayLink<L: Link> {
    inner: L,
    /// To rank 0; only the first rank of the job has them.
    pipes: Option<Pipes>,
    inbox: Inbox,
}

/// Sender and receiver, before each message between ranks of the job.
const ENVELOPE: usize = 4;

impl<L: Link> GatewayLink<L> {
    /// Joins a job; its first rank connects to the socket of rank 0, which is on the same machine.
    pub fn join(inner: L, socket: &Path) -> Result<Self, LinkError> {
        let connect = || {
            let stream = UnixStream::connect(socket)?;
            Ok((stream.try_clone()?, Sending(stream)))
        };
        Self::join_by(inner, connect)
    }

    /// Joins a job; its first rank greets rank 0 through the pipes that `connect` opens.
    pub fn join_by<I: Read + Send + 'static, O: Write + Send + 'static>(
        mut inner: L,
        connect: impl FnOnce() -> io::Result<(I, O)>,
    ) -> Result<Self, LinkError> {
        let mut pipes = None;
        if inner.rank() == 0 {
            let greeted = connect().and_then(|(input, mut output)| {
                write_greeting(&mut output, inner.ranks() as u16 + 1)?;
                Ok(Pipes::new(input, output))
            });
            // The other ranks wait for this one, so they must end as well.
            let opened =
                greeted.map_err(|error| inner.abort(&format!("cannot reach the supervisor: {error}")));
            pipes = Some(opened?);
        }
        Ok(Self { inner, pipes, inbox: Inbox::default() })
    }

    /// Delivers a frame here, or passes it on.
    fn pass_on(&mut self, frame: Frame) -> Result<(), LinkError> {
        let Frame { from, to, channel, bytes } = frame;
        if usize::from(to) == self.rank() {
            self.inbox.put(Packet { from: from.into(), channel, bytes });
            return Ok(());
        }
        if to == 0
            && let Some(pipes) = &self.pipes
        {
            let sent = pipes.send(Frame { from, to, channel, bytes });
            return sent.map_err(|error| self.inner.abort(&error.to_string()));
        }
        // Rank 0 is reached through the first rank of the job, which is 0 there.
        let next = usize::from(to).saturating_sub(1);
        if next >= self.inner.ranks() {
            return Err(LinkError::NoSuchRank(to.into()));
        }
        self.inner.send(next, channel, &in_envelope(from, to, &bytes))
    }

    /// Takes in all that has arrived from ranks of the job.
    fn drain_inner(&mut self) -> Result<(), LinkError> {
        for channel in [Channel::PointToPoint, Channel::Collective] {
            while let Some(packet) = self.inner.receive(None, channel)? {
                let frame = out_of_envelope(packet)?;
                self.pass_on(frame)?;
            }
        }
        Ok(())
    }

    /// Takes in all that has arrived.
    fn drain(&mut self) -> Result<(), LinkError> {
        self.drain_inner()?;
        loop {
            match self.pipes.as_ref().map_or(Ok(None), Pipes::receive) {
                Ok(Some(frame)) => self.pass_on(frame)?,
                Ok(None) => return Ok(()),
                // Without rank 0 the job has nothing to do.
                Err(error) => return Err(self.inner.abort(&error.to_string())),
            }
        }
    }
}

/// The first rank of the job may be done before others: it passes on until rank 0 hangs up.
impl<L: Link> Drop for GatewayLink<L> {
    fn drop(&mut self) {
        let mut backoff = Backoff::default();
        while !thread::panicking() && self.drain_inner().is_ok() {
            let Some(Ok(received)) = self.pipes.as_ref().map(Pipes::receive) else { return };
            match received.map(|frame| self.pass_on(frame)) {
                Some(Ok(())) => {}
                Some(Err(_)) => return,
                None => backoff.wait(),
            }
        }
    }
}

fn in_envelope(from: u16, to: u16, bytes: &[u8]) -> Vec<u8> {
    [&from.to_le_bytes(), &to.to_le_bytes(), bytes].concat()
}

fn out_of_envelope(Packet { from, channel, mut bytes }: Packet) -> Result<Frame, LinkError> {
    let envelope: [u8; ENVELOPE] =
        bytes.get(..ENVELOPE).and_then(|head| head.try_into().ok()).ok_or(LinkError::Malformed(from))?;
    bytes.drain(..ENVELOPE);
    let [from_0, from_1, to_0, to_1] = envelope;
    Ok(Frame {
        from: u16::from_le_bytes([from_0, from_1]),
        to: u16::from_le_bytes([to_0, to_1]),
        channel,
        bytes,
    })
}

impl<L: Link> Link for GatewayLink<L> {
    fn rank(&self) -> usize {
        self.inner.rank() + 1
    }

    fn ranks(&self) -> usize {
        self.inner.ranks() + 1
    }

    fn send(&mut self, to: usize, channel: Channel, bytes: &[u8]) -> Result<(), LinkError> {
        if to >= self.ranks() {
            return Err(LinkError::NoSuchRank(to));
        }
        let from = self.rank() as u16;
        self.pass_on(Frame { from, to: to as u16, channel, bytes: bytes.to_vec() })
    }

    fn receive(&mut self, from: Option<usize>, channel: Channel) -> Result<Option<Packet>, LinkError> {
        self.drain()?;
        Ok(self.inbox.take(from, channel))
    }

    fn abort(&mut self, reason: &str) -> LinkError {
        self.inner.abort(reason)
    }
}
