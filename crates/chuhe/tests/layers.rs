//! The direction of dependencies: a crate uses only crates in higher rows of the picture in
//! `crates/README.md`, which this test reads. Development dependencies count, too: a test that needs a lower crate belongs
//! to that crate.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

/// Edges that the rows would allow and the design does not: matches talk to engines through pipes,
/// ours included.
const FORBIDDEN: [(&str, &str); 1] = [("arena", "search")];

/// Outside libraries that only the programs may use.
const FOR_PROGRAMS: [&str; 2] = ["anyhow", "clap"];
/// Outside libraries that only the crates from `server` down may use.
const ASYNCHRONOUS: [&str; 3] = ["tokio", "axum", "futures"];

/// The crates of the workspace by short name, each with the names of all it depends on.
type Crates = BTreeMap<String, Vec<String>>;

#[test]
fn every_dependency_points_up_the_picture() {
    let crates = workspace();
    assert!(crates.contains_key("board") && crates.contains_key("chuhe"), "found only {crates:?}");
    let edges = crates.iter().flat_map(|(user, used)| used.iter().map(move |used| (user, used)));
    let faults: Vec<String> = edges.filter_map(|(user, used)| fault(user, used)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_crate_has_its_place_in_the_picture_and_its_line_in_the_table() {
    let (readme, crates) = (readme(), workspace());
    for name in crates.keys() {
        assert!(row(name).is_some(), "crate '{name}' is in no row of the picture");
        assert!(readme.contains(&format!("| [`{name}`]")), "crates/README.md has no line for '{name}'");
    }
    for name in rows().iter().flatten() {
        assert!(crates.contains_key(name), "the picture shows '{name}', which does not exist");
    }
}

#[test]
fn an_edge_down_or_along_the_picture_is_a_fault() {
    let fault = |user, used: &str| fault(user, used).is_some();
    assert!(!fault("notation", "chuhe-board"));
    assert!(!fault("chuhe", "chuhe-server"));
    assert!(fault("board", "chuhe-search"));
    assert!(fault("referee", "chuhe-notation"));
    assert!(fault("search", "chuhe-book"));
    assert!(fault("arena", "chuhe-search"));
    assert!(fault("board", "chuhe-unheard-of"));
    assert!(fault("eval", "anyhow"));
    assert!(!fault("chuhe", "anyhow"));
    assert!(fault("engine", "tokio"));
    assert!(!fault("server", "tokio"));
}

/// What is wrong with one crate using another, if anything is.
fn fault(user: &str, used: &str) -> Option<String> {
    let user_row = row(user)?;
    if FOR_PROGRAMS.contains(&used) && user_row < rows().len() - 1 {
        return Some(format!("'{user}' is a library and uses '{used}'"));
    }
    if ASYNCHRONOUS.contains(&used) && user_row < row("server")? {
        return Some(format!("'{user}' stands above the server and uses '{used}'"));
    }
    let used = short(used)?;
    match row(used) {
        None => Some(format!("'{user}' uses '{used}', which is in no row of the picture")),
        Some(used_row) if used_row >= user_row => Some(format!("'{user}' uses '{used}', not above it")),
        Some(_) if FORBIDDEN.contains(&(user, used)) => Some(format!("'{user}' must never use '{used}'")),
        Some(_) => None,
    }
}

/// The row of a crate in the picture, from the top.
fn row(name: &str) -> Option<usize> {
    rows().iter().position(|row| row.iter().any(|crate_name| crate_name == name))
}

/// The rows of the picture in `crates/README.md`: the lines of its first code block that name crates.
fn rows() -> &'static [Vec<String>] {
    static ROWS: OnceLock<Vec<Vec<String>>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let readme = readme();
        let picture = readme.split("```").nth(1).expect("the page begins with a picture");
        let names = |line: &str| {
            // The comment on a row stands behind three spaces or more.
            let crates = line.trim_start().split("   layer ").next().unwrap_or("");
            let words = crates.split("   the programs").next().unwrap_or("").split([' ', ',']);
            words
                .filter(|word| word.starts_with(|letter: char| letter.is_ascii_lowercase()))
                .map(|word| short(word).unwrap_or(word).to_owned())
                .collect::<Vec<_>>()
        };
        picture.lines().map(names).filter(|row| !row.is_empty()).collect()
    })
}

fn readme() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    std::fs::read_to_string(path).expect("crates/README.md is there")
}

/// `board` for `chuhe-board`; nothing for packages that are not ours.
fn short(package: &str) -> Option<&str> {
    if package == "chuhe" { Some(package) } else { package.strip_prefix("chuhe-") }
}

fn workspace() -> Crates {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("a workspace has packages");
    packages.iter().map(|package| (crate_name(package), dependencies(package))).collect()
}

fn crate_name(package: &Value) -> String {
    let package = package["name"].as_str().expect("packages have names");
    short(package).unwrap_or(package).to_owned()
}

fn dependencies(package: &Value) -> Vec<String> {
    let list = package["dependencies"].as_array().expect("packages list their dependencies");
    list.iter().map(|used| used["name"].as_str().expect("dependencies have names").to_owned()).collect()
}
