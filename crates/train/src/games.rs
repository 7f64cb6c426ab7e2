//! Samples from finished games: one a line, `result<TAB>move move …`, coordinates with ranks 0–9.

use chuhe_board::Position;
use chuhe_board::coords::{self, CoordsError, RankStyle};
use chuhe_eval::Score;
use chuhe_referee::{Game, IllegalMove};

use crate::{Sample, Wdl};

/// Why a line is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// No tab between result and moves.
    #[error("expected a result, a tab and moves")]
    Form,
    /// A text that is no move.
    #[error("ply {ply}: {error}")]
    Coords {
        /// Which move, from 1.
        ply: usize,
        /// What is wrong with it.
        error: CoordsError,
    },
    /// A move that is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

/// Openings are decided by theory, not by what the evaluation sees.
const SKIPPED_PLIES: usize = 10;

/// The quiet positions of a game with a known result. They carry no score.
pub fn samples(line: &str) -> Result<Vec<Sample>, GameError> {
    let (result, moves) = line.split_once('\t').ok_or(GameError::Form)?;
    let red = match result {
        "1-0" => Wdl::Win,
        "0-1" => Wdl::Loss,
        "1/2-1/2" => Wdl::Draw,
        _ => return Ok(Vec::new()),
    };
    let mut samples = Vec::new();
    let mut game = Game::new(Position::start());
    for (index, text) in moves.split_whitespace().enumerate() {
        let ply = index + 1;
        let mv = coords::parse_move(text, RankStyle::FromZero)
            .map_err(|error| GameError::Coords { ply, error })?;
        let position = game.position();
        let quiet = position.piece_on(mv.to()).is_none() && !position.is_in_check();
        if quiet && index >= SKIPPED_PLIES {
            let outcome = if index % 2 == 0 { red } else { red.reversed() };
            samples.push(Sample {
                position: position.clone(),
                score: Score::DRAW,
                outcome,
                ply: index as u16,
            });
        }
        game.play(mv)?;
    }
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_follow_the_side_to_move() {
        let moves = "h2e2 h9g7 h0g2 i9h9 b0c2 b9c7 i0h0 c6c5 g3g4 c9e7 e3e4 b7b3";
        let found = samples(&format!("1-0\t{moves}")).unwrap();
        let outcomes: Vec<Wdl> = found.iter().map(|sample| sample.outcome).collect();
        assert_eq!(outcomes, [Wdl::Win, Wdl::Loss]);
        assert_eq!(samples(&format!("*\t{moves}")), Ok(Vec::new()));
    }

    #[test]
    fn errors_name_the_ply() {
        let message = |line| samples(line).unwrap_err().to_string();
        assert!(message("1-0\th2e2 e0e9").starts_with("ply 2: e0e9 is illegal: "));
        assert!(message("1-0\th2e2 xx").starts_with("ply 2: 'xx' is not a move"));
        assert_eq!(message("h2e2"), "expected a result, a tab and moves");
    }
}
