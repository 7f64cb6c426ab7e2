//! `POST /api/opening`: the opening book.

use axum::Json;
use axum::extract::State;
use chuhe_report::explore::{ExploredPosition, explore};
use serde::Deserialize;

use crate::app::Shared;
use crate::error::{ApiError, JsonBody};
use crate::wire::GameJson;

/// Requests the book moves of the last position of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct OpeningRequest {
    game: GameJson,
}

pub(crate) async fn opening(
    State(shared): State<Shared>,
    JsonBody(request): JsonBody<OpeningRequest>,
) -> Result<Json<ExploredPosition>, ApiError> {
    Ok(Json(explore(&shared.library.book, &request.game.game()?)))
}
