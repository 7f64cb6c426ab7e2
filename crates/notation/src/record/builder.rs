//! Building a game move by move. All readers go through here, so that a game holds only legal moves.

use chuhe_board::coords::RankStyle;
use chuhe_board::{Fault, Move, Outcome, Position};

use super::{Cursor, Game, Mark, NodeId, Tags};
use crate::failure::Problem;
use crate::pgn::parse_any_move;

/// The longest line. Real games stay far below; malicious files do not.
const LONGEST_LINE: usize = 3000;

/// Why a move cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The rules forbid it.
    #[error("ply {ply}: {mv} is illegal: {why}")]
    Illegal {
        /// The number of the ply in its line, from 1.
        ply: usize,
        /// The move.
        mv: Move,
        /// What is wrong with it.
        why: Fault,
    },
    /// The line is too long to be a game.
    #[error("the line is longer than {LONGEST_LINE} plies")]
    TooLong,
}

/// A game under construction and the place in it where the next move goes.
///
/// ```
/// use chuhe_board::{Position, coords};
/// use chuhe_notation::record::GameBuilder;
///
/// let mv = |text| coords::parse_move(text, coords::RankStyle::FromZero).unwrap();
/// let mut builder = GameBuilder::new(Position::start());
/// builder.play(mv("h2e2")).unwrap();
/// builder.back_to(0);
/// builder.play(mv("c3c4")).unwrap();
/// builder.add_comment("a variation of the first move");
/// let game = builder.finish();
/// assert_eq!(game.main_moves().count(), 1);
/// assert!(game.has_variations());
/// ```
pub struct GameBuilder {
    game: Game,
    cursor: Cursor,
}

impl GameBuilder {
    /// Starts a game without moves.
    pub fn new(start: Position) -> Self {
        Self { cursor: Cursor::at_root(&start), game: Game::new(start) }
    }

    /// Continues a game from its root.
    pub fn of(game: Game) -> Self {
        Self { cursor: Cursor::at_root(game.start()), game }
    }

    /// The game so far.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The position here.
    pub const fn position(&self) -> &Position {
        self.cursor.position()
    }

    /// The place in the game.
    pub fn node(&self) -> NodeId {
        self.cursor.node()
    }

    /// How many moves lead here.
    pub fn ply(&self) -> usize {
        self.cursor.ply()
    }

    /// Adds a move as the last variation here and goes behind it.
    pub fn play(&mut self, mv: Move) -> Result<NodeId, BuildError> {
        if let Some(why) = self.position().fault(mv) {
            return Err(BuildError::Illegal { ply: self.ply() + 1, mv, why });
        }
        if self.ply() == LONGEST_LINE {
            return Err(BuildError::TooLong);
        }
        let node = self.game.add_move(self.node(), mv);
        self.cursor.advance(mv, node);
        Ok(node)
    }

    /// Adds a move in any notation, with ranks 0–9, and what is said about it.
    pub fn add_node(
        &mut self,
        parent: NodeId,
        mv: &str,
        comment: &str,
        marks: &[Mark],
    ) -> Result<NodeId, Problem> {
        self.go_to(parent);
        let mv = parse_any_move(mv, self.position(), RankStyle::FromZero)?;
        let node = self.play(mv)?;
        self.add_comment(comment);
        marks.iter().for_each(|mark| self.add_mark(*mark));
        Ok(node)
    }

    /// Goes back to where `ply` moves of the line have been played.
    pub fn back_to(&mut self, ply: usize) {
        self.cursor.back_to(ply);
    }

    /// Goes to any place of the game.
    pub fn go_to(&mut self, node: NodeId) {
        self.cursor.go_to(&self.game, node);
    }

    /// Adds a comment on the last move, or on the start position.
    pub fn add_comment(&mut self, text: &str) {
        let node = self.node();
        self.game.add_comment(node, text);
    }

    /// Marks the last move.
    pub fn add_mark(&mut self, mark: Mark) {
        let node = self.node();
        self.game.add_mark(node, mark);
    }

    /// The value of a tag of the game.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.game.tags.get(name)
    }

    /// Sets a tag of the game.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        self.game.tags.set(name, value);
    }

    /// Replaces the tags of the game.
    pub fn set_tags(&mut self, tags: Tags) {
        self.game.tags = tags;
    }

    /// Says how the game ended.
    pub fn set_outcome(&mut self, outcome: Outcome) {
        self.game.outcome = outcome;
    }

    /// The game.
    pub fn finish(self) -> Game {
        self.game
    }
}
