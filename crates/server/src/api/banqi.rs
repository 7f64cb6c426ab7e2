//! `POST /api/banqi` and `/api/banqi/think`: the dark game.
//!
//! There is no deal that could leak: what a flip shows is drawn when it is flipped, from all pieces that
//! still lie face down, which gives every order of pieces the same chance as a deal does. Neither the
//! browser nor the engine can know more than the players see.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use chuhe_banqi::engine::{Engine, Params};
use chuhe_banqi::random::Random;
use chuhe_banqi::text::{move_text, parse_move, played_text};
use chuhe_banqi::{
    Captures, Cell, DrawReason, FULL_SET, Game, GameEnd, Level, Limits, Piece, Played, Position, Rules, Side,
    Square, SquareSet, SquareStyle, WinReason,
};
use serde::{Deserialize, Serialize};

use crate::app::Shared;
use crate::error::{ApiError, Asked};
use crate::spelled::SideJson;

/// Squares as the browser writes them: files a–h, ranks 1–4.
const STYLE: SquareStyle = SquareStyle::Wide;
/// No game that is asked about is longer.
const LONGEST_GAME: usize = 2000;
/// How long full strength thinks.
const FULL_TIME: Duration = Duration::from_millis(1000);
/// The memory of an engine's table, in megabytes.
const HASH: usize = 8;
/// The level above those for people.
pub(crate) const FULL_LEVEL: u8 = 6;

/// A game of Banqi.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BanqiGame {
    /// What was played: `c2(R)` for a flip that showed Red's chariot, `a1-a2` for a step or capture.
    moves: Vec<String>,
}

/// Asks about a game, perhaps after one more move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BanqiRequest {
    game: BanqiGame,
    /// The move to play first: `c2` for a flip, `a1-a2` for a step or capture.
    #[serde(rename = "move")]
    #[cfg_attr(test, ts(optional))]
    mv: Option<String>,
}

/// Asks the engine for a move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BanqiThink {
    game: BanqiGame,
    /// 1, a beginner, to 5; 6 is full strength.
    level: u8,
}

/// What the players see.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BanqiView {
    /// All plies, with what flips showed.
    played: Vec<String>,
    /// The 32 squares from a1 to h4: a letter of `KGMRNCP` (lower case for Black), `?` or `.`.
    cells: String,
    /// Who is to move; nobody before the first flip.
    side: Option<SideJson>,
    /// The legal moves.
    moves: Vec<String>,
    /// What lies face down: letter and number.
    pool: Vec<(char, u8)>,
    /// What was taken, highest rank first.
    taken: String,
    /// What each flip may bring.
    flips: Vec<FlipOdds>,
    /// Plies without a flip or a capture.
    quiet: u16,
    /// A draw after so many of them.
    quiet_limit: Option<u16>,
    outcome: Option<BanqiOutcome>,
}

/// What turning over a piece may bring the side to move, in thousandths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct FlipOdds {
    square: String,
    /// That it shows an own piece.
    own: u32,
    /// That it can be taken next, or takes something next, to our gain.
    gain: u32,
    /// That the opponent can take more than before.
    danger: u32,
}

/// How a game ended.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BanqiOutcome {
    /// Nobody if it is a draw.
    winner: Option<SideJson>,
    /// `all-taken`, `no-move`, `long-chase`, `quiet` or `repetition`.
    reason: &'static str,
}

/// What the engine would play.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BanqiAnswer {
    #[serde(rename = "move")]
    mv: String,
    /// For the side to move, in hundredths of about half a horse.
    score: i32,
    depth: u32,
}

/// `POST /api/banqi`: plays a move, or only looks.
pub(crate) async fn banqi(Asked(request): Asked<BanqiRequest>) -> Result<Json<BanqiView>, ApiError> {
    let mut game = request.game.game()?;
    if let Some(text) = &request.mv {
        let (mv, _) = parse_move(text, STYLE).map_err(ApiError::unusable)?;
        let played = if mv.is_flip() {
            Played::Flip(mv.from(), drawn(game.position())?)
        } else {
            Played::Step(mv.from(), mv.to())
        };
        game.play(played).map_err(|error| ApiError::unusable(format!("{text}: {error}")))?;
    }
    Ok(Json(BanqiView::new(&game)))
}

/// `POST /api/banqi/think`: the engine's move.
pub(crate) async fn think(
    State(shared): State<Shared>,
    Asked(request): Asked<BanqiThink>,
) -> Result<Json<BanqiAnswer>, ApiError> {
    let game = request.game.game()?;
    if game.end().is_some() {
        return Err(ApiError::unusable("the game is over"));
    }
    let level = if request.level < FULL_LEVEL { Level::Person(request.level.max(1)) } else { Level::Full };
    let limits = Limits { nodes: level.nodes(), ..Limits::movetime(FULL_TIME) };
    // A visitor who goes away drops this future, and with it the place or the search.
    let _place = shared.banqi.acquire().await.map_err(ApiError::unusable)?;
    let stop = Stop(Arc::default());
    let told = stop.0.clone();
    let search =
        move || Engine::new(Params::default(), 1, HASH).search_until(&game, &limits, &told, &mut |_| {});
    let answer = tokio::task::spawn_blocking(search).await;
    let answer = answer.map_err(|_| ApiError::unusable("the search broke down"))?;
    Ok(Json(BanqiAnswer { mv: move_text(answer.best, STYLE), score: answer.score, depth: answer.depth }))
}

/// Ends a search when nobody waits for it any more.
struct Stop(Arc<AtomicBool>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Any of the pieces that lie face down.
fn drawn(position: &Position) -> Result<Piece, ApiError> {
    let pool: Vec<Piece> = Piece::all()
        .flat_map(|piece| std::iter::repeat_n(piece, position.pool()[piece.index()].into()))
        .collect();
    if pool.is_empty() {
        return Err(ApiError::unusable("nothing lies face down"));
    }
    // Keys of hash maps are the standard library's own chance: nobody outside can guess them.
    let chance = RandomState::new().hash_one(position.key());
    Ok(pool[Random::new(chance).below(pool.len())])
}

impl BanqiGame {
    fn game(&self) -> Result<Game, ApiError> {
        if self.moves.len() > LONGEST_GAME {
            let count = self.moves.len();
            return Err(ApiError::unusable(format!("{count} moves are more than {LONGEST_GAME}")));
        }
        let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
        for text in &self.moves {
            let played = match parse_move(text, STYLE).map_err(ApiError::unusable)? {
                (mv, Some(shown)) => Played::Flip(mv.from(), shown),
                (mv, None) if mv.is_flip() => {
                    return Err(ApiError::unusable(format!("{text} does not say what the flip showed")));
                }
                (mv, None) => Played::Step(mv.from(), mv.to()),
            };
            game.play(played).map_err(|error| ApiError::unusable(format!("{text}: {error}")))?;
        }
        Ok(game)
    }
}

impl BanqiView {
    fn new(game: &Game) -> Self {
        let position = game.position();
        let count = |counts: &dyn Fn(Piece) -> u8| {
            Piece::all()
                .map(|piece| (piece, counts(piece)))
                .filter(|(_, count)| *count > 0)
                .collect::<Vec<_>>()
        };
        let pool = count(&|piece| position.pool()[piece.index()]);
        let taken = count(&|piece| FULL_SET[piece.index()] - position.alive()[piece.index()]);
        let letters = |(piece, count): (Piece, u8)| std::iter::repeat_n(piece.letter(), count.into());
        Self {
            played: game.played().iter().map(|played| played_text(*played, STYLE)).collect(),
            cells: Square::all().map(|square| letter(position.cell(square))).collect(),
            side: position.side_to_move().map(side),
            moves: game.moves().into_iter().map(|mv| move_text(mv, STYLE)).collect(),
            pool: pool.into_iter().map(|(piece, count)| (piece.letter(), count)).collect(),
            taken: taken.into_iter().flat_map(letters).collect(),
            flips: if game.end().is_some() { Vec::new() } else { flips(position, game.captures()) },
            quiet: position.quiet_plies(),
            quiet_limit: game.rules().quiet_limit,
            outcome: game.end().map(BanqiOutcome::from),
        }
    }
}

fn letter(cell: Cell) -> char {
    match cell {
        Cell::Empty => '.',
        Cell::FaceDown => '?',
        Cell::Shown(piece) => piece.letter(),
    }
}

const fn side(side: Side) -> SideJson {
    match side {
        Side::Red => SideJson::Red,
        Side::Black => SideJson::Black,
    }
}

impl From<GameEnd> for BanqiOutcome {
    fn from(outcome: GameEnd) -> Self {
        match outcome {
            GameEnd::Won { by, because } => {
                let reason = match because {
                    WinReason::AllTaken => "all-taken",
                    WinReason::NoMove => "no-move",
                    WinReason::LongChase => "long-chase",
                };
                Self { winner: Some(side(by)), reason }
            }
            GameEnd::Drawn(DrawReason::Quiet) => Self { winner: None, reason: "quiet" },
            GameEnd::Drawn(DrawReason::Repetition) => Self { winner: None, reason: "repetition" },
        }
    }
}

/// What each flip may bring; nothing before the first, when all are alike.
fn flips(position: &Position, captures: &Captures) -> Vec<FlipOdds> {
    let Some(mover) = position.side_to_move() else { return Vec::new() };
    let before = Side::ALL.map(|side| prey(position, captures, side));
    position.face_down().map(|square| odds(position, captures, mover, before, square)).collect()
}

fn odds(
    position: &Position,
    captures: &Captures,
    mover: Side,
    before: [SquareSet; 2],
    square: Square,
) -> FlipOdds {
    let [mut own, mut gain, mut danger, mut all] = [0; 4];
    for piece in Piece::all() {
        let count = u32::from(position.pool()[piece.index()]);
        if count == 0 {
            continue;
        }
        let mut after = position.clone();
        after.play_flip(square, piece);
        let more = |side: Side| !(prey(&after, captures, side) - before[side.index()]).is_empty();
        all += count;
        own += if piece.side() == mover { count } else { 0 };
        gain += if more(mover) { count } else { 0 };
        danger += if more(mover.opponent()) { count } else { 0 };
    }
    let share = |part: u32| 1000 * part / all.max(1);
    FlipOdds { square: square.text(STYLE), own: share(own), gain: share(gain), danger: share(danger) }
}

/// Where pieces stand that a side could take if it were to move.
fn prey(position: &Position, captures: &Captures, side: Side) -> SquareSet {
    let victims = position.shown(side.opponent());
    victims.filter(|&square| is_prey(position, captures, side, square)).collect()
}

fn is_prey(position: &Position, captures: &Captures, side: Side, square: Square) -> bool {
    let Some(victim) = position.piece_on(square) else { return false };
    let by_step = (square.neighbours() & position.shown(side))
        .any(|from| position.piece_on(from).is_some_and(|hunter| captures.by_step(hunter, victim)));
    // A jump is the same in both directions.
    let by_jump = (chuhe_banqi::jumps(square, position.occupied()) & position.shown(side))
        .any(|from| position.piece_on(from).is_some_and(|hunter| captures.by_jump(hunter)));
    by_step || by_jump
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(moves: &str) -> BanqiView {
        let game = BanqiGame { moves: moves.split_whitespace().map(str::to_owned).collect() };
        BanqiView::new(&game.game().unwrap())
    }

    #[test]
    fn nothing_but_what_was_flipped_is_told() {
        let start = view("");
        assert_eq!(start.cells, "?".repeat(32));
        assert_eq!((start.moves.len(), start.side, start.pool.len()), (32, None, 14));
        let flipped = view("c2(R)");
        assert_eq!(flipped.cells.matches('?').count(), 31);
        assert_eq!(flipped.side, Some(SideJson::Black));
        assert!(flipped.pool.contains(&('R', 1)));
    }

    #[test]
    fn flips_are_drawn_from_what_is_left() {
        let game = BanqiGame { moves: vec!["a1(K)".to_owned()] }.game().unwrap();
        let mut shown = std::collections::BTreeSet::new();
        for _ in 0..300 {
            let piece = drawn(game.position()).unwrap();
            assert_ne!(piece.letter(), 'K', "there is only one");
            shown.insert(piece.letter());
        }
        assert!(shown.len() > 9, "{shown:?}");
    }

    #[test]
    fn odds_tell_gain_and_danger_beside_shown_pieces() {
        // Red's general on a1, Black to move: beside it a soldier of Black's would take it next.
        let told = view("a1(K)");
        let at = |square: &str| told.flips.iter().find(|odds| odds.square == square).unwrap().clone();
        // 16 of the 31 are Black's.
        assert_eq!(at("b1").own, 1000 * 16 / 31);
        // Five soldiers and the general could take the general from beside it.
        assert_eq!(at("b1").gain, 1000 * 6 / 31);
        // All of Black's but soldiers would stand beside a general that takes them.
        assert_eq!(at("b1").danger, 1000 * 11 / 31);
        // Far away nothing can happen at once, and only a cannon reaches over a neighbour.
        assert_eq!((at("h4").gain, at("h4").danger), (0, 0));
        assert_eq!(at("c1").gain, 1000 * 2 / 31);
    }

    #[test]
    fn bad_games_are_refused_with_the_culprit() {
        let error = |moves: &[&str]| {
            let game = BanqiGame { moves: moves.iter().map(|mv| (*mv).to_owned()).collect() };
            game.game().unwrap_err().to_string()
        };
        assert!(error(&["a1"]).contains("does not say what the flip showed"));
        assert!(error(&["a1(K)", "b1(K)"]).contains("no 'K' is left face down"));
        assert!(error(&["a1-a2"]).contains("not legal"));
        assert!(error(&["z9"]).contains("is not a move"));
    }
}
