//! A server for tests, and its clients.
#![allow(dead_code, missing_docs, unreachable_pub)]

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use chuhe_server::{Limits, Server, Settings};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// No answer takes longer, however busy the machine is.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub async fn serve(limits: Limits) -> SocketAddr {
    serve_with(Settings { limits, ..Settings::default() }).await
}

/// Serves without the user's tables and games.
pub async fn serve_with(settings: Settings) -> SocketAddr {
    let nowhere = || Some("/nowhere".into());
    let settings = Settings {
        port: 0,
        engines: 1,
        hash: 8,
        tables: settings.tables.or_else(nowhere),
        games: settings.games.or_else(nowhere),
        starter: settings.starter.or_else(nowhere),
        ..settings
    };
    let server = Server::bind(settings).await.unwrap();
    let address = server.address();
    tokio::spawn(server.run(std::future::pending()));
    address
}

/// Sends bytes as they are and reads until the server closes.
pub async fn raw(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
    String::from_utf8_lossy(&answer).into_owned()
}

pub async fn post(address: SocketAddr, path: &str, body: &str) -> String {
    let length = body.len();
    raw(
        address,
        &format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\nconnection: close\r\n\
             content-length: {length}\r\n\r\n{body}"
        ),
    )
    .await
}

pub async fn get(address: SocketAddr, path: &str) -> String {
    raw(address, &format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n")).await
}

pub async fn open(address: SocketAddr) -> Socket {
    connect_async(format!("ws://{address}/api/live")).await.unwrap().0
}

pub async fn send(socket: &mut Socket, message: Value) {
    socket.send(Message::text(message.to_string())).await.unwrap();
}

pub async fn receive(socket: &mut Socket) -> Value {
    loop {
        let message = tokio::time::timeout(PATIENCE, socket.next()).await.expect("an answer in time");
        match message.expect("an open socket").unwrap() {
            Message::Text(text) => return serde_json::from_str(&text).unwrap(),
            Message::Close(frame) => return json!({"closed": frame.map(|frame| frame.reason.to_string())}),
            _ => {}
        }
    }
}

/// Connects from 127.0.0.`host`.
pub async fn connect_from(host: u8, address: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from((Ipv4Addr::new(127, 0, 0, host), 0))).unwrap();
    socket.connect(address).await.unwrap()
}

/// Reads until the server closes or resets the connection.
pub async fn read_all(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    let closed = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
    assert!(closed.is_ok(), "the server keeps the connection open: {}", String::from_utf8_lossy(&answer));
    String::from_utf8_lossy(&answer).into_owned()
}
