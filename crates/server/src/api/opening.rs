//! `POST /api/opening`: the opening book; `POST /api/opening/games`: what games say about a position.

use axum::Json;
use axum::extract::State;
use chuhe_api::opening::{self, OpeningRequest};
use chuhe_api::wire::{GameJson, MoveJson};
use chuhe_board::{Move, Position};
use chuhe_book::lines;
use chuhe_collection::{Collection, CollectionError, GameSummary, Results};
use chuhe_report::explore::{ExploredPosition, NameJson};
use serde::{Deserialize, Serialize};

use crate::app::Shared;
use crate::error::{ApiError, JsonBody};
use crate::library::GameSource;

/// How many games are listed.
const MOST_GAMES: usize = 8;

/// Requests the statistics of the last position of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct OpeningGamesRequest {
    game: GameJson,
    /// Whose games count.
    of: GamesOf,
}

/// Whose games count in the explorer.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum GamesOf {
    /// The starter collection's.
    Ours,
    /// The user's.
    Mine,
    /// Both.
    Both,
}

/// What games say about a position.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct OpeningGames {
    /// The position as FEN.
    fen: String,
    /// Number of games in the starter collection; null if there is none.
    ours: Option<usize>,
    /// Number of games in the user's collection; null if there is none.
    mine: Option<usize>,
    /// The moves made here, the most frequent first.
    moves: Vec<PlayedMove>,
    /// The latest games with the position.
    games: Vec<ModelGame>,
}

/// A move that was made in games.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PlayedMove {
    #[serde(flatten)]
    mv: MoveJson,
    /// The games in which it was made.
    games: u32,
    /// How many of them Red won.
    red: u32,
    /// How many were drawn.
    draws: u32,
    /// How many Black won.
    black: u32,
    /// The name of the position that it leads to, if it has one.
    name: Option<NameJson>,
}

/// A game to look at.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ModelGame {
    /// The collection that has it.
    of: GameSource,
    #[serde(flatten)]
    game: GameSummary,
}

pub(crate) async fn opening(
    State(shared): State<Shared>,
    JsonBody(request): JsonBody<OpeningRequest>,
) -> Result<Json<ExploredPosition>, ApiError> {
    Ok(Json(opening::opening(&shared.library.book, &request)?))
}

pub(crate) async fn games(
    State(shared): State<Shared>,
    JsonBody(request): JsonBody<OpeningGamesRequest>,
) -> Result<Json<OpeningGames>, ApiError> {
    let position = request.game.game()?.position().clone();
    let blocking = shared.clone();
    let answer = blocking.blocking.run(move |_| Ok(statistics(&shared, &position, request.of)?));
    Ok(Json(answer.await?))
}

fn statistics(shared: &Shared, position: &Position, of: GamesOf) -> Result<OpeningGames, CollectionError> {
    let mut answer = OpeningGames {
        fen: position.to_string(),
        ours: None,
        mine: None,
        moves: Vec::new(),
        games: Vec::new(),
    };
    let mut total: Vec<(Move, Results)> = Vec::new();
    for source in [GameSource::Mine, GameSource::Ours] {
        let counts = matches!(
            (of, source),
            (GamesOf::Both, _) | (GamesOf::Ours, GameSource::Ours) | (GamesOf::Mine, GameSource::Mine)
        );
        let found = shared.library.with_games(source, |collection| {
            let found = if counts { Some(found(collection, position)?) } else { None };
            Ok((collection.len()?, found))
        })?;
        let Some((games, found)) = found else { continue };
        match source {
            GameSource::Ours => answer.ours = Some(games),
            GameSource::Mine => answer.mine = Some(games),
        }
        let (played, latest) = found.unwrap_or_default();
        for (mv, results) in played {
            match total.iter_mut().find(|(known, _)| *known == mv) {
                Some((_, sum)) => sum.add(results),
                None => total.push((mv, results)),
            }
        }
        answer.games.extend(latest.into_iter().map(|game| ModelGame { of: source, game }));
    }
    answer.games.truncate(MOST_GAMES);
    total.sort_by_key(|(_, results)| std::cmp::Reverse(results.games()));
    answer.moves = total.into_iter().map(|(mv, results)| played_move(position, mv, results)).collect();
    Ok(answer)
}

type FoundGames = (Vec<(Move, Results)>, Vec<GameSummary>);

fn found(collection: &mut Collection, position: &Position) -> Result<FoundGames, CollectionError> {
    Ok((collection.moves_played(position)?, collection.latest(position, MOST_GAMES)?))
}

fn played_move(position: &Position, mv: Move, results: Results) -> PlayedMove {
    let mut child = position.clone();
    let _ = child.play(mv, &mut ());
    PlayedMove {
        mv: MoveJson::new(position, mv),
        games: results.games(),
        red: results.red,
        draws: results.draws,
        black: results.black,
        name: lines::name(&child).map(NameJson::from),
    }
}
