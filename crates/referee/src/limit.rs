//! Draws without repetition: the natural move limit 自然限著 (the sixty-move rule).

use chuhe_board::{Position, QUIET_PLY_LIMIT};

use crate::history::{History, Ply};

/// How many checks of a side count towards the limit; further ones, and the answers to them, do not.
pub const CHECKS_COUNTED: u16 = 10;

/// How many plies count towards the natural move limit, `history` being the plies that led to `position`. Plies
/// before the history begins are known by the position's counter only, so all of them count.
///
/// ```
/// use chuhe_board::Position;
/// use chuhe_referee::{Game, limit};
///
/// let game = Game::new("3k5/9/9/9/9/9/9/9/9/R4K3 w - - 119 80".parse().unwrap());
/// assert_eq!(limit::counted_plies(game.position(), game.history()), 119);
/// ```
pub fn counted_plies(position: &Position, history: &History) -> u16 {
    let captures = |ply: &Ply| ply.undo().is_some_and(|undo| undo.captured().is_some());
    let plies = history.plies();
    let first = plies.iter().rposition(captures).map_or(0, |capture| capture + 1);
    position.quiet_plies().saturating_sub(uncounted(&plies[first..]))
}

/// Surplus checks and the answers to them, among plies without a capture.
fn uncounted(plies: &[Ply]) -> u16 {
    let mut checks = [0_u16; 2];
    let mut answers_surplus_check = false;
    let mut count = 0;
    for (index, ply) in plies.iter().enumerate() {
        let checks = &mut checks[index % 2];
        *checks += u16::from(ply.gives_check());
        let is_surplus = ply.gives_check() && *checks > CHECKS_COUNTED;
        count += u16::from(is_surplus || answers_surplus_check);
        answers_surplus_check = is_surplus;
    }
    count
}

/// Whether the natural move limit is reached.
#[inline]
pub fn is_reached(position: &Position, history: &History) -> bool {
    position.quiet_plies() >= QUIET_PLY_LIMIT && counted_plies(position, history) >= QUIET_PLY_LIMIT
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;
    use crate::Game;

    fn counted(game: &Game) -> u16 {
        counted_plies(game.position(), game.history())
    }

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
        assert!(is_reached(game.position(), game.history()));
        let game = played("3k5/9/9/9/9/9/9/9/p8/R4K3 w - - 118 80", "a0a1 d9d8");
        assert_eq!(counted(&game), 1);
    }

    #[test]
    fn only_ten_checks_of_a_side_count() {
        let ten = "a0d0 d9e9 d0e0 e9d9 ".repeat(5);
        let fen = "3k5/9/9/9/9/9/9/9/9/R4K3 w";
        let ten = ten.replace("a0d0", "e0d0").replacen("e0d0", "a0d0", 1);
        assert_eq!(counted(&played(fen, &ten)), 20);
        let eleven = format!("{ten} e0d0 d9e9");
        assert_eq!(counted(&played(fen, &eleven)), 20);
        assert_eq!(counted(&played(fen, &format!("{eleven} d0a0 e9d9"))), 22);
    }
}
