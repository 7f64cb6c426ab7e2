//! The opening book in play: a move of the book becomes the only move that the search may look at, and one ply is
//! enough for it, so that everything else goes its usual way.

use std::path::Path;

use chuhe_book::{Book, BookError};
use chuhe_referee::{Game, Referee};
use chuhe_search::Limits;

use crate::options::Options;
use crate::session::random;

/// The book that a session plays from.
pub(crate) struct OpeningBook {
    book: Book,
}

impl OpeningBook {
    /// The embedded book.
    pub(crate) fn embedded() -> Self {
        Self { book: Book::embedded() }
    }

    /// The book in a file, or the embedded one if no file is named.
    pub(crate) fn read(path: &str) -> Result<Self, BookError> {
        match path {
            "" => Ok(Self::embedded()),
            _ => Ok(Self { book: Book::open(Path::new(path))? }),
        }
    }

    /// The limits of a search for a move to play: only the book's move, if the book has one and may be used.
    pub(crate) fn narrowed(&self, limits: Limits, game: &Game, options: &Options) -> Limits {
        if !options.own_book || options.analyse || !limits.only.is_empty() || limits.mate.is_some() {
            return limits;
        }
        let mut moves = self.book.moves(game.position());
        moves.retain(|known| !limits.banned.contains(&known.mv));
        match options.book.choose(moves, game, &Referee::new(options.rules), random()) {
            Some(mv) => Limits { only: vec![mv], depth: Some(1), ..limits },
            None => limits,
        }
    }
}
