//! `POST /api/banqi` and `/api/banqi/think`: Banqi (暗棋).
//!
//! No deal is stored, so none can leak: a flip draws from all face-down pieces when it is played, with the
//! same probabilities as a deal in advance. Browser and engine know only what the players see.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chuhe_banqi::engine::{Engine, Params};
use chuhe_banqi::random::Random;
use chuhe_banqi::text::{move_text, parse_move, played_text};
use chuhe_banqi::{
    Cell, DrawReason, FULL_SET, Game, GameEnd, Level, Limits, Piece, PlayError, Played, Position, Rules,
    Side, Square, SquareStyle, WinReason, flips,
};
use serde::{Deserialize, Serialize};

use crate::wire::SideJson;
use crate::wire::too_many_moves;
use crate::{Arg, Key, Notice};

/// Squares in the API: files a–h, ranks 1–4.
const STYLE: SquareStyle = SquareStyle::Wide;
/// Longer games are refused.
const MAX_PLIES: usize = 2000;
/// Thinking time at full strength.
const FULL_TIME: Duration = Duration::from_millis(1000);
/// Transposition table of a search, in megabytes.
const HASH: usize = 8;
/// Full strength; lower levels are handicapped.
pub const FULL_LEVEL: u8 = 6;

/// A game of Banqi.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BanqiGame {
    /// The plies: `c2(R)` for a flip that showed Red's chariot, `a1-a2` for a step or capture.
    moves: Vec<String>,
}

/// A game and optionally a move to play in it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BanqiRequest {
    game: BanqiGame,
    /// The move: `c2` for a flip, `a1-a2` for a step or capture.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    mv: Option<String>,
}

/// Requests a move of the engine.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BanqiThink {
    game: BanqiGame,
    /// From 1 (beginner) to 5; 6 is full strength.
    level: u8,
}

/// The game as both players see it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BanqiView {
    /// All plies, with the pieces that flips showed.
    played: Vec<String>,
    /// The 32 squares from a1 to h4: a letter of `KGMRNCP` (lower case for Black), `?` or `.`.
    cells: String,
    /// The side to move; null before the first flip.
    side: Option<SideJson>,
    /// The legal moves.
    moves: Vec<String>,
    /// The face-down pieces: letter and count.
    pool: Vec<(char, u8)>,
    /// Captured pieces, highest rank first.
    taken: String,
    /// The odds of every flip.
    flips: Vec<FlipOdds>,
    /// Plies without a flip or a capture.
    quiet: u16,
    /// Number of quiet plies that makes a draw.
    quiet_limit: Option<u16>,
    outcome: Option<BanqiOutcome>,
}

/// The odds of a flip for the side to move, in thousandths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FlipOdds {
    square: String,
    /// The piece is the mover's own.
    own: u32,
    /// The mover can capture more than before.
    gain: u32,
    /// The opponent can capture more than before.
    danger: u32,
}

/// How a game ended.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BanqiOutcome {
    /// Null if it is a draw.
    winner: Option<SideJson>,
    /// `all-taken`, `no-move`, `long-chase`, `quiet` or `repetition`.
    reason: &'static str,
}

/// The engine's move.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BanqiAnswer {
    #[serde(rename = "move")]
    mv: String,
    /// From the side to move, in hundredths of about half a horse.
    score: i32,
    depth: u32,
}

/// Plays a move, if any, and shows the game. `seed` decides what a flip shows.
pub fn banqi(request: &BanqiRequest, seed: u64) -> Result<BanqiView, Notice> {
    let mut game = request.game.game()?;
    if let Some(text) = &request.mv {
        let (mv, _) = parse_move(text, STYLE)?;
        let played = if mv.is_flip() {
            Played::Flip(mv.from(), draw(game.position(), seed)?)
        } else {
            Played::Step(mv.from(), mv.to())
        };
        game.play(played).map_err(|error| in_move(text, error))?;
    }
    Ok(BanqiView::new(&game))
}

/// A search for the engine's move.
pub struct BanqiSearch {
    game: Game,
    limits: Limits,
}

impl BanqiThink {
    /// The search that answers the request.
    pub fn search(&self) -> Result<BanqiSearch, Notice> {
        let game = self.game.game()?;
        if game.end().is_some() {
            return Err(PlayError::Over.into());
        }
        let level = if self.level < FULL_LEVEL { Level::Person(self.level.max(1)) } else { Level::Full };
        Ok(BanqiSearch { game, limits: Limits { nodes: level.nodes(), ..Limits::movetime(FULL_TIME) } })
    }
}

impl BanqiSearch {
    /// Searches until the limits or `stop` end it.
    pub fn run(&self, stop: &AtomicBool) -> BanqiAnswer {
        let mut engine = Engine::new(Params::default(), 1, HASH);
        let answer = engine.search_until(&self.game, &self.limits, stop, &mut |_| {});
        BanqiAnswer { mv: move_text(answer.best, STYLE), score: answer.score, depth: answer.depth }
    }
}

/// The refusal of a move.
fn in_move(text: &str, error: PlayError) -> Notice {
    Notice::new(Key::InMove, [Arg::from(text), Notice::from(error).into()], format!("{text}: {error}"))
}

/// Draws the piece that a flip shows.
fn draw(position: &Position, seed: u64) -> Result<Piece, Notice> {
    flips::draw(position, &mut Random::new(seed))
        .ok_or_else(|| Notice::plain(Key::NothingFaceDown, "nothing lies face down"))
}

impl BanqiGame {
    fn game(&self) -> Result<Game, Notice> {
        if self.moves.len() > MAX_PLIES {
            return Err(too_many_moves(self.moves.len(), MAX_PLIES));
        }
        let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
        for text in &self.moves {
            let played = match parse_move(text, STYLE)? {
                (mv, Some(shown)) => Played::Flip(mv.from(), shown),
                (mv, None) if mv.is_flip() => {
                    let message = format!("{text} does not say what the flip showed");
                    return Err(Notice::new(Key::FlipUnknown, [Arg::from(text)], message));
                }
                (mv, None) => Played::Step(mv.from(), mv.to()),
            };
            game.play(played).map_err(|error| in_move(text, error))?;
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
            flips: flips::odds(game).into_iter().map(FlipOdds::from).collect(),
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

impl From<flips::FlipOdds> for FlipOdds {
    fn from(odds: flips::FlipOdds) -> Self {
        let flips::FlipOdds { square, own, gain, danger } = odds;
        Self { square: square.text(STYLE), own, gain, danger }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(moves: &str) -> BanqiView {
        let game = BanqiGame { moves: moves.split_whitespace().map(str::to_owned).collect() };
        BanqiView::new(&game.game().unwrap())
    }

    #[test]
    fn only_flipped_pieces_are_shown() {
        let start = view("");
        assert_eq!(start.cells, "?".repeat(32));
        assert_eq!((start.moves.len(), start.side, start.pool.len()), (32, None, 14));
        let flipped = view("c2(R)");
        assert_eq!(flipped.cells.matches('?').count(), 31);
        assert_eq!(flipped.side, Some(SideJson::Black));
        assert!(flipped.pool.contains(&('R', 1)));
    }

    #[test]
    fn every_face_down_square_has_its_odds() {
        let view = view("a1(K)");
        assert_eq!(view.flips.len(), 31);
        let odds = FlipOdds { square: "b1".to_owned(), own: 516, gain: 193, danger: 354 };
        assert!(view.flips.contains(&odds), "{:?}", view.flips);
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
