//! `GET /api/endings`: classical endings by name.

use axum::Json;
use axum::extract::State;
use chuhe_api::endings::{self, Ending};

use crate::app::Shared;
use crate::error::ApiError;

pub(crate) async fn endings(State(shared): State<Shared>) -> Result<Json<Vec<Ending>>, ApiError> {
    Ok(Json(endings::endings(&*shared.library.tables)?))
}
