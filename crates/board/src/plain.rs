//! The slow twin of the move generator, to check the fast one against.
//!
//! It walks from point to point as a person does with a finger on the board, tries every move and
//! looks whether the general could then be taken. It knows no sets and no tables and shares nothing
//! with [`Position`] but the names of points, pieces and moves, so a fault in one is no fault in the
//! other.

use crate::{Move, Piece, PieceKind, Position, Side, Square};

/// The four straight directions, as files to the right and ranks up.
const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
/// The four diagonal directions.
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The pieces on their points and the side to move, and nothing else.
///
/// ```
/// use chuhe_board::{Position, plain::PlainBoard};
///
/// let board = PlainBoard::from(&Position::start());
/// assert_eq!(board.moves().len(), 44);
/// assert_eq!(board.perft(2), 1920);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainBoard {
    points: [Option<Piece>; Square::COUNT],
    side_to_move: Side,
}

impl From<&Position> for PlainBoard {
    fn from(position: &Position) -> Self {
        let mut points = [None; Square::COUNT];
        for square in Square::all() {
            points[square.index()] = position.piece_on(square);
        }
        Self { points, side_to_move: position.side_to_move() }
    }
}

impl PlainBoard {
    /// The legal moves, in the order of the points they start from.
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = self.steps(self.side_to_move);
        moves.retain(|mv| self.after(*mv).checkers_of(self.side_to_move).is_empty());
        moves
    }

    /// Whether the move takes a piece.
    pub fn takes(&self, mv: Move) -> bool {
        self.on(mv.to()).is_some()
    }

    /// The points from which the general of the side to move could be taken if it stayed, the enemy
    /// general's included if they face each other.
    pub fn checkers(&self) -> Vec<Square> {
        self.checkers_of(self.side_to_move)
    }

    /// The number of lines of `depth` plies, every move listed and played.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.moves().len() as u64,
            _ => self.moves().into_iter().map(|mv| self.after(mv).perft(depth - 1)).sum(),
        }
    }

    /// The board after a move, whether it is legal or not.
    fn after(&self, mv: Move) -> Self {
        let mut board = self.clone();
        board.points[mv.to().index()] = board.points[mv.from().index()].take();
        board.side_to_move = !self.side_to_move;
        board
    }

    fn checkers_of(&self, side: Side) -> Vec<Square> {
        let general = Some(Piece::new(side, PieceKind::General));
        let takes_general = |mv: &Move| self.on(mv.to()) == general;
        self.steps(!side).into_iter().filter(takes_general).map(|mv| mv.from()).collect()
    }

    /// Every move of `side` that its pieces can make, its own general's safety left aside.
    fn steps(&self, side: Side) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in Square::all() {
            let Some(piece) = self.on(from).filter(|piece| piece.side() == side) else {
                continue;
            };
            let targets = self.reach(piece, from).into_iter();
            moves.extend(targets.filter(|to| !self.owns(side, *to)).map(|to| Move::new(from, to)));
        }
        moves
    }

    /// Where a piece can go; own pieces on the points are left to the caller.
    fn reach(&self, piece: Piece, from: Square) -> Vec<Square> {
        let side = piece.side();
        match piece.kind() {
            PieceKind::General => {
                let mut points = in_palace(side, single_steps(from, &STRAIGHT));
                points.extend(self.faced_general(side, from));
                points
            }
            PieceKind::Advisor => in_palace(side, single_steps(from, &DIAGONAL)),
            PieceKind::Elephant => self.elephant(side, from),
            PieceKind::Horse => self.horse(from),
            PieceKind::Chariot => self.lines(from, |screens, _| screens == 0),
            PieceKind::Cannon => {
                self.lines(from, |screens, taken| if taken { screens == 1 } else { screens == 0 })
            }
            PieceKind::Soldier => soldier(side, from),
        }
    }

    /// The enemy general, if nothing stands between it and the general on `from`.
    fn faced_general(&self, side: Side, from: Square) -> Option<Square> {
        let enemy = Some(Piece::new(!side, PieceKind::General));
        let mut here = from;
        while let Some(next) = here.offset(0, forward(side)) {
            if self.on(next).is_some() {
                return (self.on(next) == enemy).then_some(next);
            }
            here = next;
        }
        None
    }

    fn elephant(&self, side: Side, from: Square) -> Vec<Square> {
        let mut points = Vec::new();
        for (files, ranks) in DIAGONAL {
            let eye = from.offset(files, ranks);
            let to = from.offset(2 * files, 2 * ranks);
            if let (Some(eye), Some(to)) = (eye, to)
                && self.on(eye).is_none()
                && !has_crossed(side, to)
            {
                points.push(to);
            }
        }
        points
    }

    /// One step straight, if that point is free, then one diagonal step further out.
    fn horse(&self, from: Square) -> Vec<Square> {
        let mut points = Vec::new();
        for (files, ranks) in STRAIGHT {
            let Some(leg) = from.offset(files, ranks) else {
                continue;
            };
            if self.on(leg).is_none() {
                let outward = if files == 0 { [(-1, ranks), (1, ranks)] } else { [(files, -1), (files, 1)] };
                points.extend(single_steps(leg, &outward));
            }
        }
        points
    }

    /// The points along the four lines that `wanted` picks by the number of pieces before them and
    /// by whether they are taken.
    fn lines(&self, from: Square, wanted: impl Fn(u32, bool) -> bool) -> Vec<Square> {
        let mut points = Vec::new();
        for (files, ranks) in STRAIGHT {
            let mut screens = 0;
            let mut here = from;
            while let Some(next) = here.offset(files, ranks) {
                let taken = self.on(next).is_some();
                if wanted(screens, taken) {
                    points.push(next);
                }
                screens += u32::from(taken);
                here = next;
            }
        }
        points
    }

    fn on(&self, square: Square) -> Option<Piece> {
        self.points[square.index()]
    }

    fn owns(&self, side: Side, square: Square) -> bool {
        self.on(square).is_some_and(|piece| piece.side() == side)
    }
}

fn soldier(side: Side, from: Square) -> Vec<Square> {
    let ahead = (0, forward(side));
    if has_crossed(side, from) {
        single_steps(from, &[ahead, (-1, 0), (1, 0)])
    } else {
        single_steps(from, &[ahead])
    }
}

fn single_steps(from: Square, directions: &[(i8, i8)]) -> Vec<Square> {
    directions.iter().filter_map(|(files, ranks)| from.offset(*files, *ranks)).collect()
}

/// The direction `side`'s soldiers march in.
fn forward(side: Side) -> i8 {
    match side {
        Side::Red => 1,
        Side::Black => -1,
    }
}

/// Whether a piece of `side` on this point stands on the enemy's bank.
fn has_crossed(side: Side, square: Square) -> bool {
    match side {
        Side::Red => square.rank() >= 5,
        Side::Black => square.rank() <= 4,
    }
}

fn in_palace(side: Side, mut points: Vec<Square>) -> Vec<Square> {
    let ranks = match side {
        Side::Red => 0..=2,
        Side::Black => 7..=9,
    };
    points.retain(|square| (3..=5).contains(&square.file()) && ranks.contains(&square.rank()));
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves_from(fen: &str, from: &str) -> String {
        let board = PlainBoard::from(&fen.parse::<Position>().unwrap());
        let mut moves: Vec<String> = board.moves().iter().map(ToString::to_string).collect();
        moves.retain(|mv| mv.starts_with(from));
        moves.sort();
        moves.join(" ")
    }

    #[test]
    fn a_horse_is_hobbled_beside_itself_and_may_not_bare_the_general() {
        let hobbled = "3k5/9/9/9/9/4p4/4N4/9/9/4K4 w";
        assert_eq!(moves_from(hobbled, "e3"), "e3c2 e3c4 e3d1 e3f1 e3g2 e3g4");
        let pinned = "4k4/9/9/9/9/9/4N4/9/9/4K4 w";
        assert_eq!(moves_from(pinned, "e3"), "");
    }

    #[test]
    fn a_cannon_slides_to_free_points_and_jumps_to_take() {
        let fen = "3k5/9/9/9/p1C1P1r1p/9/9/9/9/4K4 w";
        assert_eq!(moves_from(fen, "c5"), "c5b5 c5c0 c5c1 c5c2 c5c3 c5c4 c5c6 c5c7 c5c8 c5c9 c5d5 c5g5");
    }

    #[test]
    fn generals_check_each_other_along_a_free_file() {
        let fen = "4k4/9/9/9/9/9/9/9/9/3K5 w";
        assert_eq!(moves_from(fen, "d0"), "d0d1");
    }

    #[test]
    fn counts_agree_with_published_ones() {
        let start = PlainBoard::from(&Position::start());
        assert_eq!(start.perft(3), 79_666);
    }
}
