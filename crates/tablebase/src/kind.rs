//! Kinds of tables: the metric of their values (DTM, DTC or WDL) and the repetition rules they follow.

use std::fmt;
use std::str::FromStr;

use crate::Material;

/// What the values of a table measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Distance to mate: plies to mate or stalemate.
    #[default]
    Dtm,
    /// Distance to conversion: plies to mate, stalemate or the capture that leads to another won endgame.
    Dtc,
    /// Win, draw or loss, without a distance.
    Wdl,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Self; 3] = [Self::Dtm, Self::Dtc, Self::Wdl];

    /// The file name extension, and the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dtm => "dtm",
            Self::Dtc => "dtc",
            Self::Wdl => "wdl",
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown metric.
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

/// The repetition rules of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rules {
    /// None: endless play is a draw.
    #[default]
    Plain,
    /// Perpetual check loses, unless both sides give it.
    PerpetualCheck,
    /// World and Asian rules: perpetual check and the perpetual chase of one piece lose.
    Wxf,
    /// Chinese rules of 1999: checking, chasing or threatening mate without pause loses.
    Cxa,
}

impl Rules {
    /// All rules.
    pub const ALL: [Self; 4] = [Self::Plain, Self::PerpetualCheck, Self::Wxf, Self::Cxa];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "none",
            Self::PerpetualCheck => "check",
            Self::Wxf => "wxf",
            Self::Cxa => "cxa",
        }
    }

    /// Whether they know perpetual chase.
    pub const fn know_chase(self) -> bool {
        matches!(self, Self::Wxf | Self::Cxa)
    }
}

/// Unknown rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not one of none, check, wxf, axf and cxa")]
pub struct RulesError(String);

impl FromStr for Rules {
    type Err = RulesError;

    /// The world and the Asian rules decide alike, so that one table serves both.
    fn from_str(name: &str) -> Result<Self, RulesError> {
        if name.eq_ignore_ascii_case("axf") {
            return Ok(Self::Wxf);
        }
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

    /// The extension of files of this kind.
    pub fn extension(self) -> &'static str {
        match (self.rules, self.metric) {
            (Rules::Plain, metric) => metric.name(),
            (Rules::PerpetualCheck, Metric::Dtm) => "dtm-check",
            (Rules::PerpetualCheck, Metric::Dtc) => "dtc-check",
            (Rules::PerpetualCheck, Metric::Wdl) => "wdl-check",
            (Rules::Wxf, Metric::Dtm) => "dtm-wxf",
            (Rules::Wxf, Metric::Dtc) => "dtc-wxf",
            (Rules::Wxf, Metric::Wdl) => "wdl-wxf",
            (Rules::Cxa, Metric::Dtm) => "dtm-cxa",
            (Rules::Cxa, Metric::Dtc) => "dtc-cxa",
            (Rules::Cxa, Metric::Wdl) => "wdl-cxa",
        }
    }

    /// The kind of table that serves an endgame: where one side has no attackers, the one without repetition rules
    /// serves all.
    #[must_use]
    pub fn serving(self, material: &Material) -> Self {
        if material.both_attack() { self } else { Self { rules: Rules::Plain, ..self } }
    }
}
