//! The game up to the position that is searched.

use chuhe_board::{Key, Move, Position};

use crate::repetition::{self, Outcome};

/// The position to search and the moves that led to it, as far as they matter for repetitions.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    past: Vec<Past>,
}

/// A position of the past: enough to recognise a repetition and who gave check in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Past {
    pub(crate) key: Key,
    /// Whether the side to move was in check.
    pub(crate) in_check: bool,
}

/// A move that the rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// The position it was meant for.
    pub fen: String,
}

impl std::fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is not legal in {}", self.mv, self.fen)
    }
}

impl std::error::Error for IllegalMove {}

impl Game {
    /// A game that starts here.
    pub fn new(position: Position) -> Self {
        Self { position, past: Vec::new() }
    }

    /// Plays a move.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.position.is_legal(mv) {
            return Err(IllegalMove { mv, fen: self.position.to_string() });
        }
        self.past.push(Past { key: self.position.key(), in_check: self.position.is_in_check() });
        let undo = self.position.play(mv, &mut ());
        if undo.captured().is_some() {
            self.past.clear();
        }
        Ok(())
    }

    /// What the rules make of the position if it has stood before since the last capture.
    pub fn repetition(&self) -> Option<Outcome> {
        repetition::outcome(&self.past, &self.position, self.position.is_in_check())
    }

    /// The position to move in.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The positions before this one since the last capture.
    pub(crate) fn past(&self) -> &[Past] {
        &self.past
    }
}
