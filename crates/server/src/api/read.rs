//! `POST /api/read`: a record in any format, or a FEN, as a tree of moves. `POST /api/read/batch`: many games of a file.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{Query, State};
use chuhe_api::read::{self, BatchAnswer, ReadAnswer, ReadOptions};

use crate::app::Shared;
use crate::error::ApiError;

pub(crate) async fn read(
    State(shared): State<Shared>,
    options: Result<Query<ReadOptions>, QueryRejection>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<ReadAnswer>, ApiError> {
    let (Query(options), body) = (options?, body?);
    let read = move |is_stopped: &dyn Fn() -> bool| read::read(&options, &body, is_stopped);
    shared.blocking.run(move |stop| Ok(read(&|| stop.is_set())?)).await.map(Json)
}

pub(crate) async fn batch(
    State(shared): State<Shared>,
    options: Result<Query<ReadOptions>, QueryRejection>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<BatchAnswer>, ApiError> {
    let (Query(options), body) = (options?, body?);
    let read = move |is_stopped: &dyn Fn() -> bool| read::read_batch(&options, &body, is_stopped);
    shared.blocking.run(move |stop| Ok(read(&|| stop.is_set())?)).await.map(Json)
}
