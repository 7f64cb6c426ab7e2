//! `chuhe moves` as a person or a program uses it.

use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

fn chuhe(arguments: &[&str]) -> Output {
    Command::cargo_bin("chuhe").unwrap().arg("moves").args(arguments).output().unwrap()
}

fn standard_output(output: &Output) -> &str {
    assert!(output.status.success(), "{output:?}");
    str::from_utf8(&output.stdout).unwrap()
}

/// Bad input: exit code 2, nothing on standard output, the reason on standard error.
fn complaint(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty());
    str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn the_start_position_has_44_moves_in_every_notation() {
    let output = chuhe(&[]);
    let text = standard_output(&output);
    assert!(text.lines().any(|line| line == "h2e2  h3e3    H2-E2  C2=5  炮二平五  炮二平五"), "{text}");
    assert!(text.lines().any(|line| line == "h0g2  h1g3    H0-G2  H2+3  馬二進三  马二进三"), "{text}");
    assert!(text.ends_with("44 legal moves for Red\n"));
    assert!(output.stderr.is_empty());
}

#[test]
fn programs_get_one_object() {
    let output = chuhe(&["--json", "--fen", "3k5/9/9/9/9/9/9/9/9/r3K4 w"]);
    let object: Value = serde_json::from_str(standard_output(&output)).unwrap();
    assert_eq!(object["in_check"], true);
    assert_eq!(object["moves"].as_array().unwrap().len(), 1);
    let mv = &object["moves"][0];
    for (key, value) in [
        ("move", "e0e1"),
        ("one_based", "e1e2"),
        ("iccs", "E0-E1"),
        ("wxf", "K5+1"),
        ("traditional", "帥五進一"),
        ("simplified", "帅五进一"),
    ] {
        assert_eq!(mv[key], value);
    }
}

#[test]
fn a_lost_position_says_so() {
    let output = chuhe(&["--fen", "3k5/9/9/9/9/9/9/9/r8/1r2K4 w"]);
    assert_eq!(standard_output(&output), "Red has no legal move: checkmate\n");
}

#[test]
fn bad_positions_are_explained() {
    assert_eq!(
        complaint(&chuhe(&["--fen", "9/9 w"])),
        "chuhe: bad FEN '9/9 w': expected 10 ranks separated by '/', found 2\n"
    );
    let composed = "3k5/9/9/9/9/1P7/9/9/9/4K4 w";
    let strict = chuhe(&["--strict", "--fen", composed]);
    assert!(complaint(&strict).contains("a red soldier cannot have reached b4"));
    let tolerant = chuhe(&["--fen", composed]);
    assert!(standard_output(&tolerant).ends_with("legal moves for Red\n"));
    assert!(str::from_utf8(&tolerant.stderr).unwrap().starts_with("chuhe: warning: "));
    complaint(&chuhe(&["--depth", "3"]));
}

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("chuhe"))
        .arg("moves")
        .stdout(writer)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
