//! `POST /api/rival`: the analysis of another engine named in the settings.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use chuhe_api::live::LineJson;
use chuhe_api::wire::GameJson;
use chuhe_api::{Arg, Key, Notice};
use chuhe_arena::AnalysisError;
use serde::{Deserialize, Serialize};

use crate::app::Shared;
use crate::error::{ApiError, JsonBody};
use crate::rival;

/// Maximum thinking time.
const MAX_TIME: Duration = Duration::from_secs(5);

/// Requests an analysis of another engine.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RivalRequest {
    /// A name from `About`.
    name: String,
    game: GameJson,
    milliseconds: u32,
    /// Number of best lines, if the engine supports MultiPV.
    lines: usize,
}

/// Its analysis.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RivalAnswer {
    /// Its lines, best first; none if it has no move.
    lines: Vec<LineJson>,
}

pub(crate) async fn rival(
    State(shared): State<Shared>,
    JsonBody(request): JsonBody<RivalRequest>,
) -> Result<Json<RivalAnswer>, ApiError> {
    let game = request.game.game()?;
    let known = shared.settings.rivals.iter().find(|rival| rival.name == request.name);
    let rival = known.ok_or_else(|| {
        ApiError::unprocessable(Notice::plain(Key::NoSuchEngine, "there is no engine of that name"))
    })?;
    let time = Duration::from_millis(request.milliseconds.into()).min(MAX_TIME);
    // A closed request drops this future, which leaves the queue or cancels the analysis.
    let permit = Arc::clone(&shared.rivals).acquire_owned().await.map_err(|_| ApiError::internal())?;
    let lines = request.lines.clamp(1, shared.settings.limits.lines);
    let found =
        rival::ask(rival, &game, time, lines, permit).await.map_err(|error| failed(&rival.name, &error))?;
    let line = |found: &rival::Found| Some(LineJson::of(&game, found.depth, found.score?, &found.moves));
    Ok(Json(RivalAnswer { lines: found.iter().filter_map(line).collect() }))
}

/// The answer when the engine found nothing.
fn failed(name: &str, error: &AnalysisError) -> ApiError {
    let args = [Arg::from(name), Arg::from(&error.to_string())];
    let notice = Notice::new(Key::RivalFailed, args, format!("{name}: {error}"));
    ApiError::new(StatusCode::BAD_GATEWAY, notice)
}
