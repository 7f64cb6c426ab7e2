//! `POST /api/banqi` and `/api/banqi/think`: Banqi (暗棋).

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Json;
use axum::extract::State;
use chuhe_api::banqi::{self, BanqiAnswer, BanqiRequest, BanqiThink, BanqiView};

use crate::app::Shared;
use crate::error::{ApiError, JsonBody};

/// `POST /api/banqi`: plays a move, if any, and shows the game.
pub(crate) async fn banqi(JsonBody(request): JsonBody<BanqiRequest>) -> Result<Json<BanqiView>, ApiError> {
    // `RandomState` seeds from the operating system, so nobody can predict the draw.
    Ok(Json(banqi::banqi(&request, RandomState::new().hash_one(0))?))
}

/// `POST /api/banqi/think`: the engine's move.
pub(crate) async fn think(
    State(shared): State<Shared>,
    JsonBody(request): JsonBody<BanqiThink>,
) -> Result<Json<BanqiAnswer>, ApiError> {
    let search = request.search()?;
    // A closed request drops this future, which frees the permit and stops the search.
    let _permit = shared.banqi.acquire().await.map_err(|_| ApiError::internal())?;
    let stop_on_drop = StopOnDrop(Arc::default());
    let stop = stop_on_drop.0.clone();
    let answer = tokio::task::spawn_blocking(move || search.run(&stop)).await;
    answer.map(Json).map_err(|_| ApiError::internal())
}

/// Stops a search when its request is dropped.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
