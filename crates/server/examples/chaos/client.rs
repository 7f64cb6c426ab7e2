//! Clients of the server: requests over a connection of their own, and live sockets.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};

pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;
pub(crate) type Live = WebSocketStream<TcpStream>;

/// No answer takes longer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// The server and its token.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
}

/// A response.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl Target {
    /// Connects from 127.0.0.`host`.
    pub(crate) async fn connect(&self, host: u8) -> Result<TcpStream, Failure> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::from((Ipv4Addr::new(127, 0, 0, host), 0)))?;
        Ok(socket.connect(self.address).await?)
    }

    /// The head of a request with the right token.
    pub(crate) fn head(&self, method: &str, path: &str, length: usize) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\nconnection: close\r\n\r\n",
            self.address, self.token
        )
    }

    /// Sends a request; the body may be anything.
    pub(crate) async fn ask(
        &self,
        host: u8,
        method: &str,
        path: &str,
        body: &[u8],
    ) -> Result<Answer, Failure> {
        let mut request = self.head(method, path, body.len()).into_bytes();
        request.extend_from_slice(body);
        self.raw(host, &request).await
    }

    /// Sends bytes as they are and reads the answer to its end.
    pub(crate) async fn raw(&self, host: u8, request: &[u8]) -> Result<Answer, Failure> {
        let mut stream = self.connect(host).await?;
        // A refusal may come before all is sent.
        let sent = stream.write_all(request).await;
        let mut answer = Vec::new();
        let read =
            tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await.map_err(|_| "stuck")?;
        if answer.is_empty() {
            sent?;
            read?;
        }
        let text = String::from_utf8_lossy(&answer);
        let (head, body) = text.split_once("\r\n\r\n").ok_or("no answer")?;
        let status =
            head.split_whitespace().nth(1).and_then(|status| status.parse().ok()).ok_or("no status")?;
        Ok(Answer { status, body: body.to_owned() })
    }

    /// Opens a live socket.
    pub(crate) async fn live(&self, host: u8) -> Result<Live, Failure> {
        let mut request = format!("ws://{}/api/live", self.address).into_client_request()?;
        request.headers_mut().insert("authorization", format!("Bearer {}", self.token).parse()?);
        let opened = tokio::time::timeout(PATIENCE, client_async(request, self.connect(host).await?));
        Ok(opened.await.map_err(|_| "stuck")??.0)
    }
}

pub(crate) async fn send(socket: &mut Live, message: &Value) -> Result<(), Failure> {
    Ok(socket.send(Message::text(message.to_string())).await?)
}

pub(crate) async fn receive(socket: &mut Live) -> Result<Value, Failure> {
    loop {
        let message = tokio::time::timeout(PATIENCE, socket.next()).await.map_err(|_| "stuck")?;
        match message.ok_or("the socket was closed")?? {
            Message::Text(text) => return Ok(serde_json::from_str(&text)?),
            Message::Close(_) => return Err("the socket was closed".into()),
            _ => {}
        }
    }
}

/// A small random number generator (xorshift), seeded by a number.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}
