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
    let fresh = text(home, &["list"]);
    assert!(
        fresh.contains("0 tables, 0 entries, 0 bytes in ") && fresh.ends_with(" bytes built in\n"),
        "{fresh}"
    );
    assert!(fresh.contains("KR-KAABB") && fresh.contains(" each, built in\n"), "{fresh}");
    assert!(text(home, &["build", "KA-KR"]).ends_with("KR-KA.dtm\n"));
    let list: Value = serde_json::from_str(&text(home, &["list", "--json"])).unwrap();
    let built: Vec<&Value> =
        list["tables"].as_array().unwrap().iter().filter(|table| table["built_in"] == false).collect();
    assert_eq!(built.len(), 2);
    assert_eq!(built[1]["name"], "KR-KA");
    assert!(text(home, &["verify"]).starts_with("2 tables with 44100 entries are right"));

    let fen = "3k5/4a4/9/9/9/9/9/9/9/4KR3 w";
    let looked: Value = serde_json::from_str(&text(home, &["probe", "--fen", fen, "--json"])).unwrap();
    assert_eq!(looked["result"], "win");
    assert_eq!(looked["moves"][0]["plies"], looked["plies"]);
    assert!(text(home, &["probe", "--fen", fen]).starts_with("KR-KA 3k5/4a4/9/9/9/9/9/9/9/4KR3 w"));
}

#[test]
fn an_endgame_that_cannot_be_solved_does_not_end_the_build_of_others() {
    let home = tempfile::tempdir().unwrap();
    let names = ["build", "KRN-KAABB", "KRN-KAABBP", "KR-K", "--memory", "1"];
    let said = complaint(home.path(), &names);
    assert!(said.contains("warning: cannot build KRN-KAABB: ") && said.contains("bytes of memory"), "{said}");
    assert!(said.contains("2 of 3 endgames cannot be built"), "{said}");
    assert!(home.path().join("tables/KR-K.dtm").exists());
}

#[test]
fn a_plan_says_what_a_build_takes() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    text(home, &["build", "KR-K"]);
    let plan: Value =
        serde_json::from_str(&text(home, &["plan", "KR-KP", "--rules", "wxf", "--json"])).unwrap();
    let tables = plan["tables"].as_array().unwrap();
    let present: Vec<(&str, bool)> = tables
        .iter()
        .map(|table| (table["name"].as_str().unwrap(), table["present"].as_bool().unwrap()))
        .collect();
    assert_eq!(present, [("KR-K", true), ("KP-K", false), ("KR-KP", false)]);
    assert_eq!(tables[2]["entries"], 2 * 9 * 9 * 50 * 55);
    // Cells and values, as much again for the repetition rules, and the smaller tables.
    assert!(tables[2]["memory"].as_u64().unwrap() > 12 * 9 * 9 * 50 * 55);
    assert_eq!(plan["missing"]["tables"], 2);
    assert!(plan["missing"]["seconds"].as_f64().unwrap() > 0.0);
    let rules: Vec<&Value> =
        plan["samples"].as_array().unwrap().iter().map(|sample| &sample["rules"]).collect();
    assert_eq!(rules, ["none", "wxf"]);
    assert!(text(home, &["plan", "KR-KP"]).contains("to build: 2 tables"));
    assert_eq!(fs::read_dir(home.join("tables")).unwrap().count(), 1, "a plan writes nothing");
}

#[test]
fn built_in_endgames_need_no_file() {
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
    assert!(complaint(home, &["build", "--set", "all"]).contains("unknown set 'all'"));
    assert!(complaint(home, &["build", "KRRNNCC-KRRNNCC"]).contains("bytes of memory"));
    assert!(complaint(home, &["verify", "KR-K"]).contains("KR-K.dtm"));
    fs::create_dir_all(home.join("tables")).unwrap();
    fs::write(home.join("tables/KR-K.dtm"), "not a table").unwrap();
    assert!(complaint(home, &["stats", "KR-K"]).contains("not a Chuhe table"));
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
    assert!(
        complaint(home, &["build", "KR-KN", "--rules", "chase"])
            .contains("not one of none, check, wxf, axf and cxa")
    );
}

#[test]
fn tables_that_know_perpetual_chase_say_so() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    assert!(text(home, &["build", "KR-KN", "--rules", "axf"]).ends_with("KR-KN.dtm-wxf\n"));
    assert!(text(home, &["verify"]).ends_with(": 2 for all repetition rules, 1 for the rules wxf\n"));
    let stats: Value =
        serde_json::from_str(&text(home, &["stats", "KR-KN", "--rules", "wxf", "--json"])).unwrap();
    assert_eq!((&stats["rules"], &stats["black_to_move"]["by_repetition"]), (&"wxf".into(), &1285.into()));
    // A table in which one side has no attackers serves all rules.
    let stats: Value =
        serde_json::from_str(&text(home, &["stats", "KR-K", "--rules", "wxf", "--json"])).unwrap();
    assert_eq!(stats["rules"], "all");
    let fen = "5k3/9/9/9/9/R2n5/9/9/9/3K5 b";
    assert!(text(home, &["probe", "--rules", "wxf", "--fen", fen]).contains("(for the rules wxf)"));
    assert!(text(home, &["probe", "--fen", fen]).contains("(without repetition rules)"));
}

#[test]
fn tables_are_compared_with_a_manifest() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    text(home, &["build", "KN-KA"]);
    assert_eq!(text(home, &["verify", "--manifest"]), "2 of 2 tables are in the manifest, byte for byte\n");
    let built_in = text(home, &["verify", "--built-in", "--manifest"]);
    assert!(built_in.starts_with("90 of 90 tables"), "{built_in}");
    let mine = home.join("mine.txt");
    fs::write(&mine, text(home, &["manifest"])).unwrap();
    let mine = mine.to_str().unwrap();
    assert!(text(home, &["verify", "--manifest", mine]).starts_with("2 of 2"));

    let table = home.join("tables/KN-KA.dtm");
    let mut bytes = fs::read(&table).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&table, bytes).unwrap();
    let complaint = complaint(home, &["verify", "--manifest", mine]);
    assert!(complaint.contains("KN-KA.dtm is not the table of the manifest"), "{complaint}");
    assert!(complaint.contains("1 of 2 tables are not those of the manifest"), "{complaint}");
}

#[test]
fn statistics_of_all_tables_are_sorted() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let all = |sort: &str| -> Value {
        serde_json::from_str(&text(home, &["stats", "--all", "--sort", sort, "--json"])).unwrap()
    };
    let (longest, zugzwangs) = (all("longest"), all("zugzwangs"));
    assert_eq!((longest.as_array().unwrap().len(), &longest[0]["name"]), (90, &"KR-KAABB".into()));
    let count = |report: &Value| report["red_to_move"]["zugzwangs"].as_u64().unwrap_or(0);
    assert!(count(&zugzwangs[0]) > count(&zugzwangs[89]), "{}", zugzwangs[0]);
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

/// The process of a build, to be killed.
fn spawned(home: &Path, arguments: &[&str]) -> std::process::Child {
    std::process::Command::new(assert_cmd::cargo::cargo_bin!("chuhe"))
        .env("CHUHE_HOME", home)
        .args(["tb", "build"])
        .args(arguments)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_killed_build_goes_on_and_ends_the_same() {
    let (whole, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    text(whole.path(), &["build", "KR-KAB"]);
    let tables = killed.path().join("tables");
    let checkpoint = tables.join("KR-KAB.dtm.unfinished");
    let mut build = spawned(killed.path(), &["KR-KAB", "--checkpoint", "0"]);
    while !checkpoint.exists() && build.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    build.kill().unwrap();
    build.wait().unwrap();
    assert!(checkpoint.exists(), "the build was killed too late");
    assert!(!tables.join("KR-KAB.dtm").exists());
    // The kill may also have come while one of these was written.
    for draft in ["KR-KAB.dtm.new-1", "KR-KAB.dtm.unfinished.new-1"] {
        fs::write(tables.join(draft), "half").unwrap();
    }
    let output = tb(killed.path(), &["build", "KR-KAB"]).assert().success();
    let stderr = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(stderr.contains("KR-KAB: resuming at ply "), "{stderr}");
    for name in ["KR-KAB.dtm", "KR-KA.dtm"] {
        assert!(
            fs::read(tables.join(name)).unwrap() == fs::read(whole.path().join("tables").join(name)).unwrap()
        );
    }
    assert!(!checkpoint.exists());
    let left = fs::read_dir(&tables).unwrap().count();
    assert_eq!(left, fs::read_dir(whole.path().join("tables")).unwrap().count());
}

#[test]
#[cfg(unix)]
fn a_full_disk_leaves_the_old_file_as_it_was() {
    let home = tempfile::tempdir().unwrap();
    text(home.path(), &["build", "KR-KAB"]);
    let path = home.path().join("tables/KR-KAB.dtm");
    // A file of another version, which a build would replace.
    let mut old = fs::read(&path).unwrap();
    old[8] = 1;
    fs::write(&path, &old).unwrap();
    // Files may not grow beyond 8 kB, which to the program is the same as a full disk.
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" tb build KR-KAB";
    let output = std::process::Command::new("sh")
        .env("CHUHE_HOME", home.path())
        .args(["-c", script])
        .arg(assert_cmd::cargo::cargo_bin!("chuhe"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.contains("cannot build KR-KAB") && stderr.contains("KR-KAB.dtm"), "{stderr}");
    assert!(fs::read(&path).unwrap() == old);
    let names: Vec<_> =
        fs::read_dir(home.path().join("tables")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| !name.to_string_lossy().contains(".new-")), "{names:?}");
    text(home.path(), &["build", "KR-KAB"]);
    assert!(fs::read(&path).unwrap() != old);
}
