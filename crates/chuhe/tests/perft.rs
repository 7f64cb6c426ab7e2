//! `chuhe perft` as a user or a program meets it.

use std::io;
use std::process::{Output, Stdio};

use assert_cmd::Command;
use serde_json::Value;

fn perft(arguments: &[&str]) -> Output {
    Command::cargo_bin("chuhe").unwrap().arg("perft").args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// The command fails with exit code 2, says this much on standard error and nothing else.
#[track_caller]
fn assert_refused(output: &Output, message: &str) {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(stdout(output), "");
    assert!(stderr(output).contains(message), "'{}' does not say '{message}'", stderr(output));
    assert!(!stderr(output).contains("panicked"), "{}", stderr(output));
}

#[test]
fn json_is_one_object_with_the_promised_fields() {
    let output = perft(&["--depth", "3", "--json"]);
    assert!(output.status.success());
    assert_eq!(stderr(&output), "");
    assert_eq!(stdout(&output).lines().count(), 1);
    let object: Value = serde_json::from_str(stdout(&output)).unwrap();
    let fields: Vec<&String> = object.as_object().unwrap().keys().collect();
    assert_eq!(fields.len(), 5, "{fields:?}");
    assert_eq!(object["fen"], "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1");
    assert_eq!(object["depth"], 3);
    assert_eq!(object["nodes"], 79_666);
    assert!(object["seconds"].as_f64().unwrap() >= 0.0);
    assert!(object["nps"].is_u64());
}

#[test]
fn divided_counts_add_up_on_any_number_of_threads() {
    let fen = "4ka3/4a4/9/9/4N4/p8/9/4C3c/7n1/2BK5 w";
    for threads in ["1", "3"] {
        let output = perft(&["--fen", fen, "--depth", "3", "--divide", "--threads", threads, "--json"]);
        let object: Value = serde_json::from_str(stdout(&output)).unwrap();
        let moves = object["moves"].as_array().unwrap();
        assert_eq!(moves.len(), 23);
        assert_eq!(moves.iter().map(|mv| mv["nodes"].as_u64().unwrap()).sum::<u64>(), 8124);
        assert_eq!(object["nodes"], 8124);
    }
}

#[test]
fn depth_zero_is_the_position_itself() {
    for extra in [&["--depth", "0", "--json"][..], &["--depth", "0", "--divide", "--json"]] {
        let output = perft(extra);
        let object: Value = serde_json::from_str(stdout(&output)).unwrap();
        assert_eq!(object["nodes"], 1);
    }
}

#[test]
fn a_lost_position_has_no_lines() {
    let stalemate = "3k5/4P4/4P4/9/9/9/9/9/9/4K4 b";
    let output = perft(&["--fen", stalemate, "--depth", "1", "--json"]);
    let object: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(object["nodes"], 0);
}

#[test]
fn a_bad_fen_is_named() {
    assert_refused(&perft(&["--fen", "", "--depth", "1"]), "the FEN is empty");
    assert_refused(&perft(&["--fen", "9/9", "--depth", "1"]), "bad FEN '9/9': expected 10 ranks");
    let no_general = "9/9/9/9/9/9/9/9/9/4K4 w";
    assert_refused(&perft(&["--fen", no_general, "--depth", "1"]), "Black has no general");
    assert_refused(&perft(&["--fen", "楚河漢界", "--depth", "1"]), "bad FEN '楚河漢界'");
}

#[test]
fn strictness_turns_a_warning_into_an_error() {
    let composed = "3k5/9/9/9/9/1P7/9/9/9/4K4 w";
    let warned = perft(&["--fen", composed, "--depth", "1"]);
    assert!(warned.status.success());
    assert_eq!(stderr(&warned), "chuhe: warning: a red soldier cannot have reached b4\n");
    let refused = perft(&["--fen", composed, "--depth", "1", "--strict"]);
    assert_refused(&refused, "a red soldier cannot have reached b4");
}

#[test]
fn absurd_depths_and_threads_are_refused() {
    for depth in ["-1", "10", "99999999999999999999", "1.5", "deep", ""] {
        assert_refused(&perft(&[&format!("--depth={depth}")]), "--depth");
    }
    for threads in ["0", "-1", "100000", "many"] {
        assert_refused(&perft(&["--depth", "1", &format!("--threads={threads}")]), "--threads");
    }
    assert_refused(&perft(&[]), "--depth");
    assert_refused(&perft(&["--depth", "1", "h2e2"]), "h2e2");
}

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    for extra in [&[][..], &["--json"], &["--divide"]] {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("chuhe"))
            .args(["perft", "--depth", "2"])
            .args(extra)
            .stdout(Stdio::from(writer))
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }
}

#[test]
fn help_shows_an_example() {
    let output = perft(&["--help"]);
    assert!(output.status.success());
    assert!(stdout(&output).contains("Example: chuhe perft --depth 4 --divide"));
}
