//! `chuhe games` as a user runs it.

use std::fs;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

const GAMES: &str =
    "[Red \"甲\"]\n[Black \"乙\"]\n1. h2e2 {好} h9g7 1-0\n\n[Red \"丙\"]\n1. c3c4 *\n\n1. a0a9 h2e2 *\n";

struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
        Self(folder)
    }

    fn games(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("chuhe").unwrap();
        command.current_dir(self.0.path()).env("CHUHE_HOME", self.0.path()).arg("games").args(arguments);
        command
    }

    fn complaint(&self, arguments: &[&str]) -> String {
        let output = self.games(arguments).assert();
        let stderr = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        output.code(if stderr.ends_with("skipped\n") { 1 } else { 2 });
        stderr
    }
}

#[test]
fn games_are_imported_found_and_exported() {
    let desk = Desk::new();
    let complaint = desk.complaint(&["import", "games.pgn"]);
    assert!(complaint.contains("game 3, line 8: ply 1: a0a9 is illegal"), "{complaint}");
    assert!(complaint.ends_with("1 game was skipped\n"), "{complaint}");
    assert!(desk.0.path().join("games.db").exists());
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/4C2C1/9/RNBAKABNR b";
    let found = desk.games(&["search", "--fen", fen, "--json"]).assert().success();
    let found: Value = serde_json::from_slice(&found.get_output().stdout).unwrap();
    assert_eq!(
        (&found["total"], &found["games"][0]["red"], &found["games"][0]["ply"]),
        (&1.into(), &"甲".into(), &1.into())
    );
    desk.games(&["export", "--player", "甲", "out.pgn"]).assert().success();
    let text = fs::read_to_string(desk.0.path().join("out.pgn")).unwrap();
    assert!(text.contains("1. H2-E2 {好} 1... H9-G7 1-0"), "{text}");
    desk.games(&["export", "out.json"]).assert().success();
    let again = desk.games(&["import", "out.json", "--json"]).assert().success();
    let again: Value = serde_json::from_slice(&again.get_output().stdout).unwrap();
    assert_eq!((&again["added"], &again["same"]), (&0.into(), &2.into()));
}

#[test]
fn a_game_with_a_fault_is_imported_up_to_there() {
    let desk = Desk::new();
    fs::write(desk.0.path().join("slip.pgn"), "[Red \"許銀川\"]\n1. h2e2 h9g7 2. h2h3 *\n").unwrap();
    let output = desk.games(&["import", "slip.pgn", "--json"]).assert().success();
    let report: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    assert_eq!(report["added"], 1);
    let fault = report["faults"][0].as_str().unwrap();
    assert!(fault.contains("line 2: ply 3: h2h3 is illegal"), "{fault}");
    let found = desk.games(&["search", "--player", "许银川"]).assert().success();
    let found = String::from_utf8_lossy(&found.get_output().stdout).into_owned();
    assert!(found.contains("2 plies"), "{found}");
}

#[test]
fn bad_input_is_explained() {
    let desk = Desk::new();
    assert!(desk.complaint(&["search"]).contains("there is no game collection yet"));
    fs::write(desk.0.path().join("other.db"), "something else entirely, long enough").unwrap();
    assert!(desk.complaint(&["search", "--db", "other.db"]).contains("other.db is no game collection"));
    desk.complaint(&["import", "games.pgn"]);
    assert!(desk.complaint(&["search", "--fen", "nonsense"]).contains("bad FEN 'nonsense'"));
    assert!(desk.complaint(&["search", "--material", "Rx"]).contains("'x' in the material is no piece"));
    assert!(desk.complaint(&["search", "--pattern", "R"]).contains("'R' is no part of a pattern"));
    assert!(desk.complaint(&["search", "--result", "won"]).contains("expected 1-0"));
    assert!(desk.complaint(&["export", "out.doc"]).contains("names no record format"));
    assert!(desk.complaint(&["export", "--player", "nobody", "out.pgn"]).contains("no game matches"));
    assert!(desk.complaint(&["export", "out.xqf"]).contains("holds one game a file"));
}

#[test]
fn games_are_made_continued_and_searched() {
    let desk = Desk::new();
    let make = |games: &str| {
        desk.games(&["make", "starter.games", "--games", games, "--nodes", "50", "--threads", "2"])
            .assert()
            .success();
        fs::read(desk.0.path().join("starter.games")).unwrap()
    };
    let (two, three) = (make("2"), make("3"));
    assert!(three.starts_with(&two) && three.len() > two.len());
    fs::write(desk.0.path().join("starter.games"), &three[..three.len() - 5]).unwrap();
    assert_eq!(make("3"), three, "a game that was cut off is played again");
    // The starter collection of the data folder, a list by name, and both as one collection.
    for place in [&["--starter"][..], &["--db", "starter.games"]] {
        let found = desk.games(&["search", "--json"]).args(place).assert().success();
        let found: Value = serde_json::from_slice(&found.get_output().stdout).unwrap();
        assert_eq!((&found["total"], &found["games"][0]["red"]), (&3.into(), &"Chuhe".into()));
    }
    let imported = desk.games(&["import", "starter.games", "--json"]).assert().success();
    let imported: Value = serde_json::from_slice(&imported.get_output().stdout).unwrap();
    assert_eq!(imported["added"], 3);
    let complaint = desk.complaint(&["make", "starter.games", "--nodes", "60"]);
    assert!(complaint.contains("it holds 'Chuhe, 50 nodes a move, seed 1'"), "{complaint}");
    let complaint = desk.complaint(&["import", "games.pgn", "--starter"]);
    assert!(complaint.contains("takes no games"), "{complaint}");
}
