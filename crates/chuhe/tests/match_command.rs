//! `chuhe match` as a person or a script runs it, with engines that are a few lines of shell.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

/// An engine that knows one move, the horse's answer to the central cannon: legal for Black once, then
/// never again.
fn engine(dir: &Path, name: &str, pause: &str) -> PathBuf {
    let path = dir.join(name);
    let script = format!(
        "#!/bin/sh\nwhile read word rest; do case $word in\nuci) echo uciok;;\nisready) echo readyok;;\n\
         go) {pause}\n echo bestmove h9g7;;\nquit) exit;;\nesac; done\n"
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// A folder with two engines and an opening after which Black has the one known move.
fn folder(pause: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    engine(dir.path(), "one", pause);
    engine(dir.path(), "two", pause);
    fs::write(dir.path().join("openings.txt"), "startpos moves h2e2\n").unwrap();
    dir
}

fn chuhe(dir: &Path, arguments: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("chuhe"));
    command.current_dir(dir).env("CHUHE_HOME", dir).arg("match").args(arguments.split_whitespace());
    command
}

const ENGINES: &str = "--engine cmd=./one --engine cmd=./two --depth 1 --openings openings.txt";

fn output(dir: &Path, arguments: &str) -> Output {
    chuhe(dir, arguments).output().unwrap()
}

fn refusal(dir: &Path, arguments: &str) -> String {
    let output = output(dir, arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn the_result_is_one_json_object() {
    let dir = folder("");
    let output = output(dir.path(), &format!("{ENGINES} --games 4 --json --quiet --sprt elo0=0,elo1=5"));
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 1);
    let result: serde_json::Value = serde_json::from_str(&text).unwrap();
    // Whoever plays Red moves second after the opening, and has no legal move to offer.
    assert_eq!(result["games"], 4);
    assert_eq!(result["wins"], 2);
    assert_eq!(result["losses"], 2);
    assert_eq!(result["elo"], 0.0);
    assert_eq!(result["pairs"], serde_json::json!([0, 0, 2, 0, 0]));
    assert_eq!(result["forfeits"], serde_json::json!({"time": 0, "illegal": 4, "crash": 0}));
    assert_eq!(result["sprt"]["verdict"], serde_json::Value::Null);
}

#[test]
fn a_file_describes_the_match_and_flags_come_first() {
    let dir = folder("");
    let config = "openings = 'openings.txt'\ngames = 100\npgn = 'games.pgn'\n[each]\ndepth = 1\n\
                  [[engine]]\nname = 'first'\ncmd = './one'\n[[engine]]\nname = 'second'\ncmd = ['./two']\n";
    fs::write(dir.path().join("match.toml"), config).unwrap();
    let output = output(dir.path(), "--config match.toml --games 2");
    assert!(output.status.success(), "{output:?}");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.starts_with("first against second: 2 games  +1 =0 -1  50.0 %"), "{table}");
    let pgn = fs::read_to_string(dir.path().join("games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Result ").count(), 2);
    assert!(pgn.contains("1. H2-E2 H9-G7"), "{pgn}");
}

#[test]
fn a_killed_match_goes_on() {
    let dir = folder("sleep 0.1");
    let arguments =
        format!("{ENGINES} --games 10 --concurrency 2 --resume match.jsonl --pgn games.pgn --json --quiet");
    let journal = dir.path().join("match.jsonl");
    let lines = || fs::read_to_string(&journal).unwrap_or_default().lines().count();
    for games in [2, 5] {
        let mut run = chuhe(dir.path(), &arguments).stdout(Stdio::null()).spawn().unwrap();
        while lines() < games + 1 {
            assert!(run.try_wait().unwrap().is_none(), "it ended before it could be killed");
            thread::sleep(Duration::from_millis(5));
        }
        run.kill().unwrap();
        run.wait().unwrap();
    }
    let output = output(dir.path(), &arguments);
    assert!(output.status.success(), "{output:?}");
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["games"], 10);
    let text = fs::read_to_string(&journal).unwrap();
    let number =
        |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["game"].as_u64().unwrap();
    let mut numbers: Vec<u64> = text.lines().skip(1).map(number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=10).collect::<Vec<_>>());
    let pgn = fs::read_to_string(dir.path().join("games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Result ").count(), 10);
}

/// The program is stopped now and then for longer than a move may take. The engines answer in time, but
/// nobody was there to see it.
#[test]
fn a_move_that_we_were_asleep_for_is_no_forfeit() {
    let dir = folder("sleep 0.1");
    let arguments = "--each movetime=2000,margin=1000 --engine cmd=./one --engine cmd=./two --openings openings.txt \
                     --games 12 --resume match.jsonl --log match.log --json --quiet";
    let mut run = chuhe(dir.path(), arguments).stdout(Stdio::piped()).spawn().unwrap();
    let pid = run.id().to_string();
    let signal = |name: &str| Command::new("kill").args([name, &pid]).stderr(Stdio::null()).status().unwrap();
    while fs::read_to_string(dir.path().join("match.jsonl")).unwrap_or_default().lines().count() < 2 {
        thread::sleep(Duration::from_millis(5));
    }
    for _ in 0..2 {
        thread::sleep(Duration::from_millis(130));
        signal("-STOP");
        // Longer than an engine may take, and the engine's own tenth of a second far shorter: a busy machine
        // reports the same.
        thread::sleep(Duration::from_millis(3500));
        signal("-CONT");
    }
    assert!(run.wait().unwrap().success());
    let mut text = String::new();
    std::io::Read::read_to_string(&mut run.stdout.take().unwrap(), &mut text).unwrap();
    let result: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(result["forfeits"], serde_json::json!({"time": 0, "illegal": 12, "crash": 0}));
    let log = fs::read_to_string(dir.path().join("match.log")).unwrap();
    assert!(log.contains("jitter: a move of "), "{log}");
}

#[test]
fn what_cannot_work_is_said_clearly() {
    let dir = folder("");
    let refusal = |arguments: &str| refusal(dir.path(), arguments);
    let one = "--engine cmd=./one";
    assert!(refusal("").contains("at least two engines"));
    assert!(
        refusal(&format!("{one} --engine cmd=./three --depth 1"))
            .contains("engine 'three': cannot start './three'")
    );
    assert!(refusal(&format!("{one} --engine cmd=./two")).contains("engine 'one' has no limit"));
    assert!(
        refusal(&format!("{one} --engine cmd=./two,proto=usi --depth 1")).contains("'usi' is not a protocol")
    );
    assert!(
        refusal(&format!("{ENGINES} --sprt elo0=5,elo1=0")).contains("elo0 (5) must be less than elo1 (0)")
    );
    assert!(refusal(&format!("{ENGINES} --sprt elo0=5")).contains("'elo1' is missing"));
    assert!(refusal(&format!("{ENGINES} --config missing.toml")).contains("cannot read 'missing.toml'"));
    assert!(refusal(&format!("{one} --engine cmd=./two --depth 1 --openings no.txt")).contains("'no.txt'"));
    fs::write(dir.path().join("bad.txt"), "startpos moves h2e2\nstartpos moves h2h1 h2h3\n").unwrap();
    let bad = refusal(&format!("{one} --engine cmd=./two --depth 1 --openings bad.txt"));
    assert!(bad.contains("bad openings 'bad.txt': line 2: the move h2h3 is not legal there"), "{bad}");
    assert!(
        refusal(&format!("{one} --engine cmd=/bin/true --depth 1"))
            .contains("engine 'true': the program ended")
    );
}

#[test]
fn tables_decide_a_game() {
    let dir = folder("");
    let mut build = Command::new(assert_cmd::cargo::cargo_bin!("chuhe"));
    build.env("CHUHE_HOME", dir.path()).args(["tb", "build", "KR-KN"]);
    assert!(build.output().unwrap().status.success());
    // The horse can be taken; after the engine's only move, which is one for it, the chariot has won.
    fs::write(dir.path().join("openings.txt"), "3k3n1/9/9/9/9/9/9/7R1/9/4K4 b\n").unwrap();
    let arguments = format!("{ENGINES} --games 2 --resume match.jsonl --quiet --json");
    let played = output(dir.path(), &arguments);
    assert!(played.status.success(), "{played:?}");
    let journal = fs::read_to_string(dir.path().join("match.jsonl")).unwrap();
    assert_eq!(journal.matches("\"reason\":\"endgame table\"").count(), 2, "{journal}");
    assert_eq!(journal.matches("\"termination\":\"adjudication\"").count(), 2, "{journal}");
    assert_eq!(journal.matches("\"outcome\":\"1-0\"").count(), 2, "{journal}");
    // Without the tables, or with others, the same journal cannot go on.
    assert!(refusal(dir.path(), &format!("{arguments} --tablebase none")).contains("match.jsonl"));
    assert!(refusal(dir.path(), &format!("{ENGINES} --tablebase none/such")).contains("no folder"));
}
