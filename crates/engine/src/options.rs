//! What a GUI can set.

use std::sync::Arc;
use std::time::Duration;

use chuhe_adapters::Handicap;
use chuhe_board::Outcome;
use chuhe_board::coords::RankStyle;
use chuhe_book::Choice;
use chuhe_eval::network::Network;
use chuhe_protocol::{OptionDeclaration, OptionKind};
use chuhe_referee::RuleSet;
use chuhe_search::Evaluator;

/// The settings of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) hash: usize,
    pub(crate) threads: usize,
    pub(crate) lines: usize,
    pub(crate) overhead: Duration,
    pub(crate) show_wdl: bool,
    /// The GUI analyses: nothing is held back.
    pub(crate) analyse: bool,
    pub(crate) skill: u32,
    pub(crate) limit_strength: bool,
    pub(crate) elo: u32,
    pub(crate) ranks: RankStyle,
    pub(crate) rules: RuleSet,
    /// Nodes that count as a millisecond; 0 means the real clock.
    pub(crate) nodes_time: u64,
    /// Whether moves of the book are played.
    pub(crate) own_book: bool,
    /// How they are chosen.
    pub(crate) book: Choice,
    /// Whether the engine learns from its games.
    pub(crate) learning: bool,
    /// UCCI: whether the GUI's times are milliseconds.
    pub(crate) milliseconds: bool,
    pub(crate) evaluation: Evaluation,
    /// The network of `EvalFile`, or the one built in.
    pub(crate) network: Arc<Network>,
}

/// What positions shall be evaluated by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evaluation {
    Classical,
    Network,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash: 16,
            threads: 1,
            lines: 1,
            overhead: Duration::from_millis(10),
            show_wdl: false,
            analyse: false,
            skill: FULL_SKILL,
            limit_strength: false,
            elo: ELO_RANGE.1,
            ranks: RankStyle::FromZero,
            rules: RuleSet::default(),
            nodes_time: 0,
            own_book: false,
            book: Choice::default(),
            learning: false,
            milliseconds: true,
            evaluation: Evaluation::Network,
            network: Network::built_in(),
        }
    }
}

/// The skill level at which nothing is held back.
pub(crate) const FULL_SKILL: u32 = 20;
/// The range of `UCI_Elo`.
pub(crate) const ELO_RANGE: (u32, u32) = (600, 3400);

/// What setting an option asks the session to do besides remembering it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Nothing.
    None,
    /// Make a table of the new size.
    Hash,
    /// Take on or dismiss threads.
    Threads,
    /// Forget all that was learnt.
    Clear,
    /// Judge repetitions by other rules.
    Rules,
    /// Evaluate by something else.
    Evaluator,
    /// Load the network of this file; without a name, the one built in.
    Network(String),
    /// Look endgames up in this folder.
    Endgames(String),
    /// Read this book; the embedded one if empty.
    Book(String),
    /// Heed what was learnt, or leave it aside.
    Learning,
    /// The game is over, and this is how it ended.
    Result(Outcome),
    /// Log to this file.
    Log(String),
    /// Change a tuned number.
    Param(String, i32),
}

impl Change {
    /// Whether the pool has to do something.
    pub(crate) const fn concerns_pool(&self) -> bool {
        !matches!(self, Self::None | Self::Book(_) | Self::Learning | Self::Result(_) | Self::Log(_))
    }
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OptionError {
    #[error("there is no option '{0}'")]
    Unknown(String),
    #[error("option '{name}' needs {expected}, not '{value}'")]
    Value { name: &'static str, expected: String, value: String },
}

/// Options, each declared once: name, names that UCCI GUIs use for it, and kind.
const UCCI_NAMES: [(&str, &str); 8] = [
    ("usebook", "OwnBook"),
    ("bookfiles", "Book File"),
    ("hashsize", "Hash"),
    ("threads", "Threads"),
    ("cpunum", "Threads"),
    ("ponder", "Ponder"),
    ("multipv", "MultiPV"),
    ("skill", "Skill Level"),
];

/// Options of other engines that GUIs set without being asked; heard and left alone.
const TOLERATED: [&str; 10] = [
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

const MOST_HASH: i64 = 1 << 22;

impl Options {
    /// All options with their defaults.
    pub(crate) fn declarations() -> Vec<OptionDeclaration> {
        let defaults = Self::default();
        let spin = |default: u64, min: i64, max: i64| OptionKind::Spin { default: default as i64, min, max };
        let check = |default| OptionKind::Check { default };
        let text = |default: &str| OptionKind::Text { default: default.to_owned() };
        let combo = |choices: &[&str]| OptionKind::Combo {
            default: choices[0].to_owned(),
            choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
        };
        let (least, most) = ELO_RANGE;
        [
            ("Hash", spin(defaults.hash as u64, 1, MOST_HASH)),
            ("Clear Hash", OptionKind::Button),
            ("Threads", spin(1, 1, 1024)),
            ("MultiPV", spin(1, 1, 128)),
            ("Ponder", check(false)),
            ("Move Overhead", spin(defaults.overhead.as_millis() as u64, 0, 5000)),
            ("nodestime", spin(0, 0, 10_000)),
            ("Skill Level", spin(FULL_SKILL.into(), 0, FULL_SKILL.into())),
            ("UCI_LimitStrength", check(false)),
            ("UCI_Elo", spin(defaults.elo.into(), least.into(), most.into())),
            ("UCI_AnalyseMode", check(false)),
            ("UCI_ShowWDL", check(false)),
            ("UCI_Variant", combo(&["xiangqi"])),
            ("Ranks", combo(&["0-9", "1-10"])),
            ("Rules", combo(&["wxf", "axf", "cxa", "computer"])),
            ("Evaluation", combo(&["network", "classical"])),
            ("EvalFile", text("")),
            ("TablebasePath", text("")),
            ("OwnBook", check(false)),
            ("Book File", text("")),
            ("Book Policy", combo(&["best", "random", "win-rate"])),
            ("Book Plies", spin(defaults.book.plies as u64, 0, 400)),
            (
                "Book Least Score",
                OptionKind::Spin { default: defaults.book.least_score.into(), min: -1000, max: 1000 },
            ),
            ("Book Traps", check(false)),
            ("Book Learning", check(false)),
            ("Book Result", combo(&["unknown", "1-0", "0-1", "1/2-1/2"])),
            ("Debug Log File", text("")),
        ]
        .map(|(name, kind)| OptionDeclaration::new(name, kind))
        .into()
    }

    /// Sets an option by its name in any spelling that GUIs use.
    pub(crate) fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, OptionError> {
        let value = value.unwrap_or_default().trim();
        let plain = |text: &str| text.to_ascii_lowercase().replace(['_', ' '], "");
        let wanted = plain(name);
        let alias = UCCI_NAMES.iter().find(|(ucci, _)| *ucci == wanted).map(|(_, name)| plain(name));
        match alias.as_deref().unwrap_or(&wanted) {
            "hash" => {
                self.hash = number("Hash", value, 1..=MOST_HASH)? as usize;
                return Ok(Change::Hash);
            }
            "threads" => {
                self.threads = number("Threads", value, 1..=1024)? as usize;
                return Ok(Change::Threads);
            }
            "clearhash" => return Ok(Change::Clear),
            "debuglogfile" => {
                let path = if value == "<empty>" { "" } else { value };
                return Ok(Change::Log(path.to_owned()));
            }
            "tablebasepath" => {
                let path = if value == "<empty>" { "" } else { value };
                return Ok(Change::Endgames(path.to_owned()));
            }
            "multipv" => self.lines = number("MultiPV", value, 1..=128)? as usize,
            "moveoverhead" => {
                self.overhead = Duration::from_millis(number("Move Overhead", value, 0..=5000)? as u64);
            }
            "nodestime" => self.nodes_time = number("nodestime", value, 0..=10_000)? as u64,
            "skilllevel" => self.skill = number("Skill Level", value, 0..=i64::from(FULL_SKILL))? as u32,
            "ucielo" => {
                let (least, most) = ELO_RANGE;
                self.elo = number("UCI_Elo", value, least.into()..=most.into())? as u32;
            }
            "ucilimitstrength" => self.limit_strength = truth("UCI_LimitStrength", value)?,
            "ucishowwdl" => self.show_wdl = truth("UCI_ShowWDL", value)?,
            "usemillisec" => self.milliseconds = truth("usemillisec", value)?,
            "ownbook" => self.own_book = truth("OwnBook", value)?,
            "bookfile" => {
                let path = if value == "<empty>" { "" } else { value };
                return Ok(Change::Book(path.to_owned()));
            }
            "bookpolicy" => {
                self.book.policy =
                    value.parse().map_err(|()| bad("Book Policy", "best, random or win-rate", value))?;
            }
            "bookplies" => self.book.plies = number("Book Plies", value, 0..=400)? as usize,
            "bookleastscore" => {
                self.book.least_score = number("Book Least Score", value, -1000..=1000)? as i16;
            }
            "booktraps" => self.book.sets_traps = truth("Book Traps", value)?,
            "booklearning" => {
                self.learning = truth("Book Learning", value)?;
                return Ok(Change::Learning);
            }
            "bookresult" => return outcome(value).map(Change::Result),
            "ucianalysemode" => self.analyse = truth("UCI_AnalyseMode", value)?,
            // The GUI says so that the engine can prepare; nothing needs to be.
            "ponder" => drop(truth("Ponder", value)?),
            "ucivariant" => match value {
                "xiangqi" => {}
                _ => return Err(bad("UCI_Variant", "xiangqi", value)),
            },
            "ranks" => {
                self.ranks = match value {
                    "0-9" => RankStyle::FromZero,
                    "1-10" => RankStyle::FromOne,
                    _ => return Err(bad("Ranks", "0-9 or 1-10", value)),
                }
            }
            "rules" => {
                self.rules = value.parse().map_err(|_| bad("Rules", "wxf, axf, cxa or computer", value))?;
                return Ok(Change::Rules);
            }
            "evaluation" => {
                self.evaluation = match value {
                    "classical" => Evaluation::Classical,
                    "network" => Evaluation::Network,
                    _ => return Err(bad("Evaluation", "classical or network", value)),
                };
                return Ok(Change::Evaluator);
            }
            "evalfile" => {
                let path = if value == "<empty>" { "" } else { value };
                return Ok(Change::Network(path.to_owned()));
            }
            tolerated if TOLERATED.contains(&tolerated) => {}
            _ => return tuned_number(name, value),
        }
        Ok(Change::None)
    }

    /// The strength that the engine plays at; `None` is full strength.
    pub(crate) fn handicap(&self) -> Option<Handicap> {
        if self.analyse {
            return None;
        }
        if self.limit_strength {
            let (least, most) = ELO_RANGE;
            return Handicap::new(f64::from(self.elo - least) / f64::from(most - least));
        }
        Handicap::new(f64::from(self.skill) / f64::from(FULL_SKILL))
    }

    /// What positions are evaluated by.
    pub(crate) fn evaluator(&self) -> Evaluator {
        match self.evaluation {
            Evaluation::Classical => Evaluator::Classical,
            Evaluation::Network => Evaluator::Network(Arc::clone(&self.network)),
        }
    }
}

/// The tuned numbers of the search can be set by their names, though they are not declared.
fn tuned_number(name: &str, value: &str) -> Result<Change, OptionError> {
    let params = chuhe_search::params::all();
    let Some(param) = params.into_iter().find(|param| param.name == name) else {
        return Err(OptionError::Unknown(name.to_owned()));
    };
    let (least, most) = (i64::from(*param.range.start()), i64::from(*param.range.end()));
    let value = number(param.name, value, least..=most)?;
    Ok(Change::Param(param.name.to_owned(), value as i32))
}

fn number(name: &'static str, value: &str, range: std::ops::RangeInclusive<i64>) -> Result<i64, OptionError> {
    let expected = || format!("a number from {} to {}", range.start(), range.end());
    value.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| bad(name, &expected(), value))
}

/// How a game ended, as records write it.
fn outcome(value: &str) -> Result<Outcome, OptionError> {
    Ok(match value {
        "unknown" => Outcome::Undecided,
        "1-0" => Outcome::RedWins,
        "0-1" => Outcome::BlackWins,
        "1/2-1/2" => Outcome::Draw,
        _ => return Err(bad("Book Result", "1-0, 0-1, 1/2-1/2 or unknown", value)),
    })
}

fn truth(name: &'static str, value: &str) -> Result<bool, OptionError> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "on" | "1" | "yes" => Ok(true),
        "false" | "off" | "0" | "no" => Ok(false),
        _ => Err(bad(name, "true or false", value)),
    }
}

fn bad(name: &'static str, expected: &str, value: &str) -> OptionError {
    OptionError::Value { name, expected: expected.to_owned(), value: value.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declared_option_takes_its_default() {
        for OptionDeclaration { name, kind } in Options::declarations() {
            let value = match kind {
                OptionKind::Check { default } => default.to_string(),
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Combo { default, .. } | OptionKind::Text { default } => default,
                OptionKind::Button => String::new(),
            };
            let mut options = Options::default();
            assert!(options.set(&name, Some(&value)).is_ok(), "{name}");
            assert_eq!(options, Options::default(), "{name}");
        }
    }

    #[test]
    fn full_strength_is_no_handicap() {
        assert_eq!(Options::default().handicap(), None);
        let weaker = Options { skill: 3, ..Options::default() };
        assert!(weaker.handicap().is_some());
        let analysing = Options { analyse: true, ..weaker };
        assert_eq!(analysing.handicap(), None);
    }

    #[test]
    fn spellings_of_other_guis_are_understood() {
        let mut options = Options::default();
        assert_eq!(options.set("hashsize", Some("64")), Ok(Change::Hash));
        assert_eq!(options.hash, 64);
        assert_eq!(options.set("move_overhead", Some("50")), Ok(Change::None));
        assert_eq!(options.overhead, Duration::from_millis(50));
        assert_eq!(options.set("usebook", Some("false")), Ok(Change::None));
    }

    #[test]
    fn the_book_and_its_learning_are_no_matter_of_the_pool() {
        let mut options = Options::default();
        for (name, value) in [("Book Learning", "true"), ("Book Result", "1-0"), ("Book File", "a.book")] {
            assert!(!options.set(name, Some(value)).unwrap().concerns_pool(), "{name}");
        }
    }

    #[test]
    fn impossible_values_change_nothing_and_say_why() {
        let mut options = Options::default();
        let error = options.set("Threads", Some("many")).unwrap_err();
        assert_eq!(error.to_string(), "option 'Threads' needs a number from 1 to 1024, not 'many'");
        let error = options.set("Contempt", Some("10")).unwrap_err();
        assert_eq!(error.to_string(), "there is no option 'Contempt'");
        assert!(options.set("rfp_margin", Some("100000")).is_err());
        let error = options.set("Evaluation", Some("guess")).unwrap_err();
        assert_eq!(error.to_string(), "option 'Evaluation' needs classical or network, not 'guess'");
        assert_eq!(options, Options::default());
    }
}
