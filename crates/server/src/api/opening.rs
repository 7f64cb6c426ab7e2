//! `POST /api/opening`: what the opening book knows.

use axum::Json;
use axum::extract::State;
use chuhe_report::explore::{ExploredPosition, explore};
use serde::Deserialize;

use crate::app::Shared;
use crate::error::{ApiError, Asked};
use crate::spelled::GameJson;

/// Asks what the book knows of the position at the end of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct OpeningRequest {
    game: GameJson,
}

pub(crate) async fn opening(
    State(shared): State<Shared>,
    Asked(request): Asked<OpeningRequest>,
) -> Result<Json<ExploredPosition>, ApiError> {
    Ok(Json(explore(&shared.library.book, &request.game.game()?)))
}
