//! Load test: many visitors analyse at the same time. Measures the time to the first line after a move and
//! counts errors. `make bench-web` runs it against the release program.
//!
//! Usage: visitors PROGRAM [VISITORS] [SECONDS]
#![allow(clippy::print_stdout)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use chuhe_board::Position;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Failure = Box<dyn std::error::Error + Send + Sync>;
type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A visitor without an answer for this long is stuck.
const STUCK: Duration = Duration::from_secs(20);

/// Players per engine in a crowd.
const CROWD: u64 = 10;

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().ok_or("usage: visitors PROGRAM [VISITORS] [SECONDS]")?;
    let visitors: u64 = arguments.next().map_or(Ok(50), |text| text.parse())?;
    let seconds: u64 = arguments.next().map_or(Ok(60), |text| text.parse())?;
    let (_server, address) = start(&program)?;

    let alone = visit(address.clone(), 1, Instant::now() + Duration::from_secs(15)).await?;
    report("alone", 1, &[alone]);
    closed_tabs(&address).await?;

    let end = Instant::now() + Duration::from_secs(seconds);
    let all: Vec<_> =
        (0..visitors).map(|number| tokio::spawn(visit(address.clone(), number + 2, end))).collect();
    let engines = about(&address).await?["engines"].as_u64().unwrap_or(1);
    let mut waits = Vec::new();
    let mut failures = 0;
    let (late, _) = play_all(&address, engines, end).await?;
    report("moves of 1000 ms past their deadline", engines, &late);
    for visitor in all {
        match visitor.await? {
            Ok(waited) => waits.push(waited),
            Err(error) => {
                failures += 1;
                println!("a visitor failed: {error}");
            }
        }
    }
    report("together", visitors, &waits);
    // Far more players than engines: moves are late, but no later than the players are told.
    let (late, told) = play_all(&address, CROWD * engines, Instant::now() + Duration::from_secs(10)).await?;
    report("moves of a crowd past their deadline", CROWD * engines, &late);
    println!("the longest wait they were told: {} ms", told.as_millis());
    println!("errors and stuck sockets: {failures}");
    if failures > 0 {
        return Err("some visitors were not served".into());
    }
    Ok(())
}

fn start(program: &str) -> Result<(Running, String), Failure> {
    let child = Command::new(program).args(["serve", "--port", "0"]).stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("{program}: {error}"))?;
    let mut line = String::new();
    BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
    let address = line.split("http://").nth(1).ok_or("no address")?.trim().trim_end_matches('/').to_owned();
    Ok((Running(child), address))
}

/// Plays a random move every one to three seconds with the analysis on; returns the time to the first line
/// after each move.
async fn visit(address: String, seed: u64, end: Instant) -> Result<Vec<Duration>, Failure> {
    let (mut socket, _) = connect_async(format!("ws://{address}/api/live")).await?;
    let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut next = move |bound: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % bound
    };
    let mut position = Position::start();
    let mut moves: Vec<String> = Vec::new();
    let mut waits = Vec::new();
    // Spread the arrivals.
    drain(&mut socket, Duration::from_millis(next(2000))).await?;
    for id in 1.. {
        let legal = position.moves();
        if moves.len() >= 60 || legal.is_empty() {
            position = Position::start();
            moves.clear();
        } else {
            let mv = legal[next(legal.len() as u64) as usize];
            moves.push(mv.to_string());
            let _ = position.play(mv, &mut ());
        }
        if position.moves().is_empty() {
            continue;
        }
        let asked = Instant::now();
        let question = json!({"type": "analyse", "id": id, "game": {"moves": moves}, "lines": 3});
        socket.send(Message::text(question.to_string())).await?;
        loop {
            let message = tokio::time::timeout(STUCK, receive(&mut socket)).await.map_err(|_| "stuck")??;
            if message["id"] == id && message["type"] == "lines" {
                break;
            }
            if message["type"] == "refused" {
                return Err(message.to_string().into());
            }
        }
        waits.push(asked.elapsed());
        if Instant::now() >= end {
            break;
        }
        drain(&mut socket, Duration::from_millis(1000 + next(2000))).await?;
    }
    Ok(waits)
}

/// Lets this many players think at a time; returns how late their moves came and the longest wait they were told.
async fn play_all(
    address: &str,
    players: u64,
    end: Instant,
) -> Result<(Vec<Vec<Duration>>, Duration), Failure> {
    let players: Vec<_> = (0..players).map(|_| tokio::spawn(play(address.to_owned(), end))).collect();
    let (mut late, mut told) = (Vec::new(), Duration::ZERO);
    for player in players {
        let (waits, wait) = player.await??;
        late.push(waits);
        told = told.max(wait);
    }
    Ok((late, told))
}

/// Asks for moves of one second; returns how late each came and the longest wait that the server announced.
async fn play(address: String, end: Instant) -> Result<(Vec<Duration>, Duration), Failure> {
    const TIME: Duration = Duration::from_secs(1);
    let (mut socket, _) = connect_async(format!("ws://{address}/api/live")).await?;
    let (mut late, mut told) = (Vec::new(), Duration::ZERO);
    while Instant::now() + TIME < end {
        let asked = Instant::now();
        let question = json!({"type": "think", "id": 1, "game": {}, "level": 10, "milliseconds": 1000});
        socket.send(Message::text(question.to_string())).await?;
        loop {
            let message = tokio::time::timeout(STUCK, receive(&mut socket)).await.map_err(|_| "stuck")??;
            match message["type"].as_str() {
                Some("answer") => break,
                Some("waiting") => {
                    told = told.max(Duration::from_millis(message["milliseconds"].as_u64().unwrap_or(0)));
                }
                _ => {}
            }
        }
        late.push(asked.elapsed().saturating_sub(TIME));
    }
    Ok((late, told))
}

/// Discards messages for some time.
async fn drain(socket: &mut Socket, time: Duration) -> Result<(), Failure> {
    let end = tokio::time::Instant::now() + time;
    while let Ok(received) = tokio::time::timeout_at(end, receive(socket)).await {
        received?;
    }
    Ok(())
}

async fn receive(socket: &mut Socket) -> Result<Value, Failure> {
    loop {
        match socket.next().await.ok_or("the socket was closed")?? {
            Message::Text(text) => return Ok(serde_json::from_str(&text)?),
            Message::Close(_) => return Err("the socket was closed".into()),
            _ => {}
        }
    }
}

/// Measures the time from a closed tab to a free engine.
async fn closed_tabs(address: &str) -> Result<(), Failure> {
    let mut times = Vec::new();
    for _ in 0..10 {
        let (mut socket, _) = connect_async(format!("ws://{address}/api/live")).await?;
        let question = json!({"type": "analyse", "id": 1, "game": {}, "lines": 1});
        socket.send(Message::text(question.to_string())).await?;
        drain(&mut socket, Duration::from_millis(300)).await?;
        let closed = Instant::now();
        drop(socket);
        while about(address).await?["searches"].as_u64().unwrap_or_default() > 0 {}
        times.push(closed.elapsed());
    }
    report("from a closed tab to a free engine", 1, &[times]);
    Ok(())
}

async fn about(address: &str) -> Result<Value, Failure> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET /api/about HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let body = answer.split("\r\n\r\n").nth(1).ok_or("no body")?;
    Ok(serde_json::from_str(body)?)
}

fn report(what: &str, visitors: u64, waits: &[Vec<Duration>]) {
    let mut all: Vec<Duration> = waits.concat();
    all.sort();
    let at = |share: usize| all.get((all.len() * share / 100).min(all.len().saturating_sub(1)));
    let shown = |time: Option<&Duration>| time.map_or(0, Duration::as_millis);
    println!(
        "{what}: {visitors} visitors, {} waits, median {} ms, 95 % {} ms, longest {} ms",
        all.len(),
        shown(at(50)),
        shown(at(95)),
        shown(all.last())
    );
}
