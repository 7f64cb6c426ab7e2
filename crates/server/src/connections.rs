//! Connections: how many there may be, and how long a slow one is kept.
//!
//! Every connection counts against a limit for all and one for its address, before anything is read. A deadline for the
//! headers of a request is hyper's; a [`Connection`] adds one for input in general and a least rate for output.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use chuhe_api::{Key, Notice};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

use crate::client::{AddressCounts, AddressPermit};
use crate::error::ErrorJson;
use crate::settings::Settings;

/// A connection that receives nothing for this long is closed. Live sockets are pinged more often.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// A client that has let output pile up must take at least this many bytes per second.
const LEAST_OUTPUT_RATE: u64 = 8 << 10;
/// What the system buffers of unsent output per connection (Linux doubles it), so that clients that never read
/// cannot fill its memory.
const SEND_BUFFER: u32 = 128 << 10;
/// Connections waiting to be accepted.
const BACKLOG: u32 = 1024;
/// Descriptors kept free for tables, games, records and other engines.
const RESERVED_DESCRIPTORS: usize = 128;

/// Binds an address whose connections buffer little output.
pub(crate) fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // On Windows this would let two servers share a port.
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// A listener that accepts at most a fixed number of connections at a time, in all and from one address.
pub(crate) struct LimitedListener {
    listener: TcpListener,
    permits: Arc<Semaphore>,
    counts: AddressCounts,
    per_address: usize,
    /// Addresses of proxies, which carry the connections of many clients.
    proxies: Vec<IpAddr>,
    stall: Duration,
}

impl LimitedListener {
    pub(crate) fn new(listener: TcpListener, settings: &Settings) -> Self {
        let limits = &settings.limits;
        let connections = most_connections(limits.connections, max_descriptors());
        Self {
            listener,
            permits: Arc::new(Semaphore::new(connections)),
            counts: AddressCounts::default(),
            per_address: limits.connections_per_address,
            proxies: settings.proxies.clone(),
            stall: Duration::from_secs(limits.stall_seconds),
        }
    }

    fn admit(&self, address: IpAddr) -> Result<Permits, Notice> {
        let is_proxy = self.proxies.contains(&address.to_canonical());
        let free = self.permits.available_permits();
        if free == 0 {
            return Err(too_many());
        }
        // Dynamic threshold: nobody holds more than what is free, so that a few greedy addresses leave room for others.
        let per_address = if is_proxy { usize::MAX } else { self.per_address.min(free) };
        let address = self.counts.try_acquire(address.into(), per_address).ok_or_else(too_many_of_yours)?;
        let total = self.permits.clone().try_acquire_owned().map_err(|_| too_many())?;
        Ok(Permits { _total: total, _address: address })
    }

    /// Waits for the next connection that the limits admit; the others are refused and closed.
    pub(crate) async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            let (stream, address) = Listener::accept(&mut self.listener).await;
            // Messages are short and latency matters.
            let _ = stream.set_nodelay(true);
            match self.admit(address.ip()) {
                Ok(permits) => return (Connection::new(stream, self.stall, permits), address),
                // Best effort: one packet, without waiting for a slow client.
                Err(reason) => drop(stream.try_write(refusal(reason).as_bytes())),
            }
        }
    }
}

fn too_many() -> Notice {
    Notice::plain(Key::ServerFull, "this server has as many connections as it allows")
}

fn too_many_of_yours() -> Notice {
    let text = "your address has as many connections as this server allows one";
    Notice::plain(Key::AddressFull, text)
}

fn refusal(reason: Notice) -> String {
    let body = serde_json::to_string(&ErrorJson { error: reason }).unwrap_or_default();
    format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nconnection: close\r\n\
         retry-after: 10\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// How many connections fit beside the reserved descriptors; at least half of what the system allows.
fn most_connections(wanted: usize, descriptors: Option<usize>) -> usize {
    descriptors.map_or(wanted, |most| {
        let free = most.saturating_sub(RESERVED_DESCRIPTORS).max(most / 2);
        wanted.min(free).max(1)
    })
}

/// How many files this process may have open, where the system says so.
fn max_descriptors() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[derive(Debug)]
struct Permits {
    _total: OwnedSemaphorePermit,
    _address: AddressPermit,
}

/// A connection with an idle timeout and a least rate of output.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    idle: Pin<Box<Sleep>>,
    backlog: Option<Backlog>,
    /// How long output may stall.
    stall: Duration,
    _permits: Permits,
}

/// Output that the client has not taken yet.
#[derive(Debug)]
struct Backlog {
    since: Instant,
    /// Bytes taken since then.
    bytes: u64,
    /// When the last of them were.
    taken: Instant,
    deadline: Pin<Box<Sleep>>,
}

impl Connection {
    fn new(stream: TcpStream, stall: Duration, permits: Permits) -> Self {
        Self { stream, idle: Box::pin(sleep(IDLE_TIMEOUT)), backlog: None, stall, _permits: permits }
    }

    /// The client takes no output now: fails if that has lasted too long, or if it has taken too little on average.
    fn poll_stalled(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let stall = self.stall;
        let now = Instant::now();
        let backlog = self.backlog.get_or_insert_with(|| Backlog {
            since: now,
            bytes: 0,
            taken: now,
            deadline: Box::pin(sleep(stall)),
        });
        // What the client's system buffers earns time as well, so a client that takes nothing more is dropped before it
        // has used all that up.
        let earned = Duration::from_secs_f64(backlog.bytes as f64 / LEAST_OUTPUT_RATE as f64);
        backlog.deadline.as_mut().reset(backlog.taken.min(backlog.since + earned) + stall);
        std::task::ready!(backlog.deadline.as_mut().poll(context));
        // Closing with a reset frees the system's buffer at once.
        let _ = self.stream.set_zero_linger();
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Ready(read) => {
                self.idle.as_mut().reset(Instant::now() + IDLE_TIMEOUT);
                Poll::Ready(read)
            }
            Poll::Pending => self.idle.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into())),
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write(context, bytes) {
            Poll::Ready(written) => {
                if let (Some(backlog), Ok(written)) = (&mut self.backlog, &written) {
                    backlog.bytes += *written as u64;
                    backlog.taken = Instant::now();
                }
                Poll::Ready(written)
            }
            Poll::Pending => self.poll_stalled(context),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A flush comes when everything is written.
        self.backlog = None;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_left_for_files() {
        assert_eq!(most_connections(512, None), 512);
        assert_eq!(most_connections(512, Some(1_000_000)), 512);
        assert_eq!(most_connections(2000, Some(1024)), 896);
        assert_eq!(most_connections(512, Some(200)), 100);
        assert_eq!(most_connections(512, Some(1)), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_says_how_many_descriptors_there_are() {
        assert!(max_descriptors().is_some_and(|most| most > 16));
    }
}
