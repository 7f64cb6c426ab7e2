//! Composed positions from arbitrary numbers: crowded around the generals, where pins of every kind,
//! screens, hobbled horses and facing generals are common.

use chuhe_board::{Bitboard, Piece, PieceKind, Position, Side, Square, attacks, zones};

/// Two generals, then a piece for every pair of numbers: the first chooses what it is, the second
/// where it stands. Pieces that the box no longer holds or that would make the position impossible
/// are left out.
pub(crate) fn position(generals: (u8, u8), choices: &[(u8, u8)], side_to_move: Side) -> Position {
    let red = choose(zones::palace(Side::Red), generals.0);
    let black = choose(zones::palace(Side::Black), generals.1);
    let mut pieces = vec![(Piece::RedGeneral, red), (Piece::BlackGeneral, black)];
    if red.file() == black.file() {
        pieces.push((Piece::RedHorse, choose(attacks::between(red, black), generals.1)));
    }
    let mut position = composed(&pieces, side_to_move).expect("a horse between generals gives no check");
    for (what, place) in choices {
        let piece = Piece::ALL[usize::from(*what) % Piece::ALL.len()];
        let free = zones::allowed(piece.side(), piece.kind()) - position.occupied();
        // Half of the places lie where they matter most.
        let points = if place % 2 == 0 { free & (near(red) | near(black)) } else { free };
        if points.is_empty() {
            continue;
        }
        pieces.push((piece, choose(points, place / 2)));
        match composed(&pieces, side_to_move) {
            Some(possible) => position = possible,
            None => drop(pieces.pop()),
        }
    }
    position
}

fn composed(pieces: &[(Piece, Square)], side_to_move: Side) -> Option<Position> {
    Position::from_pieces(pieces.iter().copied(), side_to_move).ok()
}

/// The lines of a general and the points from where horses and their legs matter.
fn near(general: Square) -> Bitboard {
    let horses = attacks::horses_to_unhobbled(general);
    let legs: Bitboard = horses.into_iter().map(|horse| attacks::horse_leg(horse, general)).collect();
    Bitboard::file(general.file()) | Bitboard::rank(general.rank()) | horses | legs
}

fn choose(set: Bitboard, choice: u8) -> Square {
    let points: Vec<Square> = set.into_iter().collect();
    points[usize::from(choice) % points.len()]
}

/// Whether an enemy piece of this kind looks at the general to move over this many pieces.
pub(crate) fn has_looker(position: &Position, kind: PieceKind, pieces_between: u32) -> bool {
    let side = position.side_to_move();
    let general = position.general(side);
    let lines = Bitboard::file(general.file()) | Bitboard::rank(general.rank());
    (position.pieces_of(!side, kind) & lines)
        .into_iter()
        .any(|attacker| (attacks::between(general, attacker) & position.occupied()).len() == pieces_between)
}
