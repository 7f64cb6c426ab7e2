//! `POST /api/rival`: what another engine thinks, which the settings name.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use crate::app::Shared;
use crate::error::{ApiError, Asked};
use crate::live::LineJson;
use crate::rival;
use crate::spelled::GameJson;

/// The longest that another engine may think.
const LONGEST: Duration = Duration::from_secs(5);

/// Asks another engine about a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RivalRequest {
    /// One of the names that `About` lists.
    name: String,
    game: GameJson,
    milliseconds: u32,
    /// How many best lines to find, if it can tell several.
    lines: usize,
}

/// What it found.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RivalAnswer {
    /// Its lines, best first; none if it has no move.
    lines: Vec<LineJson>,
}

pub(crate) async fn rival(
    State(shared): State<Shared>,
    Asked(request): Asked<RivalRequest>,
) -> Result<Json<RivalAnswer>, ApiError> {
    let game = request.game.game()?;
    let known = shared.settings.rivals.iter().find(|rival| rival.name == request.name);
    let rival = known.ok_or_else(|| ApiError::unusable("there is no engine of that name"))?;
    let time = Duration::from_millis(request.milliseconds.into()).min(LONGEST);
    // A visitor who goes away drops this future, and with it the place or the program.
    let _place = shared.rivals.acquire().await.map_err(ApiError::unusable)?;
    let lines = request.lines.clamp(1, shared.settings.limits.lines);
    let found = rival::ask(rival, &game, time, lines)
        .await
        .map_err(|error| ApiError::new(StatusCode::BAD_GATEWAY, format!("{}: {error}", rival.name)))?;
    let line = |found: &rival::Found| Some(LineJson::of(&game, found.depth, found.score?, &found.moves));
    Ok(Json(RivalAnswer { lines: found.iter().filter_map(line).collect() }))
}
