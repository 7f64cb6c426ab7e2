//! The repeated stretch of a game, replayed move by move.

use std::ops::ControlFlow;

use chuhe_board::{Move, Position, Side};

use crate::history::Ply;

/// One move of a cycle with what came before and after it. The last move of a cycle is answered by
/// the first: the position is the same, so the answer was on the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'a> {
    /// The position before the move.
    pub(crate) before: &'a Position,
    /// The move.
    pub(crate) mv: Move,
    /// The position after it.
    pub(crate) after: &'a Position,
    /// The opponent's answer.
    pub(crate) answer: Move,
    /// The position after the answer.
    pub(crate) answered: &'a Position,
    /// How many plies of the cycle come before this one.
    pub(crate) index: usize,
}

impl Step<'_> {
    /// Who made the move.
    pub(crate) fn side(&self) -> Side {
        self.before.side_to_move()
    }
}

/// Visits the moves of a cycle that ends in `position`, last first, until the visitor stops. A cycle holds
/// neither captures nor passes.
pub(crate) fn each_step_back(
    position: &Position,
    plies: &[Ply],
    mut visit: impl FnMut(&Step<'_>) -> ControlFlow<()>,
) {
    let Some(mut answer) = plies.first().and_then(Ply::mv) else {
        return;
    };
    let mut after = position.clone();
    let mut answered = after.clone();
    let _ = answered.play(answer, &mut ());
    for (index, ply) in plies.iter().enumerate().rev() {
        let undo = ply.undo().expect("a repeated stretch holds no pass");
        let mut before = after.clone();
        before.take_back(undo, &mut ());
        let mv = undo.mv();
        let step = Step { before: &before, mv, after: &after, answer, answered: &answered, index };
        if visit(&step).is_break() {
            return;
        }
        answered = after;
        after = before;
        answer = mv;
    }
}
