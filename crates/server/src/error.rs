//! Errors of the API: a status and a message.

use std::fmt;

use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection, QueryRejection};
use axum::extract::{FromRequest, Request};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use chuhe_api::Refusal;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A refused or failed request.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    message: String,
}

/// The body of an error: `{"error": "…"}`.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ErrorJson {
    pub(crate) error: String,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, message: impl ToString) -> Self {
        Self { status, message: shorten(message.to_string()) }
    }

    /// The request is well-formed but invalid (422).
    pub(crate) fn unprocessable(message: impl ToString) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let is_temporary =
            matches!(self.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
        let mut response = (self.status, Json(ErrorJson { error: self.message })).into_response();
        if is_temporary {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static(RETRY_SECONDS));
        }
        response
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        Self::unprocessable(refusal)
    }
}

/// When a client that was refused for load should try again.
const RETRY_SECONDS: &str = "2";

/// Longer messages are cut: they quote long input.
const MAX_MESSAGE: usize = 400;

/// Cuts the middle out of a long message; its beginning and its end say what is wrong.
pub(crate) fn shorten(message: String) -> String {
    let characters = message.chars().count();
    if characters <= MAX_MESSAGE {
        return message;
    }
    let half = MAX_MESSAGE / 2;
    let ending = message.chars().skip(characters - half);
    message.chars().take(half).chain(" … ".chars()).chain(ending).collect()
}

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}

impl From<BytesRejection> for ApiError {
    fn from(rejection: BytesRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}

/// A JSON body whose rejection is JSON, too.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let Json(value) = Json::from_request(request, state).await?;
        Ok(Self(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_input_is_not_echoed() {
        let input = "車".repeat(100_000);
        let error = ApiError::unprocessable(format!("'{input}' is not a move: expected four characters"));
        let message = error.to_string();
        assert!(message.chars().count() < 410, "{message}");
        assert!(message.starts_with("'車車") && message.ends_with("expected four characters"), "{message}");
    }
}
