//! `POST /api/endgame`, `GET /api/longest`, `/api/build`: endgame tables.

use std::cmp::Reverse;
use std::sync::Arc;

use chuhe_board::{Position, QUIET_PLY_LIMIT};
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
}

/// Names a table: `KR-KAABB`, Red first.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TableRequest {
    /// The name.
    pub name: String,
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
    /// Which repetition rules the values are for: those of play (`wxf`) if there is a table for them, `all` if one side has no
    /// attackers, else `none`: then a draw is not certain.
    rules: &'static str,
    /// The legal moves, best first; empty if unknown.
    moves: Vec<EndgameMove>,
    /// The missing table, if any.
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
    /// All that there are now.
    fn tables(&self) -> Arc<PlayTables>;
    /// What it would take to have the table of an endgame that is not known.
    fn missing(&self, material: &Material) -> MissingTable;
}

/// Tables that nothing is added to.
impl EndgameTables for Arc<PlayTables> {
    fn tables(&self) -> Self {
        Self::clone(self)
    }

    fn missing(&self, _: &Material) -> MissingTable {
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
    fn new(tables: &dyn EndgameTables, position: &Position) -> Self {
        let material = Material::of(position);
        let known = tables.tables();
        let (value, mut moves) = match known.probe_moves(position) {
            Some((value, moves)) => (Some(value), moves),
            None => (known.probe(position), Vec::new()),
        };
        moves.sort_by_key(|(_, value)| Reverse(value.preference()));
        let row =
            |(mv, value): (_, Value)| EndgameMove { mv: MoveJson::new(position, mv), value: value.into() };
        let missing = (!known.knows(&material)).then(|| tables.missing(&material));
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
    Ok(EndgameView::new(tables, request.game.game()?.position()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(fen: &str) -> EndgameView {
        let tables = Arc::new(PlayTables::built_in(Rules::Wxf));
        EndgameView::new(&tables, &fen.parse().unwrap())
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
        assert_eq!(view("5k3/9/9/9/9/R2n5/9/9/9/3K5 b").rules, "none");
    }

    #[test]
    fn a_table_that_nobody_can_build_here_is_refused() {
        let missing = view(chuhe_board::fen::START).missing.unwrap();
        assert!(missing.refused.unwrap().to_string().contains("chuhe serve"));
    }
}
