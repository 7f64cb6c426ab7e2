//! `chuhe judge` as a user runs it.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

const FEN: &str = "3k5/9/9/6c2/9/9/9/6R2/9/5K3 b";
const CYCLE: &str = "g6h6 g2h2 h6g6 h2g2 ";

fn judge(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("chuhe").unwrap();
    command.arg("judge").args(arguments);
    command
}

fn json(arguments: &[&str]) -> Value {
    let output = judge(arguments).arg("--json").assert().success();
    serde_json::from_slice(&output.get_output().stdout).unwrap()
}

fn complaint(arguments: &[&str]) -> String {
    let output = judge(arguments).assert().code(2);
    String::from_utf8(output.get_output().stderr.clone()).unwrap()
}

#[test]
fn the_verdict_falls_at_the_third_occurrence_or_as_told() {
    let once = json(&["--fen", FEN, "--moves", CYCLE]);
    assert_eq!((&once["result"], &once["clause"]), (&"undecided".into(), &Value::Null));
    assert_eq!(json(&["--fen", FEN, "--moves", CYCLE, "--fold", "2"])["result"], "black_wins");
    let twice = json(&["--fen", FEN, "--moves", &CYCLE.repeat(2)]);
    assert_eq!((&twice["result"], &twice["clause"]), (&"black_wins".into(), &"perpetual-chase".into()));
    assert_eq!(twice["reasons"].as_array().unwrap().len(), 8);
}

#[test]
fn the_rules_and_the_language_can_be_chosen() {
    let moves = CYCLE.repeat(2);
    assert_eq!(json(&["--fen", FEN, "--moves", &moves, "--rules", "computer"])["result"], "draw");
    let text = judge(&["--fen", FEN, "--moves", &moves, "--lang", "zh-Hant"]).assert().success();
    assert!(String::from_utf8_lossy(&text.get_output().stdout).starts_with("黑方勝：紅方長捉，不變作負。"));
}

#[test]
fn a_file_can_be_judged() {
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/rules/shark-brainchess.txt");
    assert_eq!(json(&[game.to_str().unwrap()])["result"], "draw");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    fs::write(&path, format!("# a chase\n{FEN}\n{CYCLE}\n{CYCLE}\n")).unwrap();
    assert_eq!(json(&[path.to_str().unwrap()])["result"], "black_wins");
}

#[test]
fn a_record_of_any_format_can_be_judged() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("game.txt");
    fs::write(&list, format!("{FEN}\n{}", CYCLE.repeat(2))).unwrap();
    for extension in ["pgn", "xqf", "cbr", "cbl", "ubb", "json"] {
        let path = folder.path().join("game").with_extension(extension);
        Command::cargo_bin("chuhe").unwrap().arg("convert").args([&list, &path]).assert().success();
        assert_eq!(json(&[path.to_str().unwrap()])["result"], "black_wins", "{extension}");
    }
}

#[test]
fn one_of_several_games_is_chosen_by_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.txt");
    let text = format!("{FEN}\n{CYCLE}\n{FEN}\n{}", CYCLE.repeat(2));
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    assert!(complaint(&[path]).contains("2 games: choose one with --number"));
    assert_eq!(json(&[path, "--number", "2"])["result"], "black_wins");
    assert!(complaint(&[path, "--number", "3"]).contains("only 2 games"));
}

#[test]
fn an_illegal_move_in_a_record_is_named_by_ply_move_and_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.pgn");
    fs::write(&path, "1. h2e2 h9g7\n2. e2e9 *\n").unwrap();
    let complaint = complaint(&[path.to_str().unwrap()]);
    let reason = "game 1, line 2: ply 3: e2e9 is illegal: a red cannon does not move from e2 to e9 there\n";
    assert!(complaint.ends_with(reason), "{complaint}");
}

#[test]
fn bad_input_is_named_by_ply_move_and_reason() {
    assert_eq!(
        complaint(&["--fen", FEN, "--moves", "g6h6 g2h3"]),
        "chuhe: ply 2: g2h3 is illegal: a red chariot does not move from g2 to h3 there\n"
    );
    assert_eq!(
        complaint(&["--fen", FEN, "--moves", "g6h6 nonsense"]),
        "chuhe: ply 2: 'nonsense' is not a move: expected two points such as 'h2e2'\n"
    );
    assert_eq!(
        complaint(&["--fen", "3k5/9/9/9/9/9/9/9/9/3K5 w"]),
        "chuhe: bad FEN '3k5/9/9/9/9/9/9/9/9/3K5 w': the generals face each other on file d\n"
    );
    assert!(complaint(&["no-such-file"]).contains("no-such-file"));
    assert!(complaint(&["--fold", "4"]).contains("--fold"));
}
