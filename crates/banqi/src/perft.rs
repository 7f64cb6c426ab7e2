//! Counts positions, to check and time the move generator. Every piece that a flip may show counts as a
//! move of its own.

use crate::moves::Move;
use crate::piece::Piece;
use crate::position::Position;
use crate::rules::Captures;

/// The number of lines of `depth` plies. Draws are not looked at; lost positions have no moves.
pub fn count(position: &Position, captures: &Captures, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    divide(position, captures, depth).iter().map(|&(_, _, lines)| lines).sum()
}

/// The lines below each move and, for flips, each piece shown.
pub fn divide(position: &Position, captures: &Captures, depth: u32) -> Vec<(Move, Option<Piece>, u64)> {
    let mut list = Vec::new();
    if depth == 0 || position.count_alive(position.mover()) == 0 {
        return list;
    }
    for mv in position.moves(captures) {
        if !mv.is_flip() {
            let mut next = position.clone();
            next.play_step(mv);
            list.push((mv, None, count(&next, captures, depth - 1)));
            continue;
        }
        for shown in Piece::all().filter(|shown| position.pool()[shown.index()] > 0) {
            let mut next = position.clone();
            next.play_flip(mv.from(), shown);
            list.push((mv, Some(shown), count(&next, captures, depth - 1)));
        }
    }
    list
}
