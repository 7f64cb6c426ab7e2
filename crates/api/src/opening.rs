//! `POST /api/opening`: the opening book.

use chuhe_book::Book;
use chuhe_report::explore::{ExploredPosition, explore};
use serde::Deserialize;

use crate::Notice;
use crate::wire::GameJson;

/// Requests the book moves of the last position of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OpeningRequest {
    game: GameJson,
}

/// Answers the request from a book.
pub fn opening(book: &Book, request: &OpeningRequest) -> Result<ExploredPosition, Notice> {
    Ok(explore(book, &request.game.game()?))
}
