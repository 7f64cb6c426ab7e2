//! The rules once more, slow and plain: nothing is shared with the fast way but the types. Tests play
//! random games on both.

use crate::piece::{Kind, Piece, Side};
use crate::position::{Cell, Position};
use crate::square::Square;

/// A board as a grid of cells, row by row.
pub struct PlainBoard {
    grid: [[Cell; 8]; 4],
    side: Option<Side>,
}

impl From<&Position> for PlainBoard {
    fn from(position: &Position) -> Self {
        let mut grid = [[Cell::Empty; 8]; 4];
        for square in Square::all() {
            grid[square.row() as usize][square.column() as usize] = position.cell(square);
        }
        Self { grid, side: position.side_to_move() }
    }
}

impl PlainBoard {
    /// All legal moves under the Taiwanese rules as pairs of (column, row); a flip has equal ends.
    pub fn moves(&self) -> Vec<((u8, u8), (u8, u8))> {
        let places = || (0..4u8).flat_map(|row| (0..8u8).map(move |column| (column, row)));
        let mut list = Vec::new();
        for from in places() {
            for to in places() {
                if self.is_legal(from, to) {
                    list.push((from, to));
                }
            }
        }
        list
    }

    fn cell(&self, (column, row): (u8, u8)) -> Cell {
        self.grid[row as usize][column as usize]
    }

    fn is_legal(&self, from: (u8, u8), to: (u8, u8)) -> bool {
        if from == to {
            return self.cell(from) == Cell::FaceDown;
        }
        let Cell::Shown(mover) = self.cell(from) else { return false };
        if self.side != Some(mover.side()) {
            return false;
        }
        let steps = from.0.abs_diff(to.0) + from.1.abs_diff(to.1);
        match self.cell(to) {
            Cell::Empty => steps == 1,
            Cell::FaceDown => false,
            Cell::Shown(victim) if victim.side() == mover.side() => false,
            Cell::Shown(_) if mover.kind() == Kind::Cannon => self.pieces_between(from, to) == Some(1),
            Cell::Shown(victim) => steps == 1 && outranks(mover, victim),
        }
    }

    /// How many pieces lie between two places of a line.
    fn pieces_between(&self, from: (u8, u8), to: (u8, u8)) -> Option<usize> {
        let between = |a: u8, b: u8| (a.min(b) + 1)..a.max(b);
        let is_piece = |place| self.cell(place) != Cell::Empty;
        if from.1 == to.1 {
            Some(between(from.0, to.0).filter(|&column| is_piece((column, from.1))).count())
        } else if from.0 == to.0 {
            Some(between(from.1, to.1).filter(|&row| is_piece((from.0, row))).count())
        } else {
            None
        }
    }
}

/// Seed 001's list of who takes whom, word for word, for all but cannons.
fn outranks(mover: Piece, victim: Piece) -> bool {
    use Kind::{Advisor, Cannon, Chariot, Elephant, General, Horse, Soldier};
    let prey: &[Kind] = match mover.kind() {
        General => &[General, Advisor, Elephant, Chariot, Horse, Cannon],
        Advisor => &[Advisor, Elephant, Chariot, Horse, Cannon, Soldier],
        Elephant => &[Elephant, Chariot, Horse, Cannon, Soldier],
        Chariot => &[Chariot, Horse, Cannon, Soldier],
        Horse => &[Horse, Cannon, Soldier],
        Cannon => &[],
        Soldier => &[General, Soldier],
    };
    prey.contains(&victim.kind())
}
