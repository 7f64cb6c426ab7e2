//! Docs that cannot drift: every crate has a README whose table lists exactly its modules, and `fuzz/README.md`
//! lists exactly the fuzz targets, and the glossary points to files that use its terms.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path())
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// The first column of the table under a header that begins with `| {title} |`, without back-quotes.
fn listed(markdown: &str, title: &str) -> BTreeSet<String> {
    let header = format!("| {title} |");
    let rows = markdown.lines().skip_while(|line| !line.starts_with(&header)).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| line.split('|').nth(1).unwrap().trim().trim_matches('`').to_owned())
        .collect()
}

/// The modules at the top of a crate: files and folders of `src`, without its roots.
fn modules(source: &Path) -> BTreeSet<String> {
    let is_module = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_root = ["lib.rs", "main.rs"].contains(&name);
        let holds_modules = path.is_dir() && !["bin", "snapshots"].contains(&name);
        !is_root && (name.ends_with(".rs") || holds_modules)
    };
    entries(source).filter(is_module).map(|path| stem(&path)).collect()
}

#[test]
fn every_crate_lists_its_modules() {
    let mut faults = Vec::new();
    for folder in entries(&workspace().join("crates")).filter(|path| path.is_dir()) {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let Ok(readme) = fs::read_to_string(folder.join("README.md")) else {
            faults.push(format!("{name} has no README.md"));
            continue;
        };
        let (listed, found) = (listed(&readme, "module"), modules(&folder.join("src")));
        for module in found.difference(&listed) {
            faults.push(format!("{name}/README.md does not list `{module}`"));
        }
        for module in listed.difference(&found) {
            faults.push(format!("{name}/README.md lists `{module}`, which does not exist"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_fuzz_target_is_listed_with_its_law() {
    let fuzz = workspace().join("fuzz");
    let targets: BTreeSet<String> = entries(&fuzz.join("fuzz_targets")).map(|path| stem(&path)).collect();
    assert_eq!(listed(&fs::read_to_string(fuzz.join("README.md")).unwrap(), "target"), targets);
}

/// Rows of tables whose last cell is a link: the first two cells, and the linked file.
fn linked_terms(markdown: &str) -> Vec<(String, String, String)> {
    let rows = markdown.lines().filter(|line| line.starts_with("| ") && line.ends_with(") |"));
    rows.map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let path = cells[5].rsplit_once('(').unwrap().1.trim_end_matches(')');
        (cells[1].to_owned(), cells[2].to_owned(), path.to_owned())
    })
    .collect()
}

#[test]
fn the_glossary_points_to_files_that_use_the_term() {
    let docs = workspace().join("docs");
    let terms = linked_terms(&fs::read_to_string(docs.join("glossary.md")).unwrap());
    assert!(terms.len() > 50);
    let mut faults = Vec::new();
    for (term, abbreviation, path) in terms {
        let Ok(text) = fs::read_to_string(docs.join(&path)) else {
            faults.push(format!("{term}: there is no {path}"));
            continue;
        };
        let flat =
            text.replace("\n//! ", " ").replace("\n    /// ", " ").replace("\n/// ", " ").to_lowercase();
        let uses = |word: &str| {
            let word = word.to_lowercase();
            flat.contains(&word)
                || flat.contains(&word.replace(' ', "_"))
                || flat.contains(&word.replace(' ', "-"))
        };
        if !uses(&term) && (abbreviation.is_empty() || !uses(&abbreviation)) {
            faults.push(format!("{path} never says '{term}'"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// All pages: at the top, in `docs`, and the READMEs beside the code.
fn pages() -> Vec<PathBuf> {
    let root = workspace();
    let mut folders = vec![root.clone(), root.join("docs"), root.join("docs/experiments")];
    folders.extend(["fuzz", "nets", "web"].map(|name| root.join(name)));
    folders.extend(entries(&root.join("crates")).filter(|path| path.is_dir()));
    folders.push(root.join("crates"));
    let files = folders.iter().flat_map(|folder| entries(folder));
    files.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

/// The book has every page once; `make book` builds it from this list.
#[test]
fn the_book_lists_every_page_once() {
    let docs = workspace().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let listed: Vec<&str> = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    let pages = [("", docs.clone()), ("experiments/", docs.join("experiments"))].into_iter().flat_map(
        |(name, folder)| {
            let pages =
                entries(&folder).filter(|path| path.extension().is_some_and(|extension| extension == "md"));
            pages.map(move |path| format!("{name}{}.md", stem(&path))).collect::<Vec<_>>()
        },
    );
    for page in pages.filter(|page| page != "SUMMARY.md") {
        let times = listed.iter().filter(|listed| **listed == page).count();
        assert_eq!(times, 1, "docs/SUMMARY.md lists {page} {times} times");
    }
}

#[test]
fn every_link_between_pages_leads_somewhere() {
    let mut faults = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        let tags = ["<img ", "<source "].into_iter().flat_map(|tag| text.split(tag).skip(1));
        let sources = tags.filter_map(|rest| rest.split('>').next()?.split("src").nth(1)?.split('"').nth(1));
        let targets = links.chain(sources);
        for target in targets.filter(|target| !target.is_empty() && !target.contains("://")) {
            if !page.parent().unwrap().join(target).exists() {
                faults.push(format!("{}: there is no {target}", page.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
