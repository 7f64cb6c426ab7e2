//! `chuhe train net` as a shell calls it, from self-play to a network that searches.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

fn chuhe(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("chuhe").expect("the program is built");
    command.current_dir(folder).args(arguments);
    command
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = chuhe(folder, arguments).assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).expect("one JSON object")
}

fn complaint(folder: &Path, arguments: &[&str]) -> String {
    String::from_utf8(chuhe(folder, arguments).assert().code(2).get_output().stderr.clone()).unwrap()
}

const TRAIN: [&str; 8] = ["train", "net", "data", "--output", "out", "--batch", "1000", "--json"];

/// The folder with the samples of enough games that some are held out for validation.
fn with_samples() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["train", "selfplay", "data", "--nodes", "10", "--positions", "9000"];
    chuhe(folder.path(), &arguments).assert().success();
    folder
}

#[test]
fn self_play_becomes_a_network_that_searches() {
    let folder = with_samples();
    let folder = folder.path();
    let found = json(folder, &[&TRAIN[..], &["--epochs", "2", "--learning-rate", "0.003"]].concat());
    assert_eq!(found["epochs"], 2);
    assert!(found["samples"].as_u64().unwrap() > 5000);
    assert!(found["checking"].as_f64().unwrap() < 0.3, "{found}");
    let csv = fs::read_to_string(folder.join("out/loss.csv")).unwrap();
    assert_eq!(csv.lines().count(), 3, "{csv}");
    assert!(fs::read_to_string(folder.join("out/loss.svg")).unwrap().starts_with("<svg"));

    let network = "out/network.net";
    let seen = json(folder, &["eval", "--network", network, "--json"]);
    assert!(seen["network"]["red"].is_i64(), "{seen}");
    let best = json(folder, &["go", "--depth", "4", "--network", network, "--json"]);
    assert!(best["best"].is_string(), "{best}");
    let bench = |network: &[&str]| {
        json(folder, &[&["bench", "--depth", "3", "--json"], network].concat())["nodes"].clone()
    };
    assert_ne!(bench(&["--network", network]), bench(&["--classical"]));

    // A second training does not overwrite the first, and there is nothing left to resume.
    let again = complaint(folder, &TRAIN);
    assert!(again.contains("out already holds a training: --resume it"), "{again}");
    let resumed = json(folder, &[&TRAIN[..5], &["--resume", "--json"]].concat());
    assert_eq!(resumed["epochs"], 2);
}

#[test]
fn a_damaged_block_is_reported_once_and_skipped() {
    let folder = with_samples();
    let folder = folder.path();
    let path = folder.join("data/selfplay-1-0.samples");
    let count = || String::from_utf8(export(folder).stdout).unwrap().lines().count();
    let whole = count();
    let mut bytes = fs::read(&path).unwrap();
    // The first block begins behind the file's header, with its number of samples at byte 4.
    let lost = u32::from_le_bytes(bytes[36..40].try_into().unwrap()) as usize;
    // A score, which no look at the sample alone could doubt.
    bytes[64 + 28] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert_eq!(count(), whole - lost);
    let warning = String::from_utf8(export(folder).stderr).unwrap();
    let culprit = format!(
        "selfplay-1-0.samples: samples 0 to {}: checksum mismatch; damaged samples left out: {lost}",
        lost - 1
    );
    assert!(warning.contains(&culprit) && warning.lines().count() == 1, "{warning}");
}

fn export(folder: &Path) -> std::process::Output {
    let arguments = ["train", "export", "data/selfplay-1-0.samples"];
    chuhe(folder, &arguments).assert().success().get_output().clone()
}

#[test]
fn bad_input_is_named_and_nothing_is_written() {
    let folder = with_samples();
    let folder = folder.path();
    fs::create_dir(folder.join("empty")).unwrap();
    fs::write(folder.join("foreign.samples"), "this is no shard but long enough for one").unwrap();
    for (arguments, culprit) in [
        (vec!["train", "net", "absent", "--output", "out"], "absent"),
        (vec!["train", "net", "empty", "--output", "out"], "empty holds no shards"),
        (vec!["train", "net", "foreign.samples", "--output", "out"], "foreign.samples: not a shard"),
        (vec!["train", "net", "data", "--output", "out", "--resume"], "checkpoint"),
        (vec!["train", "net", "data", "--output", "out", "--lambda", "1.5"], "--lambda is from 0 to 1"),
        (vec!["train", "net", "data", "--output", "out", "--epochs", "3", "--resume"], "--resume"),
        (vec!["eval", "--network", "foreign.samples"], "foreign.samples: not a network of Chuhe"),
    ] {
        let complaint = complaint(folder, &arguments);
        assert!(complaint.contains(culprit), "{arguments:?}: {complaint}");
        assert!(!folder.join("out").exists(), "{arguments:?}");
    }
}
