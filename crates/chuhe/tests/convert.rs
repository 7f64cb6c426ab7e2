//! `chuhe convert` as a person or a program uses it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A folder to work in, with the printed games of the suites.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        let desk = Self(TempDir::new().unwrap());
        let printed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/games/printed.txt");
        fs::write(desk.path("printed.txt"), fs::read(printed).unwrap()).unwrap();
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), contents).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn convert(&self, arguments: &[&str]) -> Output {
        let mut command = Command::cargo_bin("chuhe").unwrap();
        command.current_dir(&self.0).arg("convert").args(arguments).output().unwrap()
    }
}

fn standard_output(output: &Output) -> &str {
    assert!(output.status.success(), "{output:?}");
    str::from_utf8(&output.stdout).unwrap()
}

fn complaint(output: &Output) -> &str {
    let stderr = str::from_utf8(&output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(if stderr.ends_with("skipped\n") { 1 } else { 2 }), "{output:?}");
    stderr
}

#[test]
fn games_come_back_from_every_format() {
    let desk = Desk::new();
    standard_output(&desk.convert(&["printed.txt", "list.txt"]));
    let list = desk.read("list.txt");
    assert_eq!(list.lines().count(), 12);
    for moves in ["coordinates", "iccs", "wxf", "chinese", "simplified"] {
        standard_output(&desk.convert(&["printed.txt", "games.pgn", "--moves", moves]));
        standard_output(&desk.convert(&["games.pgn", "back.txt"]));
        assert_eq!(desk.read("back.txt"), list, "{moves}");
    }
    standard_output(&desk.convert(&["printed.txt", "games.cbl"]));
    standard_output(&desk.convert(&["games.cbl", "back.txt"]));
    assert_eq!(desk.read("back.txt"), list);
    for extension in ["xqf", "cbr", "ubb"] {
        let report = desk.convert(&["printed.txt", &format!("{extension}/games.{extension}")]);
        let folder = Path::new(extension).join("games");
        assert!(standard_output(&report).contains(&format!("written to {}", folder.display())));
        assert_eq!(fs::read_dir(desk.path(extension).join("games")).unwrap().count(), 12);
        standard_output(&desk.convert(&[folder.to_str().unwrap(), "back.txt"]));
        assert_eq!(desk.read("back.txt"), list, "{extension}");
    }
}

#[test]
fn one_game_needs_no_folder() {
    let desk = Desk::new();
    desk.write("one.txt", "1-0\th2e2 h9g7\n");
    assert_eq!(
        standard_output(&desk.convert(&["one.txt", "one.xqf"])),
        "1 game with 2 moves from 1 file written to one.xqf\n"
    );
    standard_output(&desk.convert(&["one.xqf", "back.txt", "--moves", "wxf"]));
    assert_eq!(desk.read("back.txt"), "1-0\tC2=5 H8+7\n");
}

#[test]
fn what_a_format_cannot_hold_is_said() {
    let desk = Desk::new();
    desk.write("marked.pgn", "[ECCO \"C00\"]\n1. h2e2! {好} (1. c3c4) *\n");
    assert_eq!(
        standard_output(&desk.convert(&["marked.pgn", "marked.xqf"])),
        "1 game with 2 moves from 1 file written to marked.xqf\n\
         xqf cannot hold the tag ECCO (in 1 of the games)\n\
         xqf cannot hold marks of moves (in 1 of the games)\n"
    );
}

#[test]
fn a_folder_becomes_one_file_and_bad_games_are_named() {
    let desk = Desk::new();
    desk.write("in/a.txt", "1-0\th2e2 h9g7\n0-1\th2e2 h2e2\n");
    desk.write("in/deep/b.pgn", "[Red \"甲\"]\n1. 炮二平五\n*\n");
    desk.write("in/deep/broken.xqf", "XQ");
    desk.write("in/readme.md", "no record");
    let output = desk.convert(&["in", "all.json"]);
    let bad_game = Path::new("in").join("a.txt");
    let bad_file = Path::new("in").join("deep").join("broken.xqf");
    let fault = "game 2, line 2: ply 2: h2e2 is illegal: no piece of Black stands on h2";
    let header = "game 1, byte 2: the file ends within the header";
    assert_eq!(
        complaint(&output),
        format!(
            "chuhe: warning: {bad_file}, {header}: skipped\n\
             chuhe: warning: {bad_game}, {fault}: cut there\n\
             chuhe: 1 game was skipped\n",
            bad_game = bad_game.display(),
            bad_file = bad_file.display()
        )
    );
    let report = str::from_utf8(&output.stdout).unwrap();
    assert!(report.contains("3 games with 4 moves from 3 files written to all.json"), "{report}");
    assert!(report.contains("1 other file"), "{report}");
    let games: Value = serde_json::from_str(&desk.read("all.json")).unwrap();
    assert_eq!(games[1]["moves"][0]["comment"], "h2e2");
    assert_eq!(games[2]["tags"]["Red"], "甲");
    let strict = desk.convert(&["in", "strict.json", "--strict"]);
    assert!(complaint(&strict).contains(&format!("{fault}: skipped")), "{strict:?}");
    assert!(complaint(&strict).ends_with("chuhe: 2 games were skipped\n"));
}

#[test]
fn programs_get_the_whole_report() {
    let desk = Desk::new();
    desk.write("bad.txt", "1-0\th2e2 h9g7\n0-1\tx\n");
    let output = desk.convert(&["bad.txt", "out.pgn", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["games"], &report["files"]), (&Value::from(1), &Value::from(1)));
    assert_eq!(report["skipped"][0]["file"], "bad.txt");
    assert_eq!(
        report["skipped"][0]["reason"],
        "game 2, line 2: 'x' is not a move: expected one such as 'C2=5'"
    );
    assert_eq!(complaint(&output), "chuhe: 1 game was skipped\n");
}

#[test]
fn encodings_and_ranks_are_minded() {
    let desk = Desk::new();
    // "[Red "许银川"] 1. 炮二平五 马８进７" in GBK
    let mut gbk = b"[Red \"".to_vec();
    gbk.extend([0xD0, 0xED, 0xD2, 0xF8, 0xB4, 0xA8]);
    gbk.extend(b"\"]\n1. ");
    gbk.extend([0xC5, 0xDA, 0xB6, 0xFE, 0xC6, 0xBD, 0xCE, 0xE5, b' ']);
    gbk.extend([0xC2, 0xED, 0xA3, 0xB8, 0xBD, 0xF8, 0xA3, 0xB7, b'\n']);
    desk.write("gbk.pgn", gbk);
    standard_output(&desk.convert(&["gbk.pgn", "out.pgn"]));
    assert!(desk.read("out.pgn").contains("[Red \"许银川\"]"));
    assert!(desk.read("out.pgn").contains("1. H2-E2 H9-G7 *"));
    desk.write("fairy.txt", "*\th3e3 h10g8\n");
    standard_output(&desk.convert(&["fairy.txt", "out.txt", "--first-rank", "1"]));
    assert_eq!(desk.read("out.txt"), "*\th2e2 h9g7\n");
}

#[test]
fn bad_input_is_explained() {
    let desk = Desk::new();
    let cases: [(&[&str], &str); 6] = [
        (&["missing.pgn", "out.pgn"], "chuhe: missing.pgn: "),
        (
            &["printed.txt", "out.doc"],
            "chuhe: out.doc: the extension names no record format; known are pgn, xqf, cbr, cbl, ubb, cbf, chn, txt, json\n",
        ),
        (&["printed.txt", "printed.txt"], "chuhe: printed.txt would be written over while it is read\n"),
        (&["notes.md", "out.pgn"], "chuhe: notes.md: no games found\n"),
        (&["empty.pgn", "out.pgn"], "chuhe: empty.pgn: no games found\n"),
        (&["printed.txt", "no/such/folder/out.pgn"], "chuhe: no/such/folder/out.pgn: "),
    ];
    desk.write("notes.md", "");
    desk.write("empty.pgn", "\n");
    for (arguments, message) in cases {
        let output = desk.convert(arguments);
        assert!(complaint(&output).starts_with(message), "{output:?}");
        assert!(!desk.path("out.pgn").exists());
    }
}
