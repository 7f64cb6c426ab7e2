//! The UCI options, a row each: everything that declaring and setting an option needs.

use std::ops::RangeInclusive;
use std::time::Duration;

use chuhe_board::Outcome;
use chuhe_board::coords::RankStyle;
use chuhe_protocol::{OptionDeclaration, OptionKind, Protocol};
use chuhe_search::{PresetError, params};

use super::{Evaluation, FULL_ELO, FULL_SKILL, LEAST_ELO, Options};

/// One option.
pub(super) struct Row {
    name: &'static str,
    /// Further names, in the form of [`plain`].
    aliases: &'static [&'static str],
    kind: Kind,
    /// The protocols that declare it; all of them can set it.
    pub(super) protocols: &'static [Protocol],
    affects: Affects,
}

/// The values that an option takes, its default, and its setter.
enum Kind {
    Check(bool, fn(&mut Options, bool)),
    Spin(i64, RangeInclusive<i64>, fn(&mut Options, i64)),
    /// One of these words, the first by default.
    Combo(&'static [&'static str], fn(&mut Options, &str)),
    /// Any text, empty by default.
    Text(fn(&mut Options, &str)),
    Button,
}

/// What must follow a change of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Affects {
    /// Nothing: the session reads the option when it needs it.
    Session,
    /// The search pool, here and on every machine that helps it.
    Pool(PoolChange),
    /// The opening book.
    Book(BookChange),
    /// The log of the session.
    Log,
    /// The rank style of the connection.
    Ranks,
}

/// A change of the search pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PoolChange {
    /// Resize the transposition table.
    Hash,
    /// Start or end threads.
    Threads,
    /// Clear the transposition table and all histories.
    Clear,
    /// Judge repetitions by other rules.
    Rules,
    /// Use another evaluation.
    Evaluation,
    /// Load `EvalFile`.
    Network,
    /// Open `TablebasePath`.
    Endgames,
    /// Use other techniques or tuned numbers.
    Preset,
}

/// A change of the opening book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BookChange {
    /// Open `Book File`, with `Book Keys`.
    File,
    /// Start or stop using what was learned.
    Learning,
    /// The game has ended with `Book Result`.
    Result,
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OptionError {
    #[error("there is no option '{0}'")]
    Unknown(String),
    #[error("option '{name}' needs {expected}, not '{value}'")]
    Value { name: &'static str, expected: String, value: String },
    #[error("option 'Techniques': {0}")]
    Techniques(#[from] PresetError),
}

const ALL: &[Protocol] = &[Protocol::Uci, Protocol::Ucci, Protocol::Xboard];
/// xboard has commands of its own for these.
const UCI_AND_UCCI: &[Protocol] = &[Protocol::Uci, Protocol::Ucci];
const UCCI: &[Protocol] = &[Protocol::Ucci];
const UCI_AND_XBOARD: &[Protocol] = &[Protocol::Uci, Protocol::Xboard];

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    Row { name: "Hash", aliases: &["hashsize"], protocols: UCI_AND_UCCI, affects: Affects::Pool(PoolChange::Hash),
        kind: Kind::Spin(16, 1..=1 << 22, |options, value| options.hash = value as usize) },
    Row { name: "Clear Hash", aliases: &[], protocols: ALL, affects: Affects::Pool(PoolChange::Clear),
        kind: Kind::Button },
    Row { name: "Threads", aliases: &["cpunum"], protocols: UCI_AND_UCCI, affects: Affects::Pool(PoolChange::Threads),
        kind: Kind::Spin(1, 1..=1024, |options, value| options.threads = value as usize) },
    Row { name: "MultiPV", aliases: &[], protocols: ALL, affects: Affects::Session,
        kind: Kind::Spin(1, 1..=128, |options, value| options.lines = value as usize) },
    // Announces `go ponder`, which needs no preparation.
    Row { name: "Ponder", aliases: &[], protocols: UCI_AND_UCCI, affects: Affects::Session,
        kind: Kind::Check(false, |_, _| {}) },
    Row { name: "Move Overhead", aliases: &[], protocols: ALL, affects: Affects::Session,
        kind: Kind::Spin(10, 0..=5000, |options, value| options.overhead = Duration::from_millis(value as u64)) },
    Row { name: "nodestime", aliases: &[], protocols: ALL, affects: Affects::Session,
        kind: Kind::Spin(0, 0..=10_000, |options, value| options.nodes_time = value as u64) },
    Row { name: "Skill Level", aliases: &["skill"], protocols: ALL, affects: Affects::Session,
        kind: Kind::Spin(FULL_SKILL as i64, 0..=FULL_SKILL as i64, |options, value| options.skill = value as u32) },
    Row { name: "UCI_LimitStrength", aliases: &[], protocols: ALL, affects: Affects::Session,
        kind: Kind::Check(false, |options, value| options.limit_strength = value) },
    Row { name: "UCI_Elo", aliases: &[], protocols: ALL, affects: Affects::Session,
        kind: Kind::Spin(FULL_ELO as i64, LEAST_ELO as i64..=FULL_ELO as i64, |options, value| options.elo = value as u32) },
    Row { name: "UCI_AnalyseMode", aliases: &[], protocols: UCI_AND_UCCI, affects: Affects::Session,
        kind: Kind::Check(false, |options, value| options.analyse = value) },
    Row { name: "UCI_ShowWDL", aliases: &[], protocols: ALL, affects: Affects::Session,
        kind: Kind::Check(false, |options, value| options.show_wdl = value) },
    Row { name: "UCI_Variant", aliases: &[], protocols: UCI_AND_UCCI, affects: Affects::Session,
        kind: Kind::Combo(&["xiangqi"], |_, _| {}) },
    Row { name: "Ranks", aliases: &[], protocols: UCI_AND_UCCI, affects: Affects::Ranks,
        kind: Kind::Combo(&["0-9", "1-10"], |options, value| options.ranks = rank_style(value)) },
    Row { name: "Rules", aliases: &[], protocols: ALL, affects: Affects::Pool(PoolChange::Rules),
        kind: Kind::Combo(&["wxf", "axf", "cxa", "computer"], |options, value| {
            options.rules = value.parse().expect("the choices are names of rule sets");
        }) },
    Row { name: "Evaluation", aliases: &[], protocols: ALL, affects: Affects::Pool(PoolChange::Evaluation),
        kind: Kind::Combo(&["network", "classical"], |options, value| options.evaluation = evaluation(value)) },
    Row { name: "EvalFile", aliases: &[], protocols: ALL, affects: Affects::Pool(PoolChange::Network),
        kind: Kind::Text(|options, value| value.clone_into(&mut options.eval_file)) },
    Row { name: "TablebasePath", aliases: &[], protocols: ALL, affects: Affects::Pool(PoolChange::Endgames),
        kind: Kind::Text(|options, value| value.clone_into(&mut options.tablebase_path)) },
    // Match runners expect a UCI engine to leave the opening to them; a UCCI engine has a book of its own.
    Row { name: "OwnBook", aliases: &[], protocols: UCI_AND_XBOARD, affects: Affects::Session,
        kind: Kind::Check(false, |options, value| options.own_book = value) },
    Row { name: "usebook", aliases: &[], protocols: UCCI, affects: Affects::Session,
        kind: Kind::Check(true, |options, value| options.own_book = value) },
    Row { name: "Book File", aliases: &["bookfiles"], protocols: ALL, affects: Affects::Book(BookChange::File),
        kind: Kind::Text(|options, value| value.clone_into(&mut options.book_file)) },
    Row { name: "Book Keys", aliases: &[], protocols: ALL, affects: Affects::Book(BookChange::File),
        kind: Kind::Text(|options, value| value.clone_into(&mut options.book_keys)) },
    Row { name: "Book Policy", aliases: &[], protocols: ALL, affects: Affects::Session,
        kind: Kind::Combo(&["random", "best", "win-rate"], |options, value| {
            options.book.policy = value.parse().expect("the choices are names of policies");
        }) },
    Row { name: "Book Plies", aliases: &[], protocols: ALL, affects: Affects::Session,
        kind: Kind::Spin(40, 0..=400, |options, value| options.book.plies = value as usize) },
    Row { name: "Book Least Score", aliases: &[], protocols: ALL, affects: Affects::Session,
        kind: Kind::Spin(-60, -1000..=1000, |options, value| options.book.least_score = value as i16) },
    Row { name: "Book Traps", aliases: &[], protocols: ALL, affects: Affects::Session,
        kind: Kind::Check(false, |options, value| options.book.sets_traps = value) },
    Row { name: "Book Learning", aliases: &[], protocols: ALL, affects: Affects::Book(BookChange::Learning),
        kind: Kind::Check(false, |options, value| options.learning = value) },
    Row { name: "Book Result", aliases: &[], protocols: ALL, affects: Affects::Book(BookChange::Result),
        kind: Kind::Combo(&["unknown", "1-0", "0-1", "1/2-1/2"], |options, value| options.result = Outcome::from_token(value).unwrap_or_default()) },
    Row { name: "Debug Log File", aliases: &[], protocols: ALL, affects: Affects::Log,
        kind: Kind::Text(|options, value| value.clone_into(&mut options.log_file)) },
    Row { name: "usemillisec", aliases: &[], protocols: UCCI, affects: Affects::Session,
        kind: Kind::Check(true, |options, value| options.milliseconds = value) },
];

/// Options of other engines that GUIs set without being asked; accepted without effect.
const IGNORED: &[&str] = &[
    "egtbpaths",
    "batch",
    "debug",
    "pruning",
    "knowledge",
    "randomness",
    "style",
    "idle",
    "drawmoves",
    "repetition",
];

fn rank_style(value: &str) -> RankStyle {
    if value == "1-10" { RankStyle::FromOne } else { RankStyle::FromZero }
}

fn evaluation(value: &str) -> Evaluation {
    if value == "classical" { Evaluation::Classical } else { Evaluation::Network }
}

/// Sets an option by any of its names. The techniques of the search and its tuned numbers are options too, though
/// undeclared.
pub(super) fn set(options: &mut Options, name: &str, value: &str) -> Result<Affects, OptionError> {
    let wanted = plain(name);
    if let Some(row) = ROWS.iter().find(|row| row.is_called(&wanted)) {
        row.set(options, value)?;
        return Ok(row.affects);
    }
    if IGNORED.contains(&wanted.as_str()) {
        return Ok(Affects::Session);
    }
    if wanted == "techniques" {
        options.preset = value.parse()?;
        return Ok(Affects::Pool(PoolChange::Preset));
    }
    set_param(options, name, value)
}

/// A name as names are compared: in lower case, without spaces and underscores.
fn plain(name: &str) -> String {
    name.to_ascii_lowercase().replace(['_', ' '], "")
}

impl Row {
    pub(super) fn declaration(&self) -> OptionDeclaration {
        let kind = match &self.kind {
            Kind::Check(default, _) => OptionKind::Check { default: *default },
            Kind::Spin(default, range, _) => {
                OptionKind::Spin { default: *default, min: *range.start(), max: *range.end() }
            }
            Kind::Combo(choices, _) => OptionKind::Combo {
                default: choices[0].to_owned(),
                choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
            },
            Kind::Text(_) => OptionKind::Text { default: String::new() },
            Kind::Button => OptionKind::Button,
        };
        OptionDeclaration::new(self.name, kind)
    }

    fn is_called(&self, wanted: &str) -> bool {
        plain(self.name) == wanted || self.aliases.contains(&wanted)
    }

    fn set(&self, options: &mut Options, value: &str) -> Result<(), OptionError> {
        match &self.kind {
            Kind::Check(_, set) => set(options, boolean(self.name, value)?),
            Kind::Spin(_, range, set) => set(options, number(self.name, value, range)?),
            Kind::Combo(choices, set) => set(options, choice(self.name, value, choices)?),
            Kind::Text(set) => set(options, if value == "<empty>" { "" } else { value }),
            Kind::Button => {}
        }
        Ok(())
    }
}

fn set_param(options: &mut Options, name: &str, value: &str) -> Result<Affects, OptionError> {
    let unknown = || OptionError::Unknown(name.to_owned());
    let param = params::all().into_iter().find(|param| param.name == name).ok_or_else(unknown)?;
    let range = i64::from(*param.range.start())..=i64::from(*param.range.end());
    let value = number(param.name, value, &range)?;
    *options.preset.params.named(name).ok_or_else(unknown)? = value as i32;
    Ok(Affects::Pool(PoolChange::Preset))
}

fn boolean(name: &'static str, value: &str) -> Result<bool, OptionError> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "on" | "1" | "yes" => Ok(true),
        "false" | "off" | "0" | "no" => Ok(false),
        _ => Err(bad_value(name, "true or false".to_owned(), value)),
    }
}

fn number(name: &'static str, value: &str, range: &RangeInclusive<i64>) -> Result<i64, OptionError> {
    let expected = || format!("a number from {} to {}", range.start(), range.end());
    let number = value.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| bad_value(name, expected(), value))
}

/// The choice that `value` names, as the table spells it.
fn choice(name: &'static str, value: &str, choices: &[&'static str]) -> Result<&'static str, OptionError> {
    let found = choices.iter().find(|choice| choice.eq_ignore_ascii_case(value));
    found.copied().ok_or_else(|| {
        let expected = match choices {
            [only] => (*only).to_owned(),
            [first @ .., last] => format!("{} or {last}", first.join(", ")),
            [] => String::new(),
        };
        bad_value(name, expected, value)
    })
}

fn bad_value(name: &'static str, expected: String, value: &str) -> OptionError {
    OptionError::Value { name, expected, value: value.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_takes_its_default_and_starts_with_it() {
        for row in ROWS {
            let OptionDeclaration { name, kind } = row.declaration();
            let value = match kind {
                OptionKind::Check { default } => default.to_string(),
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Combo { default, .. } | OptionKind::Text { default } => default,
                OptionKind::Button => String::new(),
            };
            for protocol in row.protocols {
                let mut options = Options::of(*protocol);
                assert!(options.set(&name, Some(&value)).is_ok(), "{name}");
                assert_eq!(options, Options::of(*protocol), "{name}");
            }
        }
    }

    #[test]
    fn every_choice_can_be_set_in_any_case() {
        for row in ROWS {
            if let Kind::Combo(choices, _) = row.kind {
                for choice in choices {
                    let value = choice.to_ascii_uppercase();
                    assert_eq!(set(&mut Options::default(), row.name, &value), Ok(row.affects), "{value}");
                }
            }
        }
    }

    #[test]
    fn names_and_aliases_are_unique() {
        let mut names: Vec<String> = ROWS.iter().map(|row| plain(row.name)).collect();
        names.extend(ROWS.iter().flat_map(|row| row.aliases).map(|&alias| alias.to_owned()));
        names.extend(IGNORED.iter().map(|&name| name.to_owned()));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
