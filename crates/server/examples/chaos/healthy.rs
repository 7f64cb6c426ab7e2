//! Healthy visitors: they play with clocks, analyse, look up endgames and open records, and compare every answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chuhe_board::Position;
use chuhe_board::coords::{RankStyle, parse_move};
use serde_json::{Value, json};

use crate::client::{Failure, Live, Random, Target, receive, send};
use crate::laws::{Kind, Samples};

/// The visitors' address.
const HOST: u8 = 1;
/// So many of the visitors play at a time; the server has as many engines.
pub(crate) const PLAYERS: usize = 2;
const THINK: Duration = Duration::from_secs(1);

/// Requests whose answers never change.
const REQUESTS: [(&str, &str); 4] = [
    ("/api/endgame", r#"{"game":{"start":"3k5/9/9/9/9/9/9/9/4R4/4K4 w"}}"#),
    ("/api/position", r#"{"game":{"moves":["h2e2","h9g7","h0g2"]},"language":"zh-Hant"}"#),
    ("/api/explain", r#"{"fen":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"}"#),
    ("/api/read?name=game.pgn", "[Red \"Hu\"]\n[Black \"Liu\"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 *\n"),
];

/// The answers of an undisturbed server.
pub(crate) struct Expected(Vec<String>);

impl Expected {
    pub(crate) async fn ask(target: Target) -> Result<Self, Failure> {
        let mut answers = Vec::new();
        for (path, body) in REQUESTS {
            let answer = target.ask(HOST, "POST", path, body.as_bytes()).await?;
            if answer.status != 200 {
                return Err(format!("{path}: {} {}", answer.status, answer.body).into());
            }
            answers.push(answer.body);
        }
        Ok(Self(answers))
    }
}

/// One visitor, until `end`.
pub(crate) async fn visit(
    number: usize,
    target: Target,
    expected: Arc<Expected>,
    samples: Arc<Samples>,
    end: Instant,
) {
    let mut random = Random::new(number as u64);
    // Arrivals are spread.
    tokio::time::sleep(Duration::from_millis(random.below(2000))).await;
    while Instant::now() + 2 * THINK < end {
        let visit = async {
            match number {
                0..PLAYERS => play(&target, &samples, end).await,
                _ if number.is_multiple_of(3) => browse(&target, &expected, &samples, &mut random).await,
                _ => analyse(&target, &samples, &mut random, end).await,
            }
        };
        if let Err(error) = visit.await {
            samples.failure(&error.to_string());
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
}

/// Plays a game with itself, a second a move, and checks every move.
async fn play(target: &Target, samples: &Samples, end: Instant) -> Result<(), Failure> {
    let mut socket = target.live(HOST).await?;
    let (mut position, mut moves) = (Position::start(), Vec::new());
    while Instant::now() + 2 * THINK < end && moves.len() < 100 {
        let asked = Instant::now();
        let milliseconds = THINK.as_millis() as u64;
        let question = json!({"type": "think", "id": 1, "game": {"moves": moves}, "level": 10, "milliseconds": milliseconds});
        send(&mut socket, &question).await?;
        let answer = until(&mut socket, "answer").await?;
        samples.wait(Kind::Move, asked.elapsed().saturating_sub(THINK));
        let Some(text) = answer["best"]["move"].as_str() else { break };
        let mv = parse_move(text, RankStyle::FromZero)?;
        if !position.is_legal(mv) {
            samples.wrong(&format!("{text} is illegal"));
            break;
        }
        let _ = position.play(mv, &mut ());
        moves.push(text.to_owned());
        if position.moves().is_empty() {
            break;
        }
    }
    Ok(())
}

/// Plays a few random moves with the analysis on.
async fn analyse(
    target: &Target,
    samples: &Samples,
    random: &mut Random,
    end: Instant,
) -> Result<(), Failure> {
    let mut socket = target.live(HOST).await?;
    let (mut position, mut moves) = (Position::start(), Vec::new());
    for id in 1..20 {
        let legal = position.moves();
        if legal.is_empty() || Instant::now() + 2 * THINK >= end {
            break;
        }
        let mv = legal[random.below(legal.len() as u64) as usize];
        let _ = position.play(mv, &mut ());
        moves.push(mv.to_string());
        if position.moves().is_empty() {
            break;
        }
        let asked = Instant::now();
        send(&mut socket, &json!({"type": "analyse", "id": id, "game": {"moves": moves}, "lines": 3}))
            .await?;
        let lines = loop {
            let message = until(&mut socket, "lines").await?;
            if message["id"] == id {
                break message;
            }
        };
        samples.wait(Kind::FirstLine, asked.elapsed());
        let first = lines["lines"][0]["moves"][0]["move"].as_str().unwrap_or_default();
        if !parse_move(first, RankStyle::FromZero).is_ok_and(|mv| position.is_legal(mv)) {
            samples.wrong(&format!("{first} is illegal"));
        }
        tokio::time::sleep(Duration::from_millis(1000 + random.below(2000))).await;
    }
    Ok(())
}

/// Asks what has one right answer.
async fn browse(
    target: &Target,
    expected: &Expected,
    samples: &Samples,
    random: &mut Random,
) -> Result<(), Failure> {
    let index = random.below(REQUESTS.len() as u64) as usize;
    let (path, body) = REQUESTS[index];
    let asked = Instant::now();
    let answer = target.ask(HOST, "POST", path, body.as_bytes()).await?;
    if answer.status != 200 {
        return Err(format!("{path}: {} {}", answer.status, answer.body).into());
    }
    samples.wait(Kind::Request, asked.elapsed());
    if answer.body != expected.0[index] {
        samples.wrong(path);
    }
    tokio::time::sleep(Duration::from_millis(500 + random.below(2000))).await;
    Ok(())
}

async fn until(socket: &mut Live, kind: &str) -> Result<Value, Failure> {
    loop {
        let message = receive(socket).await?;
        if message["type"] == kind {
            return Ok(message);
        }
        if message["type"] == "refused" {
            return Err(message["reason"].to_string().into());
        }
    }
}
