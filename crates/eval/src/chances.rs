//! WDL model: what a score means in winning chances.

use crate::Score;
use crate::classical::Phase;

/// Chances of the side to move, in thousandths; they add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chances {
    /// To win.
    pub win: u32,
    /// To draw.
    pub draw: u32,
    /// To lose.
    pub loss: u32,
}

/// How scores turn into chances, at the attackers left that [`Curve::ANCHORS`] names and between
/// them in proportion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// The score at which half of all games are won.
    pub half_won: [f64; 5],
    /// How quickly chances change around it.
    pub spread: [f64; 5],
}

impl Curve {
    /// Attackers on the board, in the units of [`Phase::middle`].
    pub const ANCHORS: [i32; 5] = [0, 8, 16, 24, 32];

    /// Fitted with `chuhe train chances` to 1.2 million positions of the default network's self-play at 2000
    /// nodes a move: with two thirds of the attackers on the board 100 centisoldiers win about half of all
    /// games, and the emptier the board, the more it takes.
    pub const FITTED: Self =
        Self { half_won: [428.0, 227.5, 124.5, 93.5, 77.5], spread: [133.0, 104.5, 140.0, 150.5, 150.0] };

    /// The score at which half of all games are won, and the spread, with this many attackers left.
    pub fn at(&self, attackers: i32) -> (f64, f64) {
        let step = Self::ANCHORS[1];
        let attackers = attackers.clamp(0, Phase::FULL);
        let low = ((attackers / step) as usize).min(Self::ANCHORS.len() - 2);
        let share = f64::from(attackers - Self::ANCHORS[low]) / f64::from(step);
        let between = |values: &[f64; 5]| values[low] * (1.0 - share) + values[low + 1] * share;
        (between(&self.half_won), between(&self.spread))
    }

    /// The chance to win, 0 to 1.
    pub fn win(&self, score: f64, attackers: i32) -> f64 {
        let (half_won, spread) = self.at(attackers);
        1.0 / (1.0 + ((half_won - score) / spread).exp())
    }
}

impl Chances {
    /// The chances that go with a score in this phase of the game.
    pub fn of(score: Score, phase: Phase) -> Self {
        if score.is_decided() {
            let win = if score > Score::DRAW { 1000 } else { 0 };
            return Self { win, draw: 0, loss: 1000 - win };
        }
        let thousandths = |score: i32| {
            let chance = Curve::FITTED.win(f64::from(score), phase.middle());
            (1000.0 * chance).round() as u32
        };
        let (win, loss) = (thousandths(score.get()), thousandths(-score.get()));
        // Far from the board's usual scores the two curves may overlap by a thousandth.
        let draw = 1000u32.saturating_sub(win + loss);
        Self { win, draw, loss: 1000 - win - draw }
    }

    /// The expected points of a game, 0 to 1.
    pub fn points(self) -> f64 {
        (f64::from(self.win) + f64::from(self.draw) / 2.0) / 1000.0
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;

    use super::*;

    fn phases() -> [Phase; 2] {
        let ending = "3k5/9/9/9/9/9/9/4N4/9/4K4 w".parse().unwrap();
        [Phase::of(&Position::start()), Phase::of(&ending)]
    }

    #[test]
    fn chances_add_up_and_mirror() {
        for phase in phases() {
            for number in (-3000..=3000).step_by(7) {
                let Chances { win, draw, loss } = Chances::of(Score::centisoldiers(number), phase);
                assert_eq!(win + draw + loss, 1000);
                let other = Chances::of(Score::centisoldiers(-number), phase);
                assert_eq!(other.draw, draw);
                assert!(other.win.abs_diff(loss) <= 1);
            }
            assert_eq!(Chances::of(Score::won_in(3), phase).win, 1000);
            assert_eq!(Chances::of(-Score::won_in(3), phase).loss, 1000);
        }
    }

    #[test]
    fn a_soldier_wins_half_in_the_middle_game_and_draws_on_an_empty_board() {
        let [_, ending] = phases();
        let middle = Curve::FITTED.win(100.0, 2 * Phase::FULL / 3);
        assert!((0.48..=0.52).contains(&middle), "{middle}");
        let empty = Chances::of(Score::centisoldiers(100), ending);
        assert!(empty.draw > 700, "{empty:?}");
    }
}
