//! `GET /api/about`: version and limits of this server.

use axum::Json;
use axum::extract::State;
use chuhe_api::live::LEVELS;
use serde::Serialize;

use crate::app::Shared;

/// Version and limits of this server.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct About {
    version: &'static str,
    /// Number of playing levels; the last is full strength.
    levels: u8,
    /// Maximum number of lines of an analysis.
    lines: usize,
    /// Number of search workers.
    engines: usize,
    /// Usual transposition table of an analysis, in mebibytes.
    hash: usize,
    /// Maximum transposition table of an analysis, in mebibytes.
    most_hash: usize,
    /// Number of searches running or queued.
    searches: usize,
    /// Names of other engines to compare with.
    rivals: Vec<String>,
    /// Maximum size of an uploaded file, in bytes.
    body_bytes: usize,
}

pub(crate) async fn about(State(shared): State<Shared>) -> Json<About> {
    Json(About {
        version: env!("CARGO_PKG_VERSION"),
        levels: LEVELS,
        lines: shared.settings.limits.lines,
        engines: shared.settings.engines,
        hash: shared.settings.hash_per_engine(),
        most_hash: shared.settings.limits.analysis_hash,
        searches: shared.engines.load(),
        rivals: shared.settings.rivals.iter().map(|rival| rival.name.clone()).collect(),
        body_bytes: shared.settings.limits.body_bytes,
    })
}
