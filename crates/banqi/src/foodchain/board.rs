//! The board (Hsieh 2010, chapter 2): board-to-piece and piece-to-board maps, piece lists, move and order tables.

use crate::moves::Move;
use crate::piece::{Counts, Kind, Piece, Side};
use crate::position::{Cell, Position};
use crate::random::Random;
use crate::rules::Captures;
use crate::square::{Square, SquareSet, jumps};

/// Piece numbers as in table 2-1: 0 face down, 1–16 Red from soldiers to general, 17–32 Black, 33 empty.
pub(super) type Number = u8;
const DOWN: Number = 0;
const EMPTY: Number = 33;

/// What a piece may do on another's square: `OrderTab` (Hsieh 2010).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    No,
    Step,
    Take,
}

#[derive(Clone)]
pub(super) struct FoodChainBoard {
    board: [Number; 32],
    /// Where each number stands.
    position: [u8; 34],
    /// Each side's shown pieces, tightly packed, and how many there are.
    current: [[Number; 16]; 2],
    current_num: [usize; 2],
    /// Where each number stands in `current`.
    current_index: [usize; 34],
    order: [[Order; 34]; 34],
    jumps: bool,
    occupied: SquareSet,
    side: Side,
    key: u32,
    pub(super) pool: Counts,
    pub(super) down: SquareSet,
}

/// Enough to take a move back.
pub(super) struct Undo {
    mv: Move,
    pub(super) taken: Number,
    key: u32,
}

impl FoodChainBoard {
    pub(super) fn new(position: &Position, captures: &Captures) -> Self {
        let mut board = Self {
            board: [EMPTY; 32],
            position: [EMPTY; 34],
            current: [[0; 16]; 2],
            current_num: [0; 2],
            current_index: [0; 34],
            order: order_table(captures),
            jumps: captures.by_jump(Piece::new(Side::Red, Kind::Cannon)),
            occupied: position.occupied(),
            side: position.mover(),
            key: 0,
            pool: *position.pool(),
            down: position.face_down(),
        };
        for square in Square::all() {
            match position.cell(square) {
                Cell::Empty => {}
                Cell::FaceDown => board.board[square.index()] = DOWN,
                Cell::Shown(piece) => board.show(piece, square),
            }
        }
        board
    }

    /// Puts a piece on the board under the first free number of its kind.
    pub(super) fn show(&mut self, piece: Piece, square: Square) {
        let number = numbers(piece)
            .find(|&number| self.position[number as usize] == EMPTY)
            .expect("a possible position has a number for each piece");
        let side = piece.side().index();
        self.board[square.index()] = number;
        self.position[number as usize] = square.index() as u8;
        self.current_index[number as usize] = self.current_num[side];
        self.current[side][self.current_num[side]] = number;
        self.current_num[side] += 1;
        self.key ^= zobrist(number, square);
    }

    /// Turns over a piece and gives the turn to the other side.
    pub(super) fn flip(&mut self, square: Square, piece: Piece) {
        self.down.remove(square);
        self.pool[piece.index()] -= 1;
        self.show(piece, square);
        self.pass();
    }

    pub(super) fn side(&self) -> Side {
        self.side
    }

    pub(super) fn key(&self) -> u32 {
        self.key
    }

    pub(super) fn pass(&mut self) {
        self.side = self.side.opponent();
        self.key ^= PLAYER;
    }

    /// A side's shown pieces with their squares.
    pub(super) fn pieces(&self, side: Side) -> impl Iterator<Item = (Number, Square)> {
        let list = &self.current[side.index()][..self.current_num[side.index()]];
        list.iter().map(|&number| (number, Square::from_index(self.position[number as usize].into())))
    }

    /// Whether one may take the other, by step or jump.
    pub(super) fn takes(&self, hunter: Number, victim: Number) -> bool {
        let jumps = self.jumps && piece_of(hunter).kind() == Kind::Cannon;
        jumps || self.order[hunter as usize][victim as usize] == Order::Take
    }

    /// The moves of the shown pieces, captures first (section 2.3).
    pub(super) fn moves(&self) -> Vec<Move> {
        let mut captures = Vec::with_capacity(32);
        let mut steps = Vec::with_capacity(32);
        for (number, from) in self.pieces(self.side) {
            for to in from.neighbours() {
                match self.order[number as usize][self.board[to.index()] as usize] {
                    Order::No => {}
                    Order::Step => steps.push(Move::new(from, to)),
                    Order::Take => captures.push(Move::new(from, to)),
                }
            }
            if self.jumps && piece_of(number).kind() == Kind::Cannon {
                for to in jumps(from, self.occupied) {
                    let target = self.board[to.index()];
                    if target != DOWN && piece_of(target).side() != self.side {
                        captures.push(Move::new(from, to));
                    }
                }
            }
        }
        captures.append(&mut steps);
        captures
    }

    pub(super) fn play(&mut self, mv: Move) -> Undo {
        let (from, to) = (mv.from(), mv.to());
        let undo = Undo { mv, taken: self.board[to.index()], key: self.key };
        let number = self.board[from.index()];
        if undo.taken != EMPTY {
            // The last of the list takes the place of the taken piece.
            let side = self.side.opponent().index();
            self.current_num[side] -= 1;
            let last = self.current[side][self.current_num[side]];
            let place = self.current_index[undo.taken as usize];
            self.current[side][place] = last;
            self.current_index[last as usize] = place;
            self.position[undo.taken as usize] = EMPTY;
            self.key ^= zobrist(undo.taken, to);
        }
        self.board[from.index()] = EMPTY;
        self.board[to.index()] = number;
        self.position[number as usize] = to.index() as u8;
        self.occupied.remove(from);
        self.occupied.insert(to);
        self.key ^= zobrist(number, from) ^ zobrist(number, to);
        self.pass();
        undo
    }

    pub(super) fn take_back(&mut self, undo: &Undo) {
        let (from, to) = (undo.mv.from(), undo.mv.to());
        let number = self.board[to.index()];
        self.side = self.side.opponent();
        self.board[from.index()] = number;
        self.board[to.index()] = undo.taken;
        self.position[number as usize] = from.index() as u8;
        self.occupied.insert(from);
        if undo.taken == EMPTY {
            self.occupied.remove(to);
        } else {
            let side = self.side.opponent().index();
            let place = self.current_index[undo.taken as usize];
            let last = self.current[side][place];
            // The piece that filled the gap goes back to the end, where it still stands in the list.
            if place != self.current_num[side] {
                self.current_index[last as usize] = self.current_num[side];
                self.current[side][self.current_num[side]] = last;
            }
            self.current[side][place] = undo.taken;
            self.current_num[side] += 1;
            self.position[undo.taken as usize] = to.index() as u8;
        }
        self.key = undo.key;
    }
}

impl Undo {
    /// The piece that was taken.
    pub(super) fn captured(&self) -> Option<Piece> {
        (self.taken != EMPTY).then(|| piece_of(self.taken))
    }
}

/// The numbers of a piece: soldiers first, the general last.
fn numbers(piece: Piece) -> impl Iterator<Item = Number> {
    const FIRST: [Number; 7] = [16, 14, 12, 10, 8, 6, 1];
    let first = FIRST[piece.kind().index()] + 16 * piece.side().index() as Number;
    first..first + piece.kind().count()
}

pub(super) fn piece_of(number: Number) -> Piece {
    use Kind::{Advisor, Cannon, Chariot, Elephant, General, Horse, Soldier};
    const KINDS: [Kind; 16] = [
        Soldier, Soldier, Soldier, Soldier, Soldier, Cannon, Cannon, Horse, Horse, Chariot, Chariot,
        Elephant, Elephant, Advisor, Advisor, General,
    ];
    let side = if number <= 16 { Side::Red } else { Side::Black };
    Piece::new(side, KINDS[(number as usize - 1) % 16])
}

fn order_table(captures: &Captures) -> [[Order; 34]; 34] {
    let mut table = [[Order::No; 34]; 34];
    for hunter in 1..=32 {
        table[hunter as usize][EMPTY as usize] = Order::Step;
        for victim in 1..=32 {
            if captures.by_step(piece_of(hunter), piece_of(victim)) {
                table[hunter as usize][victim as usize] = Order::Take;
            }
        }
    }
    table
}

/// 32-bit keys (Hsieh 2010).
static ZOBRIST: [[u32; 32]; 34] = {
    let mut random = Random::new(2010);
    let mut table = [[0; 32]; 34];
    let mut number = 0;
    while number < 34 {
        let mut square = 0;
        while square < 32 {
            table[number][square] = random.next() as u32;
            square += 1;
        }
        number += 1;
    }
    table
};
const PLAYER: u32 = 0x9E37_79B9;

fn zobrist(number: Number, square: Square) -> u32 {
    ZOBRIST[number as usize][square.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    /// Figures 2-3 and 2-4: red horse e2 and elephant e3, black horse f3 and advisor e4.
    const FIGURE: &str = "????????/????N???/???1Mn??/????g??? r K1G2M1R2N1C2P5k1g1m2r2n1c2p4 0";

    fn figure() -> FoodChainBoard {
        FoodChainBoard::new(&FIGURE.parse().unwrap(), &Captures::from(&Rules::FOODCHAIN))
    }

    #[test]
    fn the_elephant_of_figure_2_6_has_a_step_and_a_capture_and_the_horse_nothing() {
        let text: Vec<String> = figure()
            .moves()
            .iter()
            .map(|&mv| crate::text::move_text(mv, crate::square::SquareStyle::Wide))
            .collect();
        assert_eq!(text, ["e3-f3", "e3-d3"]);
    }

    #[test]
    fn a_capture_taken_back_restores_every_map() {
        let mut board = figure();
        let before = board.clone();
        for mv in board.moves() {
            let undo = board.play(mv);
            for reply in board.moves() {
                let inner = board.play(reply);
                board.take_back(&inner);
            }
            board.take_back(&undo);
            assert_eq!(board.board, before.board);
            assert_eq!(board.position, before.position);
            assert_eq!(board.current_num, before.current_num);
            for side in 0..2 {
                let count = board.current_num[side];
                assert_eq!(board.current[side][..count], before.current[side][..count]);
            }
            assert_eq!((board.key, board.occupied), (before.key, before.occupied));
        }
    }
}
