//! `POST /api/endgame`, `GET /api/longest`, `/api/build`: endgame tables.

use std::cmp::Reverse;
use std::sync::Arc;

use chuhe_adapters::repetition::rules_of_tables;
use chuhe_board::{Position, QUIET_PLY_LIMIT};
use chuhe_referee::RuleSet;
use chuhe_tablebase::{Material, PlayTables, RULE_DISTANCE, Rules, ValidFor, Value};
use serde::{Deserialize, Serialize};

use crate::wire::{GameJson, MoveJson};
use crate::{Key, Notice};

/// Requests the table values of the last position of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct EndgameRequest {
    game: GameJson,
    /// The rules of repetition: `wxf` (default), `axf`, `cxa` or `computer`.
    #[cfg_attr(feature = "typescript", ts(optional))]
    rules: Option<String>,
}

/// Names a table: `KR-KAABB`, Red first.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TableRequest {
    /// The name.
    pub name: String,
    /// The rules of repetition, as in `EndgameRequest`; `none` for tables without.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub rules: Option<String>,
}

/// Requests values under some rules.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesRequest {
    /// The rules of repetition, as in `EndgameRequest`.
    pub rules: Option<String>,
}

/// The tables' rules of a request: those of play, `wxf` by default.
pub fn rules_named(name: Option<&str>) -> Result<Rules, Notice> {
    match name {
        Some("none") => Ok(Rules::Plain),
        Some(name) => Ok(rules_of_tables(name.parse()?)),
        None => Ok(rules_of_tables(RuleSet::default())),
    }
}

/// Table values of a position.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct EndgameView {
    fen: String,
    /// `KR-KAABB`, Red first.
    name: String,
    /// Null if no table holds the position.
    value: Option<EndgameValue>,
    /// Which repetition rules the values are for: those asked for (`wxf`, which are also those of `axf`, `cxa`, or `check` for
    /// `computer`) if there is a table for them, `all` if one side has no attackers, else `none`: then a draw is not certain.
    rules: &'static str,
    /// The legal moves, best first; empty if unknown.
    moves: Vec<EndgameMove>,
    /// The missing table, if any: with a value, the one that knows the rules asked for.
    missing: Option<MissingTable>,
}

/// A result for the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct EndgameValue {
    /// `win`, `draw` or `loss`; `unknown` if it depends on chase.
    result: &'static str,
    /// Plies to the end; null for draws and where the repetition rules decide.
    plies: Option<u16>,
    /// The repetition rules decide: the loser can only continue by what they forbid.
    by_rule: bool,
    /// Without a capture, the sixty-round limit comes first.
    late: bool,
}

/// A legal move and its value.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct EndgameMove {
    #[serde(flatten)]
    mv: MoveJson,
    /// For the side that moves.
    #[serde(flatten)]
    value: EndgameValue,
}

/// The tables that a request may use.
pub trait EndgameTables {
    /// All that there are now, for play by some rules.
    fn tables(&self, rules: Rules) -> Arc<PlayTables>;
    /// What it would take to have the table of an endgame that is not known under these rules.
    fn missing(&self, material: &Material, rules: Rules) -> MissingTable;
}

/// Tables that nothing is added to.
impl EndgameTables for Arc<PlayTables> {
    fn tables(&self, rules: Rules) -> Self {
        if rules == self.rules() { Self::clone(self) } else { Self::new(self.under(None, rules)) }
    }

    fn missing(&self, _: &Material, _: Rules) -> MissingTable {
        MissingTable {
            tables: 0,
            refused: Some(Notice::plain(Key::LargerTablesNeedServer, "larger tables need `chuhe serve`")),
        }
    }
}

/// A table that is not there.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MissingTable {
    /// Number of tables to build.
    pub tables: usize,
    /// Why they cannot be built here.
    pub refused: Option<Notice>,
}

impl From<Value> for EndgameValue {
    fn from(value: Value) -> Self {
        let (result, distance) = match value {
            Value::Draw => ("draw", None),
            Value::Win(distance) => ("win", Some(distance)),
            Value::Loss(distance) => ("loss", Some(distance)),
            Value::DependsOnChase(_) => ("unknown", None),
        };
        let plies = distance.filter(|distance| *distance < RULE_DISTANCE);
        let by_rule = distance != plies;
        Self { result, plies, by_rule, late: plies.is_some_and(|plies| plies > QUIET_PLY_LIMIT) }
    }
}

impl EndgameView {
    fn new(tables: &dyn EndgameTables, position: &Position, rules: Rules) -> Self {
        let material = Material::of(position);
        let known = tables.tables(rules);
        let (value, mut moves) = match known.probe_moves(position) {
            Some((value, moves)) => (Some(value), moves),
            None => (known.probe(position), Vec::new()),
        };
        moves.sort_by_key(|(_, value)| Reverse(value.preference()));
        let row =
            |(mv, value): (_, Value)| EndgameMove { mv: MoveJson::new(position, mv), value: value.into() };
        let missing = (!known.knows_by_rules(&material)).then(|| tables.missing(&material, rules));
        let rules = value.map_or(ValidFor::of(&material, Rules::Plain), |found| found.rules);
        Self {
            fen: position.to_string(),
            name: material.to_string(),
            value: value.map(|found| found.value.into()),
            rules: rules.name(),
            moves: moves.into_iter().map(row).collect(),
            missing,
        }
    }
}

/// Answers the request from tables.
pub fn endgame(tables: &dyn EndgameTables, request: &EndgameRequest) -> Result<EndgameView, Notice> {
    let rules = rules_named(request.rules.as_deref())?;
    Ok(EndgameView::new(tables, request.game.game()?.position(), rules))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(fen: &str) -> EndgameView {
        let tables = Arc::new(PlayTables::built_in(Rules::Wxf));
        EndgameView::new(&tables, &fen.parse().unwrap(), Rules::Wxf)
    }

    #[test]
    fn every_legal_move_has_its_result_and_the_best_comes_first() {
        let position: Position = "3k5/4a4/9/9/9/9/9/9/4R4/4K4 w".parse().unwrap();
        let view = view(&position.to_string());
        assert_eq!(view.name, "KR-KA");
        assert_eq!(view.moves.len(), position.moves().len());
        assert_eq!(Some(&view.moves[0].value), view.value.as_ref());
        assert_eq!(view.moves[0].value.result, "win");
        assert!(view.moves.last().unwrap().value.plies > view.moves[0].value.plies);
        assert!(view.missing.is_none());
        assert_eq!(view.rules, "all");
    }

    #[test]
    fn with_attackers_on_both_sides_the_values_are_without_repetition_rules() {
        let view = view("5k3/9/9/9/9/R2n5/9/9/9/3K5 b");
        assert_eq!(view.rules, "none");
        assert!(view.value.is_some() && view.missing.is_some(), "the table for the rules is missing");
    }

    #[test]
    fn rules_are_those_of_play() {
        assert_eq!(rules_named(None).unwrap(), Rules::Wxf);
        for (name, rules) in [
            ("axf", Rules::Wxf),
            ("cxa", Rules::Cxa),
            ("computer", Rules::PerpetualCheck),
            ("none", Rules::Plain),
        ] {
            assert_eq!(rules_named(Some(name)).unwrap(), rules);
        }
        assert!(rules_named(Some("fide")).unwrap_err().to_string().contains("fide"));
    }

    #[test]
    fn a_table_that_nobody_can_build_here_is_refused() {
        let missing = view(chuhe_board::fen::START).missing.unwrap();
        assert!(missing.refused.unwrap().to_string().contains("chuhe serve"));
    }
}
