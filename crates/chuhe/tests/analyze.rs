//! `chuhe analyze` as a user runs it.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

const GAME: &str =
    "[Red \"甲\"]\n[Black \"<b>\"]\n1. h2e2 h9g7 2. h0g2 i9h9 3. i0i1 b9c7 4. i1f1 c6c5 5. f1f9 e9f9 1-0\n";

struct Desk(TempDir);

impl Desk {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn analyze(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("chuhe").unwrap();
        command
            .current_dir(self.0.path())
            .env("CHUHE_HOME", self.0.path())
            .arg("analyze")
            .args(arguments)
            .args(["--depth", "5", "--hash", "1"]);
        command
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }
}

#[test]
fn a_blunder_is_marked_in_every_output() {
    let desk = Desk::new(&[("game.pgn", GAME)]);
    let printed = desk.analyze(&["game.pgn"]).assert().success();
    let printed = String::from_utf8_lossy(&printed.get_output().stdout).into_owned();
    assert!(printed.contains("R4+8 車四進八??"), "{printed}");
    desk.analyze(&["game.pgn", "--out", "out.pgn"]).assert().success();
    let pgn = desk.read("out.pgn");
    // Lines may break anywhere between words, and what comes before depends on the evaluation.
    let words = |text: &str| text.split_whitespace().collect::<String>();
    assert!(words(&pgn).contains("F1-F9$4{[%eval") && words(&pgn).contains("(5."), "{pgn}");
    desk.analyze(&["game.pgn", "--out", "out.json"]).assert().success();
    let json: Value = serde_json::from_str(&desk.read("out.json")).unwrap();
    assert_eq!(json[0]["moves"][8]["mark"], "??");
    assert!(json[0]["sides"]["red"]["blunders"].as_u64().unwrap() >= 1);
    desk.analyze(&["game.pgn", "--out", "out.html"]).assert().success();
    let page = desk.read("out.html");
    assert!(page.contains("<svg id=\"board\"") && !page.contains("<b>\""), "names are escaped");
    assert!(!desk.path("out.findings").exists());
}

#[test]
fn an_interrupted_analysis_goes_on_and_ends_the_same() {
    let desk = Desk::new(&[("game.pgn", GAME)]);
    desk.analyze(&["game.pgn", "--out", "whole.json"]).assert().success();
    let description = concat!(
        "chuhe ",
        env!("CARGO_PKG_VERSION"),
        ", depth 5, hash 1, rules wxf, endgame tables of up to 8 pieces"
    );
    // A finding that no search would make shows that it was not searched again; the cut one is dropped.
    let whole: Value = serde_json::from_str(&desk.read("whole.json")).unwrap();
    assert!(whole[0]["settings"] == description, "{}", whole[0]["settings"]);
    fs::write(desk.path("part.findings"), format!("{description}\n{{\"game\":1,\"ply\":0,\"fin")).unwrap();
    desk.analyze(&["game.pgn", "--out", "part.json"]).assert().success();
    assert_eq!(desk.read("part.json"), desk.read("whole.json"));
    fs::write(desk.path("part.findings"), "chuhe 0.1.0, depth 9, hash 1, rules wxf\n").unwrap();
    let output = desk.analyze(&["game.pgn", "--out", "part.json"]).assert().code(2);
    let complaint = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(complaint.contains("was begun as 'chuhe 0.1.0, depth 9"), "{complaint}");
}

#[test]
fn many_records_go_into_a_folder_and_are_not_analysed_twice() {
    let desk = Desk::new(&[("a.pgn", GAME), ("b.txt", "1-0\th2e2 h9g7\n*\ta0a9 h2e2\n")]);
    let arguments = ["a.pgn", "b.txt", "--out", "done", "--format", "pgn,html"];
    let output = desk.analyze(&arguments).assert().code(1);
    assert!(String::from_utf8_lossy(&output.get_output().stderr).contains("1 game was skipped"));
    for name in ["a.pgn", "a.html", "b.pgn", "b.html"] {
        assert!(desk.path("done").join(name).exists(), "{name}");
    }
    let before = fs::metadata(desk.path("done/a.pgn")).unwrap().modified().unwrap();
    let output = desk.analyze(&arguments).assert().success();
    assert!(String::from_utf8_lossy(&output.get_output().stderr).contains("2 records were analysed before"));
    assert_eq!(fs::metadata(desk.path("done/a.pgn")).unwrap().modified().unwrap(), before);
}

#[test]
fn bad_input_is_explained() {
    let desk = Desk::new(&[("game.pgn", GAME), ("empty.pgn", ""), ("b.txt", "*\th2e2\n")]);
    for (arguments, message) in [
        (&["none.pgn"][..], "none.pgn"),
        (&["empty.pgn"], "empty.pgn: no games found"),
        (&["game.pgn", "--out", "game.pgn"], "game.pgn would be written over"),
        (&["game.pgn", "b.txt", "--out", "x.html"], "--out must be a folder"),
    ] {
        let output = desk.analyze(arguments).assert().code(2);
        let complaint = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(complaint.contains(message), "{complaint}");
    }
    assert!(Path::new(&desk.path("game.pgn")).exists());
}

#[test]
fn the_analysis_says_where_tables_took_over_and_believes_them() {
    let text = "[FEN \"3k1a3/9/9/9/5N3/9/9/9/9/4K4 w - - 0 1\"]\n1. f5g7 f9e8 2. g7h9 *\n";
    let desk = Desk::new(&[("game.pgn", text)]);
    let printed = desk.analyze(&["game.pgn", "--json"]).assert().success();
    let json: Value = serde_json::from_slice(&printed.get_output().stdout).unwrap();
    assert_eq!(json[0]["table_from"], 0);
    assert_eq!(json[0]["moves"][0]["expectation"], 100.0);
    assert_eq!(json[0]["moves"][0]["in_tables"], true);
    assert!(json[0]["settings"].as_str().unwrap().ends_with("endgame tables of up to 8 pieces"));
    let printed = desk.analyze(&["game.pgn"]).assert().success();
    assert!(String::from_utf8_lossy(&printed.get_output().stdout).contains("endgame tables from ply 0"));
    let without = desk.analyze(&["game.pgn", "--json", "--tablebase", "none"]).assert().success();
    let json: Value = serde_json::from_slice(&without.get_output().stdout).unwrap();
    assert_eq!(json[0]["table_from"], Value::Null);
    let output = desk.analyze(&["game.pgn", "--tablebase", "nowhere"]).assert().code(2);
    let complaint = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(complaint.contains("no folder of endgame tables 'nowhere'"), "{complaint}");
}
