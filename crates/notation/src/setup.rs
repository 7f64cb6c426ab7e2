//! Start positions of XQF and DhtmlXQ: the points of 32 pieces in a fixed order, and the side
//! to move only by the first move.

use chuhe_board::{Impossible, Piece, PieceKind, Position, Side, Square};

/// The pieces of one side in their order.
const ORDER: [PieceKind; 16] = {
    use PieceKind::{Advisor, Cannon, Chariot, Elephant, General, Horse, Soldier};
    [
        Chariot, Horse, Elephant, Advisor, General, Advisor, Elephant, Horse, Chariot, Cannon, Cannon,
        Soldier, Soldier, Soldier, Soldier, Soldier,
    ]
};

/// The piece at a place of the order, from 0 to 31; Red's are the first sixteen.
pub(crate) fn piece_at(place: usize) -> Piece {
    Piece::new(Side::ALL[place / 16 % 2], ORDER[place % 16])
}

/// The points of the 32 pieces of a position, `None` for those that are off the board.
pub(crate) fn points_of(position: &Position) -> [Option<Square>; 32] {
    let mut points = [None; 32];
    for (piece, square) in position.pieces_on_board() {
        let free = (0..32).find(|place| piece_at(*place) == piece && points[*place].is_none());
        points[free.expect("no side has more pieces than the game")] = Some(square);
    }
    points
}

/// The position of these pieces in which the piece on `first_point` moves; if none stands there, in
/// which `otherwise` moves.
pub(crate) fn start(
    pieces: Vec<(Piece, Square)>,
    first_point: Option<Square>,
    otherwise: Side,
) -> Result<Position, Impossible> {
    let mover = pieces.iter().find(|(_, square)| Some(*square) == first_point);
    let side = mover.map_or(otherwise, |(piece, _)| piece.side());
    Position::from_pieces(pieces, side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_of_the_start_find_their_points_again() {
        let points = points_of(&Position::start());
        assert!(points.iter().all(Option::is_some));
        let pieces = points.into_iter().enumerate().map(|(place, point)| (piece_at(place), point.unwrap()));
        assert_eq!(start(pieces.collect(), None, Side::Red), Ok(Position::start()));
    }
}
