//! Start positions: as the points of 32 pieces in the fixed order of XQF and DhtmlXQ, as any pieces on points, or as
//! FEN; and what becomes of those that cannot be set up.

use chuhe_board::{Piece, PieceKind, Position, Side, Square};

use crate::failure::{Place, Problem, parse_fen};
use crate::record::GameBuilder;
use crate::words::shortened;

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

/// A start position that can be played from, and what was wrong with the one of the record.
pub(crate) struct Start {
    pub(crate) position: Position,
    problem: Option<Problem>,
    /// The placement of the record if `position` is not it.
    diagram: Option<String>,
}

impl From<Position> for Start {
    fn from(position: Position) -> Self {
        Self { position, problem: None, diagram: None }
    }
}

impl Start {
    /// The position of these pieces in which the piece on `first_point` moves; if none stands there, in which
    /// `otherwise` moves.
    ///
    /// Diagrams of books may have the waiting side in check; then the other side moves. A position that cannot be set
    /// up at all, such as the empty board of a page of text, becomes a comment on the normal start position.
    pub(crate) fn of_pieces(
        pieces: Vec<(Piece, Square)>,
        first_point: Option<Square>,
        otherwise: Side,
    ) -> Self {
        let mover = pieces.iter().find(|(_, square)| Some(*square) == first_point);
        let side = mover.map_or(otherwise, |(piece, _)| piece.side());
        let diagram = if pieces.is_empty() { String::new() } else { placement(&pieces) };
        match Position::from_pieces(pieces.clone(), side) {
            Ok(position) => position.into(),
            Err(problem) => {
                Self::repaired(Position::from_pieces(pieces, !side).ok(), problem.into(), diagram)
            }
        }
    }

    /// The position of a FEN; repaired as [`Self::of_pieces`] does.
    pub(crate) fn of_fen(text: &str) -> Self {
        match parse_fen(text) {
            Ok(position) => position.into(),
            Err(problem) => {
                let mut fields: Vec<&str> = text.split_whitespace().collect();
                let other = fields.get_mut(1).map(|side| *side = if *side == "b" { "w" } else { "b" });
                let flipped = other.and_then(|()| parse_fen(&fields.join(" ")).ok());
                Self::repaired(flipped, problem, text.to_owned())
            }
        }
    }

    /// A start that is in no form that is known.
    pub(crate) fn unreadable(text: &str) -> Self {
        Self::repaired(None, Problem::Unreadable(shortened(text)), text.to_owned())
    }

    fn repaired(flipped: Option<Position>, problem: Problem, diagram: String) -> Self {
        let diagram = flipped.is_none().then_some(diagram);
        Self { position: flipped.unwrap_or_else(Position::start), problem: Some(problem), diagram }
    }

    /// A game from here, number `number` of its file. Without the record's own position its moves are kept as text.
    pub(crate) fn builder(self, number: usize, place: Place) -> GameBuilder {
        let mut builder = GameBuilder::new(self.position).with_number(number);
        if let Some(problem) = self.problem {
            builder.add_fault(place, problem);
        }
        if let Some(diagram) = self.diagram {
            builder.add_comment(&diagram);
            builder.keep_as_text();
        }
        builder
    }
}

/// The pieces as the first field of a FEN; of two pieces on one point the last.
fn placement(pieces: &[(Piece, Square)]) -> String {
    let rank = |rank: u8| {
        let mut text = String::new();
        let mut empty = 0;
        for file in 0..9 {
            let square = Square::at(file, rank);
            match pieces.iter().rfind(|(_, at)| Some(*at) == square) {
                None => empty += 1,
                Some((piece, _)) => {
                    if empty > 0 {
                        text += &std::mem::take(&mut empty).to_string();
                    }
                    text.push(piece.letter());
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    };
    (0..10).rev().map(rank).collect::<Vec<String>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_of_the_start_find_their_points_again() {
        let points = points_of(&Position::start());
        assert!(points.iter().all(Option::is_some));
        let pieces = points.into_iter().enumerate().map(|(place, point)| (piece_at(place), point.unwrap()));
        let start = Start::of_pieces(pieces.collect(), None, Side::Red);
        assert!(start.problem.is_none());
        assert_eq!(start.position, Position::start());
    }

    #[test]
    fn a_diagram_with_the_waiting_side_in_check_gets_the_other_side_to_move() {
        let start = Start::of_fen("4k4/9/9/9/9/9/9/9/4R4/3K5 w");
        assert_eq!(start.position.side_to_move(), Side::Black);
        assert!(start.problem.is_some() && start.diagram.is_none());
    }

    #[test]
    fn what_cannot_be_set_up_becomes_text() {
        let general = (piece_at(4), Square::at(4, 0).unwrap());
        let start = Start::of_pieces(vec![general], None, Side::Red);
        let game = start.builder(3, Place::Byte(16)).finish();
        assert_eq!(game.comment(crate::record::NodeId::ROOT), "9/9/9/9/9/9/9/9/9/4K4");
        assert_eq!(game.faults()[0].to_string(), "game 3, byte 16: bad start position: Black has no general");
    }
}
