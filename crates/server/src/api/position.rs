//! `POST /api/position`: legal moves and the referee's verdict.

use axum::Json;
use chuhe_api::position::{self, PositionRequest, PositionView};

use crate::error::{ApiError, JsonBody};

pub(crate) async fn position(
    JsonBody(request): JsonBody<PositionRequest>,
) -> Result<Json<PositionView>, ApiError> {
    Ok(Json(position::position(&request)?))
}
