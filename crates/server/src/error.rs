//! Errors of the API: a status and a notice.

use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection, QueryRejection};
use axum::extract::{FromRequest, Request};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use chuhe_api::{Key, Notice};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A refused or failed request.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    notice: Notice,
}

/// The body of an error: `{"error": {"key": …, "args": …, "text": …}}`.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ErrorJson {
    pub(crate) error: Notice,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, notice: impl Into<Notice>) -> Self {
        Self { status, notice: notice.into() }
    }

    /// With a notice that has no arguments.
    pub(crate) fn plain(status: StatusCode, key: Key, text: &str) -> Self {
        Self::new(status, Notice::plain(key, text))
    }

    /// The request is malformed, in the words of the library that reads it.
    pub(crate) fn malformed(status: StatusCode, detail: String) -> Self {
        Self::new(status, Notice::around(Key::Malformed, detail))
    }

    /// The request is well-formed but invalid (422).
    pub(crate) fn unprocessable(notice: impl Into<Notice>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, notice)
    }

    /// The work for this request panicked or its queue is closed; the panic itself is on standard error.
    pub(crate) fn internal() -> Self {
        let text = "this request broke something in the server; others go on";
        Self::plain(StatusCode::INTERNAL_SERVER_ERROR, Key::RequestFailed, text)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let is_temporary =
            matches!(self.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
        let mut response = (self.status, Json(ErrorJson { error: self.notice })).into_response();
        if is_temporary {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static(RETRY_SECONDS));
        }
        response
    }
}

impl From<Notice> for ApiError {
    fn from(notice: Notice) -> Self {
        Self::unprocessable(notice)
    }
}

/// When a client that was refused for load should try again.
const RETRY_SECONDS: &str = "2";

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> Self {
        Self::malformed(rejection.status(), rejection.body_text())
    }
}

impl From<BytesRejection> for ApiError {
    fn from(rejection: BytesRejection) -> Self {
        Self::malformed(rejection.status(), rejection.body_text())
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> Self {
        Self::malformed(rejection.status(), rejection.body_text())
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
