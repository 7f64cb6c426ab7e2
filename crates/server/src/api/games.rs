//! `POST /api/games` and `GET /api/games/{id}`: the game collection.

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query as UrlQuery, State};
use axum::http::StatusCode;
use chuhe_api::read::ReadAnswer;
use chuhe_api::wire::position;
use chuhe_api::{Arg, Key, Notice};
use chuhe_board::Outcome;
use chuhe_collection::{Collection, CollectionError, Found, Query};
use serde::{Deserialize, Serialize};

use crate::app::Shared;
use crate::error::{ApiError, JsonBody};
use crate::library::GameSource;

/// Maximum page size.
const MAX_PAGE: usize = 100;

/// A search for games; all given criteria must match.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(crate) struct GamesRequest {
    /// Part of the name of either player.
    player: Option<String>,
    /// Part of the name of the event.
    event: Option<String>,
    /// Part of the name of the opening, or a prefix of its code.
    opening: Option<String>,
    /// `1-0`, `0-1` or `1/2-1/2`.
    result: Option<String>,
    /// First date: `2014` or `2014.06.28`.
    since: Option<String>,
    /// Last date.
    until: Option<String>,
    /// A position of the game, or its mirror image, as FEN.
    fen: Option<String>,
    /// Number of games to skip.
    skip: usize,
    /// Page size.
    most: usize,
}

/// A page of games.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct GamesAnswer {
    /// Number of games in the collection; null if there is no collection.
    all: Option<usize>,
    #[serde(flatten)]
    found: Found,
}

/// `POST /api/games`: searches the collection.
pub(crate) async fn search(
    State(shared): State<Shared>,
    JsonBody(request): JsonBody<GamesRequest>,
) -> Result<Json<GamesAnswer>, ApiError> {
    let (skip, most) = (request.skip, request.most.clamp(1, MAX_PAGE));
    let query = request.query()?;
    let answer = with_collection(shared, GameSource::Mine, move |collection| {
        let found = collection.search(&query, skip, most)?;
        Ok(GamesAnswer { all: Some(collection.len()?), found })
    });
    Ok(Json(answer.await?.unwrap_or(GamesAnswer { all: None, found: Found::default() })))
}

/// Which collection a number belongs to.
#[derive(Deserialize)]
pub(crate) struct OfCollection {
    /// The user's if missing.
    #[serde(default)]
    of: GameSource,
}

/// `GET /api/games/{id}?of=`: a game.
pub(crate) async fn game(
    State(shared): State<Shared>,
    id: Result<Path<u32>, PathRejection>,
    of: Result<UrlQuery<OfCollection>, QueryRejection>,
) -> Result<Json<ReadAnswer>, ApiError> {
    let Path(id) = id.map_err(|rejection| ApiError::malformed(rejection.status(), rejection.body_text()))?;
    let UrlQuery(OfCollection { of }) =
        of.map_err(|rejection| ApiError::malformed(rejection.status(), rejection.body_text()))?;
    let game = with_collection(shared, of, move |collection| collection.game(id)).await?;
    let game = game.ok_or_else(|| ApiError::from(CollectionError::NoGame(id)))?;
    Ok(Json(ReadAnswer::of(&game)?))
}

/// Runs a query on a collection; `None` if there is none.
async fn with_collection<T: Send + 'static>(
    shared: Shared,
    source: GameSource,
    query: impl FnOnce(&Collection) -> Result<T, CollectionError> + Send + 'static,
) -> Result<Option<T>, ApiError> {
    let answer = tokio::task::spawn_blocking(move || {
        shared.library.with_games(source, |collection| query(collection))
    });
    let answer = answer.await.map_err(|_| ApiError::internal())?;
    Ok(answer?)
}

impl GamesRequest {
    fn query(self) -> Result<Query, ApiError> {
        // Empty fields of the form are not criteria.
        let text =
            |field: Option<String>| field.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let result = text(self.result).map(|text| {
            let unknown = || Notice::plain(Key::BadResult, "a result is 1-0, 0-1 or 1/2-1/2");
            Outcome::from_token(&text).ok_or_else(unknown)
        });
        let date = |field: Option<String>| match text(field) {
            Some(date) if !is_date(&date) => {
                let text = format!("'{date}' is not a date such as 2014 or 2014.06.28");
                Err(Notice::new(Key::BadDate, [Arg::from(&date)], text))
            }
            date => Ok(date),
        };
        Ok(Query {
            position: text(self.fen).map(|fen| position(Some(&fen))).transpose()?,
            player: text(self.player),
            event: text(self.event),
            opening: text(self.opening),
            result: result.transpose()?,
            since: date(self.since)?,
            until: date(self.until)?,
            ..Query::default()
        })
    }
}

/// Whether a text is `2014`, `2014.06` or `2014.06.28`.
fn is_date(text: &str) -> bool {
    let widths: Vec<usize> = text.split('.').map(str::len).collect();
    text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && matches!(widths[..], [4] | [4, 2] | [4, 2, 2])
}

impl From<CollectionError> for ApiError {
    fn from(error: CollectionError) -> Self {
        let (status, key) = match error {
            CollectionError::NoGame(_) => (StatusCode::NOT_FOUND, Key::NoSuchGame),
            _ => (StatusCode::INTERNAL_SERVER_ERROR, Key::CollectionFailed),
        };
        Self::new(status, Notice::around(key, error))
    }
}
