//! `GET /api/about`: what this server is and allows.

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use crate::app::Shared;

/// How many levels there are to play against; the last is full strength.
pub(crate) const LEVELS: u8 = 10;

/// What this server is and allows.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct About {
    version: &'static str,
    /// How many levels there are to play against; the last is full strength.
    levels: u8,
    /// How many lines an analysis may have.
    lines: usize,
    /// How many searches run at the same time.
    engines: usize,
    /// How many searches run or wait now.
    searches: usize,
    /// The names of other engines to compare with.
    rivals: Vec<String>,
    /// How many bytes a file may have.
    body_bytes: usize,
}

pub(crate) async fn about(State(shared): State<Shared>) -> Json<About> {
    Json(About {
        version: env!("CARGO_PKG_VERSION"),
        levels: LEVELS,
        lines: shared.settings.limits.lines,
        engines: shared.settings.engines,
        searches: shared.engines.load(),
        rivals: shared.settings.rivals.iter().map(|rival| rival.name.clone()).collect(),
        body_bytes: shared.settings.limits.body_bytes,
    })
}
