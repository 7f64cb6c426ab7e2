//! When and where to flip (Hsieh 2010, §3.9).

use crate::foodchain::board::FoodChainBoard;
use crate::foodchain::values::Values;
use crate::limits::Watch;
use crate::moves::Move;
use crate::piece::Piece;
use crate::square::Square;

/// The depth limit of the search after a flip; the thesis says "shallow".
const DEEPEST: u32 = 3;

/// The flip that the rule picks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flip {
    pub(super) mv: Move,
    /// The least that any outcome leaves.
    pub(super) worst: i32,
    /// All outcomes together, each as often as that piece is still face down.
    pub(super) sum: i64,
}

/// The flip with the least worst loss and, among those, the largest sum; of equals the first. Only
/// captures count here, or no two squares would ever be equal, as they are in figure 3-33.
pub(super) fn best(board: &FoodChainBoard, values: &Values, watch: &mut Watch, share: f64) -> Option<Flip> {
    let mut best = None;
    for depth in 1..=DEEPEST {
        let flips: Vec<Flip> =
            board.down.map_while(|square| judge(board, values, watch, square, depth, share)).collect();
        if flips.len() as u32 == board.down.len() || best.is_none() {
            best = flips.into_iter().reduce(better);
        }
        if watch.has_used(share) {
            break;
        }
    }
    best.or_else(|| board.down.map(|square| Flip { mv: Move::flip(square), worst: i32::MIN, sum: 0 }).next())
}

/// The earlier one, unless the later one is truly better.
fn better(kept: Flip, other: Flip) -> Flip {
    if (other.worst, other.sum) > (kept.worst, kept.sum) { other } else { kept }
}

fn judge(
    board: &FoodChainBoard,
    values: &Values,
    watch: &mut Watch,
    square: Square,
    depth: u32,
    share: f64,
) -> Option<Flip> {
    let mut flip = Flip { mv: Move::flip(square), worst: i32::MAX, sum: 0 };
    for piece in Piece::all().filter(|piece| board.pool[piece.index()] > 0) {
        // The first level is always finished: something must be known of every square.
        if depth > 1 && watch.has_used(share) {
            return None;
        }
        let mut after = board.clone();
        after.flip(square, piece);
        let score = -captures_only(&mut after, values, watch, depth, -i32::MAX, i32::MAX);
        flip.worst = flip.worst.min(score);
        flip.sum += i64::from(score) * i64::from(board.pool[piece.index()]);
    }
    Some(flip)
}

/// What the side to move wins by captures within `depth` plies; passing is allowed, since somebody can
/// flip elsewhere.
fn captures_only(
    board: &mut FoodChainBoard,
    values: &Values,
    watch: &mut Watch,
    depth: u32,
    mut alpha: i32,
    beta: i32,
) -> i32 {
    watch.nodes += 1;
    if depth == 0 {
        return 0;
    }
    for mv in board.moves() {
        let undo = board.play(mv);
        let gain = undo.captured().map_or(0, |piece| values[piece.index()]);
        let below =
            captures_only(board, values, watch, depth - 1, shifted(-beta, gain), shifted(-alpha, gain));
        board.take_back(&undo);
        alpha = alpha.max(gain - below);
        if alpha >= beta {
            return alpha;
        }
    }
    board.pass();
    let below = captures_only(board, values, watch, depth - 1, -beta, -alpha);
    board.pass();
    alpha.max(-below)
}

/// A bound seen after a gain; infinite bounds stay so.
fn shifted(bound: i32, gain: i32) -> i32 {
    if bound.abs() == i32::MAX { bound } else { bound + gain }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::foodchain::values::dynamic_values;
    use crate::limits::Limits;
    use crate::position::Position;
    use crate::rules::{Captures, Rules};
    use crate::square::SquareStyle;

    fn judged(text: &str) -> (Flip, Vec<Flip>) {
        let position: Position = text.parse().unwrap();
        let captures = Captures::from(&Rules::FOODCHAIN);
        let board = FoodChainBoard::new(&position, &captures);
        let values = dynamic_values(position.alive(), &captures);
        let mut watch = Watch::new(Limits::default());
        let all =
            board.down.map(|square| judge(&board, &values, &mut watch, square, 3, 1.0).unwrap()).collect();
        (best(&board, &values, &mut watch, 1.0).unwrap(), all)
    }

    fn wide(text: &str) -> Square {
        Square::parse(text, SquareStyle::Wide).unwrap()
    }

    /// As in figure 3-33: nowhere does a flip lose anything; where a cannon would look at a chariot the sum
    /// is larger than where it would look at a horse.
    #[test]
    fn among_equal_worst_losses_the_larger_sum_is_flipped() {
        // Horse and chariot are walled in. A cannon on a1 would look at the horse, one on a4 at the chariot;
        // whatever shows beside them is taken.
        let (best, all) = judged("??n?4/2?5/2?5/??r?4 r KC2P5 0");
        let unharmed = all.iter().filter(|flip| flip.worst >= 0).map(|flip| flip.mv.from());
        assert_eq!(unharmed.collect::<Vec<_>>(), [wide("a1"), wide("a4")]);
        assert_eq!(best.mv, Move::flip(wide("a4")));
        // Without screens nothing can be taken and both are equal: the first is flipped.
        let (best, all) = judged("?1n?4/2?5/2?5/?1r?4 r C2P4 0");
        let sums: Vec<i64> = all.iter().filter(|flip| flip.worst >= 0).map(|flip| flip.sum).collect();
        assert_eq!(sums, [0, 0]);
        assert_eq!(best.mv, Move::flip(wide("a1")));
    }

    /// As in figure 3-34: beside Black's own advisor a flip may take much, but may also show the general that
    /// takes the advisor; the quiet corner risks nothing.
    #[test]
    fn a_flip_without_risk_comes_before_a_rich_one_with_risk() {
        let (best, all) = judged("g?6/8/8/7? b KR 0");
        let beside = all.iter().find(|flip| flip.mv.from() == wide("b1")).unwrap();
        assert!(beside.worst < 0);
        assert_eq!(best.mv, Move::flip(wide("h4")));
    }
}
