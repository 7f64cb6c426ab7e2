//! `POST /api/endgame`, `GET /api/longest`, `POST /api/explore`, `/api/build`: endgame tables.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use chuhe_api::endgame::{self, EndgameRequest, EndgameView, TableRequest, rules_named};
use chuhe_api::explore::{ExploreRequest, Explored};
use chuhe_api::longest::{CountError, LongestWins};
use chuhe_tablebase::{Material, MaterialError};

use crate::app::Shared;
use crate::error::{ApiError, JsonBody};
use crate::tables::{BuildState, TablesError};

/// `POST /api/endgame`: table values of a position.
pub(crate) async fn endgame(
    State(shared): State<Shared>,
    JsonBody(request): JsonBody<EndgameRequest>,
) -> Result<Json<EndgameView>, ApiError> {
    Ok(Json(endgame::endgame(&*shared.library.tables, &request)?))
}

/// `GET /api/longest?name=KR-KAABB&rules=wxf`: the longest wins of an endgame.
pub(crate) async fn longest(
    State(shared): State<Shared>,
    query: Result<Query<TableRequest>, QueryRejection>,
) -> Result<Json<LongestWins>, ApiError> {
    let Query(TableRequest { name, rules }) = query?;
    let (material, rules) = (name.parse().map_err(bad_name)?, rules_named(rules.as_deref())?);
    let tables = shared.library.tables.clone();
    let counted = tokio::task::spawn_blocking(move || tables.longest(&material, rules)).await;
    let counted = counted.map_err(|_| ApiError::internal())??;
    Ok(Json(LongestWins::clone(&counted)))
}

/// `POST /api/explore`: positions worth playing.
pub(crate) async fn explore(
    State(shared): State<Shared>,
    JsonBody(request): JsonBody<ExploreRequest>,
) -> Result<Json<Explored>, ApiError> {
    let material: Material = request.name.parse().map_err(bad_name)?;
    let rules = rules_named(request.rules.as_deref())?;
    let tables = shared.library.tables.clone();
    let found = tokio::task::spawn_blocking(move || tables.explore(&material, rules, &request)).await;
    Ok(Json(found.map_err(|_| ApiError::internal())??))
}

fn bad_name(error: MaterialError) -> ApiError {
    ApiError::unprocessable(error)
}

/// The name that stands for the whole classic set.
const CLASSIC: &str = "classic";

/// `POST /api/build`: starts building a table, or the rest of the classic set.
pub(crate) async fn build(
    State(shared): State<Shared>,
    JsonBody(request): JsonBody<TableRequest>,
) -> Result<Json<BuildState>, ApiError> {
    let rules = rules_named(request.rules.as_deref())?;
    if request.name == CLASSIC {
        return Ok(Json(shared.library.tables.start_classic(rules)?));
    }
    let material: Material = request.name.parse().map_err(bad_name)?;
    Ok(Json(shared.library.tables.start(material, rules)?))
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
            TablesError::Uncounted(CountError::Missing(_)) => StatusCode::NOT_FOUND,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self::new(status, error)
    }
}
