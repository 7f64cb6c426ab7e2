//! Clients that take more than their share, or guess. They come from 127.0.0.2 and on; the healthy visitor beside them
//! is 127.0.0.1.

use std::net::SocketAddr;

use chuhe_server::{Limits, Settings};
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::client_async;

#[path = "support/server.rs"]
mod server;
use server::{connect_from, get, open, raw, read_all, receive, send, serve, serve_with};

const TOKEN: &str = "correct horse; battery=staple 楚河";

/// Every deadline at its shortest.
fn hasty() -> Limits {
    Limits { header_seconds: 1, body_seconds: 1, stall_seconds: 1, ..Limits::default() }
}

async fn is_served(address: SocketAddr) -> bool {
    get(address, "/api/about").await.starts_with("HTTP/1.1 200")
}

#[tokio::test]
async fn one_address_cannot_take_every_connection() {
    let address = serve(Limits { connections: 8, connections_per_address: 4, ..Limits::default() }).await;
    let mut held: Vec<TcpStream> = Vec::new();
    for _ in 0..8 {
        held.push(connect_from(2, address).await);
    }
    let refused = read_all(&mut held[7]).await;
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("your address has as many"), "{refused}");
    assert!(is_served(address).await);
    held.clear();
    // The server needs a moment to see that they are closed.
    let request = format!("GET /api/about HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    for _ in 0..100 {
        let mut again = connect_from(2, address).await;
        // Fails if the server has refused the connection already.
        let _ = again.write_all(request.as_bytes()).await;
        if read_all(&mut again).await.starts_with("HTTP/1.1 200") {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("closed connections still count");
}

#[tokio::test]
async fn a_few_greedy_addresses_leave_connections_for_others() {
    let address = serve(Limits { connections: 20, ..Limits::default() }).await;
    let mut held: Vec<TcpStream> = Vec::new();
    for host in 2..6 {
        for _ in 0..20 {
            held.push(connect_from(host, address).await);
        }
    }
    assert!(is_served(address).await);
}

#[tokio::test]
async fn one_address_cannot_take_every_socket() {
    let address = serve(Limits { sockets: 4, sockets_per_address: 2, ..Limits::default() }).await;
    let mut held = Vec::new();
    let mut refused = 0;
    for _ in 0..4 {
        let stream = connect_from(2, address).await;
        match client_async(format!("ws://{address}/api/live"), stream).await {
            Ok((socket, _)) => held.push(socket),
            Err(_) => refused += 1,
        }
    }
    assert_eq!((held.len(), refused), (2, 2));
    open(address).await;
}

#[tokio::test]
async fn slow_headers_slow_bodies_and_clients_that_never_read_are_dropped() {
    let address = serve(hasty()).await;
    let mut headers = connect_from(2, address).await;
    headers.write_all(b"GET / HTTP/1.1\r\nhost: local").await.unwrap();
    let mut body = connect_from(2, address).await;
    let head = format!("POST /api/read HTTP/1.1\r\nhost: {address}\r\ncontent-length: 1000\r\n\r\n");
    body.write_all(head.as_bytes()).await.unwrap();
    // Each keeps sending a byte now and then, which no idle timeout notices.
    let drip = async |stream: &mut TcpStream| {
        for _ in 0..100 {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            if stream.write_all(b"x").await.is_err() {
                return true;
            }
        }
        false
    };
    let (headers_closed, body_closed) = tokio::join!(drip(&mut headers), drip(&mut body));
    assert!(headers_closed && body_closed, "headers {headers_closed}, body {body_closed}");

    // Answers to pipelined requests, none of which is read.
    let mut greedy = connect_from(3, address).await;
    let request = format!("GET /api/puzzles HTTP/1.1\r\nhost: {address}\r\n\r\n");
    let flood = async { while greedy.write_all(request.as_bytes()).await.is_ok() {} };
    let dropped = tokio::time::timeout(server::PATIENCE, flood).await;
    assert!(dropped.is_ok(), "a client that never reads is kept");
    assert!(is_served(address).await);
}

#[tokio::test]
async fn a_flood_of_requests_is_refused_and_others_are_served() {
    let address = serve(Limits { requests_per_second: 5, ..Limits::default() }).await;
    let mut flood = connect_from(2, address).await;
    let request = format!("GET /api/about HTTP/1.1\r\nhost: {address}\r\n\r\n");
    let last = format!("GET /api/about HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    flood.write_all((request.repeat(30) + &last).as_bytes()).await.unwrap();
    let answers = read_all(&mut flood).await;
    assert_eq!(answers.matches("HTTP/1.1 200").count(), 20, "a burst of four seconds");
    assert_eq!(answers.matches("HTTP/1.1 429").count(), 11);
    assert!(answers.contains("too many requests") && answers.contains("retry-after"), "{answers}");
    assert!(is_served(address).await);
}

fn guarded() -> Settings {
    Settings { address: [0, 0, 0, 0].into(), token: Some(TOKEN.to_owned()), ..Settings::default() }
}

async fn with_token(stream: &mut TcpStream, token: &str) -> String {
    let request = format!(
        "GET /api/about HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    read_all(stream).await
}

#[tokio::test]
async fn a_public_server_requires_its_token() {
    let port = serve_with(guarded()).await.port();
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    for path in ["/", "/api/about", "/api/records", "/api/live"] {
        assert!(get(address, path).await.starts_with("HTTP/1.1 401"), "{path}");
    }
    let mut known = TcpStream::connect(address).await.unwrap();
    assert!(with_token(&mut known, TOKEN).await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn tokens_cannot_be_guessed_quickly() {
    let port = serve_with(guarded()).await.port();
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let mut tried = 0;
    for guess in 0..40 {
        let answer = with_token(&mut connect_from(2, address).await, &guess.to_string()).await;
        if answer.starts_with("HTTP/1.1 429") {
            break;
        }
        assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
        tried += 1;
    }
    assert!(tried < 40, "every guess was looked at");
    assert!(with_token(&mut connect_from(3, address).await, TOKEN).await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn behind_a_trusted_proxy_limits_follow_the_client_and_cookies_are_secure() {
    let settings = Settings { proxies: vec![[127, 0, 0, 1].into()], ..guarded() };
    let limits = Limits { connections_per_address: 1, ..Limits::default() };
    let port = serve_with(Settings { limits, ..settings }).await.port();
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    // A second connection from the proxy.
    let _held = TcpStream::connect(address).await.unwrap();
    let via = |client: &str, token: &str| {
        format!(
            "GET /?token={token} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: {client}\r\n\
             x-forwarded-proto: https\r\nconnection: close\r\n\r\n"
        )
    };
    let mut guesses = 0;
    while !raw(address, &via("192.0.2.1", "wrong")).await.starts_with("HTTP/1.1 429") {
        guesses += 1;
        assert!(guesses < 40);
    }
    let encoded = "correct%20horse%3B%20battery%3Dstaple%20%E6%A5%9A%E6%B2%B3";
    let welcome = raw(address, &via("192.0.2.2", encoded)).await;
    assert!(welcome.starts_with("HTTP/1.1 303") && welcome.contains("; Secure"), "{welcome}");
    assert!(welcome.contains(&format!("chuhe_token={encoded};")), "{welcome}");
}

#[tokio::test]
async fn refusals_do_not_repeat_long_input() {
    let address = serve(Limits::default()).await;
    let mut socket = open(address).await;
    let long = "x".repeat(30_000);
    send(&mut socket, json!({"type": "analyse", "id": 1, "game": {"moves": [long]}, "lines": 1})).await;
    let refused = receive(&mut socket).await;
    assert_eq!(refused["type"], "refused");
    assert!(refused["reason"]["text"].as_str().unwrap().len() < 500, "{refused}");
    let answer =
        server::post(address, "/api/explain", &json!({"fen": "9/".repeat(10_000)}).to_string()).await;
    assert!(answer.starts_with("HTTP/1.1 422") && answer.len() < 1500, "{answer}");
}
