//! Routes and shared state.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware;
use axum::response::IntoResponse;
use axum::routing::{any, get, post};
use chuhe_book::BookError;
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use crate::blocking::Blocking;
use crate::client::{AddressBuckets, AddressCounts};
use crate::engines::Engines;
use crate::error::ApiError;
use crate::library::Library;
use crate::settings::Settings;
use crate::{api, assets, auth, live};
use chuhe_api::Key;

/// Wrong tokens per second of one address, with a burst of 4×.
const FAILURES_PER_SECOND: u32 = 2;

/// State shared by all requests.
pub(crate) type Shared = Arc<State>;

pub(crate) struct State {
    pub(crate) settings: Settings,
    pub(crate) library: Library,
    pub(crate) engines: Engines,
    /// Open live sockets, in all and by address.
    pub(crate) sockets: AtomicUsize,
    pub(crate) sockets_by_address: AddressCounts,
    /// Requests by address.
    pub(crate) requests: AddressBuckets,
    /// Wrong tokens by address.
    pub(crate) failures: AddressBuckets,
    /// Rival engines run one at a time, to leave our own enough of the machine.
    pub(crate) rivals: Arc<Semaphore>,
    /// Requests that read and write records.
    pub(crate) blocking: Blocking,
    /// Concurrent Banqi searches.
    pub(crate) banqi: Semaphore,
}

impl State {
    pub(crate) fn new(settings: Settings) -> Result<Shared, BookError> {
        let library = Library::open(&settings)?;
        let engines =
            Engines::start(settings.engines, settings.hash_per_engine(), Some(library.tables.clone()));
        Ok(Arc::new(Self {
            library,
            engines,
            sockets: AtomicUsize::new(0),
            sockets_by_address: AddressCounts::default(),
            requests: AddressBuckets::new(settings.limits.requests_per_second),
            failures: AddressBuckets::new(FAILURES_PER_SECOND),
            rivals: Arc::new(Semaphore::new(1)),
            blocking: Blocking::new(settings.engines.max(2)),
            banqi: Semaphore::new(settings.engines),
            settings,
        }))
    }
}

/// The router with all middleware.
pub(crate) fn app(shared: Shared) -> Router {
    Router::new()
        .route("/api/about", get(api::about::about))
        .route("/api/position", post(api::position::position))
        .route("/api/explain", post(api::explain::explain))
        .route("/api/endgame", post(api::endgame::endgame))
        .route("/api/endings", get(api::endings::endings))
        .route("/api/games", post(api::games::search))
        .route("/api/games/{id}", get(api::games::game))
        .route("/api/records", get(api::records::list))
        .route("/api/records/read", get(api::records::read))
        .route("/api/opening", post(api::opening::opening))
        .route("/api/opening/games", post(api::opening::games))
        .route("/api/longest", get(api::endgame::longest))
        .route("/api/explore", post(api::endgame::explore))
        .route("/api/banqi", post(api::banqi::banqi))
        .route("/api/banqi/think", post(api::banqi::think))
        .route("/api/build", get(api::endgame::building).post(api::endgame::build).delete(api::endgame::stop))
        .route("/api/puzzles", get(api::puzzles::puzzles))
        .route("/api/read", post(api::read::read))
        .route("/api/read/batch", post(api::read::batch))
        .route("/api/rival", post(api::rival::rival))
        .route("/api/write", post(api::write::write))
        .route("/api/live", any(live::live))
        .route("/api/{*rest}", any(unknown))
        .fallback(get(assets::serve))
        // The middleware below limits bodies.
        .layer(DefaultBodyLimit::disable())
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(|_| ApiError::internal().into_response()))
        .layer(middleware::from_fn_with_state(shared.clone(), auth::authorize))
        .with_state(shared)
}

async fn unknown() -> ApiError {
    let text = "there is no such request; docs/http.md lists them";
    ApiError::plain(StatusCode::NOT_FOUND, Key::NoSuchRequest, text)
}
