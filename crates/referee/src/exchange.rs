//! What a series of captures on one point wins: the measure of a chase in the Chinese rules.

use chuhe_board::{Move, PieceKind, Position, Square};

use crate::chase::Attack;
use crate::threat;

/// What the pieces are worth in exchanges (25.3): a chariot two horses or cannons, advisors and
/// elephants alike, the rest by order.
const fn worth(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::General => 1000,
        PieceKind::Chariot => 8,
        PieceKind::Horse | PieceKind::Cannon => 4,
        PieceKind::Advisor | PieceKind::Elephant => 2,
        PieceKind::Soldier => 1,
    }
}

/// Whether carrying out the attack wins material after all exchanges on the point (29.1) without the
/// taker being mated at once (29.4). The attack must be possible.
///
/// A soldier has no fixed worth: gains that come from giving a soldier for a piece do not count.
pub(crate) fn wins(position: &Position, attack: Attack) -> bool {
    let Attack { from, to } = attack;
    let (Some(taker), Some(taken)) = (position.piece_on(from), position.piece_on(to)) else {
        return false;
    };
    let mut position = position.clone();
    if position.side_to_move() != taker.side() {
        if position.is_in_check() {
            return false;
        }
        position.pass();
    }
    let capture = Move::new(from, to);
    if !position.is_legal(capture) {
        return false;
    }
    let _ = position.play(capture, &mut ());
    let loss = best_gain(&position, to);
    if loss > 0 && taker.kind() == PieceKind::Soldier {
        return false;
    }
    worth(taken.kind()) > loss && !threat::can_mate_at_once(&position)
}

/// The most that the side to move can win by capturing on `point`, with the right to stop at any time.
fn best_gain(position: &Position, point: Square) -> i32 {
    let Some(target) = position.piece_on(point) else {
        return 0;
    };
    let legality = position.legality();
    let takers = position.attackers_to(point, position.occupied()) & position.pieces(position.side_to_move());
    let cheapest = takers
        .into_iter()
        .filter(|from| position.allows(&legality, Move::new(*from, point)))
        .min_by_key(|from| position.piece_on(*from).map(|piece| worth(piece.kind())));
    let Some(from) = cheapest else {
        return 0;
    };
    let mut next = position.clone();
    let _ = next.play(Move::new(from, point), &mut ());
    (worth(target.kind()) - best_gain(&next, point)).max(0)
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::parse_square;

    use super::*;

    fn won(fen: &str, from: &str, to: &str) -> bool {
        let [from, to] = [from, to].map(|name| parse_square(name).unwrap());
        wins(&fen.parse().unwrap(), Attack { from, to })
    }

    #[test]
    fn a_protected_piece_of_greater_worth_is_won() {
        assert!(won("2r1k4/9/9/9/2r6/9/3N5/9/9/3K5 w", "d3", "c5"));
        assert!(!won("2r1k4/9/9/9/2n6/9/3N5/9/9/3K5 w", "d3", "c5"));
    }

    #[test]
    fn too_few_roots_do_not_protect() {
        let one_root = "3k5/9/4b4/9/2c6/2R6/9/9/9/4K4 w";
        assert!(!won(one_root, "c4", "c5"));
        let two_attackers = "3k5/9/4b4/9/2c6/2R6/1N7/9/9/4K4 w";
        assert!(won(two_attackers, "b3", "c5"));
    }

    #[test]
    fn taking_and_being_mated_for_it_is_no_win() {
        // The chariot that takes on a5 no longer guards its back rank.
        let guarding = "3k5/9/9/9/c8/9/9/8r/4r4/R4K3 w";
        assert!(!won(guarding, "a0", "a5"));
        let free = "3k5/9/9/9/c8/9/9/8r/9/R4K3 w";
        assert!(won(free, "a0", "a5"));
    }
}
