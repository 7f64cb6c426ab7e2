//! What a score means in chances.

use crate::Score;

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

// Both numbers are first guesses: they set the scale and are not fitted to games yet.
/// The score at which half of all games are taken to be won.
const HALF_WON: f64 = 100.0;
/// How quickly chances change around it.
const SPREAD: f64 = 45.0;

impl Chances {
    /// The chances that go with a score.
    pub fn of(score: Score) -> Self {
        let wins = |score: f64| 1000.0 / (1.0 + ((HALF_WON - score) / SPREAD).exp());
        let number = f64::from(score.get());
        let win = wins(number).round() as u32;
        let loss = wins(-number).round() as u32;
        Self { win, draw: 1000u32.saturating_sub(win + loss), loss }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_mirror() {
        for number in (-3000..=3000).step_by(7) {
            let Chances { win, draw, loss } = Chances::of(Score::centisoldiers(number));
            assert_eq!(win + draw + loss, 1000);
            let other = Chances::of(Score::centisoldiers(-number));
            assert_eq!((other.win, other.draw, other.loss), (loss, draw, win));
        }
        assert_eq!(Chances::of(Score::centisoldiers(100)).win, 500);
        assert_eq!(Chances::of(Score::won_in(3)).win, 1000);
    }
}
