//! Repeated positions on the line that is searched.
//!
//! The rule here is the simple one of computer play: who gives check with every move of the cycle
//! loses, everything else is a draw.

use chuhe_board::Position;

use crate::game::Past;

/// How a game ends for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It loses.
    Loss,
    /// Nobody wins.
    Draw,
    /// It wins.
    Win,
}

impl Outcome {
    /// The same end seen by the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// Whether the position has stood on the line before, and what that means. `past` ends with the
/// position before this one; `in_check` tells of this one.
#[inline]
pub(crate) fn outcome(past: &[Past], position: &Position, in_check: bool) -> Option<Outcome> {
    let reversible = usize::from(position.quiet_plies()).min(past.len());
    if reversible < 4 {
        return None;
    }
    let stretch = &past[past.len() - reversible..];
    let key = position.key();
    let back = (4..=reversible).step_by(2).find(|back| stretch[reversible - back].key == key)?;
    Some(judge(&stretch[reversible - back..], in_check))
}

/// The verdict on a cycle: `cycle` starts with the first occurrence, the second follows its end.
fn judge(cycle: &[Past], in_check: bool) -> Outcome {
    // Where the side to move of the repeated position was in check, the opponent had given it.
    let by_them = in_check && cycle.iter().skip(2).step_by(2).all(|past| past.in_check);
    let by_us = cycle.iter().skip(1).step_by(2).all(|past| past.in_check);
    match (by_us, by_them) {
        (true, false) => Outcome::Loss,
        (false, true) => Outcome::Win,
        _ => Outcome::Draw,
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;
    use crate::Game;

    fn after(fen: &str, moves: &str) -> Option<Outcome> {
        let mut game = Game::new(fen.parse().unwrap());
        for text in moves.split_whitespace() {
            game.play(parse_move(text, RankStyle::FromZero).unwrap()).unwrap();
        }
        outcome(game.past(), game.position(), game.position().is_in_check())
    }

    #[test]
    fn who_checks_for_ever_loses() {
        let fen = "3k5/9/9/9/9/9/9/9/4R4/5K3 w";
        assert_eq!(after(fen, "e1d1 d9e9 d1e1 e9d9"), Some(Outcome::Loss));
        assert_eq!(after(fen, "e1d1 d9e9 d1e1 e9d9 e1d1"), Some(Outcome::Win));
    }

    #[test]
    fn idle_repetition_is_a_draw() {
        let fen = "3k5/9/9/9/9/9/9/9/4R4/5K3 w";
        assert_eq!(after(fen, "e1e2 d9d8 e2e1 d8d9"), Some(Outcome::Draw));
        assert_eq!(after(fen, "e1e2 d9d8 e2e1"), None);
    }
}
