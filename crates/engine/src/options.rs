//! UCI options: their values, and the table that declares and sets them.

mod table;

use std::sync::Arc;
use std::time::Duration;

use chuhe_adapters::Handicap;
use chuhe_board::Outcome;
use chuhe_board::coords::RankStyle;
use chuhe_book::{Choice, Policy};
use chuhe_eval::network::Network;
use chuhe_protocol::{OptionDeclaration, Protocol};
use chuhe_referee::RuleSet;
use chuhe_search::{Evaluator, Preset};

pub(crate) use table::{Affects, BookChange, OptionError, PoolChange};

/// The options of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) hash: usize,
    pub(crate) threads: usize,
    pub(crate) lines: usize,
    pub(crate) overhead: Duration,
    pub(crate) show_wdl: bool,
    /// The GUI analyses: full strength, no book.
    pub(crate) analyse: bool,
    pub(crate) skill: u32,
    pub(crate) limit_strength: bool,
    pub(crate) elo: u32,
    pub(crate) ranks: RankStyle,
    pub(crate) rules: RuleSet,
    /// Nodes that count as a millisecond; 0 means the real clock.
    pub(crate) nodes_time: u64,
    /// Whether the engine plays from its book.
    pub(crate) own_book: bool,
    /// The path of the user's book; empty for the embedded one.
    pub(crate) book_file: String,
    pub(crate) book_keys: String,
    /// How book moves are chosen.
    pub(crate) book: Choice,
    /// Whether the engine learns from its games.
    pub(crate) learning: bool,
    /// The result of the last game, as the user reports it.
    pub(crate) result: Outcome,
    /// UCCI: whether times are milliseconds.
    pub(crate) milliseconds: bool,
    pub(crate) evaluation: Evaluation,
    /// The path of the user's network; empty for the built-in one.
    pub(crate) eval_file: String,
    /// The network of `EvalFile`.
    pub(crate) network: Arc<Network>,
    /// The folder of endgame tables; empty for the user's own, `none` for no tables.
    pub(crate) tablebase_path: String,
    /// Logs both directions to this file, unless empty.
    pub(crate) log_file: String,
    /// The techniques and the tuned numbers of the search.
    pub(crate) preset: Preset,
}

/// Which evaluation the search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evaluation {
    Classical,
    Network,
}

/// The skill level of full strength.
const FULL_SKILL: u32 = 20;
const LEAST_ELO: u32 = 600;
const FULL_ELO: u32 = 3400;

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
            elo: FULL_ELO,
            ranks: RankStyle::FromZero,
            rules: RuleSet::default(),
            nodes_time: 0,
            own_book: false,
            book_file: String::new(),
            book_keys: String::new(),
            book: Choice { policy: Policy::Random, ..Choice::default() },
            learning: false,
            result: Outcome::Undecided,
            milliseconds: true,
            evaluation: Evaluation::Network,
            eval_file: String::new(),
            network: Network::built_in(),
            tablebase_path: String::new(),
            log_file: String::new(),
            preset: Preset::default(),
        }
    }
}

impl Options {
    /// The options at the start of a session.
    pub(crate) fn of(protocol: Protocol) -> Self {
        Self { own_book: protocol == Protocol::Ucci, ..Self::default() }
    }

    /// The options that the engine declares in a protocol, with their defaults.
    pub(crate) fn declarations(protocol: Protocol) -> impl Iterator<Item = OptionDeclaration> {
        table::ROWS.iter().filter(move |row| row.protocols.contains(&protocol)).map(table::Row::declaration)
    }

    /// Sets an option by any of its names. Returns what must follow the change.
    pub(crate) fn set(&mut self, name: &str, value: Option<&str>) -> Result<Affects, OptionError> {
        table::set(self, name, value.unwrap_or_default().trim())
    }

    /// The strength to play at; `None` is full strength.
    pub(crate) fn handicap(&self) -> Option<Handicap> {
        if self.analyse {
            return None;
        }
        if self.limit_strength {
            return Handicap::new(f64::from(self.elo - LEAST_ELO) / f64::from(FULL_ELO - LEAST_ELO));
        }
        Handicap::new(f64::from(self.skill) / f64::from(FULL_SKILL))
    }

    /// The evaluation that the search uses.
    pub(crate) fn evaluator(&self) -> Evaluator {
        match self.evaluation {
            Evaluation::Classical => Evaluator::Classical,
            Evaluation::Network => Evaluator::Network(Arc::clone(&self.network)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(options.set("hashsize", Some("64")), Ok(Affects::Pool(PoolChange::Hash)));
        assert_eq!(options.hash, 64);
        assert_eq!(options.set("move_overhead", Some("50")), Ok(Affects::Session));
        assert_eq!(options.overhead, Duration::from_millis(50));
        assert_eq!(options.set("usebook", Some("false")), Ok(Affects::Session));
    }

    #[test]
    fn techniques_and_their_numbers_can_be_set() {
        let mut options = Options::default();
        let changed = options.set("techniques", Some("papers +late-move-reductions"));
        assert_eq!(changed, Ok(Affects::Pool(PoolChange::Preset)));
        assert_eq!(options.preset, "papers +late-move-reductions".parse().unwrap());
        assert_eq!(options.set("rfp_margin", Some("100")), Ok(Affects::Pool(PoolChange::Preset)));
        assert_eq!(options.preset.params.rfp_margin, 100);
    }

    #[test]
    fn the_book_and_its_learning_do_not_affect_the_pool() {
        let mut options = Options::default();
        for (name, value) in [("Book Learning", "true"), ("Book Result", "1-0"), ("Book File", "a.book")] {
            assert!(matches!(options.set(name, Some(value)), Ok(Affects::Book(_))), "{name}");
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
        let error = options.set("Techniques", Some("paper")).unwrap_err();
        assert!(error.to_string().starts_with("option 'Techniques': \"paper\" is neither today nor papers"));
        let error = options.set("Evaluation", Some("guess")).unwrap_err();
        assert_eq!(error.to_string(), "option 'Evaluation' needs network or classical, not 'guess'");
        assert_eq!(options, Options::default());
    }
}
