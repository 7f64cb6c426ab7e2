//! The opening book in play: a book move becomes the only root move of a one-ply search, so that the reply takes the
//! usual path.

use std::path::{Path, PathBuf};

use chuhe_board::{Outcome, Position};
use chuhe_book::foreign::{self, Keys, OpenError};
use chuhe_book::{Book, BookError, BookMove, merge_moves};
use chuhe_referee::{Game, Referee};
use chuhe_search::Limits;

use crate::learning::{self, LearningError, OwnGame};
use crate::options::Options;
use crate::random;

/// The book that a session plays from, with what the engine has learned.
pub(crate) struct OpeningBook {
    book: Book,
    /// The user's own; the embedded one has none.
    path: Option<PathBuf>,
    /// What was learned; `None` while learning is off.
    learned: Option<Book>,
    /// The game in progress.
    pub(crate) game: OwnGame,
}

impl OpeningBook {
    /// The embedded book.
    pub(crate) fn embedded() -> Self {
        Self { book: Book::embedded(), path: None, learned: None, game: OwnGame::default() }
    }

    /// Opens the book at `path`, or the embedded one if the path is empty; `keys` is the file with the keys of a
    /// foreign book, or empty. If that fails, nothing changes.
    pub(crate) fn open(&mut self, path: &str, keys: &str, learning: bool) -> Result<(), OpenError> {
        let keys = match keys {
            "" => Keys::Own,
            _ => Keys::read(Path::new(keys))?,
        };
        let (book, path) = match path {
            "" => (Book::embedded(), None),
            _ => (foreign::open(Path::new(path), &keys)?, Some(PathBuf::from(path))),
        };
        let learned = learned(path.as_deref(), learning)?;
        (self.book, self.path, self.learned) = (book, path, learned);
        Ok(())
    }

    /// Uses what was learned, or not.
    pub(crate) fn set_learning(&mut self, learning: bool) -> Result<(), BookError> {
        self.learned = learned(self.path.as_deref(), learning)?;
        Ok(())
    }

    /// The game is over: learns from it if `Book Learning` is on. `reported` is the result, if the GUI gave it.
    pub(crate) fn end_game(
        &mut self,
        reported: Option<Outcome>,
        options: &Options,
    ) -> Result<(), LearningError> {
        let game = self.game.end(reported, &Referee::new(options.rules), options.book.plies);
        if let Some(game) = game.filter(|_| options.learning) {
            let path = learning::learned_path(self.path.as_deref()).ok_or(LearningError::NoFolder)?;
            self.learned = Some(learning::learn(&path, &game)?);
        }
        Ok(())
    }

    /// The limits of a search for a move to play: restricted to the book move, if there is one.
    pub(crate) fn narrowed(&self, limits: Limits, game: &Game, options: &Options) -> Limits {
        if !options.own_book || options.analyse || !limits.only.is_empty() || limits.mate.is_some() {
            return limits;
        }
        let mut moves = self.moves(game.position());
        moves.retain(|known| !limits.banned.contains(&known.mv));
        match options.book.choose(moves, game, &Referee::new(options.rules), random()) {
            Some(mv) => Limits { only: vec![mv], depth: Some(1), ..limits },
            None => limits,
        }
    }

    fn moves(&self, position: &Position) -> Vec<BookMove> {
        let mut moves = self.book.moves(position);
        if let Some(learned) = &self.learned {
            merge_moves(&mut moves, &learned.moves(position));
        }
        moves
    }
}

/// What was learned beside a book, if learning is on and there is anything.
fn learned(book: Option<&Path>, learning: bool) -> Result<Option<Book>, BookError> {
    let path = learning::learned_path(book).filter(|path| learning && path.exists());
    path.map(|path| Book::open(&path)).transpose()
}
