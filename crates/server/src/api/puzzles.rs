//! `GET /api/puzzles`: mates and tactics from the project's own suites.

use axum::Json;
use chuhe_api::puzzles::{self, Puzzle};

pub(crate) async fn puzzles() -> Json<Vec<Puzzle>> {
    Json(puzzles::all().collect())
}
