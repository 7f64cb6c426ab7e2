//! The opening book in play: a move of the book becomes the only move that the search may look at, and one ply is
//! enough for it, so that everything else goes its usual way.

use std::path::{Path, PathBuf};

use chuhe_board::{Outcome, Position};
use chuhe_book::{Book, BookError, BookMove, merge_moves};
use chuhe_referee::{Game, Referee};
use chuhe_search::Limits;

use crate::learning::{self, LearningError, OwnGame};
use crate::options::Options;
use crate::session::random;

/// The book that a session plays from, and what it learnt.
pub(crate) struct OpeningBook {
    book: Book,
    /// The user's own; the embedded one has none.
    path: Option<PathBuf>,
    /// What was learnt; nothing while learning is off.
    learnt: Option<Book>,
    /// The game that is played.
    pub(crate) game: OwnGame,
}

impl OpeningBook {
    /// The embedded book.
    pub(crate) fn embedded() -> Self {
        Self { book: Book::embedded(), path: None, learnt: None, game: OwnGame::default() }
    }

    /// Plays from the book in a file, or from the embedded one if no file is named. If it cannot be read, nothing
    /// changes.
    pub(crate) fn read(&mut self, path: &str, learns: bool) -> Result<(), BookError> {
        let (book, path) = match path {
            "" => (Book::embedded(), None),
            _ => (Book::open(Path::new(path))?, Some(PathBuf::from(path))),
        };
        let learnt = learnt(path.as_deref(), learns)?;
        (self.book, self.path, self.learnt) = (book, path, learnt);
        Ok(())
    }

    /// Heeds what was learnt, or leaves it aside.
    pub(crate) fn set_learning(&mut self, learns: bool) -> Result<(), BookError> {
        self.learnt = learnt(self.path.as_deref(), learns)?;
        Ok(())
    }

    /// The game is over: learns from it, if that is switched on. Nobody may have told how it ended.
    pub(crate) fn end_game(&mut self, told: Option<Outcome>, options: &Options) -> Result<(), LearningError> {
        let lesson = self.game.end(told, &Referee::new(options.rules), options.book.plies);
        if let Some(lesson) = lesson.filter(|_| options.learning) {
            let path = learning::learnt_path(self.path.as_deref()).ok_or(LearningError::NoFolder)?;
            self.learnt = Some(learning::learn(&path, &lesson)?);
        }
        Ok(())
    }

    /// The limits of a search for a move to play: only the book's move, if the book has one and may be used.
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
        if let Some(learnt) = &self.learnt {
            merge_moves(&mut moves, &learnt.moves(position));
        }
        moves
    }
}

/// What was learnt beside a book, if that shall be heeded and there is something.
fn learnt(book: Option<&Path>, learns: bool) -> Result<Option<Book>, BookError> {
    let path = learning::learnt_path(book).filter(|path| learns && path.exists());
    path.map(|path| Book::open(&path)).transpose()
}
