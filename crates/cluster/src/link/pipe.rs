//! Rank 0 outside a job: it starts the job of all other ranks as a process and reaches them through a Unix socket. When
//! the job ends, only the link is lost; rank 0 lives on. Launchers forward standard input and output as well, but too
//! slowly for table entries on a busy machine.
//!
//! The job's side is a [`gateway`](super::gateway). It opens with a greeting: six bytes that name the format and the
//! number of ranks. Frames follow, in both directions: sender, receiver (two bytes each), channel (one), length (four) and
//! the message, numbers little-endian.

use std::io::{self, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, SyncSender, TryRecvError, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Channel, Inbox, LARGEST_MESSAGE, Link, LinkError, Packet};

/// The name and version of the format.
const GREETING: &[u8; 6] = b"CHUHE1";
/// This many frames may wait until the other side reads; more do only if it hangs.
const MOST_WAITING: usize = 4096;
/// How long a job may take to end after its input is closed.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Rank 0's end of the pipes to a job.
pub struct PipeLink {
    ranks: usize,
    pipes: Pipes,
    inbox: Inbox,
    job: Option<Child>,
}

impl PipeLink {
    /// Starts a job and waits until it greets. `command` gets the path of the socket that the job's first rank connects to.
    pub fn start(command: impl FnOnce(&Path) -> Command) -> io::Result<Self> {
        // Only this user can enter the folder.
        let folder = tempfile::Builder::new().prefix("chuhe").tempdir()?;
        let socket = folder.path().join("job");
        let listener = UnixListener::bind(&socket)?;
        let mut job = command(&socket).stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
        let connected = accept(&listener, &mut job).and_then(|stream| {
            let output = stream.try_clone()?;
            Self::connect(output, Sending(stream))
        });
        match connected {
            Ok(mut link) => {
                link.job = Some(job);
                Ok(link)
            }
            Err(error) => {
                end(&mut job, Duration::ZERO);
                Err(error)
            }
        }
    }

    /// The link to a job whose output and input these are; waits until it greets.
    pub fn connect(
        output: impl Read + Send + 'static,
        input: impl Write + Send + 'static,
    ) -> io::Result<Self> {
        let mut output = BufReader::new(output);
        let ranks = read_greeting(&mut output)?;
        Ok(Self { ranks, pipes: Pipes::new(output, input), inbox: Inbox::default(), job: None })
    }
}

/// Waits until the job connects.
fn accept(listener: &UnixListener, job: &mut Child) -> io::Result<UnixStream> {
    listener.set_nonblocking(true)?;
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false)?;
                return Ok(stream);
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        if job.try_wait()?.is_some() {
            return Err(not_ready());
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// The sending half of a socket. The receiving half keeps the socket open, so the end must be said.
pub(super) struct Sending(pub(super) UnixStream);

impl Write for Sending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        // Nothing is lost if the other side has gone before.
        let _ = self.0.shutdown(Shutdown::Write);
    }
}

/// The job reads its last messages, then the end of its input, which ends it.
impl Drop for PipeLink {
    fn drop(&mut self) {
        self.pipes.close();
        if let Some(job) = &mut self.job {
            end(job, LAST_WORDS);
        }
    }
}

/// Waits for a job to end, and kills it if it does not.
fn end(job: &mut Child, patience: Duration) {
    let start = Instant::now();
    while start.elapsed() < patience {
        if !matches!(job.try_wait(), Ok(None)) {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    // It may have ended meanwhile.
    let _ = job.kill();
    let _ = job.wait();
}

impl Link for PipeLink {
    fn rank(&self) -> usize {
        0
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn send(&mut self, to: usize, channel: Channel, bytes: &[u8]) -> Result<(), LinkError> {
        if to >= self.ranks {
            return Err(LinkError::NoSuchRank(to));
        }
        if to == 0 {
            self.inbox.put(Packet { from: 0, channel, bytes: bytes.to_vec() });
            return Ok(());
        }
        self.pipes.send(Frame { from: 0, to: to as u16, channel, bytes: bytes.to_vec() })
    }

    fn receive(&mut self, from: Option<usize>, channel: Channel) -> Result<Option<Packet>, LinkError> {
        while let Some(Frame { from, channel, bytes, .. }) = self.pipes.receive()? {
            self.inbox.put(Packet { from: from.into(), channel, bytes });
        }
        Ok(self.inbox.take(from, channel))
    }

    fn abort(&mut self, reason: &str) -> LinkError {
        self.pipes.close();
        LinkError::Aborted(reason.to_owned())
    }
}

/// A message with its sender and receiver.
pub(super) struct Frame {
    pub(super) from: u16,
    pub(super) to: u16,
    pub(super) channel: Channel,
    pub(super) bytes: Vec<u8>,
}

/// Frames in both directions, each on a thread of its own: neither side waits for the other.
pub(super) struct Pipes {
    incoming: Receiver<Frame>,
    outgoing: Option<SyncSender<Frame>>,
}

impl Pipes {
    pub(super) fn new(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> Self {
        let (received, incoming) = mpsc::channel();
        thread::spawn(move || {
            let mut input = BufReader::new(input);
            // Ends with the input, at bytes that are no frame, or with the link.
            while let Ok(frame) = read_frame(&mut input) {
                if received.send(frame).is_err() {
                    return;
                }
            }
        });
        let (outgoing, to_send) = mpsc::sync_channel::<Frame>(MOST_WAITING);
        thread::spawn(move || {
            let mut output = output;
            for frame in to_send {
                if write_frame(&mut output, &frame).is_err() {
                    return;
                }
            }
        });
        Self { incoming, outgoing: Some(outgoing) }
    }

    pub(super) fn send(&self, frame: Frame) -> Result<(), LinkError> {
        if frame.bytes.len() > LARGEST_MESSAGE {
            return Err(LinkError::TooLong(frame.bytes.len()));
        }
        let outgoing = self.outgoing.as_ref().ok_or_else(ended)?;
        outgoing.try_send(frame).map_err(|error| match error {
            TrySendError::Full(_) => LinkError::Aborted("the other side no longer reads".to_owned()),
            TrySendError::Disconnected(_) => ended(),
        })
    }

    /// The next frame, if one has arrived.
    pub(super) fn receive(&self) -> Result<Option<Frame>, LinkError> {
        match self.incoming.try_recv() {
            Ok(frame) => Ok(Some(frame)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(ended()),
        }
    }

    /// Closes the output after what is waiting.
    fn close(&mut self) {
        self.outgoing = None;
    }
}

fn ended() -> LinkError {
    LinkError::Aborted("the other side has ended".to_owned())
}

/// Writes what a job says first: how many ranks there are with rank 0.
pub(super) fn write_greeting(output: &mut impl Write, ranks: u16) -> io::Result<()> {
    output.write_all(GREETING)?;
    output.write_all(&ranks.to_le_bytes())?;
    output.flush()
}

fn read_greeting(input: &mut impl Read) -> io::Result<usize> {
    let mut greeting = [0; 8];
    input.read_exact(&mut greeting).map_err(|_| not_ready())?;
    let (name, ranks) = greeting.split_at(GREETING.len());
    match u16::from_le_bytes([ranks[0], ranks[1]]) {
        ranks @ 2.. if name == GREETING => Ok(ranks.into()),
        _ => Err(io::Error::other("the job is not one of workers of this version")),
    }
}

fn not_ready() -> io::Error {
    io::Error::other("the job ended before it was ready")
}

fn write_frame(output: &mut impl Write, frame: &Frame) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(9 + frame.bytes.len());
    bytes.extend(frame.from.to_le_bytes());
    bytes.extend(frame.to.to_le_bytes());
    bytes.push(u8::from(frame.channel == Channel::Collective));
    bytes.extend((frame.bytes.len() as u32).to_le_bytes());
    bytes.extend(&frame.bytes);
    output.write_all(&bytes)?;
    output.flush()
}

fn read_frame(input: &mut impl Read) -> io::Result<Frame> {
    let mut head = [0; 9];
    input.read_exact(&mut head)?;
    let channel = match head[4] {
        0 => Channel::PointToPoint,
        1 => Channel::Collective,
        _ => return Err(io::ErrorKind::InvalidData.into()),
    };
    let len = u32::from_le_bytes([head[5], head[6], head[7], head[8]]);
    if len as usize > LARGEST_MESSAGE {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = Vec::new();
    // Grows with what arrives, not with what the head promises.
    input.take(len.into()).read_to_end(&mut bytes)?;
    if bytes.len() < len as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let [from, to] = [0, 2].map(|start| u16::from_le_bytes([head[start], head[start + 1]]));
    Ok(Frame { from, to, channel, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_and_other_bytes_are_errors() {
        let frame = Frame { from: 3, to: 260, channel: Channel::Collective, bytes: vec![7; 300] };
        let mut bytes = Vec::new();
        write_frame(&mut bytes, &frame).unwrap();
        let back = read_frame(&mut &bytes[..]).unwrap();
        assert_eq!(
            (back.from, back.to, back.channel, back.bytes),
            (3, 260, Channel::Collective, vec![7; 300])
        );
        for len in 0..bytes.len() {
            assert!(read_frame(&mut &bytes[..len]).is_err(), "{len}");
        }
        assert!(read_frame(&mut &[0, 0, 0, 0, 2, 0, 0, 0, 0][..]).is_err());
        assert!(read_frame(&mut &[0, 0, 0, 0, 0, 255, 255, 255, 255][..]).is_err());
    }

    #[test]
    fn only_a_job_of_workers_greets() {
        let mut greeting = Vec::new();
        write_greeting(&mut greeting, 5).unwrap();
        assert_eq!(read_greeting(&mut &greeting[..]).unwrap(), 5);
        for other in [&b"CHUHE1"[..], b"CHUHE0\x05\x00", b"CHUHE1\x01\x00", b"uciok\nreadyok\n"] {
            assert!(read_greeting(&mut &other[..]).is_err(), "{other:?}");
        }
    }

    #[test]
    fn a_program_that_is_no_job_of_workers_is_an_error() {
        for script in ["exit 3", "echo hello, hello"] {
            let command = |_: &Path| {
                let mut command = Command::new("sh");
                command.args(["-c", script]);
                command
            };
            let error = PipeLink::start(command).err().unwrap();
            assert_eq!(error.to_string(), "the job ended before it was ready");
        }
        assert!(PipeLink::start(|_| Command::new("/no/such/program")).is_err());
    }
}
