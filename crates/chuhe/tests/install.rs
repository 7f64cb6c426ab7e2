//! What an installation consists of beside the program: version, doctor, completions, manual pages.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::tempdir;

fn chuhe(home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("chuhe").unwrap();
    command.env("CHUHE_HOME", home).args(arguments);
    command
}

fn printed(home: &Path, arguments: &[&str]) -> String {
    let output = chuhe(home, arguments).assert().success();
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

#[test]
fn the_version_is_one_line_and_names_the_build_if_asked() {
    let home = tempdir().unwrap();
    let version = concat!("chuhe ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(printed(home.path(), &["--version"]), version);
    assert_eq!(printed(home.path(), &["-V"]), version);
    let verbose = printed(home.path(), &["--version", "--verbose"]);
    assert!(verbose.starts_with(version));
    for part in ["commit", "build", "code level", "CPU", "network"] {
        assert!(verbose.lines().any(|line| line.starts_with(part)), "{part} in {verbose}");
    }
    chuhe(home.path(), &["--verbose"]).assert().code(2);
}

/// The findings of `chuhe doctor --json` by part.
fn diagnosed(home: &Path, code: i32) -> Vec<(String, String)> {
    let output = chuhe(home, &["doctor", "--json"]).assert().code(code);
    let findings: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let findings = findings.as_array().unwrap().iter();
    findings.map(|finding| (text(finding, "part"), text(finding, "state"))).collect()
}

#[test]
fn the_doctor_is_content_with_a_fresh_installation() {
    let home = tempdir().unwrap();
    let findings = diagnosed(home.path(), 0);
    let parts: Vec<&str> = findings.iter().map(|(part, _)| part.as_str()).collect();
    for part in ["program", "CPU", "network", "book", "data", "tables", "starter", "web app", "MPI"] {
        assert!(parts.contains(&part), "no {part} in {parts:?}");
    }
    assert!(findings.iter().all(|(_, state)| state != "broken"), "{findings:?}");
    assert!(fs::read_dir(home.path()).unwrap().next().is_none(), "the doctor only looks");
    let text = printed(home.path(), &["doctor"]);
    assert!(text.contains("What would make it better:"), "{text}");
}

#[test]
fn the_doctor_finds_files_that_cannot_be_used() {
    let home = tempdir().unwrap();
    fs::create_dir(home.path().join("tables")).unwrap();
    for (name, part) in [
        ("tables/KR-KN.dtm", "tables"),
        ("tables/banqi.tables", "Banqi"),
        ("starter.games", "starter"),
        ("games.db", "games"),
        ("config.toml", "settings"),
    ] {
        let path = home.path().join(name);
        fs::write(&path, "nonsense").unwrap();
        let findings = diagnosed(home.path(), 2);
        let broken: Vec<&str> =
            findings.iter().filter(|(_, state)| state == "broken").map(|(part, _)| part.as_str()).collect();
        assert_eq!(broken, [part]);
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let home = tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let script = printed(home.path(), &["completions", shell]);
        for word in ["analyze", "banqi", "doctor", "movetime"] {
            assert!(script.contains(word), "{shell} does not complete {word}");
        }
    }
    let folder = home.path().join("man1");
    chuhe(home.path(), &["man", folder.to_str().unwrap()]).assert().success();
    for (page, text) in [("chuhe.1", "doctor"), ("chuhe-go.1", "movetime"), ("chuhe-tb-build.1", "memory")] {
        assert!(fs::read_to_string(folder.join(page)).unwrap().contains(text), "{page}");
    }
}
