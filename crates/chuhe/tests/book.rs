//! `chuhe book` as a user runs it, and the engine with a book.

use std::fs;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

const GAMES: &str = "1-0\th2e2 h9g7 h0g2 i9h9\n1-0\tb2e2 b9c7 b0c2\n0-1\tc3c4 g6g5\n*\ta0a9 h2e2\n";

struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("games.txt"), GAMES).unwrap();
        let desk = Self(folder);
        let complaint = desk.complaint(&["build", "games.txt", "--out", "my.book"]);
        assert!(complaint.contains("game 4, line 4: ply 1: a0a9 is illegal"), "{complaint}");
        assert!(complaint.ends_with("1 game was skipped\n"), "{complaint}");
        desk
    }

    fn command(&self) -> Command {
        let mut command = Command::cargo_bin("chuhe").unwrap();
        command.current_dir(self.0.path());
        command
    }

    fn book(&self, arguments: &[&str]) -> String {
        let output = self.command().arg("book").args(arguments).assert().success();
        String::from_utf8_lossy(&output.get_output().stdout).into_owned()
    }

    fn complaint(&self, arguments: &[&str]) -> String {
        let output = self.command().arg("book").args(arguments).assert();
        let stderr = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        output.code(if stderr.ends_with("skipped\n") { 1 } else { 2 });
        stderr
    }

    fn probe(&self, book: &str, moves: &str) -> Value {
        serde_json::from_str(&self.book(&["probe", book, "--moves", moves, "--json"])).unwrap()
    }
}

#[test]
fn a_book_of_games_is_built_probed_and_cut() {
    let desk = Desk::new();
    let first = desk.probe("my.book", "");
    assert_eq!((&first["moves"][0]["move"], &first["moves"][0]["count"]), (&"h2e2".into(), &2.into()));
    assert_eq!(first["moves"][0]["opening"]["chinese"], "中炮局");
    let mirrored = desk.probe("my.book", "b2e2");
    assert_eq!(mirrored["moves"][0]["move"], "b9c7");
    let report = desk.book(&["prune", "my.book", "--keep", "1", "--side", "red", "--out", "red.book"]);
    assert!(report.contains("% cut"), "{report}");
    assert_eq!(desk.probe("red.book", "")["moves"].as_array().unwrap().len(), 1);
    assert!(desk.book(&["stats", "my.book"]).contains("3 games"));
}

#[test]
fn building_adds_up_and_learning_can_be_taken_back() {
    let desk = Desk::new();
    let again = desk.complaint(&["build", "games.txt", "--out", "my.book"]);
    assert!(again.contains("the book has these games already"), "{again}");
    assert_eq!(desk.probe("my.book", "")["moves"][0]["count"], 2);
    fs::write(desk.0.path().join("more.txt"), "1-0\th2e2 h9g7\n1/2-1/2\th2e2 h7e7\n").unwrap();
    desk.book(&["build", "more.txt", "--out", "my.book"]);
    assert_eq!(desk.probe("my.book", "")["moves"][0]["count"], 4);
    fs::write(desk.0.path().join("own.txt"), "0-1\th2e2 h9g7\n").unwrap();
    let before = desk.probe("my.book", "");
    desk.book(&["learn", "my.book", "own.txt", "--side", "red"]);
    let after = desk.probe("my.book", "");
    assert_eq!((&after["moves"][0]["losses"], &after["moves"][0]["weight"]), (&1.into(), &(-10).into()));
    assert!(desk.book(&["unlearn", "my.book"]).starts_with("1 games unlearned, 0 left"));
    assert_eq!(desk.probe("my.book", ""), before);
    assert!(desk.complaint(&["unlearn", "no.book"]).contains("no such book"));
    assert!(!desk.0.path().join("no.store").exists());
}

#[test]
fn games_of_a_match_are_learnt_by_name() {
    let desk = Desk::new();
    let pgn = "[Red \"Chuhe\"]\n[Black \"b\"]\n\n1. h2e2 h9g7 1-0\n\n\
               [Red \"b\"]\n[Black \"Chuhe\"]\n\n1. h2e2 h9g7 1-0\n\n[Red \"b\"]\n[Black \"c\"]\n\n1. h2e2 *\n";
    fs::write(desk.0.path().join("match.pgn"), pgn).unwrap();
    let report = desk.book(&["learn", "own.book", "match.pgn", "--name", "Chuhe"]);
    assert!(report.starts_with("2 games learnt, 1 not ours"), "{report}");
    let first = &desk.probe("own.book", "")["moves"][0];
    assert_eq!((&first["count"], &first["weight"]), (&2.into(), &10.into()));
    let reply = &desk.probe("own.book", "h2e2")["moves"][0];
    assert_eq!((&reply["losses"], &reply["weight"]), (&2.into(), &(-10).into()));
}

#[test]
fn a_book_that_came_without_its_store_keeps_what_it_knows() {
    let desk = Desk::new();
    fs::remove_file(desk.0.path().join("my.store")).unwrap();
    fs::write(desk.0.path().join("own.txt"), "1-0\tg0e2 h9g7\n").unwrap();
    desk.book(&["learn", "my.book", "own.txt", "--side", "red"]);
    let moves = desk.probe("my.book", "")["moves"].as_array().unwrap().len();
    assert_eq!(moves, 3);
}

#[test]
fn books_travel_through_other_formats() {
    let desk = Desk::new();
    let count = |book| desk.probe(book, "")["moves"][0]["count"].clone();
    for name in ["out.obk", "out.pfbook", "out.json", "BOOK.DAT", "out.bin"] {
        desk.book(&["export", "my.book", name]);
        let report = desk.book(&["import", name, "--out", "back.book"]);
        assert!(report.contains(" 0 moves could not be matched"), "{report}");
        assert_eq!(count("back.book"), count("my.book"), "{name}");
        fs::remove_file(desk.0.path().join("back.book")).unwrap();
        fs::remove_file(desk.0.path().join("back.store")).unwrap();
    }
}

#[test]
fn books_with_other_keys_are_read_by_whoever_has_them() {
    let desk = Desk::new();
    let numbers =
        (1..=1 + 14 * 256_u64).map(|index| format!("0x{:016X}\n", index.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
    fs::write(desk.0.path().join("keys.txt"), numbers.collect::<String>()).unwrap();
    desk.book(&["export", "my.book", "out.obk", "--keys", "keys.txt"]);
    let complaint = desk.complaint(&["import", "out.obk", "--out", "back.book"]);
    assert!(complaint.contains("moves have keys of another program"), "{complaint}");
    assert!(!desk.0.path().join("back.store").exists());
    desk.book(&["import", "out.obk", "--keys", "keys.txt", "--out", "back.book"]);
    assert_eq!(desk.probe("back.book", "")["moves"][0]["wins"], 2);
    let complaint = desk.complaint(&["import", "out.obk", "--keys", "games.txt", "--out", "back.book"]);
    assert!(complaint.contains("games.txt") && complaint.contains("found 0"), "{complaint}");
}

#[test]
fn a_book_grows_and_goes_on_growing() {
    let desk = Desk::new();
    let expand = |book, positions, threads| {
        let searches = ["--nodes", "300", "--round", "4", "--threads", threads];
        desk.book(&[&["expand", book, "--positions", positions], &searches[..]].concat())
    };
    expand("own.book", "4", "1");
    expand("own.book", "12", "1");
    let whole = expand("again.book", "12", "2");
    assert!(whole.contains("again.book has "), "{whole}");
    let bytes = |name: &str| fs::read(desk.0.path().join(name)).unwrap();
    assert_eq!(bytes("own.book"), bytes("again.book"), "the same searches give the same book");
    assert!(desk.probe("own.book", "")["moves"][0]["score"].is_number());
}

#[test]
fn a_killed_expansion_goes_on_where_it_was() {
    let desk = Desk::new();
    let searches = ["--nodes", "300", "--round", "4"];
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("chuhe"))
        .current_dir(desk.0.path())
        .args(["book", "expand", "own.book", "--positions", "1000000", "--threads", "2"])
        .args(searches)
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    child.kill().unwrap();
    child.wait().unwrap();
    let expand = |book, positions: &str| {
        let arguments = [&["--json", "expand", book, "--positions", positions], &searches[..]].concat();
        serde_json::from_str::<Value>(&desk.book(&arguments)).unwrap()["positions"].to_string()
    };
    let count = expand("own.book", "1");
    assert_eq!(expand("again.book", &count), count);
    let bytes = |name: &str| fs::read(desk.0.path().join(name)).unwrap();
    assert_eq!(bytes("own.book"), bytes("again.book"), "after {count} positions");
}

#[test]
fn the_engine_plays_from_the_book_only_when_told() {
    let desk = Desk::new();
    let lines = "uci\nsetoption name Book File value my.book\nsetoption name OwnBook value true\n\
                 setoption name Book Policy value best\nposition startpos\ngo depth 2\n";
    let output = desk.command().write_stdin(lines).assert().success();
    let output = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(output.contains("bestmove h2e2"), "{output}");
    let lines = "ucci\nsetoption usebook true\nsetoption bookfiles nothing.book\nquit\n";
    let output = desk.command().write_stdin(lines).assert().success();
    assert!(String::from_utf8_lossy(&output.get_output().stdout).contains("Book File stays as it was"));
}

#[test]
fn what_is_no_book_is_named_and_never_written_over() {
    let desk = Desk::new();
    let path = desk.0.path().join("precious.book");
    fs::write(&path, "my novel").unwrap();
    for arguments in [
        &["probe", "precious.book"][..],
        &["build", "games.txt", "--out", "precious.book"],
        &["prune", "my.book", "--keep", "1", "--out", "precious.book"],
        &["expand", "precious.book", "--positions", "3"],
    ] {
        let complaint = desk.complaint(arguments);
        assert!(complaint.contains("precious.book is not an opening book"), "{complaint}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "my novel");
    assert!(desk.complaint(&["probe", "missing.book"]).contains("missing.book"));
    assert!(desk.complaint(&["import", "games.txt", "--out", "x.book"]).contains("games.txt"));
    assert!(desk.complaint(&["export", "my.book", "out.doc"]).contains("exported as"));
}

#[test]
fn damaged_files_are_named_and_nothing_is_written_over() {
    let desk = Desk::new();
    let read = |name: &str| fs::read(desk.0.path().join(name)).unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(desk.0.path().join(name), bytes).unwrap();
    let (book, store) = (read("my.book"), read("my.store"));
    for name in ["out.obk", "out.json", "BOOK.DAT", "out.bin"] {
        desk.book(&["export", "my.book", name]);
        let whole = read(name);
        write(name, &whole[..whole.len() - 3]);
        assert!(desk.complaint(&["import", name, "--out", "my.book"]).contains(name));
        assert!(desk.complaint(&["import", "missing", "--out", "my.book"]).contains("missing"));
    }
    assert_eq!((read("my.book"), read("my.store")), (book.clone(), store.clone()));
    // A book that was cut off, one of a later version, and a store that is none.
    let mut later = book.clone();
    later[7] = b'9';
    for bytes in [&book[..book.len() - 1], &later[..]] {
        write("my.book", bytes);
        for arguments in [
            &["probe", "my.book"][..],
            &["stats", "my.book"],
            &["build", "games.txt", "--out", "my.book"],
            &["expand", "my.book", "--positions", "9"],
            &["learn", "my.book", "games.txt", "--side", "red"],
            &["unlearn", "my.book"],
            &["prune", "my.book", "--keep", "1"],
            &["export", "my.book", "out.json"],
        ] {
            assert!(desk.complaint(arguments).contains("my.book"), "{arguments:?}");
        }
        assert_eq!((&read("my.book")[..], read("my.store")), (bytes, store.clone()));
    }
    write("my.book", &book);
    write("my.store", b"my novel");
    assert!(desk.complaint(&["expand", "my.book", "--positions", "9"]).contains("my.store"));
    assert_eq!((read("my.book"), &read("my.store")[..]), (book, &b"my novel"[..]));
}
