//! Messages of the live socket.

use std::time::Duration;

use chuhe_adapters::draw_offer;
use chuhe_board::{Move, Position, Side};
use chuhe_book::{Book, Choice, Policy};
use chuhe_eval::classical::Phase;
use chuhe_eval::{Chances, Score};
use chuhe_referee::{Game, Referee};
use chuhe_report::analyse::GameAnalysis;
use chuhe_search::{Bound, Line};
use serde::{Deserialize, Serialize};

use crate::Notice;
use crate::explain::ExplainedSummary;
use crate::report::{Effort, GameReport};
use crate::wire::{GameJson, MoveJson, SideJson};

/// Lines are cut to this many moves.
const MAX_LINE_MOVES: usize = 20;

/// A request on the live socket.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ClientMessage {
    /// Analyse a position until stopped.
    Analyse {
        /// Echoed in every answer.
        id: u32,
        /// The game.
        game: GameJson,
        /// Number of best lines (MultiPV).
        lines: usize,
        /// Threads, as far as they are free; one if missing.
        #[serde(default)]
        #[cfg_attr(feature = "typescript", ts(optional))]
        threads: Option<usize>,
        /// The last depth; none if missing.
        #[serde(default)]
        #[cfg_attr(feature = "typescript", ts(optional))]
        depth: Option<u32>,
        /// Size of the transposition table in mebibytes, as far as it is allowed; that of the server if missing.
        #[serde(default)]
        #[cfg_attr(feature = "typescript", ts(optional))]
        hash: Option<usize>,
    },
    /// Find a move.
    Think {
        /// Echoed in the answer.
        id: u32,
        /// The game.
        game: GameJson,
        /// From 1 (beginner); the last level is full strength.
        level: u8,
        /// Deadline of the move.
        milliseconds: u32,
        /// How the opening book answers; missing if it may not.
        #[serde(default)]
        #[cfg_attr(feature = "typescript", ts(optional))]
        book: Option<BookPolicy>,
    },
    /// Search every position of a game and judge its moves.
    Report {
        /// Echoed in every answer.
        id: u32,
        /// The game.
        game: GameJson,
        /// How long each position is searched.
        #[serde(default)]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Effort>"))]
        effort: Effort,
    },
    /// Stop the search.
    Stop,
}

/// A search to run.
pub struct SearchRequest {
    /// Echoed in every answer.
    pub id: u32,
    /// The game.
    pub game: GameJson,
    /// Number of best lines (MultiPV).
    pub lines: usize,
    /// What it should produce.
    pub goal: Goal,
}

/// What a search should produce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Lines until it is stopped.
    Lines {
        /// Threads, as far as they are free.
        threads: usize,
        /// The last depth.
        depth: Option<u32>,
        /// Size of the transposition table in mebibytes, if another than the usual one is wanted.
        hash: Option<usize>,
    },
    /// A move.
    Move {
        /// The level, from 1.
        level: u8,
        /// The deadline.
        time: Duration,
        /// How the opening book answers, if it may.
        book: Option<BookPolicy>,
    },
    /// A report on the whole game.
    Report(Effort),
}

impl ClientMessage {
    /// The search requested; `None` for a stop.
    pub fn search(self) -> Option<SearchRequest> {
        match self {
            Self::Analyse { id, game, lines, threads, depth, hash } => {
                let goal = Goal::Lines { threads: threads.unwrap_or(1).max(1), depth, hash };
                Some(SearchRequest { id, game, lines, goal })
            }
            Self::Think { id, game, level, milliseconds, book } => {
                let time = Duration::from_millis(milliseconds.into());
                let goal = Goal::Move { level, time, book };
                Some(SearchRequest { id, game, lines: 1, goal })
            }
            Self::Report { id, game, effort } => {
                Some(SearchRequest { id, game, lines: GameReport::LINES, goal: Goal::Report(effort) })
            }
            Self::Stop => None,
        }
    }
}

/// Number of playing levels; the last is full strength.
pub const LEVELS: u8 = 10;

/// The strength of a level: from 0 for a beginner to 1 for full strength.
pub fn strength(level: u8) -> f64 {
    f64::from(level.clamp(1, LEVELS) - 1) / f64::from(LEVELS - 1)
}

/// What a search has found so far.
#[derive(Clone, Debug, Default)]
pub struct Update {
    /// The lines, best first.
    pub lines: Vec<Line>,
    /// Nodes searched.
    pub nodes: u64,
    /// Engine time spent.
    pub time: Duration,
    /// The depth since which the best move has not changed.
    pub settled: u32,
    /// Whether this is the last update.
    pub finished: bool,
    /// Whether the search broke down. Then this is the last update, and the lines are what it had found before.
    pub failed: bool,
}

/// Collects the lines of a search into complete sets: all ranks of one depth.
#[derive(Default)]
pub struct LineSets {
    /// The last complete set, best first.
    pub lines: Vec<Line>,
    /// The depth since which the best move has not changed.
    pub settled: u32,
    /// The lines of the current depth so far.
    pending: Vec<Line>,
}

impl LineSets {
    /// Adds a line of a search for `expected` lines. Returns whether it completes a set that is no shallower than the
    /// last one; a search that starts again does so from depth 1.
    pub fn add(&mut self, line: Line, expected: usize) -> bool {
        if line.rank == 1 {
            self.pending.clear();
        }
        if line.bound != Bound::Exact || self.pending.len() + 1 != line.rank {
            return false;
        }
        let (depth, rank) = (line.depth, line.rank);
        self.pending.push(line);
        let known = self.lines.first().map_or(0, |line| line.depth);
        if rank != expected || depth < known {
            return false;
        }
        let best = |lines: &[Line]| lines.first()?.moves.first().copied();
        if best(&self.pending) != best(&self.lines) {
            self.settled = depth;
        }
        self.lines = std::mem::take(&mut self.pending);
        true
    }
}

/// How a player chooses among the moves of the opening book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum BookPolicy {
    /// By chance, a weaker level more widely.
    #[default]
    Level,
    /// Always the best move.
    Best,
    /// By chance, as widely as a beginner.
    Varied,
}

/// The move of the opening book at a strength; a weaker level leaves the book sooner.
pub fn book_move(book: &Book, game: &Game, strength: f64, policy: BookPolicy, random: u64) -> Option<Move> {
    let by_level = Choice::at_strength(strength);
    let choice = match policy {
        BookPolicy::Level => by_level,
        BookPolicy::Best => Choice { policy: Policy::Best, ..by_level },
        BookPolicy::Varied => Choice { halving_loss: Choice::at_strength(0.0).halving_loss, ..by_level },
    };
    choice.choose(book.moves(game.position()), game, &Referee::default(), random)
}

/// An answer on the live socket.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ServerMessage {
    /// The best lines so far.
    Lines {
        /// The request's.
        id: u32,
        /// Depth of the lines.
        depth: u32,
        /// Nodes searched.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        nodes: u64,
        /// Engine time spent.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        milliseconds: u64,
        /// The lines, best first.
        lines: Vec<LineJson>,
        /// Whether the search has ended.
        finished: bool,
    },
    /// The move requested.
    Answer {
        /// The request's.
        id: u32,
        /// Null if the game is over.
        best: Option<MoveJson>,
        /// Its line first, then the alternatives of a weaker level.
        lines: Vec<LineJson>,
        /// The sides that would accept a draw now.
        takes_draw: Vec<SideJson>,
    },
    /// Progress of a report.
    Progress {
        /// The request's.
        id: u32,
        /// Positions done.
        done: usize,
        /// Positions in all.
        total: usize,
    },
    /// The report requested.
    Report {
        /// The request's.
        id: u32,
        /// Verdicts and summaries.
        analysis: Box<GameAnalysis>,
        /// The score of every position, from the start.
        scores: Vec<ScoreJson>,
        /// The best line in every position but the last.
        lines: Vec<Vec<MoveJson>>,
        /// Why each move was a mistake; empty for other moves and where no reason stands out.
        reasons: Vec<ExplainedSummary>,
    },
    /// More players think than there are engines: moves are weaker and may come late. Sent when that starts, changes
    /// and, with no wait, ends.
    Waiting {
        /// The request's.
        id: u32,
        /// Moves being searched.
        players: usize,
        /// Engines that search them.
        engines: usize,
        /// How long after its deadline a move may come.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        milliseconds: u64,
    },
    /// The request was refused.
    Refused {
        /// The request's, if it was understood.
        id: Option<u32>,
        /// Why.
        reason: Notice,
    },
}

/// A principal variation.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LineJson {
    depth: u32,
    score: ScoreJson,
    moves: Vec<MoveJson>,
}

/// A score from Red's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ScoreJson {
    /// Centisoldiers.
    red: i32,
    /// Moves to mate, positive if Red mates.
    mate: Option<i32>,
    /// Red's chances to win, draw and lose, in thousandths (WDL).
    chances: [u32; 3],
}

impl ScoreJson {
    /// Converts a score of the side to move.
    pub fn new(score: Score, position: &Position) -> Self {
        let side = position.side_to_move();
        let sign = if side == Side::Red { 1 } else { -1 };
        let Chances { win, draw, loss } = Chances::of(score, Phase::of(position));
        let mut chances = [win, draw, loss];
        if side == Side::Black {
            chances.reverse();
        }
        Self { red: sign * score.get(), mate: score.mate_in().map(|moves| sign * moves), chances }
    }
}

impl LineJson {
    fn new(game: &Game, line: &Line) -> Self {
        Self::of(game, line.depth, line.score, &line.moves)
    }

    /// Converts a line with a score of the side to move.
    pub fn of(game: &Game, depth: u32, score: Score, moves: &[Move]) -> Self {
        let position = game.position();
        Self {
            depth,
            score: ScoreJson::new(score, position),
            moves: MoveJson::line(position, &moves[..moves.len().min(MAX_LINE_MOVES)]),
        }
    }
}

impl ServerMessage {
    /// The lines of an update.
    pub fn lines(id: u32, game: &Game, update: &Update) -> Self {
        Self::Lines {
            id,
            depth: update.lines.first().map_or(0, |line| line.depth),
            nodes: update.nodes,
            milliseconds: update.time.as_millis() as u64,
            lines: update.lines.iter().map(|line| LineJson::new(game, line)).collect(),
            finished: update.finished,
        }
    }

    /// The move of a finished search.
    pub fn answer(id: u32, game: &Game, update: &Update) -> Self {
        let position = game.position();
        let lines: Vec<LineJson> = update.lines.iter().map(|line| LineJson::new(game, line)).collect();
        let best = lines.first().and_then(|line| line.moves.first().cloned());
        let takes_draw = match update.lines.first() {
            Some(line) => {
                let side = position.side_to_move();
                let scores = [(side, line.score), (!side, -line.score)];
                let accepting =
                    scores.into_iter().filter(|(_, score)| draw_offer::is_welcome(*score, position));
                accepting.map(|(side, _)| side.into()).collect()
            }
            None => Vec::new(),
        };
        Self::Answer { id, best, lines, takes_draw }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_seen_by_red() {
        let red = Position::start();
        let black = red.across();
        let score = ScoreJson::new(Score::centisoldiers(150), &black);
        assert_eq!((score.red, score.mate), (-150, None));
        assert!(score.chances[2] > score.chances[0]);
        assert_eq!(ScoreJson::new(Score::won_in(5), &red).mate, Some(3));
        assert_eq!(ScoreJson::new(Score::won_in(5), &black).mate, Some(-3));
        assert_eq!(ScoreJson::new(Score::lost_in(4), &black).mate, Some(2));
        assert_eq!(ScoreJson::new(Score::lost_in(4), &red).mate, Some(-2));
    }

    fn random(game: u64, ply: usize) -> u64 {
        (game * 64 + ply as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    #[test]
    fn ten_games_open_differently_and_never_with_a_bad_move() {
        let book = Book::embedded();
        for strength in [0.0, 1.0] {
            let openings: std::collections::BTreeSet<Vec<String>> = (0..10_u64)
                .map(|number| {
                    let mut game = Game::new(Position::start());
                    while let Some(mv) = book_move(
                        &book,
                        &game,
                        strength,
                        BookPolicy::Level,
                        random(number, game.history().len()),
                    )
                    .filter(|_| game.history().len() < 6)
                    {
                        let moves = book.moves(game.position());
                        let best = moves.iter().filter_map(|known| known.score).max();
                        let known = moves.iter().find(|known| known.mv == mv);
                        let loss =
                            best.zip(known.and_then(|known| known.score)).map(|(best, score)| best - score);
                        assert!(loss.is_none_or(|loss| loss <= 60), "{mv}");
                        game.play(mv).unwrap();
                    }
                    game.history().plies().iter().filter_map(|ply| Some(ply.mv()?.to_string())).collect()
                })
                .collect();
            assert!(openings.len() >= 4, "{openings:?}");
        }
    }

    #[test]
    fn policies_vary_as_they_say() {
        let (book, game) = (Book::embedded(), Game::new(Position::start()));
        let moves = |policy| {
            let chosen =
                (0..100).filter_map(|number| book_move(&book, &game, 1.0, policy, random(number, 0)));
            chosen.map(|mv| mv.to_string()).collect::<std::collections::BTreeSet<_>>().len()
        };
        assert_eq!(moves(BookPolicy::Best), 1);
        assert!(moves(BookPolicy::Varied) > moves(BookPolicy::Level));
    }

    #[test]
    fn unknown_messages_and_fields_are_refused() {
        let read = serde_json::from_str::<ClientMessage>;
        assert!(read(r#"{"type":"stop"}"#).is_ok());
        assert!(read(r#"{"type":"analyse","id":1,"game":{},"lines":3}"#).is_ok());
        assert!(read(r#"{"type":"analyse","id":1,"game":{"fen":"x"},"lines":3}"#).is_err());
        assert!(read(r#"{"type":"erase"}"#).is_err());
    }
}
