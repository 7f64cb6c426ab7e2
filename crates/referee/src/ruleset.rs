//! The rule sets a game can be judged by.

use std::fmt;
use std::str::FromStr;

/// Whose rules apply. See `docs/rules.md` for what each says and which text it follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum RuleSet {
    /// World Xiangqi Federation, the manual of 2018.
    #[default]
    Wxf,
    /// Asian Xiangqi Federation.
    Axf,
    /// Chinese Xiangqi Association, the text of 1999.
    Cxa,
    /// A simple rule for computer play: perpetual check loses, all other repetition is a draw.
    Computer,
}

impl RuleSet {
    /// All rule sets.
    pub const ALL: [Self; 4] = [Self::Wxf, Self::Axf, Self::Cxa, Self::Computer];

    /// The name that [`str::parse`] reads.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wxf => "wxf",
            Self::Axf => "axf",
            Self::Cxa => "cxa",
            Self::Computer => "computer",
        }
    }
}

/// A name that is no rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a rule set: expected wxf, axf, cxa or computer")]
pub struct UnknownRuleSet(String);

impl FromStr for RuleSet {
    type Err = UnknownRuleSet;

    fn from_str(text: &str) -> Result<Self, UnknownRuleSet> {
        Self::ALL
            .into_iter()
            .find(|rules| rules.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownRuleSet(text.chars().take(40).collect()))
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for rules in RuleSet::ALL {
            assert_eq!(rules.name().parse(), Ok(rules));
        }
        assert_eq!(
            "fide".parse::<RuleSet>().unwrap_err().to_string(),
            "'fide' is not a rule set: expected wxf, axf, cxa or computer"
        );
    }
}
