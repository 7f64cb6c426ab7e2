//! Best-move stability: how much of the ideal time a move takes, by how sure the search is of it.

use chuhe_board::Move;
use chuhe_eval::Score;

use crate::params::Params;

/// What changed from one iteration to the next.
#[derive(Default)]
pub(crate) struct Stability {
    mv: Option<Move>,
    /// Iterations since the best move changed.
    iterations: i32,
    score: Option<Score>,
}

impl Stability {
    /// The factor for the ideal time: more after a change of the best move or a falling score, less when most of the
    /// effort (share of nodes) went into the best move.
    pub(crate) fn stretch(&mut self, mv: Move, score: Score, effort: f64, params: &Params) -> f64 {
        self.iterations = if self.mv == Some(mv) { self.iterations + 1 } else { 0 };
        let fall = self.score.map_or(0, |before| before - score);
        let fall = fall.clamp(-params.time_rise_limit, params.time_fall_limit);
        self.mv = Some(mv);
        self.score = Some(score);
        let stable = self.iterations.min(params.time_stability_limit);
        let by_stability = percent(params.time_change_factor - params.time_stability_step * stable);
        let by_score = 1.0 + f64::from(fall) / f64::from(params.time_fall_scale);
        let by_effort = percent(params.time_effort_base) - percent(params.time_effort_weight) * effort;
        by_stability * by_score * by_effort
    }
}

fn percent(number: i32) -> f64 {
    f64::from(number) / 100.0
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;

    use super::*;

    #[test]
    fn a_new_best_move_or_a_falling_score_takes_more_time() {
        let moves = Position::start().moves();
        let params = Params::default();
        let mut stability = Stability::default();
        let mut stretch =
            |mv: usize, score: i32| stability.stretch(moves[mv], Score::centisoldiers(score), 0.5, &params);
        let first = stretch(0, 20);
        let confirmed = stretch(0, 20);
        assert!(confirmed < first);
        assert!(stretch(0, -40) > confirmed);
        assert!(stretch(1, -40) > confirmed);
    }
}
