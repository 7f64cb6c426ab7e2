//! Whether to take a draw that the opponent offers.

use chuhe_board::Position;
use chuhe_eval::Score;

/// At this score or below the engine accepts a draw.
const WORSE: Score = Score::centisoldiers(-80);
/// Plies without a capture after which a level game counts as drawn: twenty rounds.
const IDLE_PLIES: u16 = 40;

/// Whether a draw is welcome at this score for the engine: when it stands worse, or when the game is
/// level and nothing has happened for long.
pub fn is_welcome(score: Score, position: &Position) -> bool {
    score <= WORSE || score <= Score::DRAW && position.quiet_plies() >= IDLE_PLIES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worse_game_or_a_long_idle_one_is_given_up_for_a_draw() {
        let fresh = Position::start();
        let idle: Position = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 44 80".parse().unwrap();
        assert!(!is_welcome(Score::DRAW, &fresh));
        assert!(is_welcome(Score::DRAW, &idle));
        assert!(is_welcome(Score::centisoldiers(-100), &fresh));
        assert!(!is_welcome(Score::centisoldiers(30), &idle));
    }
}
