//! `POST /api/explain`: the hand-written evaluation of a position, term by term.

use axum::Json;
use chuhe_api::explain::{self, ExplainRequest, Explanation};

use crate::error::{ApiError, JsonBody};

pub(crate) async fn explain(
    JsonBody(request): JsonBody<ExplainRequest>,
) -> Result<Json<Explanation>, ApiError> {
    Ok(Json(explain::explain(&request)?))
}
