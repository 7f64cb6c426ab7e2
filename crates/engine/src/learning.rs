//! Learning from the games that the engine plays.
//!
//! What they teach goes into a book of its own beside the one that is played from (`my.learnt.book` beside `my.book`,
//! `learnt.book` in the user's folder for the embedded one), so that switching it off, or `chuhe book unlearn`,
//! takes everything back.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, io};

use chuhe_board::{Move, Outcome, Position, Side};
use chuhe_book::{Book, BookError, LearnedGame, Store, StoreError};
use chuhe_eval::Score;
use chuhe_referee::{Game, Referee};
use chuhe_storage::Home;

/// Why nothing was learnt.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LearningError {
    #[error("nothing is learnt: there is no folder for it, set CHUHE_HOME or Book File")]
    NoFolder,
    #[error("nothing is learnt: {}: {reason}", .path.display())]
    Folder { path: PathBuf, reason: io::Error },
    #[error("nothing is learnt: {0}")]
    Store(#[from] StoreError),
    #[error("nothing is learnt: {0}")]
    Book(#[from] BookError),
}

/// What the last search of a game found: the engine's move and its score.
pub(crate) type Found = Arc<Mutex<Option<(Move, Score)>>>;

/// A game that the engine plays.
#[derive(Default)]
pub(crate) struct OwnGame {
    side: Option<Side>,
    moves: Vec<Move>,
    found: Found,
}

impl OwnGame {
    /// The engine is asked for a move in a game from the normal start; what it finds will be in `found`.
    pub(crate) fn plays(&mut self, game: &Game, found: Found) {
        self.saw(game);
        self.side = Some(game.position().side_to_move()).filter(|_| game.start() == &Position::start());
        self.found = found;
    }

    /// The game has gone on.
    pub(crate) fn saw(&mut self, game: &Game) {
        self.moves = game.history().plies().iter().filter_map(|ply| ply.mv()).collect();
    }

    /// Whether a position belongs to another game: somebody has gone back to the beginning.
    pub(crate) fn is_left_by(&self, game: &Game) -> bool {
        self.side.is_some() && game.history().len() < 2 && self.moves.len() >= 2
    }

    /// What it teaches, if the engine played in it; how it ended is told, or judged by what is known. The game is
    /// over then.
    pub(crate) fn end(
        &mut self,
        told: Option<Outcome>,
        referee: &Referee,
        plies: usize,
    ) -> Option<LearnedGame> {
        let Self { side, moves, found } = std::mem::take(self);
        let side = side?;
        let mut game = Game::new(Position::start());
        for mv in moves {
            game.play(mv).ok()?;
        }
        let found = found.lock().unwrap_or_else(PoisonError::into_inner).take();
        let is_answered = game.position().side_to_move() != side;
        if let Some((mv, _)) = found.filter(|_| !is_answered) {
            game.play(mv).ok()?;
        }
        let outcome = told.unwrap_or_else(|| judged(&game, side, found.map(|(_, score)| score), referee));
        let moves: Vec<Move> = game.history().plies().iter().filter_map(|ply| ply.mv()).take(plies).collect();
        (!moves.is_empty()).then(|| LearnedGame { side, outcome, day: today(), moves })
    }
}

/// How a game ended of which nobody told: by the rules, or by a mate that the engine saw last.
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
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    (seconds / 86_400) as u32
}

/// Where what is learnt goes, for a book of the user's or the embedded one.
pub(crate) fn learnt_path(book: Option<&Path>) -> Option<PathBuf> {
    match book {
        Some(book) => Some(book.with_extension("learnt.book")),
        None => Some(Home::find()?.books().join("learnt.book")),
    }
}

/// Takes a lesson into the book at `path`, which is made if it is missing. The book as it is now.
pub(crate) fn learn(path: &Path, lesson: &LearnedGame) -> Result<Book, LearningError> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let failed = |reason| LearningError::Folder { path: folder.to_owned(), reason };
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let store = Store::beside(path)?;
    store.learn(lesson)?;
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

    /// What is learnt from a game in which the engine answered with its last move.
    fn lesson(line: &str, answer: &str, score: Score) -> LearnedGame {
        let mut own = OwnGame::default();
        let mv = parse_move(answer, RankStyle::FromZero).unwrap();
        own.plays(&game(Position::start(), line), Arc::new(Mutex::new(Some((mv, score)))));
        let lesson = own.end(None, &Referee::default(), 40).unwrap();
        assert_eq!(own.end(None, &Referee::default(), 40), None, "a game is learnt once");
        lesson
    }

    #[test]
    fn games_that_nobody_told_about_are_judged() {
        let even = lesson("h2e2", "h9g7", Score::DRAW);
        assert_eq!((even.side, even.outcome, even.moves.len()), (Side::Black, Outcome::Undecided, 2));
        assert_eq!(lesson("h2e2", "h9g7", Score::won_in(5)).outcome, Outcome::BlackWins);
        assert_eq!(lesson("h2e2", "h9g7", Score::lost_in(4)).outcome, Outcome::RedWins);
        let there_and_back = "b0c2 b9c7 c2b0 c7b9 b0c2 b9c7 c2b0";
        assert_eq!(lesson(there_and_back, "c7b9", Score::DRAW).outcome, Outcome::Draw);
    }

    #[test]
    fn what_is_told_counts_and_only_normal_games_teach() {
        let mut own = OwnGame::default();
        own.plays(&game(Position::start(), "h2e2"), Found::default());
        let lesson = own.end(Some(Outcome::RedWins), &Referee::default(), 1).unwrap();
        assert_eq!((lesson.outcome, lesson.moves.len()), (Outcome::RedWins, 1));
        let set_up: Position = "3k5/9/9/9/9/9/9/9/9/R3K4 w".parse().unwrap();
        own.plays(&game(set_up, ""), Found::default());
        assert_eq!(own.end(Some(Outcome::RedWins), &Referee::default(), 40), None);
    }

    #[test]
    fn going_back_to_the_beginning_is_another_game() {
        let mut own = OwnGame::default();
        let (long, short) = (game(Position::start(), "h2e2 h9g7"), game(Position::start(), "c3c4"));
        assert!(!own.is_left_by(&short));
        own.plays(&long, Found::default());
        assert!(own.is_left_by(&short));
        assert!(!own.is_left_by(&game(Position::start(), "h2e2 h9g7 h0g2")));
    }
}
