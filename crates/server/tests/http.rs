//! The server over real sockets, with well-behaved and hostile clients.

use std::path::Path;
use std::time::{Duration, Instant};

use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_board::{Move, Outcome};
use chuhe_collection::{Collection, PackedWriter};
use chuhe_notation::pgn;
use chuhe_server::{Limits, Settings};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

#[path = "support/server.rs"]
mod server;
use server::{PATIENCE, get, open, post, receive, send, serve, serve_with};

fn analyse(id: u32) -> Value {
    json!({"type": "analyse", "id": id, "game": {"moves": ["h2e2"]}, "lines": 2})
}

#[tokio::test]
async fn an_analysis_streams_lines_in_every_notation_until_replaced() {
    let address = serve(Limits::default()).await;
    let mut socket = open(address).await;
    send(&mut socket, analyse(1)).await;
    let lines = receive(&mut socket).await;
    assert_eq!((lines["type"].as_str(), lines["id"].as_u64()), (Some("lines"), Some(1)));
    assert_eq!(lines["lines"].as_array().unwrap().len(), 2);
    let first = &lines["lines"][0]["moves"][0];
    assert!(first["wxf"].is_string() && first["traditional"].is_string(), "{first}");
    send(&mut socket, analyse(2)).await;
    while receive(&mut socket).await["id"] != 2 {}
}

#[tokio::test]
async fn a_move_is_answered_once_and_the_socket_stays_open() {
    let address = serve(Limits::default()).await;
    let mut socket = open(address).await;
    for level in [1, 5, 10] {
        send(
            &mut socket,
            json!({"type": "think", "id": level, "game": {}, "level": level, "milliseconds": 100}),
        )
        .await;
        let answer = loop {
            let message = receive(&mut socket).await;
            if message["type"] == "answer" {
                break message;
            }
        };
        assert_eq!(answer["id"], level);
        assert_eq!(answer["best"]["move"].as_str().unwrap().len(), 4);
    }
}

#[tokio::test]
async fn players_beyond_the_engines_are_told_the_wait() {
    let address = serve(Limits::default()).await;
    let think = json!({"type": "think", "id": 1, "game": {}, "level": 10, "milliseconds": 500});
    let (mut first, mut second) = (open(address).await, open(address).await);
    send(&mut first, think.clone()).await;
    send(&mut second, think).await;
    // One engine: whoever comes second hears it at once.
    let told = loop {
        let message = tokio::select! {
            message = receive(&mut first) => message,
            message = receive(&mut second) => message,
        };
        if message["type"] == "waiting" {
            break message;
        }
        assert_eq!(message["type"], "lines", "{message}");
    };
    assert_eq!((told["players"].as_u64(), told["engines"].as_u64()), (Some(2), Some(1)));
    assert!(told["milliseconds"].as_u64().unwrap() > 0);
    for socket in [&mut first, &mut second] {
        while receive(socket).await["type"] != "answer" {}
    }
}

#[tokio::test]
async fn bad_messages_are_refused_and_others_unaffected() {
    let address = serve(Limits::default()).await;
    let mut good = open(address).await;
    send(&mut good, analyse(7)).await;
    receive(&mut good).await;
    let mut bad = open(address).await;
    for (message, key, culprit) in [
        ("{", "malformed", "not understood"),
        (r#"{"type":"format","disk":"c"}"#, "malformed", "not understood"),
        (r#"{"type":"analyse","id":1,"game":{"start":"9/9 w"},"lines":1}"#, "bad_fen", "expected 10 ranks"),
        (
            r#"{"type":"analyse","id":1,"game":{"moves":["a0a9"]},"lines":1}"#,
            "illegal_move",
            "a0a9 is illegal",
        ),
    ] {
        bad.send(Message::text(message)).await.unwrap();
        let answer = receive(&mut bad).await;
        assert_eq!(answer["type"], "refused");
        assert_eq!(answer["reason"]["key"], key);
        assert!(answer["reason"]["text"].as_str().unwrap().contains(culprit), "{answer}");
    }
    assert_eq!(receive(&mut good).await["type"], "lines");
}

#[tokio::test]
async fn a_flooding_client_is_disconnected() {
    let address = serve(Limits { messages_per_second: 2, ..Limits::default() }).await;
    let mut socket = open(address).await;
    for _ in 0..20 {
        if socket.send(Message::text(r#"{"type":"stop"}"#)).await.is_err() {
            return;
        }
    }
    assert_eq!(receive(&mut socket).await, json!({"closed": "too many messages"}));
}

#[tokio::test]
async fn an_oversized_message_closes_only_its_own_socket() {
    let address = serve(Limits::default()).await;
    let mut good = open(address).await;
    let mut bad = open(address).await;
    let _ = bad.send(Message::text("x".repeat(1 << 20))).await;
    while let Some(Ok(_)) = tokio::time::timeout(PATIENCE, bad.next()).await.expect("the socket closes") {}
    send(&mut good, analyse(1)).await;
    assert_eq!(receive(&mut good).await["type"], "lines");
}

#[tokio::test]
async fn a_closed_tab_frees_the_only_engine() {
    let address = serve(Limits::default()).await;
    let mut first = open(address).await;
    send(&mut first, analyse(1)).await;
    receive(&mut first).await;
    drop(first);
    // Generous for a busy machine; `make bench-web` measures the time.
    let end = Instant::now() + PATIENCE;
    loop {
        let about = get(address, "/api/about").await;
        if about.contains("\"searches\":0") {
            break;
        }
        assert!(Instant::now() < end, "{about}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test]
async fn sockets_and_connections_are_limited() {
    let address = serve(Limits { sockets: 1, ..Limits::default() }).await;
    let first = open(address).await;
    let refused = connect_async(format!("ws://{address}/api/live")).await.unwrap_err().to_string();
    assert!(refused.contains("503"), "{refused}");
    drop(first);

    let address = serve(Limits { connections: 1, ..Limits::default() }).await;
    let _silent = TcpStream::connect(address).await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    let full = get(address, "/api/about").await;
    assert!(full.starts_with("HTTP/1.1 503"), "{full}");
}

#[tokio::test]
async fn pages_of_other_sites_cannot_open_a_socket() {
    let address = serve(Limits::default()).await;
    let mut request = format!("ws://{address}/api/live").into_client_request().unwrap();
    request.headers_mut().insert("origin", "http://evil.example".parse().unwrap());
    let refused = connect_async(request).await.unwrap_err().to_string();
    assert!(refused.contains("403"), "{refused}");
}

#[tokio::test]
async fn requests_are_answered_or_refused_as_json() {
    let address = serve(Limits { body_bytes: 1000, ..Limits::default() }).await;
    let answer = post(address, "/api/position", r#"{"game":{"moves":[]},"language":"zh-Hant"}"#).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("炮二平五"), "{answer}");
    assert!(answer.contains("content-security-policy: default-src 'none'"));
    for (path, body, status, culprit) in [
        ("/api/position", "{", "400", "error"),
        ("/api/position", r#"{"game":{"start":"x"},"language":"en"}"#, "422", "bad FEN"),
        ("/api/position", r#"{"game":{},"language":"fr"}"#, "422", "'fr' is not a language"),
        ("/api/explain", r#"{"fen":"9/9"}"#, "422", "expected 10 ranks"),
        ("/api/read?name=a.pgn", "hello", "422", "error"),
        ("/api/read?game=x", "h2e2", "400", "malformed"),
        (
            "/api/write?style=x",
            r#"{"tags":[],"start":"","result":"*","comment":"","nodes":[]}"#,
            "400",
            "malformed",
        ),
        ("/api/write?format=exe", "{}", "4", "error"),
        ("/api/secrets", "{}", "404", "no such request"),
        ("/api/endgame", r#"{"game":{"start":"9/9 w"}}"#, "422", "expected 10 ranks"),
        ("/api/build", r#"{"name":"KX-K"}"#, "422", "is not one of"),
        ("/api/build", r#"{"name":"KRRNNCC-KRRNNCC"}"#, "422", "MB of memory to build"),
        ("/api/banqi", r#"{"game":{"moves":["a1"]}}"#, "422", "does not say what the flip showed"),
        ("/api/banqi", r#"{"game":{"moves":[]},"deal":1}"#, "422", "unknown field"),
        ("/api/banqi/think", r#"{"game":{"moves":["a1-a2"]},"level":1}"#, "422", "not legal"),
        ("/api/games", r#"{"fen":"x"}"#, "422", "bad FEN"),
        ("/api/games", r#"{"result":"win"}"#, "422", "a result is"),
        ("/api/read", &"x".repeat(2000), "413", "error"),
    ] {
        let answer = post(address, path, body).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{path}: {answer}");
        assert!(
            answer.contains("application/json") && answer.contains(r#""key":""#) && answer.contains(culprit),
            "{path}: {answer}"
        );
    }
}

#[tokio::test]
async fn a_report_streams_progress_and_then_the_result() {
    let address = serve(Limits::default()).await;
    let mut socket = open(address).await;
    let game = json!({"moves": ["h2e2", "h9g7", "e2e6"]});
    send(&mut socket, json!({"type": "report", "id": 5, "game": game})).await;
    let mut progress = Vec::new();
    let report = loop {
        let message = receive(&mut socket).await;
        assert_eq!(message["id"], 5, "{message}");
        match message["type"].as_str() {
            Some("progress") => progress.push(message["done"].as_u64().unwrap()),
            _ => break message,
        }
    };
    // The four positions, and those that were searched again because their scores were in doubt.
    assert!(progress.len() >= 3, "{progress:?}");
    assert_eq!(progress, (1..=progress.len() as u64).collect::<Vec<_>>());
    assert_eq!(report["type"], "report");
    let analysis = &report["analysis"];
    assert_eq!(analysis["moves"].as_array().unwrap().len(), 3);
    assert!(analysis["sides"]["red"]["accuracy"].as_f64().unwrap() < 100.0, "a cannon for a soldier");
    assert!(analysis["book_plies"].as_u64().is_some());
    assert_eq!(report["scores"].as_array().unwrap().len(), 4);
    assert_eq!(report["lines"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn a_game_of_banqi_shows_only_what_was_flipped() {
    let address = serve(Limits::default()).await;
    let start = post(address, "/api/banqi", r#"{"game":{"moves":[]},"move":"c2"}"#).await;
    let view: Value = serde_json::from_str(start.split("\r\n\r\n").last().unwrap()).unwrap();
    assert_eq!(view["cells"].as_str().unwrap().matches('?').count(), 31);
    let game = json!({"game": {"moves": view["played"]}, "level": 1}).to_string();
    let answer = post(address, "/api/banqi/think", &game).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"move\":"), "{answer}");
}

#[tokio::test]
async fn records_outside_the_folders_cannot_be_read() {
    let outside = tempfile::tempdir().unwrap();
    let folder = outside.path().join("inside");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(outside.path().join("secret.pgn"), "1. h2e2 *").unwrap();
    std::fs::write(folder.join("open.pgn"), "1. h2e2 *").unwrap();
    let address = serve_with(Settings { records: vec![folder], ..Settings::default() }).await;
    assert!(get(address, "/api/records").await.contains("0/open.pgn"));
    assert!(get(address, "/api/records/read?name=0/open.pgn").await.starts_with("HTTP/1.1 200"));
    for name in
        ["0/../secret.pgn", "0%2f..%2fsecret.pgn", "../secret.pgn", "/etc/passwd", "0/inside/open.pgn"]
    {
        let answer = get(address, &format!("/api/records/read?name={name}")).await;
        assert!(answer.starts_with("HTTP/1.1 404"), "{name}: {answer}");
    }
    let games = post(address, "/api/games", "{}").await;
    assert!(games.contains("\"all\":null"), "there is no collection: {games}");
}

/// Games on disk: one of the starter collection, two of the user's.
fn games_in(folder: &Path) -> Settings {
    let moves = |text: &str| -> Vec<Move> {
        text.split(' ').map(|word| parse_move(word, RankStyle::FromZero).unwrap()).collect()
    };
    let (starter, games) = (folder.join("starter.games"), folder.join("games.db"));
    let mut list = PackedWriter::open(&starter, "ours").unwrap();
    list.add(&moves("b2e2 b9c7"), Outcome::Draw).unwrap();
    let mut collection = Collection::open(&games).unwrap();
    let mut import = collection.import(false).unwrap();
    for text in ["[Red \"A\"] 1. h2e2 h9g7 1-0", "[Red \"B\"] 1. c3c4 0-1"] {
        import.add(&pgn::read(text, RankStyle::FromZero).next().unwrap().unwrap()).unwrap();
    }
    import.finish().unwrap();
    Settings { starter: Some(starter), games: Some(games), ..Settings::default() }
}

#[tokio::test]
async fn the_explorer_counts_our_games_and_the_visitors() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve_with(games_in(folder.path())).await;
    let ask = async |of: &str| -> Value {
        let body = format!(r#"{{"game":{{"moves":[]}},"of":"{of}"}}"#);
        let answer = post(address, "/api/opening/games", &body).await;
        serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap()).unwrap()
    };
    let counts = |answer: &Value| -> Vec<(String, [u64; 4])> {
        let rows = answer["moves"].as_array().unwrap().iter();
        let number = |row: &Value, name: &str| row[name].as_u64().unwrap();
        rows.map(|row| {
            let counts = ["games", "red", "draws", "black"].map(|name| number(row, name));
            (row["move"].as_str().unwrap().to_owned(), counts)
        })
        .collect()
    };
    let both = ask("both").await;
    assert_eq!((&both["ours"], &both["mine"]), (&json!(1), &json!(2)));
    assert_eq!(counts(&both), [("h2e2".to_owned(), [2, 1, 1, 0]), ("g3g4".to_owned(), [1, 0, 0, 1])]);
    assert_eq!(both["moves"][0]["name"]["english"], "Central Cannon");
    assert_eq!(counts(&ask("ours").await), [("h2e2".to_owned(), [1, 0, 1, 0])]);
    assert_eq!(counts(&ask("mine").await).len(), 2);
    let listed: Vec<&Value> = both["games"].as_array().unwrap().iter().map(|game| &game["of"]).collect();
    assert_eq!(listed, ["mine", "mine", "ours"]);
    assert!(get(address, "/api/games/1?of=ours").await.contains("\"b2e2\""));
    assert!(get(address, "/api/games/1").await.contains("\"h2e2\""));
    assert!(get(address, "/api/games/1?of=theirs").await.starts_with("HTTP/1.1 400"));
}

#[tokio::test]
async fn a_search_ends_at_its_time_limit() {
    let address = serve(Limits { analysis_seconds: 1, ..Limits::default() }).await;
    let mut socket = open(address).await;
    send(&mut socket, analyse(1)).await;
    while receive(&mut socket).await["finished"] != true {}
    assert!(get(address, "/api/about").await.contains("\"searches\":0"));
}

#[tokio::test]
async fn half_open_connections_do_not_block_others() {
    let address = serve(Limits::default()).await;
    let mut good = open(address).await;
    send(&mut good, analyse(1)).await;
    let mut idle = Vec::new();
    for part in [
        "",
        "GET /api/live HTTP/1.1\r\nhost",
        "POST /api/read HTTP/1.1\r\nhost: localhost\r\ncontent-length: 999\r\n\r\nx",
    ] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(part.as_bytes()).await.unwrap();
        idle.push(stream);
    }
    assert_eq!(receive(&mut good).await["type"], "lines");
    assert!(get(address, "/api/about").await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn no_path_leads_out_of_the_pages() {
    let address = serve(Limits::default()).await;
    for path in [
        "/../Cargo.toml",
        "/..%2f..%2fCargo.toml",
        "//etc/passwd",
        "/%2e%2e/package.json",
        "/../package.json",
    ] {
        let answer = get(address, path).await;
        assert!(!answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
    }
}
