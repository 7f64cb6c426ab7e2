//! Documentation that cannot drift: `docs/commands.md` lists every command and flag, and every example parses.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Arg, CommandFactory, Parser};

use crate::Arguments;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// `UPDATE_DOCS=1 cargo test -p chuhe command_page` writes the page.
#[test]
fn the_command_page_has_every_command_and_flag() {
    let path = root().join("docs/commands.md");
    let generated = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &generated).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    let (expected, found) = (entries(&generated), entries(&written));
    let missing: Vec<_> = expected.difference(&found).collect();
    let gone: Vec<_> = found.difference(&expected).collect();
    assert!(
        missing.is_empty() && gone.is_empty(),
        "docs/commands.md lacks {missing:?} and has {gone:?} which do not exist; \
         run UPDATE_DOCS=1 cargo test -p chuhe command_page"
    );
}

#[test]
fn every_example_in_the_documentation_parses() {
    let mut faults = String::new();
    let mut examples = 0;
    for file in pages() {
        let text = fs::read_to_string(&file).unwrap();
        for example in examples_of(&text) {
            examples += 1;
            if let Err(error) = Arguments::try_parse_from(shell_words(&example)) {
                let _ = writeln!(faults, "{}: {example}\n{error}", file.display());
            }
        }
    }
    assert!(examples > 20, "found only {examples} examples");
    assert!(faults.is_empty(), "{faults}");
}

/// The pages at the root and in docs/.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = fs::read_dir(root().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.extend(["README.md", "README.zh.md", "CONTRIBUTING.md"].map(|name| root().join(name)));
    pages.sort();
    pages
}

/// The commands in blocks marked `sh`, with continued lines joined.
fn examples_of(text: &str) -> Vec<String> {
    let mut examples = Vec::new();
    let mut in_shell = false;
    let mut command: Option<String> = None;
    for line in text.lines() {
        if let Some(marks) = line.strip_prefix("```") {
            in_shell = !in_shell && marks.split_whitespace().next() == Some("sh");
        } else if in_shell {
            let part = line.trim();
            let joined = match command.take() {
                Some(begun) => format!("{begun} {part}"),
                None if part.starts_with("chuhe ") => part.to_owned(),
                None => continue,
            };
            match joined.strip_suffix('\\') {
                Some(begun) => command = Some(begun.trim_end().to_owned()),
                None => examples.push(joined),
            }
        }
    }
    examples
}

/// The words of a command line as a shell splits them: quotes, and a comment at the end.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(letter),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => break,
            (None, '|' | '>' | '<' | ';') if word.is_none() => break,
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// What the page documents: `chuhe go`, `chuhe go --depth`.
fn entries(page: &str) -> BTreeSet<String> {
    let mut entries = BTreeSet::new();
    let mut command = String::new();
    for line in page.lines() {
        if let Some(name) = line.trim_start_matches('#').trim().strip_prefix("`chuhe")
            && line.starts_with('#')
        {
            command = format!("chuhe{}", name.trim_end_matches('`'));
            entries.insert(command.clone());
        } else if let Some(cell) = line.strip_prefix("| `") {
            let flag = cell.split(['`', ' ']).next().unwrap_or_default();
            entries.insert(format!("{command} {flag}"));
        }
    }
    entries
}

/// The whole page, from clap.
fn page() -> String {
    let mut text = String::from(
        "# The commands\n\n\
         `chuhe` without a command is an engine for any UCI, UCCI or xboard GUI ([engine.md](engine.md)). Every command \
         has `--help` with an example. `-` is standard input or output in every command that reads or writes records. Commands exit with 0 on success, 1 if some inputs were skipped, and 2 on an error.\n\n\
         This page is generated from the program: `UPDATE_DOCS=1 cargo test -p chuhe command_page`.\n",
    );
    let mut program = Arguments::command();
    program.build();
    for command in visible(&program) {
        describe(&mut text, command, "chuhe", 2);
    }
    text
}

fn visible(command: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    let mut commands: Vec<_> = command
        .get_subcommands()
        .filter(|command| !command.is_hide_set() && command.get_name() != "help")
        .collect();
    commands.sort_by_key(|command| command.get_name().to_owned());
    commands.into_iter()
}

fn describe(text: &mut String, command: &clap::Command, parent: &str, level: usize) {
    let name = format!("{parent} {}", command.get_name());
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let _ = writeln!(text, "\n{} `{name}`\n\n{}", "#".repeat(level), sentence(&about));
    let arguments: Vec<&Arg> = command
        .get_arguments()
        .filter(|argument| {
            !argument.is_hide_set() && !["help", "version"].contains(&argument.get_id().as_str())
        })
        .collect();
    if !arguments.is_empty() {
        let _ = writeln!(text, "\n| argument | meaning |\n|---|---|");
    }
    for argument in arguments {
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(text, "| `{}` | {} |", spelled(argument), sentence(&help).replace('|', "\\|"));
    }
    for command in visible(command) {
        describe(text, command, &name, level + 1);
    }
}

/// `--depth PLIES`, `--json` or `GAME`.
fn spelled(argument: &Arg) -> String {
    let values: Vec<String> =
        argument.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect();
    let value = if argument.get_action().takes_values() { values.join(" ") } else { String::new() };
    match argument.get_long() {
        Some(long) => format!("--{long} {value}").trim_end().to_owned(),
        None => value,
    }
}

/// The text as one line that ends with a full stop.
fn sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() || text.ends_with('.') { text } else { text + "." }
}

#[test]
fn words_are_split_as_a_shell_does() {
    assert_eq!(
        shell_words("chuhe go --moves 'h2e2 h9g7'  # a comment"),
        ["chuhe", "go", "--moves", "h2e2 h9g7"]
    );
    assert_eq!(shell_words("chuhe x --a=\"b c\",d > out"), ["chuhe", "x", "--a=b c,d"]);
}
