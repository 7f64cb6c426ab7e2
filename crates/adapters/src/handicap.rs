//! Playing below full strength: less thought, and now and then a move that is not the best.

use chuhe_search::{Limits, Line};

/// How much is held back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handicap {
    /// 0 for a beginner up to 1 for full strength, not included.
    strength: f64,
}

impl Handicap {
    /// Plays at a height of the ladder between 0, a beginner, and 1; equal steps are equal steps in Elo.
    /// `None` is full strength.
    pub fn new(height: f64) -> Option<Self> {
        (height < 1.0).then(|| Self { strength: strength_at(height) })
    }

    /// The limits with less thought and more lines to choose from.
    pub fn hold_back(self, mut limits: Limits) -> Limits {
        // A beginner sees a hundred positions a move, and each tenth of strength makes it two and a half times as many.
        let nodes = 100.0 * 2f64.powf(self.strength * 13.0);
        limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(nodes as u64));
        limits.lines = limits.lines.max(self.lines());
        limits
    }

    /// How many lines the player chooses from. Looking for six costs most of the thought, so strong players, who nearly
    /// always play the best, look for fewer: otherwise the last step to full strength would be as high as three others.
    fn lines(self) -> usize {
        let below_strong = ((1.0 - self.strength) / 0.3).min(1.0);
        1 + (5.0 * below_strong).round() as usize
    }

    /// The chance of each line, best first: each is the less likely the more it loses against the best, and the stronger the
    /// player the more it hurts.
    pub fn chances(self, lines: &[Line]) -> Vec<f64> {
        let Some(best) = lines.first() else {
            return Vec::new();
        };
        let tolerance = 4.0 + 110.0 * (1.0 - self.strength).powi(2);
        let weights: Vec<f64> =
            lines.iter().map(|line| (-f64::from(best.score - line.score) / tolerance).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }

    /// The index of the line to play, of lines with the best first.
    pub fn choose(self, lines: &[Line], random: u64) -> usize {
        let mut left = (random >> 11) as f64 / (1u64 << 53) as f64;
        self.chances(lines)
            .iter()
            .position(|chance| {
                left -= chance;
                left < 0.0
            })
            .unwrap_or(0)
    }
}

/// By tenths of strength, how many Elo a player stands above a beginner, by matches between neighbours
/// (docs/engine.md).
const CLIMB: [f64; 11] = [0.0, 512.0, 758.0, 968.0, 1220.0, 1362.0, 1553.0, 1738.0, 2174.0, 2389.0, 2796.0];

/// The strength of a player at this height of the ladder.
fn strength_at(height: f64) -> f64 {
    let wanted = height.max(0.0) * CLIMB[CLIMB.len() - 1];
    let above = CLIMB.iter().position(|climb| *climb > wanted).unwrap_or(CLIMB.len() - 1).max(1);
    let (from, to) = (CLIMB[above - 1], CLIMB[above]);
    (above as f64 - 1.0 + (wanted - from) / (to - from)) / (CLIMB.len() - 1) as f64
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
            hashfull: 0,
            tablebase_hits: 0,
            moves: vec![*mv],
        });
        lines.collect()
    }

    #[test]
    fn the_ladder_leads_from_a_beginner_to_full_strength() {
        assert_eq!(strength_at(0.0), 0.0);
        assert!((strength_at(CLIMB[3] / CLIMB[10]) - 0.3).abs() < 1e-9);
        assert!((strength_at(1.0) - 1.0).abs() < 1e-9);
        let strengths: Vec<f64> = (0..=20).map(|level| strength_at(f64::from(level) / 20.0)).collect();
        assert!(strengths.windows(2).all(|pair| pair[0] < pair[1]));
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
