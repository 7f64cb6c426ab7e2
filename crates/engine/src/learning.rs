//! Book learning: the results of the engine's own games change its opening book.
//!
//! They go into a second book beside the one in use (`my.learnt.book` beside `my.book`, `learnt.book` in the user's
//! folder for the embedded one), so that turning learning off, or `chuhe book unlearn`, undoes everything.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use chuhe_board::{Move, Outcome, Position, Side};
use chuhe_book::{Book, BookError, LearnedGame};
use chuhe_eval::Score;
use chuhe_referee::{Game, Referee};
use chuhe_storage::Home;

/// Why the engine cannot learn from a game.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LearningError {
    #[error("cannot learn: no data folder; set CHUHE_HOME or Book File")]
    NoFolder,
    #[cfg(feature = "databases")]
    #[error("cannot learn: {}: {reason}", .path.display())]
    Folder { path: PathBuf, reason: std::io::Error },
    #[cfg(feature = "databases")]
    #[error("cannot learn: {0}")]
    Store(#[from] chuhe_book::StoreError),
    #[cfg(not(feature = "databases"))]
    #[error("cannot learn: this program was built without databases")]
    NoDatabases,
    #[error("cannot learn: {0}")]
    Book(#[from] BookError),
}

/// The result of the last search of a game: the engine's move and its score.
pub(crate) type LastResult = Arc<Mutex<Option<(Move, Score)>>>;

/// A game that the engine plays.
#[derive(Default)]
pub(crate) struct OwnGame {
    side: Option<Side>,
    moves: Vec<Move>,
    last: LastResult,
}

impl OwnGame {
    /// The engine must move; the search will write its result to `last`. Only games from the normal start count.
    pub(crate) fn engine_to_move(&mut self, game: &Game, last: LastResult) {
        self.update(game);
        self.side = Some(game.position().side_to_move()).filter(|_| game.start() == &Position::start());
        self.last = last;
    }

    /// Records the moves of the game so far.
    pub(crate) fn update(&mut self, game: &Game) {
        self.moves = game.history().plies().iter().filter_map(|ply| ply.mv()).collect();
    }

    /// Whether `game` is another game: a game that was under way is back at its start.
    pub(crate) fn is_replaced_by(&self, game: &Game) -> bool {
        self.side.is_some() && game.history().len() < 2 && self.moves.len() >= 2
    }

    /// Ends the game. Returns it as learned if the engine played in it; without a reported result, the rules and the last
    /// score decide.
    pub(crate) fn end(
        &mut self,
        reported: Option<Outcome>,
        referee: &Referee,
        plies: usize,
    ) -> Option<LearnedGame> {
        let Self { side, moves, last } = std::mem::take(self);
        let side = side?;
        let mut game = Game::new(Position::start());
        for mv in moves {
            game.play(mv).ok()?;
        }
        let last = last.lock().unwrap_or_else(PoisonError::into_inner).take();
        let is_answered = game.position().side_to_move() != side;
        if let Some((mv, _)) = last.filter(|_| !is_answered) {
            game.play(mv).ok()?;
        }
        let outcome = reported.unwrap_or_else(|| judged(&game, side, last.map(|(_, score)| score), referee));
        let moves: Vec<Move> = game.history().plies().iter().filter_map(|ply| ply.mv()).take(plies).collect();
        (!moves.is_empty()).then(|| LearnedGame { side, outcome, day: today(), moves })
    }
}

/// The outcome without a reported result: by the rules, or by a mate score of the last search.
fn judged(game: &Game, side: Side, score: Option<Score>, referee: &Referee) -> Outcome {
    match referee.judge(game).outcome {
        Outcome::Undecided => match score.and_then(Score::plies_to_end) {
            Some(plies) if plies > 0 => Outcome::won_by(side),
            Some(_) => Outcome::won_by(!side),
            None => Outcome::Undecided,
        },
        outcome => outcome,
    }
}

/// Today, in days since 1970.
fn today() -> u32 {
    (chuhe_clock::since_1970().as_secs() / 86_400) as u32
}

/// The path of the learned book that belongs to the user's book or to the embedded one.
pub(crate) fn learned_path(book: Option<&Path>) -> Option<PathBuf> {
    match book {
        Some(book) => Some(book.with_extension("learnt.book")),
        None => Some(Home::find()?.books().join("learnt.book")),
    }
}

/// Adds a game to the book at `path`: not in this build.
#[cfg(not(feature = "databases"))]
pub(crate) fn learn(_: &Path, _: &LearnedGame) -> Result<Book, LearningError> {
    Err(LearningError::NoDatabases)
}

/// Adds a game to the book at `path`, which is created if missing. Returns the new book.
#[cfg(feature = "databases")]
pub(crate) fn learn(path: &Path, learned: &LearnedGame) -> Result<Book, LearningError> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let failed = |reason| LearningError::Folder { path: folder.to_owned(), reason };
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let store = chuhe_book::Store::beside(path)?;
    store.learn(learned)?;
    Book::write(path, &store.entries()?)?;
    Ok(Book::open(path)?)
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;

    fn game(start: Position, line: &str) -> Game {
        let mut game = Game::new(start);
        for text in line.split_whitespace() {
            game.play(parse_move(text, RankStyle::FromZero).unwrap()).unwrap();
        }
        game
    }

    /// What is learned from a game in which the engine answered with its last move.
    fn learned(line: &str, answer: &str, score: Score) -> LearnedGame {
        let mut own = OwnGame::default();
        let mv = parse_move(answer, RankStyle::FromZero).unwrap();
        own.engine_to_move(&game(Position::start(), line), Arc::new(Mutex::new(Some((mv, score)))));
        let learned = own.end(None, &Referee::default(), 40).unwrap();
        assert_eq!(own.end(None, &Referee::default(), 40), None, "a game is learned once");
        learned
    }

    #[test]
    fn games_without_a_reported_result_are_judged() {
        let even = learned("h2e2", "h9g7", Score::DRAW);
        assert_eq!((even.side, even.outcome, even.moves.len()), (Side::Black, Outcome::Undecided, 2));
        assert_eq!(learned("h2e2", "h9g7", Score::won_in(5)).outcome, Outcome::BlackWins);
        assert_eq!(learned("h2e2", "h9g7", Score::lost_in(4)).outcome, Outcome::RedWins);
        let there_and_back = "b0c2 b9c7 c2b0 c7b9 b0c2 b9c7 c2b0";
        assert_eq!(learned(there_and_back, "c7b9", Score::DRAW).outcome, Outcome::Draw);
    }

    #[test]
    fn a_reported_result_decides_and_only_normal_games_are_learned() {
        let mut own = OwnGame::default();
        own.engine_to_move(&game(Position::start(), "h2e2"), LastResult::default());
        let learned = own.end(Some(Outcome::RedWins), &Referee::default(), 1).unwrap();
        assert_eq!((learned.outcome, learned.moves.len()), (Outcome::RedWins, 1));
        let set_up: Position = "3k5/9/9/9/9/9/9/9/9/R3K4 w".parse().unwrap();
        own.engine_to_move(&game(set_up, ""), LastResult::default());
        assert_eq!(own.end(Some(Outcome::RedWins), &Referee::default(), 40), None);
    }

    #[test]
    fn going_back_to_the_beginning_is_another_game() {
        let mut own = OwnGame::default();
        let (long, short) = (game(Position::start(), "h2e2 h9g7"), game(Position::start(), "c3c4"));
        assert!(!own.is_replaced_by(&short));
        own.engine_to_move(&long, LastResult::default());
        assert!(own.is_replaced_by(&short));
        assert!(!own.is_replaced_by(&game(Position::start(), "h2e2 h9g7 h0g2")));
    }
}
