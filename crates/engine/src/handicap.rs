//! Playing below full strength: less thought, and now and then a move that is not the best.

use chuhe_search::{Limits, Line};

use crate::options::{ELO_RANGE, FULL_SKILL, Options};

/// How much is held back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handicap {
    /// 0 for a beginner up to 1 for full strength, not included.
    strength: f64,
}

impl Handicap {
    /// Plays with `strength` between 0, a beginner, and 1; `None` is full strength.
    pub fn new(strength: f64) -> Option<Self> {
        (strength < 1.0).then_some(Self { strength: strength.max(0.0) })
    }

    /// What the options ask for; `None` is full strength.
    pub(crate) fn of(options: &Options) -> Option<Self> {
        if options.analyse {
            return None;
        }
        if options.limit_strength {
            let (least, most) = ELO_RANGE;
            let strength = f64::from(options.elo - least) / f64::from(most - least);
            return Self::new(strength);
        }
        let strength = f64::from(options.skill) / f64::from(FULL_SKILL);
        Self::new(strength)
    }

    /// The limits with less thought and more lines to choose from.
    pub fn hold_back(self, mut limits: Limits) -> Limits {
        // A beginner sees a hundred positions a move, and each tenth of strength doubles it.
        let nodes = 100.0 * 2f64.powf(self.strength * 13.0);
        limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(nodes as u64));
        limits.lines = limits.lines.max(6);
        limits
    }

    /// The index of the line to play, of lines with the best first: each is the less likely the more it loses against the best, and the
    /// stronger the player the more it hurts.
    pub fn choose(self, lines: &[Line], random: u64) -> usize {
        let Some(best) = lines.first() else {
            return 0;
        };
        let tolerance = 4.0 + 110.0 * (1.0 - self.strength).powi(2);
        let loss = |index: usize| f64::from(best.score - lines[index].score);
        let weights: Vec<f64> = (0..lines.len()).map(|index| (-loss(index) / tolerance).exp()).collect();
        let mut left = (random >> 11) as f64 / (1u64 << 53) as f64 * weights.iter().sum::<f64>();
        weights
            .iter()
            .position(|weight| {
                left -= weight;
                left < 0.0
            })
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use chuhe_board::Position;
    use chuhe_eval::Score;
    use chuhe_search::Bound;

    use super::*;

    fn lines(scores: &[i32]) -> Vec<Line> {
        let moves = Position::start().moves();
        let lines = scores.iter().zip(&moves).enumerate().map(|(rank, (score, mv))| Line {
            depth: 5,
            selective_depth: 5,
            rank: rank + 1,
            score: Score::centisoldiers(*score),
            bound: Bound::Exact,
            nodes: 1,
            time: Duration::ZERO,
            fullness: 0,
            endgame_hits: 0,
            moves: vec![*mv],
        });
        lines.collect()
    }

    #[test]
    fn full_strength_is_no_handicap() {
        assert_eq!(Handicap::of(&Options::default()), None);
        let weaker = Options { skill: 3, ..Options::default() };
        assert!(Handicap::of(&weaker).is_some());
        let analysing = Options { analyse: true, ..weaker };
        assert_eq!(Handicap::of(&analysing), None);
    }

    #[test]
    fn the_weaker_the_player_the_more_often_the_second_best_is_played() {
        let lines = lines(&[50, 0, -400]);
        let slips = |strength| {
            let randoms = (0..1000u64).map(|index| index << 54 | index.wrapping_mul(0x9E37_79B9));
            randoms.filter(|random| Handicap { strength }.choose(&lines, *random) > 0).count()
        };
        assert!(slips(0.1) > slips(0.5));
        assert!(slips(0.5) > slips(0.95));
        assert!(slips(0.1) > 200 && slips(0.95) < 20);
    }
}
