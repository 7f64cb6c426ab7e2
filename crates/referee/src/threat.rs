//! Threats of mate (殺): a move after which the mover would mate next, if the other side did nothing.

use chuhe_board::{Move, Position};

/// How many checks in a row a threat may need. The Chinese text (28.2) counts mate "by continuous
/// checks" of any length; three are enough for what is called a threat over the board.
const CHECKS: u32 = 3;

/// The plies of the longest mate that can be threatened.
pub(crate) const LONGEST: u16 = 2 * CHECKS as u16 - 1;

/// The moves with which the side that has just moved would mate by the fewest checks in a row if it
/// could move again. Empty if the other side is in check: then the move was a check and not a threat.
pub(crate) fn threatened_mates(after: &Position) -> Vec<Move> {
    if after.is_in_check() {
        return Vec::new();
    }
    let mut position = after.clone();
    position.pass();
    mates(&position)
}

/// The moves with which the side to move mates by the fewest checks in a row. All of them: which one is
/// listed first depends on the colours.
pub(crate) fn mates(position: &Position) -> Vec<Move> {
    let within = |checks| mating_checks(position, checks).collect::<Vec<Move>>();
    (1..=CHECKS).map(within).find(|mates| !mates.is_empty()).unwrap_or_default()
}

/// Whether the move just made threatens mate.
pub(crate) fn threatens_mate(after: &Position) -> bool {
    if after.is_in_check() {
        return false;
    }
    let mut position = after.clone();
    position.pass();
    mating_checks(&position, CHECKS).next().is_some()
}

/// Whether the side to move has a move that mates.
pub(crate) fn can_mate_at_once(position: &Position) -> bool {
    mating_checks(position, 1).next().is_some()
}

/// The checks of the side to move that mate, at once or by no more than `checks` checks in a row.
fn mating_checks(position: &Position, checks: u32) -> impl Iterator<Item = Move> {
    position.moves().into_iter().filter(move |mv| {
        let mut next = position.clone();
        let _ = next.play(*mv, &mut ());
        next.is_in_check() && is_lost(&next, checks - 1)
    })
}

/// Whether the side to move, which is in check, is mated whatever it answers.
fn is_lost(position: &Position, checks: u32) -> bool {
    position.moves().into_iter().all(|answer| {
        if checks == 0 {
            return false;
        }
        let mut next = position.clone();
        let _ = next.play(answer, &mut ());
        mating_checks(&next, checks).next().is_some()
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn threatens(fen: &str) -> bool {
        let position: Position = fen.parse().unwrap();
        let mates = threatened_mates(&position);
        assert_eq!(threatens_mate(&position), !mates.is_empty());
        !mates.is_empty()
    }

    #[test]
    fn mate_next_move_is_a_threat() {
        // Black is to move; a chariot on d8 or the back rank would mate.
        assert!(threatens("4k4/R8/9/9/9/9/9/9/9/1R3K3 b"));
        assert!(!threatens("4k4/9/9/9/9/9/9/9/9/1R3K3 b"));
    }

    #[test]
    fn mate_by_checks_in_a_row_is_a_threat() {
        assert!(threatens("3k5/9/9/9/9/9/9/R8/1R7/5K3 b"));
    }

    #[test]
    fn a_check_is_not_also_a_threat() {
        assert!(!threatens("R3k4/R8/9/9/9/9/9/9/9/5K3 b"));
    }

    #[test]
    fn the_same_mates_are_found_for_both_colours() {
        let position: Position = "3ak4/N1PNa4/9/1c7/4P4/9/9/4Bp3/9/3p1K1p1 b".parse().unwrap();
        let found = |position: &Position| mates(position).into_iter().collect::<HashSet<Move>>();
        let across: HashSet<Move> = found(&position.across()).into_iter().map(Move::across).collect();
        assert!(found(&position).len() > 1);
        assert_eq!(found(&position), across);
    }
}
