//! `POST /api/games` and `GET /api/games/{id}`: the game collection.

use std::sync::PoisonError;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use chuhe_board::Outcome;
use chuhe_collection::{Collection, CollectionError, Found, Query};
use serde::{Deserialize, Serialize};

use crate::api::read::ReadAnswer;
use crate::app::Shared;
use crate::error::{ApiError, Asked};
use crate::spelled::position;

/// A page of the list has so many games at most.
const MOST: usize = 100;

/// What games are wanted; everything that is set must hold.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(crate) struct GamesRequest {
    /// Part of the name of either player.
    player: Option<String>,
    /// Part of the name of the event.
    event: Option<String>,
    /// Part of the name of the opening, or the beginning of its code.
    opening: Option<String>,
    /// `1-0`, `0-1` or `1/2-1/2`.
    result: Option<String>,
    /// Not before: `2014` or `2014.06.28`.
    since: Option<String>,
    /// Not after.
    until: Option<String>,
    /// A position of the game, or its mirror image, as FEN.
    fen: Option<String>,
    /// How many to leave out.
    skip: usize,
    /// How many to list.
    most: usize,
}

/// What the collection holds.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct GamesAnswer {
    /// Games in the whole collection; nothing if there is no collection yet.
    all: Option<usize>,
    #[serde(flatten)]
    found: Found,
}

/// `POST /api/games`: the games that match.
pub(crate) async fn search(
    State(shared): State<Shared>,
    Asked(request): Asked<GamesRequest>,
) -> Result<Json<GamesAnswer>, ApiError> {
    let (skip, most) = (request.skip, request.most.clamp(1, MOST));
    let query = request.query()?;
    let answer = with_collection(shared, move |collection| {
        let found = collection.search(&query, skip, most)?;
        Ok(GamesAnswer { all: Some(collection.len()?), found })
    });
    Ok(Json(answer.await?.unwrap_or(GamesAnswer { all: None, found: Found::default() })))
}

/// `GET /api/games/{id}`: a game.
pub(crate) async fn game(
    State(shared): State<Shared>,
    id: Result<Path<u32>, PathRejection>,
) -> Result<Json<ReadAnswer>, ApiError> {
    let Path(id) = id.map_err(|rejection| ApiError::new(rejection.status(), rejection.body_text()))?;
    let game = with_collection(shared, move |collection| collection.game(id)).await?;
    let game = game.ok_or_else(|| ApiError::from(CollectionError::NoGame(id)))?;
    ReadAnswer::of(&game).map(Json)
}

/// Asks the collection something; nothing if there is none.
async fn with_collection<T: Send + 'static>(
    shared: Shared,
    ask: impl FnOnce(&Collection) -> Result<T, CollectionError> + Send + 'static,
) -> Result<Option<T>, ApiError> {
    let answer = tokio::task::spawn_blocking(move || {
        let library = &shared.library;
        let Some(path) = library.games.as_ref().filter(|path| path.exists()) else { return Ok(None) };
        let mut collection = library.collection.lock().unwrap_or_else(PoisonError::into_inner);
        let collection = match &mut *collection {
            Some(collection) => collection,
            none => none.insert(Collection::open_existing(path)?),
        };
        ask(collection).map(Some)
    });
    let answer = answer.await.map_err(|_| ApiError::unusable("the collection could not be searched"))?;
    Ok(answer?)
}

impl GamesRequest {
    fn query(self) -> Result<Query, ApiError> {
        // An empty field of a form asks for nothing.
        let text =
            |field: Option<String>| field.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let result = text(self.result).map(|text| {
            let unknown = || ApiError::unusable("a result is 1-0, 0-1 or 1/2-1/2");
            Outcome::from_token(&text).ok_or_else(unknown)
        });
        Ok(Query {
            position: text(self.fen).map(|fen| position(Some(&fen))).transpose()?,
            player: text(self.player),
            event: text(self.event),
            opening: text(self.opening),
            result: result.transpose()?,
            since: text(self.since),
            until: text(self.until),
            ..Query::default()
        })
    }
}

impl From<CollectionError> for ApiError {
    fn from(error: CollectionError) -> Self {
        let status = match error {
            CollectionError::NoGame(_) => StatusCode::NOT_FOUND,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error)
    }
}
