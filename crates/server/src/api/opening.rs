//! `POST /api/opening`: the opening book.

use axum::Json;
use axum::extract::State;
use chuhe_api::opening::{self, OpeningRequest};
use chuhe_report::explore::ExploredPosition;

use crate::app::Shared;
use crate::error::{ApiError, JsonBody};

pub(crate) async fn opening(
    State(shared): State<Shared>,
    JsonBody(request): JsonBody<OpeningRequest>,
) -> Result<Json<ExploredPosition>, ApiError> {
    Ok(Json(opening::opening(&shared.library.book, &request)?))
}
