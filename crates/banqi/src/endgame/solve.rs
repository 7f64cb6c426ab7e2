//! One table, solved backwards from captures and ends.

use arrayvec::ArrayVec;

use crate::endgame::shape::{Arrangement, Shape};
use crate::endgame::{Endgames, MOST, Statistics, Worth};
use crate::piece::{Kind, Piece, Side};
use crate::square::{Square, SquareSet, jumps};

/// A byte of a table: 0 a draw, 1 to 127 a win in that many plies, 128 + n a loss in n.
type Code = u8;
const DRAW: Code = 0;
const LOSS: Code = 128;

/// One shape's positions. The first piece is mirrored into the quarter a–d, 1–2 of the board.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) shape: Shape,
    /// A set of pieces with this shape.
    pub(super) sample: Arrangement,
    pub(super) longest: u8,
    /// First side to move, then the second; the later pieces' squares are the higher digits.
    pub(super) codes: Vec<Code>,
}

impl Table {
    /// The bytes of a table by its pieces: two sides, eight squares, then 32 each.
    pub(super) fn size(pieces: usize) -> usize {
        16 << (5 * (pieces - 1))
    }

    #[inline]
    pub(super) fn worth(&self, first_moves: bool, squares: &[Square]) -> Worth {
        decoded(self.codes[packed_index(first_moves, squares)])
    }

    pub(super) fn pieces(&self) -> usize {
        (self.shape.first + self.shape.second).into()
    }

    pub(super) fn statistics(&self) -> Statistics {
        let mut counts = [[0; 3]; 2];
        for index in 0..full_size(self.pieces()) {
            let Some((first_moves, squares)) = place(index, self.pieces()) else { continue };
            let column = match self.worth(first_moves, &squares) {
                Worth::Win(_) => 0,
                Worth::Draw => 1,
                Worth::Loss(_) => 2,
            };
            counts[usize::from(!first_moves)][column] += 1;
        }
        let example = self.sample.order.iter().map(|piece| {
            let side = if piece.side() == self.sample.first { Side::Red } else { Side::Black };
            Piece::new(side, piece.kind()).letter()
        });
        Statistics { example: example.collect(), counts, longest: self.longest }
    }
}

fn decoded(code: Code) -> Worth {
    match code {
        DRAW => Worth::Draw,
        1..LOSS => Worth::Win(code),
        _ => Worth::Loss(code - LOSS),
    }
}

/// Mirrors the board so that the first piece is in its quarter, and counts.
#[inline]
fn packed_index(first_moves: bool, squares: &[Square]) -> usize {
    let first = squares[0].index();
    let mirror = if first & 4 != 0 { 7 } else { 0 } | if first & 16 != 0 { 24 } else { 0 };
    let first = first ^ mirror;
    let mut index = usize::from(!first_moves);
    for square in squares[1..].iter().rev() {
        index = index << 5 | (square.index() ^ mirror);
    }
    index << 3 | (first & 3) | (first >> 3 & 1) << 2
}

/// Both sides to move, 32 squares for each piece.
pub(super) fn full_size(pieces: usize) -> usize {
    2 << (5 * pieces)
}

fn full_index(first_moves: bool, squares: &[Square]) -> usize {
    squares.iter().rev().fold(usize::from(!first_moves), |index, square| index << 5 | square.index())
}

/// The position of an index, if no two pieces share a square.
pub(super) fn place(index: usize, pieces: usize) -> Option<(bool, ArrayVec<Square, MOST>)> {
    let mut occupied = SquareSet::EMPTY;
    let mut squares = ArrayVec::new();
    for piece in 0..pieces {
        let square = Square::from_index(index >> (5 * piece) & 31);
        if occupied.has(square) {
            return None;
        }
        occupied.insert(square);
        squares.push(square);
    }
    Some((index >> (5 * pieces) == 0, squares))
}

/// The table without one piece, and how to ask it.
struct Smaller<'a> {
    table: &'a Table,
    /// Which of the old pieces stand where in the new order.
    order: ArrayVec<usize, MOST>,
    /// Whether the old first side is the new first side.
    same_first: bool,
}

struct Solver<'a> {
    endgames: &'a Endgames,
    sample: &'a Arrangement,
    first: usize,
    pieces: usize,
    /// By the piece that was taken; none if it was its side's last.
    smaller: ArrayVec<Option<Smaller<'a>>, MOST>,
    codes: Vec<Code>,
    /// Quiet moves not yet known to lose; `NEVER` if a capture saves the draw.
    open: Vec<u8>,
}

const NEVER: u8 = u8::MAX;

pub(super) fn solve(endgames: &Endgames, shape: Shape, sample: &Arrangement) -> Table {
    let pieces = (shape.first + shape.second).into();
    let smaller = (0..pieces).map(|taken| smaller(endgames, sample, shape.first.into(), taken)).collect();
    let mut solver = Solver {
        endgames,
        sample,
        first: shape.first.into(),
        pieces,
        smaller,
        codes: vec![DRAW; full_size(pieces)],
        open: vec![NEVER; full_size(pieces)],
    };
    let longest = solver.run();
    let mut codes = vec![DRAW; Table::size(pieces)];
    for index in 0..full_size(pieces) {
        if let Some((first_moves, squares)) = place(index, pieces) {
            codes[packed_index(first_moves, &squares)] = solver.codes[index];
        }
    }
    Table { shape, sample: sample.clone(), longest, codes }
}

fn smaller<'a>(
    endgames: &'a Endgames,
    sample: &Arrangement,
    first: usize,
    taken: usize,
) -> Option<Smaller<'a>> {
    let is_last = if taken < first { first == 1 } else { sample.order.len() - first == 1 };
    if is_last {
        return None;
    }
    let rest: Vec<usize> = (0..sample.order.len()).filter(|&place| place != taken).collect();
    let kinds = |side: Side| -> Vec<Kind> {
        let of_side = rest.iter().map(|&place| sample.order[place]).filter(|piece| piece.side() == side);
        of_side.map(Piece::kind).collect()
    };
    let arrangement = Arrangement::new(&endgames.captures, &kinds(Side::Red), &kinds(Side::Black));
    let table = &endgames.tables[endgames.by_shape[&arrangement.shape]];
    let mut free = rest;
    let order = arrangement.order.iter().map(|piece| {
        let found = free.iter().position(|&place| sample.order[place] == *piece);
        free.remove(found.expect("the same pieces in another order"))
    });
    Some(Smaller { table, order: order.collect(), same_first: arrangement.first == sample.first })
}

impl Solver<'_> {
    /// Layer by layer: what is won or lost in `plies` plies decides what is lost or won in one more.
    fn run(&mut self) -> u8 {
        let mut layers: Vec<Vec<u32>> = vec![Vec::new(); 129];
        for index in 0..self.codes.len() {
            if let Some(plies) = self.start(index) {
                layers[plies].push(index as u32);
            }
        }
        let most = usize::from(self.endgames.rules.quiet_limit.min(120));
        let mut longest = 0;
        for plies in 0..=most {
            let layer = std::mem::take(&mut layers[plies]);
            if !layer.is_empty() {
                longest = plies as u8;
            }
            for index in layer {
                self.spread(index as usize, plies, most, &mut layers[plies + 1]);
            }
        }
        longest
    }

    /// Decides an entry by its captures and terminal positions; returns the plies if that suffices.
    fn start(&mut self, index: usize) -> Option<usize> {
        let (first_moves, squares) = place(index, self.pieces)?;
        let occupied: SquareSet = squares.iter().copied().collect();
        let mut quiet = 0;
        let (mut saves, mut losing) = (false, false);
        for mover in self.movers(first_moves) {
            quiet += (squares[mover].neighbours() - occupied).len() as u8;
            for victim in self.movers(!first_moves) {
                if !self.can_take(mover, victim, &squares, occupied) {
                    continue;
                }
                match self.after_capture(mover, victim, first_moves, &squares) {
                    // Taking the last piece is a loss in no plies for its owner.
                    Worth::Loss(_) => {
                        self.codes[index] = 1;
                        return Some(1);
                    }
                    Worth::Draw => saves = true,
                    Worth::Win(_) => losing = true,
                }
            }
        }
        self.open[index] = if saves { NEVER } else { quiet };
        if quiet > 0 || saves {
            return None;
        }
        let plies = usize::from(losing);
        self.codes[index] = LOSS + plies as u8;
        Some(plies)
    }

    fn movers(&self, first_moves: bool) -> std::ops::Range<usize> {
        if first_moves { 0..self.first } else { self.first..self.pieces }
    }

    fn can_take(&self, mover: usize, victim: usize, squares: &[Square], occupied: SquareSet) -> bool {
        let (hunter, prey) = (self.sample.order[mover], self.sample.order[victim]);
        let captures = &self.endgames.captures;
        if squares[mover].neighbours().has(squares[victim]) {
            return captures.by_step(hunter, prey);
        }
        captures.by_jump(hunter) && jumps(squares[mover], occupied).has(squares[victim])
    }

    fn after_capture(&self, mover: usize, victim: usize, first_moved: bool, squares: &[Square]) -> Worth {
        let Some(smaller) = &self.smaller[victim] else { return Worth::Loss(0) };
        let at = |&piece: &usize| if piece == mover { squares[victim] } else { squares[piece] };
        let after: ArrayVec<Square, MOST> = smaller.order.iter().map(at).collect();
        // The other side moves now.
        smaller.table.worth(first_moved != smaller.same_first, &after)
    }

    /// Tells the positions one quiet move before this one.
    fn spread(&mut self, index: usize, plies: usize, most: usize, next: &mut Vec<u32>) {
        let (first_moves, mut squares) = place(index, self.pieces).expect("only positions are decided");
        let is_loss = self.codes[index] >= LOSS;
        let occupied: SquareSet = squares.iter().copied().collect();
        for mover in self.movers(!first_moves) {
            let here = squares[mover];
            for before in here.neighbours() - occupied {
                squares[mover] = before;
                let earlier = full_index(!first_moves, &squares);
                if self.codes[earlier] == DRAW && self.decides(earlier, is_loss, plies, most) {
                    next.push(earlier as u32);
                }
            }
            squares[mover] = here;
        }
    }

    /// A move to a lost position wins; when the last move leads to a won one, all is lost.
    fn decides(&mut self, earlier: usize, is_loss: bool, plies: usize, most: usize) -> bool {
        if plies + 1 > most {
            return false;
        }
        if is_loss {
            self.codes[earlier] = plies as u8 + 1;
            return true;
        }
        if self.open[earlier] == NEVER {
            return false;
        }
        self.open[earlier] -= 1;
        if self.open[earlier] == 0 {
            self.codes[earlier] = LOSS + plies as u8 + 1;
        }
        self.open[earlier] == 0
    }
}
