//! `chuhe banqi` as a user or a program meets it.

use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

fn banqi(arguments: &[&str], input: &str) -> Output {
    // No tables of whoever runs the tests.
    Command::cargo_bin("chuhe")
        .unwrap()
        .env("CHUHE_HOME", "/nonexistent")
        .arg("banqi")
        .args(arguments)
        .write_stdin(input)
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

#[track_caller]
fn assert_refused(output: &Output, message: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(stderr.contains(message) && !stderr.contains("panicked"), "'{stderr}' does not say '{message}'");
}

#[test]
fn go_finds_a_capture_and_prints_json() {
    let output = banqi(&["go", "--position", "Kg6/8/8/7p r -", "--depth", "3", "--json"], "");
    let found: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(found["best"], "a1-b1");
    assert!(found["nodes"].as_u64().unwrap() > 0);
}

#[test]
fn bad_positions_and_moves_are_refused() {
    let refused = |position: &str, message: &str| {
        assert_refused(&banqi(&["go", "--depth", "1", "--position", position], ""), message);
    };
    refused("KK6/8/8/7p r -", "there are 2 of 'K'");
    refused("K?6/8/8/7p r -", "1 pieces lie face down, but the pool holds 0");
    refused("K7/8/8/7p", "expected 'ROWS SIDE POOL [QUIET]'");
    refused("K7/8/8/8 r -", "the game is over");
    let moves = |moves: &str| banqi(&["go", "--depth", "1", "--moves", moves], "");
    assert_refused(&moves("a1-a2"), "this move is not legal here");
    assert_refused(&moves("a1"), "does not say what the flip revealed");
    assert_refused(&moves("a1(X)"), "'a1(X)' is not a move");
}

#[test]
fn perft_counts_what_flips_may_show() {
    let output = banqi(&["perft", "--depth", "1", "--json"], "");
    let count: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(count["nodes"], 448);
}

#[test]
fn a_match_counts_every_game_and_writes_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("games.txt");
    let journal_text = journal.to_str().unwrap();
    let output = banqi(
        &["match", "2", "random", "--games", "2", "--nodes", "200", "--journal", journal_text, "--json"],
        "",
    );
    let result: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(result["games"], 2);
    let points = ["wins", "draws", "losses"].map(|name| result[name].as_u64().unwrap());
    assert_eq!(points.iter().sum::<u64>(), 2);
    assert_eq!(result["forfeits"]["illegal"], 0);
    let lines = std::fs::read_to_string(&journal).unwrap();
    assert_eq!(lines.lines().count(), 2);
    assert!(lines.starts_with("0 first-flips "), "{lines}");
}

#[test]
fn a_program_is_driven_through_the_text_protocol() {
    let program = assert_cmd::cargo::cargo_bin!("chuhe");
    let player = format!("cmd:{} banqi engine --hash 1", program.display());
    let output = banqi(&["match", &player, "random", "--games", "2", "--clock", "2", "--json"], "");
    let result: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(result["games"], 2, "{output:?}");
    assert_eq!(result["forfeits"], serde_json::json!({"time": 0, "illegal": 0, "crash": 0}));
}

#[test]
fn tables_are_built_checked_and_asked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("banqi.tables");
    let file = file.to_str().unwrap();
    let build = banqi(&["tb", "--tables", file, "build", "--pieces", "2"], "");
    assert!(build.status.success(), "{build:?}");
    let verify = banqi(&["tb", "--tables", file, "verify"], "");
    assert!(stdout(&verify).contains("positions agree with the rules"), "{verify:?}");
    let probe = banqi(&["tb", "--tables", file, "probe", "--position", "Kg6/8/8/8 r -"], "");
    assert_eq!(stdout(&probe), "won, the next capture or the end in 1 plies; best is a1-b1\n");
    assert_refused(
        &banqi(&["tb", "--tables", "/nonexistent/x", "stats"], ""),
        "cannot read the endgame tables",
    );
    std::fs::write(file, "something else").unwrap();
    assert_refused(&banqi(&["tb", "--tables", file, "stats"], ""), "this is no file of Banqi tables");
}

#[test]
fn a_person_plays_and_mistakes_are_told() {
    let output = banqi(&["play", "--level", "1", "--seed", "5"], "z9\na1-a2\na1\nquit\n");
    let text = stdout(&output);
    assert!(output.status.success());
    assert!(text.contains("'z9' is not a move"), "{text}");
    assert!(text.contains("this move is not legal here"));
    assert!(text.contains("it plays "));
}

#[test]
fn fen_lines_are_answered_and_nonsense_is_only_warned_about() {
    let output = banqi(&["engine", "--protocol", "fen"], "nonsense\nkA6/8/8/8 r 500 500\n");
    assert_eq!(stdout(&output), "MOVE a1 b1\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("found 1 words"));
}
