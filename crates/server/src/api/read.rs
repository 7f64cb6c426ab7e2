//! `POST /api/read`: a record in any format, or a FEN, as a tree of moves.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Query, State};
use chuhe_api::read::{self, ReadAnswer, ReadOptions};

use crate::app::Shared;
use crate::error::ApiError;

pub(crate) async fn read(
    State(shared): State<Shared>,
    Query(options): Query<ReadOptions>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<ReadAnswer>, ApiError> {
    let body = body?;
    let read = move |is_stopped: &dyn Fn() -> bool| read::read(&options, &body, is_stopped);
    shared.blocking.run(move |stop| Ok(read(&|| stop.is_set())?)).await.map(Json)
}
