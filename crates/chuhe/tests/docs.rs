//! Documentation that cannot drift: the options of the engine, and the shell examples.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use assert_cmd::prelude::*;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The options that the engine declares, each with its values as the table of docs/engine.md has them.
fn declared_options() -> BTreeMap<String, String> {
    let mut options = BTreeMap::new();
    for protocol in ["uci", "ucci"] {
        let output = assert_cmd::Command::cargo_bin("chuhe")
            .unwrap()
            .write_stdin(format!("{protocol}\nquit\n"))
            .output()
            .unwrap();
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            let Some(line) = line.strip_prefix("option ") else { continue };
            let (name, kind) = line.split_once(" type ").unwrap();
            match name.strip_prefix("name ") {
                Some(name) => options.insert(name.to_owned(), values(kind)),
                // UCCI writes names as one word; only those that UCI does not have are new.
                None if options.contains_key(&name.replace('_', " ")) || options.contains_key(name) => None,
                None => options.insert(name.to_owned(), values(kind)),
            };
        }
    }
    options
}

/// `spin default 1 min 1 max 128` becomes `1–128, default 1`.
fn values(kind: &str) -> String {
    let words: Vec<&str> = kind.split_whitespace().collect();
    let after = |key: &str| words.iter().position(|word| *word == key).map(|at| words[at + 1]);
    match words[0] {
        "button" => "button".to_owned(),
        "string" => "text".to_owned(),
        "check" => format!("true or false, default {}", after("default").unwrap()),
        "spin" => {
            let [least, most, default] = ["min", "max", "default"].map(|key| after(key).unwrap());
            format!("{least}–{most}, default {default}")
        }
        _ => {
            let choices = words.split(|word| *word == "var").skip(1).map(|choice| choice.join(" "));
            format!("{}, default {}", choices.collect::<Vec<_>>().join(" "), after("default").unwrap())
        }
    }
}

#[test]
fn the_engine_page_has_every_option_with_its_values() {
    let page = fs::read_to_string(root().join("docs/engine.md")).unwrap();
    let section = page.split("\n## Options\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let documented: BTreeMap<String, String> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            (cells[1].trim_matches('`').to_owned(), cells[2].to_owned())
        })
        .collect();
    let declared = declared_options();
    assert!(declared.len() > 20, "{declared:?}");
    let list = |options: &BTreeMap<String, String>| {
        options.iter().map(|(name, values)| format!("| `{name}` | {values} |\n")).collect::<String>()
    };
    assert_eq!(list(&documented), list(&declared));
}

/// Runs every line that starts with `chuhe ` in blocks marked exactly `sh`; `sh no-run` is for those that need files
/// or take longer than a second.
#[test]
fn the_shell_examples_run() {
    let mut pages: Vec<PathBuf> = fs::read_dir(root().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.extend(["README.md", "README.zh.md"].map(|name| root().join(name)));
    let mut runs = 0;
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for block in text.split("\n```sh\n").skip(1) {
            let block = block.split("\n```").next().unwrap().replace("\\\n", " ");
            for command in block.lines().filter(|line| line.starts_with("chuhe ")) {
                runs += 1;
                run(command, &page);
            }
        }
    }
    assert!(runs >= 5, "only {runs} examples run");
}

fn run(command: &str, page: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let programs = cargo_bin("chuhe").parent().unwrap().to_owned();
    let path = std::env::join_paths(
        std::iter::once(programs).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    Command::new("sh")
        .args(["-c", command])
        .current_dir(folder.path())
        .env("PATH", path.unwrap())
        .env("CHUHE_HOME", folder.path())
        .assert()
        .try_success()
        .unwrap_or_else(|error| panic!("{}: {command}\n{error}", page.display()));
}
