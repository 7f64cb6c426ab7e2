//! `POST /api/endgame`, `GET /api/longest`, `/api/build`: endgame tables.

use std::cmp::Reverse;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use chuhe_board::{Position, QUIET_PLY_LIMIT};
use chuhe_tablebase::{Material, Value};
use serde::{Deserialize, Serialize};

use crate::app::Shared;
use crate::error::{ApiError, JsonBody};
use crate::tables::{BuildState, LongestWins, Tables, TablesError};
use crate::wire::{GameJson, MoveJson};

/// Requests the table values of the last position of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct EndgameRequest {
    game: GameJson,
}

/// Names a table: `KR-KAABB`, Red first.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TableRequest {
    name: String,
}

/// Table values of a position.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct EndgameView {
    fen: String,
    /// `KR-KAABB`, Red first.
    name: String,
    /// Null if no table holds the position.
    value: Option<EndgameValue>,
    /// The legal moves, best first; empty if unknown.
    moves: Vec<EndgameMove>,
    /// The missing table, if any.
    missing: Option<MissingTable>,
}

/// A result for the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct EndgameValue {
    /// `win`, `draw` or `loss`.
    result: &'static str,
    /// Plies to the end.
    plies: Option<u16>,
    /// Without a capture, the sixty-round limit comes first.
    late: bool,
}

/// A legal move and its value.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct EndgameMove {
    #[serde(flatten)]
    mv: MoveJson,
    /// For the side that moves.
    #[serde(flatten)]
    value: EndgameValue,
}

/// A table that is not there.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MissingTable {
    /// Number of tables to build.
    tables: usize,
    /// Why they cannot be built here.
    refused: Option<String>,
}

impl From<Value> for EndgameValue {
    fn from(value: Value) -> Self {
        let (result, plies) = match value {
            Value::Draw => ("draw", None),
            Value::Win(plies) => ("win", Some(plies)),
            Value::Loss(plies) => ("loss", Some(plies)),
        };
        Self { result, plies, late: plies.is_some_and(|plies| plies > QUIET_PLY_LIMIT) }
    }
}

impl EndgameView {
    fn new(tables: &Tables, position: &Position) -> Self {
        let material = Material::of(position);
        let value = tables.probe(position);
        let moves = value.and_then(|_| moves(tables, position)).unwrap_or_default();
        let missing = (!tables.knows(&material)).then(|| match tables.check(&material) {
            Ok(_) => MissingTable { tables: tables.missing(&material), refused: None },
            Err(error) => MissingTable { tables: 0, refused: Some(error.to_string()) },
        });
        Self {
            fen: position.to_string(),
            name: material.to_string(),
            value: value.map(EndgameValue::from),
            moves,
            missing,
        }
    }
}

/// The moves with their values, best first; `None` if any value is unknown.
fn moves(tables: &Tables, position: &Position) -> Option<Vec<EndgameMove>> {
    let mut after = position.clone();
    let mut valued = Vec::new();
    for mv in position.moves() {
        let undo = after.play(mv, &mut ());
        let value = tables.probe(&after)?.before();
        after.take_back(undo, &mut ());
        valued.push((value, mv));
    }
    valued.sort_by_key(|(value, _)| Reverse(value.preference()));
    let row = |(value, mv): (Value, _)| EndgameMove { mv: MoveJson::new(position, mv), value: value.into() };
    Some(valued.into_iter().map(row).collect())
}

/// `POST /api/endgame`: table values of a position.
pub(crate) async fn endgame(
    State(shared): State<Shared>,
    JsonBody(request): JsonBody<EndgameRequest>,
) -> Result<Json<EndgameView>, ApiError> {
    let game = request.game.game()?;
    Ok(Json(EndgameView::new(&shared.library.tables, game.position())))
}

/// `GET /api/longest?name=KR-KAABB`: the longest wins of an endgame.
pub(crate) async fn longest(
    State(shared): State<Shared>,
    query: Result<Query<TableRequest>, QueryRejection>,
) -> Result<Json<LongestWins>, ApiError> {
    let Query(TableRequest { name }) = query?;
    let material: Material = name.parse().map_err(ApiError::unprocessable)?;
    let tables = shared.library.tables.clone();
    let counted = tokio::task::spawn_blocking(move || tables.longest(&material)).await;
    let counted = counted.map_err(|_| ApiError::unprocessable("the table could not be counted"))??;
    Ok(Json(LongestWins::clone(&counted)))
}

/// `POST /api/build`: starts building a table.
pub(crate) async fn build(
    State(shared): State<Shared>,
    JsonBody(request): JsonBody<TableRequest>,
) -> Result<Json<BuildState>, ApiError> {
    let material: Material = request.name.parse().map_err(ApiError::unprocessable)?;
    Ok(Json(shared.library.tables.start(material)?))
}

/// `GET /api/build`: state of the build.
pub(crate) async fn building(State(shared): State<Shared>) -> Json<Option<BuildState>> {
    Json(shared.library.tables.building())
}

/// `DELETE /api/build`: stops building.
pub(crate) async fn stop(State(shared): State<Shared>) -> StatusCode {
    shared.library.tables.stop();
    StatusCode::NO_CONTENT
}

impl From<TablesError> for ApiError {
    fn from(error: TablesError) -> Self {
        let status = match error {
            TablesError::Busy(_) => StatusCode::CONFLICT,
            TablesError::NoFolder | TablesError::Forbidden => StatusCode::FORBIDDEN,
            TablesError::Missing(_) => StatusCode::NOT_FOUND,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self::new(status, error)
    }
}

#[cfg(test)]
mod tests {
    use chuhe_tablebase::{Folder, Kind};

    use super::*;

    #[test]
    fn every_legal_move_has_its_result_and_the_best_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let built = Folder::new(folder.path());
        built.build(&"KR-KA".parse().unwrap(), Kind::default(), 1 << 26, &|_, _| {}).unwrap();
        let tables = Tables::open(Some(built), 1 << 26);
        let position: Position = "3k5/4a4/9/9/9/9/9/9/4R4/4K4 w".parse().unwrap();
        let view = EndgameView::new(&tables, &position);
        assert_eq!(view.name, "KR-KA");
        assert_eq!(view.moves.len(), position.moves().len());
        assert_eq!(Some(&view.moves[0].value), view.value.as_ref());
        assert_eq!(view.moves[0].value.result, "win");
        assert!(view.moves.last().unwrap().value.plies > view.moves[0].value.plies);
        assert!(view.missing.is_none());
    }

    #[test]
    fn a_missing_table_is_offered_unless_it_is_too_large() {
        let folder = tempfile::tempdir().unwrap();
        let tables = Tables::open(Some(Folder::new(folder.path())), 1 << 26);
        let missing = |fen: &str| EndgameView::new(&tables, &fen.parse().unwrap()).missing.unwrap();
        let small = missing("3k1a3/4a4/9/9/9/9/9/3N1N3/9/4K4 w");
        assert_eq!((small.tables, small.refused), (2, None));
        let large = missing("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w");
        assert!(large.refused.is_some());
    }
}
