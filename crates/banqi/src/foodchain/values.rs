//! Dynamic piece values from the food chain (Hsieh 2010, §3.8).

use crate::piece::{Counts, Kind, Piece};
use crate::rules::Captures;

/// A value for each of the 14 pieces.
pub(crate) type Values = [i32; Piece::COUNT];

/// What every piece is worth besides its prey.
const COMMON: i32 = 50;

/// The weights of the kinds, general first. The thesis leaves them open; each is about twice the next, as in other
/// programs, and the cannon needs none. With the advisor at 15, the 4/15 of the thesis makes a cannon weigh as much as a
/// chariot.
const WEIGHTS: [i32; 7] = [30, 15, 8, 4, 2, 0, 1];

/// The values while these pieces are alive, shown or face down.
///
/// A piece is worth the sum of the basic values of everything it can take, times its kind's weight, plus
/// a common amount; a cannon is worth 4/15 of its side's advisor, plus the same.
pub fn dynamic_values(alive: &Counts, captures: &Captures) -> Values {
    let basic = basic_values(alive, captures);
    let mut values = [0; Piece::COUNT];
    for hunter in Piece::all() {
        let prey: i32 = Piece::all()
            .filter(|&victim| captures.by_step(hunter, victim))
            .map(|victim| i32::from(alive[victim.index()]) * basic[victim.index()])
            .sum();
        values[hunter.index()] = prey * WEIGHTS[hunter.kind().index()];
    }
    for cannon in Piece::all().filter(|piece| piece.kind() == Kind::Cannon) {
        values[cannon.index()] = values[Piece::new(cannon.side(), Kind::Advisor).index()] * 4 / 15;
    }
    values.map(|value| value + COMMON)
}

/// One more than four for each prey that cannot answer and one for each that can; a cannon, four for each
/// own piece and one for each enemy. A piece answers if it could take the hunter by a step.
fn basic_values(alive: &Counts, captures: &Captures) -> Values {
    let mut basic = [0; Piece::COUNT];
    for hunter in Piece::all() {
        let count = |counted: &dyn Fn(Piece) -> i32| -> i32 {
            Piece::all().map(|piece| i32::from(alive[piece.index()]) * counted(piece)).sum()
        };
        basic[hunter.index()] = if hunter.kind() == Kind::Cannon {
            count(&|piece| if piece.side() == hunter.side() { 4 } else { 1 })
        } else {
            1 + count(&|victim| match captures.by_step(hunter, victim) {
                true if captures.by_step(victim, hunter) => 1,
                true => 4,
                false => 0,
            })
        };
    }
    basic
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::FULL_SET;
    use crate::position::Position;
    use crate::rules::Rules;

    fn value(values: &Values, letter: char) -> i32 {
        values[Piece::from_letter(letter).unwrap().index()]
    }

    fn values_of(text: &str) -> Values {
        let position: Position = text.parse().unwrap();
        dynamic_values(position.alive(), &Captures::from(&Rules::FOODCHAIN))
    }

    #[test]
    fn basic_values_count_prey_that_can_answer_once_and_others_four_times() {
        let basic = basic_values(&FULL_SET, &Captures::from(&Rules::FOODCHAIN));
        // General: one general can answer, ten lesser pieces cannot.
        assert_eq!(value(&basic, 'K'), 1 + 1 + 4 * 10);
        // Advisor: two advisors, thirteen lesser pieces. Soldier: the general cannot answer.
        assert_eq!(value(&basic, 'G'), 1 + 2 + 4 * 13);
        assert_eq!(value(&basic, 'p'), 1 + 4 + 5);
        assert_eq!(value(&basic, 'C'), 4 * 16 + 16);
    }

    #[test]
    fn the_order_of_a_full_set_is_plausible() {
        let values = dynamic_values(&FULL_SET, &Captures::from(&Rules::FOODCHAIN));
        let order: Vec<i32> = "KGMCRNP".chars().map(|letter| value(&values, letter)).collect();
        assert!(order.is_sorted_by(|a, b| a > b), "{order:?}");
        assert_eq!(value(&values, 'C') - COMMON, (value(&values, 'G') - COMMON) * 4 / 15);
    }

    /// Figure 3-24: nothing on the board can be taken by the general, but the soldier still has prey.
    #[test]
    fn a_general_without_prey_is_worth_less_than_a_soldier_with_prey() {
        let values = values_of("K6p/1P6/6p1/8 r - 0");
        assert_eq!(value(&values, 'K'), COMMON);
        assert!(value(&values, 'P') > value(&values, 'K'));
    }

    /// Figure 3-25: the black advisor has more to take than the red one, so Red likes the exchange, but
    /// would not give its general for it.
    #[test]
    fn the_advisor_with_more_prey_is_worth_more_but_not_a_general() {
        let values = values_of("KG2PPPP/MRNg4/Ck1pp3/8 r - 0");
        assert!(value(&values, 'g') > value(&values, 'G'));
        assert!(value(&values, 'K') > value(&values, 'g'));
    }

    #[test]
    fn face_down_pieces_count() {
        let shown = values_of("K7/8/8/6?? r Gr 0");
        let gone = values_of("K7/8/8/6?? r GM 0");
        assert!(value(&shown, 'K') > value(&gone, 'K'));
    }
}
