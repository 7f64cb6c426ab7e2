//! Whether one move of a position stands out, by the scores of the best two.

use chuhe_eval::Score;

use crate::Goal;

/// What counts as winning, in centisoldiers.
const WINNING: i32 = 220;
/// Another move that reaches this would win as well.
const ALSO_WINNING: i32 = 120;
/// How much better the right move is than the next.
const MARGIN: i32 = 220;
/// A score that does not lose.
const HOLDING: i32 = -80;
/// A score that loses.
const LOSING: i32 = -300;
/// Longer mates are asked for as wins.
const LONGEST_MATE: i32 = 7;

/// What the best move reaches and the next one does not.
pub(crate) fn promise(best: Score, second: Score) -> Option<Goal> {
    let mate = |score: Score| score.mate_in().filter(|moves| *moves > 0);
    if let Some(moves) = mate(best).filter(|moves| *moves <= LONGEST_MATE) {
        let is_faster = mate(second).is_none_or(|other| other > moves);
        return is_faster.then_some(Goal::Mate(moves as u8));
    }
    let (best, second) = (best.get(), second.get());
    let stands_out = best - second >= MARGIN;
    if best >= WINNING {
        (stands_out && second < ALSO_WINNING).then_some(Goal::Win)
    } else {
        (stands_out && best >= HOLDING && second <= LOSING).then_some(Goal::Hold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(best: i32, second: i32) -> Option<Goal> {
        promise(Score::centisoldiers(best), Score::centisoldiers(second))
    }

    #[test]
    fn one_move_must_win_and_no_other() {
        assert_eq!(of(400, 50), Some(Goal::Win));
        assert_eq!(of(800, 400), None);
        assert_eq!(of(300, 110), None);
    }

    #[test]
    fn one_move_must_hold_where_all_others_lose() {
        assert_eq!(of(0, -400), Some(Goal::Hold));
        assert_eq!(of(0, -200), None);
        assert_eq!(of(-150, -600), None);
    }

    #[test]
    fn a_mate_must_be_faster_than_any_other() {
        let mate = |moves: u16| Score::won_in(2 * moves - 1);
        assert_eq!(promise(mate(3), Score::centisoldiers(900)), Some(Goal::Mate(3)));
        assert_eq!(promise(mate(3), mate(5)), Some(Goal::Mate(3)));
        assert_eq!(promise(mate(3), mate(3)), None);
        assert_eq!(promise(mate(20), Score::DRAW), Some(Goal::Win));
    }
}
