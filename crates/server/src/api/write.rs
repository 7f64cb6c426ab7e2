//! `POST /api/write`: a game in any record format.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use chuhe_api::write::{self, WriteOptions, WrittenGame};

use crate::app::Shared;
use crate::error::{ApiError, JsonBody};
use crate::token;

/// The header that lists what the format cannot hold: notices in JSON, percent-encoded.
const LOSSES: HeaderName = HeaderName::from_static("chuhe-losses");

pub(crate) async fn write(
    State(shared): State<Shared>,
    options: Result<Query<WriteOptions>, QueryRejection>,
    JsonBody(game): JsonBody<WrittenGame>,
) -> Result<Response, ApiError> {
    let Query(options) = options?;
    let work = shared.blocking.run(move |stop| Ok(write::write(&options, &game, &|| stop.is_set())?));
    let written = work.await?;
    let mut response = written.bytes.into_response();
    let headers = response.headers_mut();
    let disposition = format!("attachment; filename=\"game.{}\"", written.extension);
    let value = |text: String| HeaderValue::from_str(&text).map_err(|_| ApiError::internal());
    headers.insert(CONTENT_DISPOSITION, value(disposition)?);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    let losses = serde_json::to_string(&written.losses).map_err(|_| ApiError::internal())?;
    headers.insert(LOSSES, value(token::encode(&losses))?);
    Ok(response)
}
