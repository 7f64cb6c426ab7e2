//! `chuhe puzzles`.

use std::fs;
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

fn make(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("chuhe").unwrap();
    command.current_dir(folder.path()).args(["puzzles", "make"]).args(arguments).output().unwrap()
}

#[test]
fn a_run_that_goes_on_ends_like_one_without_a_break() {
    let folder = TempDir::new().unwrap();
    let options = ["--nodes", "5000", "--games"];
    for (out, games) in [("whole.txt", "4"), ("broken.txt", "1"), ("broken.txt", "4")] {
        let output = make(&folder, &[&[out], &options[..], &[games]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let [whole, broken] =
        ["whole.txt", "broken.txt"].map(|name| fs::read_to_string(folder.path().join(name)).unwrap());
    assert_eq!(whole, broken);
    // A line for each puzzle, and the heading.
    assert!(whole.lines().count() > 1, "{whole}");
}

#[test]
fn an_overlooked_mate_in_a_record_becomes_a_puzzle() {
    let folder = TempDir::new().unwrap();
    // Red could have mated by e7e8.
    let fen = "4k4/2R1a4/4R4/7P1/9/9/9/9/p2r5/2BAKA1r1 w";
    let record = format!("[FEN \"{fen}\"]\n\n1. h6h7 a1b1 *\n");
    fs::write(folder.path().join("game.pgn"), record).unwrap();
    let output = make(&folder, &["mine.txt", "--from", "game.pgn", "--json"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed, "{\"games\":1,\"puzzles\":1,\"mates\":1,\"wins\":0,\"defences\":0}\n");
    let puzzles = fs::read_to_string(folder.path().join("mine.txt")).unwrap();
    assert!(puzzles.contains(fen) && puzzles.contains("; e7e8 e9d9 c8c9"), "{puzzles}");
}

#[test]
fn a_journal_of_another_run_is_refused() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("p.txt.journal"), "# puzzles of seed 5, 80000 nodes\n").unwrap();
    let output = make(&folder, &["p.txt", "--games", "1"]);
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("the journal is of another run"), "{complaint}");
}
