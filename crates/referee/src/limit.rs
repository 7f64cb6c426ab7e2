//! Draws without repetition: the natural move limit and positions that nobody can win.

use chuhe_board::{PieceKind, Position, Side};

use crate::Game;

/// Plies without a capture after which the game is drawn: sixty rounds.
pub const PLY_LIMIT: u16 = 120;

/// How many checks of a side count towards the limit; further ones, and the answers to them, do not.
pub const CHECKS_COUNTED: u16 = 10;

/// How many plies count towards the natural move limit. Plies before the start of the game are taken
/// from its position's counter; which of them were checks is not known, so all of them count.
///
/// ```
/// use chuhe_board::Position;
/// use chuhe_referee::{Game, limit};
///
/// let game = Game::new("3k5/9/9/9/9/9/9/9/9/R4K3 w - - 119 80".parse().unwrap());
/// assert_eq!(limit::counted_plies(&game), 119);
/// ```
pub fn counted_plies(game: &Game) -> u16 {
    let mut count = game.start().quiet_plies();
    let mut checks = [0_u16; 2];
    let mut side = game.start().side_to_move();
    let mut answers_surplus_check = false;
    for ply in game.history().plies() {
        if ply.undo().is_some_and(|undo| undo.captured().is_some()) {
            (count, checks, answers_surplus_check) = (0, [0; 2], false);
            side = !side;
            continue;
        }
        if ply.gives_check() {
            checks[side.index()] = checks[side.index()].saturating_add(1);
        }
        let is_surplus = ply.gives_check() && checks[side.index()] > CHECKS_COUNTED;
        if !is_surplus && !answers_surplus_check {
            count = count.saturating_add(1);
        }
        answers_surplus_check = is_surplus;
        side = !side;
    }
    count
}

/// Whether the natural move limit is reached.
pub fn is_reached(game: &Game) -> bool {
    counted_plies(game) >= PLY_LIMIT
}

/// Whether `side` has a piece that can cross the river and attack.
pub fn can_attack(position: &Position, side: Side) -> bool {
    use PieceKind::{Cannon, Chariot, Horse, Soldier};
    [Chariot, Horse, Cannon, Soldier].into_iter().any(|kind| !position.pieces_of(side, kind).is_empty())
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;

    fn played(fen: &str, moves: &str) -> Game {
        let mut game = Game::new(fen.parse().unwrap());
        for text in moves.split_whitespace() {
            game.play(parse_move(text, RankStyle::FromZero).unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn sixty_rounds_without_a_capture_are_the_limit() {
        let game = played("3k5/9/9/9/9/9/9/9/9/R4K3 w - - 118 80", "a0a1 d9d8");
        assert!(is_reached(&game));
        let game = played("3k5/9/9/9/9/9/9/9/p8/R4K3 w - - 118 80", "a0a1 d9d8");
        assert_eq!(counted_plies(&game), 1);
    }

    #[test]
    fn only_ten_checks_of_a_side_count() {
        let ten = "a0d0 d9e9 d0e0 e9d9 ".repeat(5);
        let fen = "3k5/9/9/9/9/9/9/9/9/R4K3 w";
        let ten = ten.replace("a0d0", "e0d0").replacen("e0d0", "a0d0", 1);
        assert_eq!(counted_plies(&played(fen, &ten)), 20);
        let eleven = format!("{ten} e0d0 d9e9");
        assert_eq!(counted_plies(&played(fen, &eleven)), 20);
        assert_eq!(counted_plies(&played(fen, &format!("{eleven} d0a0 e9d9"))), 22);
    }

    #[test]
    fn generals_and_guards_alone_cannot_win() {
        let bare: Position = "3k5/4a4/4b4/9/9/9/9/9/4A4/4KAB2 w".parse().unwrap();
        assert!(!can_attack(&bare, Side::Red) && !can_attack(&bare, Side::Black));
        let soldier: Position = "3k5/4a4/4b4/9/9/9/9/9/4A4/4KABp1 w".parse().unwrap();
        assert!(can_attack(&soldier, Side::Black));
    }
}
