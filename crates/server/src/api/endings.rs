//! `GET /api/endings`: classical endings by name.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use chuhe_api::endgame::{RulesRequest, rules_named};
use chuhe_api::endings::{self, Ending};

use crate::app::Shared;
use crate::error::ApiError;

/// `GET /api/endings?rules=wxf`
pub(crate) async fn endings(
    State(shared): State<Shared>,
    query: Result<Query<RulesRequest>, QueryRejection>,
) -> Result<Json<Vec<Ending>>, ApiError> {
    let Query(RulesRequest { rules }) = query?;
    Ok(Json(endings::endings(&*shared.library.tables, rules_named(rules.as_deref())?)?))
}
