//! Abusers, each from an address of its own. None of their loops is unbounded, and none spins.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::client::{Answer, Failure, Random, Target, receive, send};
use crate::laws::Samples;

/// What an abuser shares with the run.
#[derive(Clone)]
struct Abuser {
    target: Target,
    samples: Arc<Samples>,
    end: Instant,
    host: u8,
}

/// Starts one of every kind.
pub(crate) fn spawn_all(tasks: &mut JoinSet<()>, target: &Target, samples: &Arc<Samples>, end: Instant) {
    let abuser = |host| Abuser { target: target.clone(), samples: Arc::clone(samples), end, host };
    tasks.spawn(abuser(2).slow_headers());
    tasks.spawn(abuser(3).slow_bodies());
    tasks.spawn(abuser(4).never_reads());
    tasks.spawn(abuser(5).half_open());
    tasks.spawn(abuser(6).connection_flood());
    tasks.spawn(abuser(7).request_flood());
    tasks.spawn(abuser(8).huge_bodies());
    tasks.spawn(abuser(9).malformed());
    tasks.spawn(abuser(10).wrong_tokens_and_origins());
    tasks.spawn(abuser(11).endless_jobs());
    tasks.spawn(abuser(12).message_flood());
}

impl Abuser {
    fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }

    /// Counts an answer; a refusal must say why.
    fn count(&self, what: &'static str, answer: &Result<Answer, Failure>) {
        match answer {
            Ok(answer) => self.samples.abuse(what, answer.status, &answer.body),
            Err(_) => self.samples.abuse(what, 0, ""),
        }
    }

    /// Holds 150 connections that each send a byte now and then after `start`; replaces those that the server closes.
    async fn drip(self, what: &'static str, start: String, bytes: &'static [u8]) {
        let mut streams: Vec<TcpStream> = Vec::new();
        while !self.is_over() {
            while streams.len() < 150 {
                let Ok(mut stream) = self.target.connect(self.host).await else { break };
                let _ = stream.write_all(start.as_bytes()).await;
                streams.push(stream);
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
            let mut kept = Vec::new();
            for mut stream in streams {
                match stream.write_all(bytes).await {
                    Ok(()) => kept.push(stream),
                    Err(_) => self.samples.abuse(what, 0, ""),
                }
            }
            streams = kept;
        }
    }

    async fn slow_headers(self) {
        self.drip("slow headers", "GET / HTTP/1.1\r\nx-long: ".to_owned(), b"x").await;
    }

    async fn slow_bodies(self) {
        let start = self.target.head("POST", "/api/read", 1_000_000);
        self.drip("slow bodies", start, b"x").await;
    }

    async fn half_open(self) {
        self.drip("half-open connections", String::new(), b"").await;
    }

    /// Pipelines requests and reads no answer.
    async fn never_reads(self) {
        let request = self.target.head("GET", "/api/puzzles", 0).replace("connection: close\r\n", "");
        let mut streams: Vec<TcpStream> = Vec::new();
        while !self.is_over() {
            while streams.len() < 100 {
                let Ok(stream) = self.target.connect(self.host).await else { break };
                streams.push(stream);
            }
            let mut kept = Vec::new();
            for stream in streams {
                match stream.try_write(request.repeat(20).as_bytes()) {
                    Err(error) if error.kind() != std::io::ErrorKind::WouldBlock => {
                        self.samples.abuse("never read", 0, "");
                    }
                    _ => kept.push(stream),
                }
            }
            streams = kept;
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }

    /// Opens and closes 200 connections a second.
    async fn connection_flood(self) {
        while !self.is_over() {
            let opened = self.target.connect(self.host).await;
            self.samples.abuse("connections opened and closed", if opened.is_ok() { 200 } else { 0 }, "");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Sends 500 requests a second with the right token.
    async fn request_flood(self) {
        while !self.is_over() {
            let requests = (0..20).map(|_| self.target.ask(self.host, "GET", "/api/about", b""));
            for answer in futures_util::future::join_all(requests).await {
                self.count("floods of requests", &answer);
            }
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
    }

    /// Bodies beyond the limit, and bodies within it that are hard to read or write.
    async fn huge_bodies(self) {
        let tags: String = (0..60_000).map(|tag| format!("[T{tag} \"x\"]\n")).collect();
        let deep = format!("1. h2e2 {}", "( 1. b2e2 ".repeat(20_000));
        let written = json!({"start": null, "tags": (0..60_000).map(|tag| [format!("T{tag}"), "x".into()])
            .collect::<Vec<_>>(), "moves": []})
        .to_string();
        let bodies: [(&str, Vec<u8>); 5] = [
            ("/api/read?name=a.pgn", vec![b'x'; 8 << 20]),
            ("/api/read?name=a.pgn", tags.into_bytes()),
            ("/api/read?name=a.pgn", deep.into_bytes()),
            ("/api/read?name=a.xqf", vec![0x58; 3 << 20]),
            ("/api/write?format=pgn", written.into_bytes()),
        ];
        for (path, body) in bodies.iter().cycle() {
            if self.is_over() {
                break;
            }
            let answers = (0..4).map(|_| self.target.ask(self.host, "POST", path, body));
            for answer in futures_util::future::join_all(answers).await {
                self.count("huge bodies", &answer);
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// Mutated requests and bodies.
    async fn malformed(self) {
        let mut random = Random::new(9);
        while !self.is_over() {
            let mut request = self.target.head("POST", "/api/position", 60).into_bytes();
            request.extend_from_slice(br#"{"game":{"moves":["h2e2","h9g7"]},"language":"en"}         "#);
            for _ in 0..=random.below(4) {
                let place = random.below(request.len() as u64) as usize;
                request[place] = random.below(256) as u8;
            }
            let answer =
                tokio::time::timeout(Duration::from_secs(3), self.target.raw(self.host, &request)).await;
            if let Ok(answer) = answer {
                self.count("malformed requests", &answer);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn wrong_tokens_and_origins(self) {
        for guess in 0u64.. {
            if self.is_over() {
                break;
            }
            let token =
                if guess.is_multiple_of(2) { format!("guess-{guess}") } else { self.target.token.clone() };
            let origin = if guess % 4 == 1 { "origin: http://evil.example\r\n" } else { "" };
            let host =
                if guess % 4 == 3 { "evil.example".to_owned() } else { self.target.address.to_string() };
            let request = format!(
                "GET /api/about HTTP/1.1\r\nhost: {host}\r\n{origin}authorization: Bearer {token}\r\n\
                 connection: close\r\n\r\n"
            );
            let answer = self.target.raw(self.host, request.as_bytes()).await;
            if answer.as_ref().is_ok_and(|answer| answer.status == 200) {
                self.samples.wrong("a wrong token, host or origin was accepted");
            }
            self.count("wrong tokens, hosts and origins", &answer);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Takes every socket it gets and analyses without end, asking anew four times a second.
    async fn endless_jobs(self) {
        let mut sockets = Vec::new();
        for id in 1u32.. {
            if self.is_over() {
                break;
            }
            while sockets.len() < 80 {
                match self.target.live(self.host).await {
                    Ok(socket) => sockets.push(socket),
                    Err(_) => {
                        self.samples.abuse("analyses without end", 503, r#"{"error":"(socket refused)"}"#);
                        break;
                    }
                }
            }
            let mut kept = Vec::new();
            for mut socket in sockets {
                let question = json!({"type": "analyse", "id": id, "game": {}, "lines": 5});
                if send(&mut socket, &question).await.is_ok() {
                    // Answers are read so that the socket is kept.
                    let waiting = Duration::from_millis(1);
                    while tokio::time::timeout(waiting, receive(&mut socket))
                        .await
                        .is_ok_and(|read| read.is_ok())
                    {}
                    self.samples.abuse("analyses without end", 200, "");
                    kept.push(socket);
                }
            }
            sockets = kept;
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
    }

    async fn message_flood(self) {
        while !self.is_over() {
            if let Ok(mut socket) = self.target.live(self.host).await {
                let flood = async {
                    while send(&mut socket, &json!({"type": "stop"})).await.is_ok() {
                        tokio::task::yield_now().await;
                    }
                };
                let _ = tokio::time::timeout(Duration::from_secs(2), flood).await;
                self.samples.abuse("floods of messages", 0, "");
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }
}
