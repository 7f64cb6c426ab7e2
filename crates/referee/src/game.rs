//! A game as the referee sees it: where it started and what was played.

use chuhe_board::{Fault, Move, Position};

use crate::History;

/// A game from its start to the position on the board.
///
/// ```
/// use chuhe_board::{Position, coords::{parse_move, RankStyle}};
/// use chuhe_referee::Game;
///
/// let mut game = Game::new(Position::start());
/// game.play(parse_move("h2e2", RankStyle::FromZero).unwrap()).unwrap();
/// let bad = game.play(parse_move("h2e2", RankStyle::FromZero).unwrap()).unwrap_err();
/// assert_eq!(bad.to_string(), "ply 2: h2e2 is illegal: no piece of Black stands on h2");
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    history: History,
}

impl Game {
    /// A game that starts from `position`.
    pub fn new(position: Position) -> Self {
        Self { history: History::new(&position), start: position.clone(), position }
    }

    /// Where the game started.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The position on the board.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// What was played.
    pub const fn history(&self) -> &History {
        &self.history
    }

    /// Plays a move, or says why it cannot be played.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if let Some(why) = self.position.fault(mv) {
            return Err(IllegalMove { ply: self.history.len() + 1, mv, why });
        }
        let undo = self.position.play(mv, &mut ());
        self.history.push(undo, &self.position);
        Ok(())
    }

    /// Takes the last move back and returns it.
    pub fn take_back(&mut self) -> Option<Move> {
        let undo = self.history.pop()?.undo()?;
        self.position.take_back(undo, &mut ());
        Some(undo.mv())
    }
}

/// A move that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ply {ply}: {mv} is illegal: {why}")]
pub struct IllegalMove {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// The move.
    pub mv: Move,
    /// What is wrong with it.
    pub why: Fault,
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;

    fn why(fen: &str, mv: &str) -> String {
        let mut game = Game::new(fen.parse().unwrap());
        game.play(parse_move(mv, RankStyle::FromZero).unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn an_illegal_move_is_explained() {
        let fen = "4k4/9/4r4/9/9/4R3n/9/9/1C7/4K1B2 w";
        assert_eq!(why(fen, "a0a1"), "ply 1: a0a1 is illegal: no piece of Red stands on a0");
        assert_eq!(why(fen, "e7e8"), "ply 1: e7e8 is illegal: no piece of Red stands on e7");
        assert_eq!(why(fen, "e4e0"), "ply 1: e4e0 is illegal: an own piece stands on e0");
        assert_eq!(why(fen, "e4i4"), "ply 1: e4i4 is illegal: it leaves Red's general attacked");
        assert_eq!(
            why(fen, "e4f5"),
            "ply 1: e4f5 is illegal: a red chariot does not move from e4 to f5 there"
        );
    }

    #[test]
    fn taking_back_restores_the_start() {
        let mut game = Game::new(Position::start());
        let mv = parse_move("h2e2", RankStyle::FromZero).unwrap();
        game.play(mv).unwrap();
        assert_eq!(game.take_back(), Some(mv));
        assert_eq!(game.position(), game.start());
        assert_eq!(game.take_back(), None);
    }
}
