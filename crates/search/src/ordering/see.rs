//! Static exchange evaluation (SEE): what the captures on one point win or lose, without a search.

use chuhe_board::{Bitboard, Move, PieceKind, Position, Side};

/// What a piece is worth to SEE and MVV-LVA, in centisoldiers.
#[inline]
pub(crate) const fn piece_value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::General => 10_000,
        PieceKind::Advisor => 150,
        PieceKind::Elephant => 150,
        PieceKind::Horse => 420,
        PieceKind::Chariot => 900,
        PieceKind::Cannon => 430,
        PieceKind::Soldier => 90,
    }
}

/// Kinds from the least to the most valuable: the order in which pieces recapture.
const BY_VALUE: [PieceKind; 7] = [
    PieceKind::Soldier,
    PieceKind::Advisor,
    PieceKind::Elephant,
    PieceKind::Horse,
    PieceKind::Cannon,
    PieceKind::Chariot,
    PieceKind::General,
];

/// Whether the exchange that the move starts wins at least `threshold` centisoldiers for the mover.
///
/// Attackers are recomputed after every capture, because each one can open lines and legs and add or
/// remove cannon screens. Pins are ignored.
pub fn see_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    let worth = |square| position.piece_on(square).map_or(0, |piece| piece_value(piece.kind()));
    let mut swing = worth(mv.to()) - threshold;
    if swing < 0 {
        return false;
    }
    swing = worth(mv.from()) - swing;
    if swing <= 0 {
        return true;
    }
    let mut occupied = (position.occupied() - mv.from()) | mv.to();
    let mut side = position.side_to_move();
    let mut gains = true;
    loop {
        side = !side;
        let attackers = position.attackers_to(mv.to(), occupied) & occupied;
        let Some((kind, from)) = least_valuable(position, attackers, side) else {
            return gains;
        };
        gains = !gains;
        if kind == PieceKind::General {
            // A general cannot capture a protected piece.
            let protected = attackers.meets(position.pieces(!side));
            return if protected { !gains } else { gains };
        }
        swing = piece_value(kind) - swing;
        if swing < i32::from(gains) {
            return gains;
        }
        occupied -= from;
    }
}

fn least_valuable(position: &Position, attackers: Bitboard, side: Side) -> Option<(PieceKind, Bitboard)> {
    let attackers = attackers & position.pieces(side);
    if attackers.is_empty() {
        return None;
    }
    BY_VALUE.into_iter().find_map(|kind| {
        let from = (attackers & position.kind(kind)).first()?;
        Some((kind, from.into()))
    })
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;

    fn gain(fen: &str, mv: &str) -> i32 {
        let position: Position = fen.parse().unwrap();
        let mv = parse_move(mv, RankStyle::FromZero).unwrap();
        assert!(position.is_legal(mv));
        (-1000..=1000).rev().find(|threshold| see_at_least(&position, mv, *threshold)).unwrap()
    }

    #[test]
    fn taking_an_unprotected_piece_wins_it() {
        assert_eq!(gain("3k5/9/9/9/4n4/9/9/4R4/9/4K4 w", "e2e5"), 420);
    }

    #[test]
    fn taking_a_protected_piece_costs_the_taker() {
        assert_eq!(gain("3k5/9/9/4c4/4p4/9/9/4R4/9/5K3 w", "e2e5"), 90);
        assert_eq!(gain("3k5/9/9/4r4/4p4/9/9/4R4/9/5K3 w", "e2e5"), 90 - 900);
    }

    #[test]
    fn a_cannon_protects_over_the_screen_that_the_capture_makes() {
        // The horse on e5 is held by the cannon on e9 over the soldier on e7.
        assert_eq!(gain("4c4/3k5/4p4/9/4n4/9/9/4R4/9/4K4 w", "e2e5"), 420 - 900);
    }

    #[test]
    fn a_general_cannot_take_what_is_protected() {
        assert_eq!(gain("4k4/4a4/9/9/9/9/9/9/4R4/3KR4 w", "e1e8"), 150);
        assert_eq!(gain("4k4/4a4/9/9/9/9/9/9/4R4/3K5 w", "e1e8"), 150 - 900);
    }
}
