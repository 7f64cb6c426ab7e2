//! `chuhe tb` as a user runs it.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

fn tb(home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("chuhe").unwrap();
    command.env("CHUHE_HOME", home).arg("tb").args(arguments);
    command
}

fn text(home: &Path, arguments: &[&str]) -> String {
    let output = tb(home, arguments).assert().success();
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

fn complaint(home: &Path, arguments: &[&str]) -> String {
    let output = tb(home, arguments).assert().code(2);
    String::from_utf8(output.get_output().stderr.clone()).unwrap()
}

#[test]
fn tables_are_built_listed_verified_and_looked_up() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    assert!(text(home, &["list"]).starts_with("no tables in "));
    assert!(text(home, &["build", "KA-KR"]).ends_with("KR-KA.dtm\n"));
    let list: Value = serde_json::from_str(&text(home, &["list", "--json"])).unwrap();
    assert_eq!(list["tables"].as_array().unwrap().len(), 2);
    assert_eq!(list["tables"][1]["name"], "KR-KA");
    assert!(text(home, &["verify"]).starts_with("2 tables with 44100 entries are right"));

    let fen = "3k5/4a4/9/9/9/9/9/9/9/4KR3 w";
    let looked: Value = serde_json::from_str(&text(home, &["probe", "--fen", fen, "--json"])).unwrap();
    assert_eq!(looked["result"], "win");
    assert_eq!(looked["moves"][0]["plies"], looked["plies"]);
    assert!(text(home, &["probe", "--fen", fen]).starts_with("KR-KA 3k5/4a4/9/9/9/9/9/9/9/4KR3 w"));
}

#[test]
fn small_endgames_need_no_file() {
    let home = tempfile::tempdir().unwrap();
    let fang = |name: &str| -> Value {
        serde_json::from_str(&text(home.path(), &["stats", name, "--convention", "fang", "--json"])).unwrap()
    };
    let stats = fang("KN-KA");
    assert_eq!(stats["name"], "KN-KA");
    assert_eq!(stats["red_to_move"]["positions"], 22806);
    assert_eq!(stats["red_to_move"]["win_pct"], 99.74);
    assert_eq!(stats["black_to_move"]["mean"], 16.2);
    assert_eq!(stats["black_to_move"]["max"], 20);
    let turned = fang("KA-KN");
    assert_eq!(turned["black_to_move"]["losses"], stats["red_to_move"]["wins"]);
    let fen = "4k4/9/9/9/9/9/9/9/9/3K1N3 w";
    assert!(text(home.path(), &["probe", "--fen", fen]).starts_with("KN-K 4k4/9/9/9/9/9/9/9/9/3K1N3 w"));
}

#[test]
fn bad_input_is_named() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    assert!(complaint(home, &["build", "KPPPPPP-K"]).contains("6 soldiers on one side"));
    assert!(complaint(home, &["build", "K-KAA"]).contains("always drawn"));
    assert!(complaint(home, &["build", "R-K"]).contains("one general"));
    assert!(complaint(home, &["build", "--set", "all"]).contains("no set 'all'"));
    assert!(complaint(home, &["build", "KRRNNCC-KRRNNCC"]).contains("bytes of memory"));
    assert!(complaint(home, &["verify", "KR-K"]).contains("KR-K.dtm"));
    fs::create_dir_all(home.join("tables")).unwrap();
    fs::write(home.join("tables/KR-K.dtm"), "not a table").unwrap();
    assert!(complaint(home, &["stats", "KR-K"]).contains("no table of Chuhe"));
    assert!(complaint(home, &["verify"]).contains("1 of 1 tables are wrong"));
}

#[test]
fn perpetual_check_loses_in_tables_of_that_kind() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    assert!(text(home, &["build", "KR-KN", "--rules", "check"]).ends_with("KR-KN.dtm-check\n"));
    assert!(text(home, &["verify"]).contains("3 tables"));
    let stats: Value =
        serde_json::from_str(&text(home, &["stats", "KR-KN", "--rules", "check", "--json"])).unwrap();
    assert_eq!(stats["red_to_move"]["by_perpetual_check"], 312);
    assert_eq!(stats["black_to_move"]["by_perpetual_check"], 1285);
    let table = text(home, &["stats", "--all", "--rules", "check"]);
    assert!(table.contains("| KR-KN |") && table.contains("(1285 by perpetual check)"), "{table}");
    assert!(complaint(home, &["build", "KR-KN", "--rules", "chase"]).contains("not one of none and check"));
}

#[test]
fn all_kinds_are_solved_on_the_spot() {
    let home = tempfile::tempdir().unwrap();
    let fen = "4ka3/9/9/9/9/9/9/9/9/N2K5 w";
    let said = |metric: &str| -> Value {
        let looked = text(home.path(), &["probe", "--fen", fen, "--metric", metric, "--json"]);
        serde_json::from_str(&looked).unwrap()
    };
    let (mate, conversion, outcome) = (said("dtm"), said("dtc"), said("wdl"));
    assert!(mate["plies"].as_u64() > conversion["plies"].as_u64());
    assert_eq!((&outcome["result"], &outcome["plies"]), (&Value::from("win"), &Value::Null));
}
