//! A place in a game and the position there.

use chuhe_board::{Move, Position, Undo};

use super::{Game, NodeId};

/// A place in a game and the position there. Going to a place nearby is cheap.
pub(crate) struct Cursor {
    position: Position,
    /// What was played from the root to here, and where it led.
    line: Vec<(Undo, NodeId)>,
}

impl Cursor {
    pub(crate) fn at_root(start: &Position) -> Self {
        Self { position: start.clone(), line: Vec::new() }
    }

    pub(crate) const fn position(&self) -> &Position {
        &self.position
    }

    pub(crate) fn node(&self) -> NodeId {
        self.line.last().map_or(NodeId::ROOT, |(_, node)| *node)
    }

    pub(crate) fn ply(&self) -> usize {
        self.line.len()
    }

    /// Plays the move that leads to a child.
    pub(crate) fn advance(&mut self, mv: Move, node: NodeId) {
        let undo = self.position.play(mv, &mut ());
        self.line.push((undo, node));
    }

    /// Goes back to where `ply` moves of the line have been played.
    pub(crate) fn back_to(&mut self, ply: usize) {
        while self.ply() > ply
            && let Some((undo, _)) = self.line.pop()
        {
            self.position.take_back(undo, &mut ());
        }
    }

    /// Goes to any place of the game.
    pub(crate) fn go_to(&mut self, game: &Game, node: NodeId) {
        let mut ahead = Vec::new();
        let mut at = node;
        while let Some(mv) = game.mv(at)
            && self.line.get(game.ply(at) - 1).is_none_or(|(_, passed)| *passed != at)
        {
            ahead.push((mv, at));
            at = game.parent(at);
        }
        self.back_to(game.ply(at));
        for (mv, node) in ahead.into_iter().rev() {
            self.advance(mv, node);
        }
    }
}
