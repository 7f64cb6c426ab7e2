//! `chuhe go`, `chuhe eval` and `chuhe bench` as a shell calls them.

use assert_cmd::Command;
use serde_json::Value;

fn chuhe(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("chuhe").expect("the program is built");
    command.args(arguments);
    command
}

fn json(arguments: &[&str]) -> Value {
    let output = chuhe(arguments).assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).expect("one JSON object")
}

const MATE_IN_ONE: &str = "3k5/9/9/9/9/9/9/9/4R4/5K3 w";

#[test]
fn a_search_is_one_json_object() {
    let found = json(&["go", "--fen", MATE_IN_ONE, "--depth", "5", "--lines", "2", "--json"]);
    assert_eq!(found["best"], "e1e8");
    assert_eq!(found["score"]["mate"], 1);
    assert_eq!(found["lines"].as_array().unwrap().len(), 2);
    assert_eq!(found["lines"][0]["moves"][0], "e1e8");
    assert!(found["nodes"].as_u64().unwrap() > 0);
    assert_eq!(found["fen"], format!("{MATE_IN_ONE} - - 0 1"));
}

#[test]
fn a_search_starts_after_the_moves() {
    let found = json(&["go", "--fen", MATE_IN_ONE, "--moves", "e1e8", "--depth", "3", "--json"]);
    assert_eq!(found["fen"], "3k5/4R4/9/9/9/9/9/9/9/5K3 b - - 1 1");
    assert_eq!(found["best"], Value::Null);
    assert_eq!(found["score"]["mate"], 0);
}

#[test]
fn a_search_for_people_ends_with_the_best_move() {
    let assert = chuhe(&["go", "--fen", MATE_IN_ONE, "--depth", "3"]).assert().success();
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert!(text.starts_with("depth  1"), "{text}");
    assert!(text.contains("best move e1e8\n"), "{text}");
}

#[test]
fn bad_arguments_name_the_culprit_and_fail() {
    for (arguments, culprit) in [
        (vec!["go", "--depth", "3", "--moves", "h2e2 a0a9"], "a0a9"),
        (vec!["go", "--depth", "3", "--moves", "hello"], "hello"),
        (vec!["go", "--depth", "3", "--fen", "9/9"], "9/9"),
        (vec!["go", "--depth", "0"], "0"),
        (vec!["go"], "--depth"),
        (vec!["go", "--depth", "1", "--hash", "4000000000"], "4000000000"),
        (vec!["eval", "--fen", "nonsense"], "nonsense"),
    ] {
        let assert = chuhe(&arguments).assert().code(2);
        let text = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(text.contains(culprit), "{arguments:?}: {text}");
    }
}

#[test]
fn the_evaluation_adds_up() {
    let fen = "2bak4/4a4/4b4/p3n3p/2r6/9/P3P3P/4C1N2/4A4/R1B1KAB2 b";
    let found = json(&["eval", "--fen", fen, "--json"]);
    let number = |value: &Value| value.as_i64().unwrap();
    let groups = found["groups"].as_array().unwrap();
    let totals: i64 = groups.iter().map(|group| number(&group["total"])).sum();
    let sum = totals + number(&found["rounding"]) + number(&found["hard_to_win"]);
    assert_eq!(sum, number(&found["red"]));
    assert_eq!(number(&found["side_to_move"]), -number(&found["red"]));
    let text = chuhe(&["eval", "--fen", fen, "--points"]).assert().success().get_output().stdout.clone();
    assert!(String::from_utf8(text).unwrap().contains("Evaluation: "));
}

#[test]
fn the_bench_counts_the_same_twice() {
    let nodes = || json(&["bench", "--depth", "5", "--json"])["nodes"].clone();
    assert_eq!(nodes(), nodes());
}

#[test]
fn a_search_on_a_fresh_install_probes_endgame_tables() {
    let home = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = chuhe(arguments).env("CHUHE_HOME", home.path()).assert().success();
        output.get_output().stdout.clone()
    };
    // Nineteen moves are far beyond what a search of two plies sees.
    let search = ["go", "--fen", "4ka3/9/9/9/9/9/9/9/9/N2K5 w", "--depth", "2"];
    let found: Value = serde_json::from_slice(&run(&[&search[..], &["--json"]].concat())).unwrap();
    assert!(found["score"]["mate"].as_i64().unwrap() > 10, "{found}");
    assert!(found["tbhits"].as_u64().unwrap() > 0);
    assert!(String::from_utf8(run(&search)).unwrap().contains(" from endgame tables\n"));
    let blind = run(&[&search[..], &["--json", "--tablebase", "none"]].concat());
    let blind: Value = serde_json::from_slice(&blind).unwrap();
    assert_eq!(blind["tbhits"], 0);
    assert!(blind["score"]["mate"].is_null(), "{blind}");
}
