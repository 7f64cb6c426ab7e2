//! Kinds of tables: what their distances measure and which rules they follow.

use std::fmt;
use std::str::FromStr;

/// What the values of a table measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Plies to mate or stalemate.
    #[default]
    Mate,
    /// Plies to mate, stalemate or the capture that leads to another won endgame.
    Conversion,
    /// Only who wins.
    Outcome,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Self; 3] = [Self::Mate, Self::Conversion, Self::Outcome];

    /// The ending of a file's name, and the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mate => "dtm",
            Self::Conversion => "dtc",
            Self::Outcome => "wdl",
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that stands for no metric.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not one of dtm, dtc and wdl")]
pub struct MetricError(String);

impl FromStr for Metric {
    type Err = MetricError;

    fn from_str(name: &str) -> Result<Self, MetricError> {
        let found = Self::ALL.into_iter().find(|metric| metric.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| MetricError(name.to_owned()))
    }
}

/// Which repetitions a table knows of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rules {
    /// None: who repeats for ever draws.
    #[default]
    Plain,
    /// Whoever gives check for ever, while the other does not, loses.
    PerpetualCheck,
}

impl Rules {
    /// All rules.
    pub const ALL: [Self; 2] = [Self::Plain, Self::PerpetualCheck];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "none",
            Self::PerpetualCheck => "check",
        }
    }
}

/// A name that stands for no rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not one of none and check")]
pub struct RulesError(String);

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(name: &str) -> Result<Self, RulesError> {
        let found = Self::ALL.into_iter().find(|rules| rules.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| RulesError(name.to_owned()))
    }
}

/// The kind of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind {
    /// What values measure.
    pub metric: Metric,
    /// Which rules they follow.
    pub rules: Rules,
}

impl Kind {
    /// All kinds.
    pub fn all() -> impl Iterator<Item = Self> {
        Rules::ALL
            .into_iter()
            .flat_map(|rules| Metric::ALL.into_iter().map(move |metric| Self { metric, rules }))
    }

    /// The ending of the names of files of this kind.
    pub fn extension(self) -> &'static str {
        match (self.rules, self.metric) {
            (Rules::Plain, metric) => metric.name(),
            (Rules::PerpetualCheck, Metric::Mate) => "dtm-check",
            (Rules::PerpetualCheck, Metric::Conversion) => "dtc-check",
            (Rules::PerpetualCheck, Metric::Outcome) => "wdl-check",
        }
    }
}
