//! Every package that Chuhe is built of has a licence and a source that `deny.toml` allows. `cargo deny` checks the same,
//! and advisories, where it is installed; this needs nothing but cargo.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> toml::Table {
    fs::read_to_string(root().join(name)).unwrap().parse().unwrap()
}

/// A list of texts in `deny.toml`.
fn allowed(section: &str, list: &str) -> BTreeSet<String> {
    let deny = read("deny.toml");
    let texts = deny[section][list].as_array().unwrap().iter();
    texts.map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// Whether an SPDX expression can be satisfied with these licences. `/` is an old way to write OR.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    let verdict = either(&mut rest, allowed);
    verdict && rest.is_empty()
}

fn either(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    let mut verdict = both(words, allowed);
    while let ["OR", rest @ ..] = *words {
        *words = rest;
        verdict |= both(words, allowed);
    }
    verdict
}

fn both(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    let mut verdict = one(words, allowed);
    while let ["AND", rest @ ..] = *words {
        *words = rest;
        verdict &= one(words, allowed);
    }
    verdict
}

fn one(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    match *words {
        ["(", rest @ ..] => {
            *words = rest;
            let verdict = either(words, allowed);
            let is_closed = words.first() == Some(&")");
            *words = words.get(1..).unwrap_or_default();
            verdict && is_closed
        }
        // An exception only grants more.
        [licence, "WITH", _, rest @ ..] | [licence, rest @ ..] => {
            *words = rest;
            allowed.contains(*licence)
        }
        [] => false,
    }
}

#[test]
fn an_expression_is_read_as_spdx_says() {
    let allowed = BTreeSet::from(["MIT", "Zlib"].map(str::to_owned));
    for good in
        ["MIT", "MIT OR GPL-2.0-only", "X/MIT", "(X OR MIT) AND Zlib", "X OR MIT AND Zlib", "MIT WITH extras"]
    {
        assert!(is_allowed(good, &allowed), "{good}");
    }
    for bad in ["X", "MIT AND X", "(MIT OR X", "MIT X", "X AND MIT OR Y", ""] {
        assert!(!is_allowed(bad, &allowed), "{bad}");
    }
}

#[test]
fn every_source_is_on_our_list() {
    let allowed = allowed("sources", "allow-registry");
    let lock = read("Cargo.lock");
    let packages = lock["package"].as_array().unwrap();
    assert!(packages.len() > 100);
    for package in packages {
        // Our own packages have none.
        let Some(source) = package.get("source").map(|source| source.as_str().unwrap()) else { continue };
        let registry = source.strip_prefix("registry+").unwrap_or(source);
        assert!(allowed.contains(registry), "{} comes from {source}", package["name"]);
        assert!(package.get("checksum").is_some(), "{} has no checksum", package["name"]);
    }
}

#[test]
fn every_licence_is_on_our_list() {
    let allowed = allowed("licenses", "allow");
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100, "only {} packages", packages.len());
    let faults: Vec<String> = packages
        .iter()
        .filter(|package| !package["license"].as_str().is_some_and(|licence| is_allowed(licence, &allowed)))
        .map(|package| format!("{} is under {}", package["name"], package["license"]))
        .collect();
    assert!(faults.is_empty(), "not on the list in deny.toml:\n{}", faults.join("\n"));
}

/// What cargo knows of the packages for this machine, which are there because the tests are built of them.
fn metadata() -> Value {
    let rustc = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let facts = String::from_utf8(rustc.stdout).unwrap();
    let host = facts.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--offline", "--filter-platform", host])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}
