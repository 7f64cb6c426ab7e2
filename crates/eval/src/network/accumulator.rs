//! Accumulators: the feature transformer's outputs along the line being searched.
//!
//! A move changes two or three pieces, so an accumulator is its parent's with two or three rows added or
//! subtracted. Updates are lazy: nothing is computed until a position is evaluated. When a move changes a side's
//! view, that side is refreshed from a Finny table: the last accumulator with the same view, which differs by fewer
//! pieces than the board holds.

use arrayvec::ArrayVec;
use chuhe_board::{Bitboard, Move, Piece, Position, Side, Undo};

use super::features::{self, View};
use super::{Network, Row};
use crate::Score;

/// The accumulators of every position of a line, the current one last.
///
/// Every move played or taken back must be reported. A null move changes nothing.
pub struct Accumulators {
    frames: Vec<Frame>,
    top: usize,
    finny: [[FinnyEntry; View::COUNT]; 2],
}

/// The accumulators of one position, as far as they were needed.
#[derive(Clone)]
struct Frame {
    accumulators: [Row; 2],
    ready: [bool; 2],
    views: [View; 2],
    /// The move from the frame before; `None` at the root.
    change: Option<Change>,
}

/// A move as a change of the board.
#[derive(Clone, Copy)]
struct Change {
    piece: Piece,
    mv: Move,
    captured: Option<Piece>,
}

/// Finny table entry: the last accumulator of a view, and where the pieces stood.
#[derive(Clone)]
struct FinnyEntry {
    accumulator: Row,
    pieces: [Bitboard; 14],
}

impl Accumulators {
    /// Starts a line at this position.
    pub fn new(network: &Network, position: &Position) -> Self {
        let empty = FinnyEntry { accumulator: network.input_bias.clone(), pieces: [Bitboard::EMPTY; 14] };
        let root = Frame::new(View::both(position), None);
        let finny = [0, 1].map(|_| std::array::from_fn(|_| empty.clone()));
        let mut line = Self { frames: vec![root], top: 0, finny };
        line.restart(network, position);
        line
    }

    /// Starts another line at this position; the Finny table stays. The root is refreshed even if it is never
    /// evaluated, so that every position after it has an ancestor to update from.
    pub fn restart(&mut self, network: &Network, position: &Position) {
        self.top = 0;
        self.frames[0].views = View::both(position);
        for side in Side::ALL {
            self.refresh(network, position, side.index());
        }
    }

    /// A move was played and led to this position.
    ///
    /// # Panics
    /// If it did not.
    #[inline]
    pub fn play(&mut self, position: &Position, undo: &Undo) {
        let (mv, captured) = (undo.mv(), undo.captured());
        let piece = position.piece_on(mv.to()).expect("the piece that moved stands at its goal");
        let views = match View::depends_on(piece, captured) {
            true => View::both(position),
            false => self.frames[self.top].views,
        };
        let change = Some(Change { piece, mv, captured });
        self.top += 1;
        match self.frames.get_mut(self.top) {
            Some(frame) => {
                frame.ready = [false; 2];
                frame.views = views;
                frame.change = change;
            }
            None => self.frames.push(Frame::new(views, change)),
        }
    }

    /// The last move was taken back.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn take_back(&mut self) {
        self.top = self.top.checked_sub(1).expect("only moves that were played are taken back");
    }

    /// Evaluates the position for the side to move. It must be the one that the moves led to.
    #[inline]
    pub fn evaluate(&mut self, network: &Network, position: &Position) -> Score {
        for side in Side::ALL {
            if !self.frames[self.top].ready[side.index()] {
                self.update(network, position, side);
            }
        }
        let mover = position.side_to_move();
        let accumulators = &self.frames[self.top].accumulators;
        network.output(
            &accumulators[mover.index()],
            &accumulators[(!mover).index()],
            features::output_bucket(position),
        )
    }

    fn update(&mut self, network: &Network, position: &Position, side: Side) {
        let index = side.index();
        let view = self.frames[self.top].views[index];
        let before = self.frames[..self.top].iter().rposition(|frame| frame.ready[index]);
        let usable = before.filter(|&before| {
            let line = &self.frames[before..self.top];
            line.iter().all(|frame| frame.views[index] == view)
        });
        match usable {
            Some(before) => {
                for place in before + 1..=self.top {
                    let (done, open) = self.frames.split_at_mut(place);
                    open[0].follow(&done[place - 1], network, index);
                }
            }
            None => self.refresh(network, position, index),
        }
    }

    /// Refreshes a side's accumulator from the Finny table.
    fn refresh(&mut self, network: &Network, position: &Position, index: usize) {
        let view = self.frames[self.top].views[index];
        let entry = &mut self.finny[index][view.index()];
        let (mut added, mut lifted) = (ArrayVec::<&Row, 32>::new(), ArrayVec::<&Row, 32>::new());
        for (piece, then) in Piece::ALL.into_iter().zip(&mut entry.pieces) {
            let now = position.pieces_of(piece.side(), piece.kind());
            added.extend((now - *then).into_iter().map(|at| &network.inputs[view.row(piece, at)]));
            lifted.extend((*then - now).into_iter().map(|at| &network.inputs[view.row(piece, at)]));
            *then = now;
        }
        let frame = &mut self.frames[self.top];
        (network.kernels.update)(&mut frame.accumulators[index], &entry.accumulator, &added, &lifted);
        entry.accumulator.clone_from(&frame.accumulators[index]);
        frame.ready[index] = true;
    }
}

impl Frame {
    fn new(views: [View; 2], change: Option<Change>) -> Self {
        Self { accumulators: [Row::ZERO; 2], ready: [false; 2], views, change }
    }

    /// Incremental update of a side's accumulator from the frame before.
    fn follow(&mut self, before: &Self, network: &Network, index: usize) {
        let Change { piece, mv, captured } = self.change.expect("only the root has no frame before it");
        let view = self.views[index];
        let row = |piece, at| &network.inputs[view.row(piece, at)];
        let (target, source) = (&mut self.accumulators[index], &before.accumulators[index]);
        let added = [row(piece, mv.to())];
        let left = row(piece, mv.from());
        match captured {
            Some(captured) => {
                (network.kernels.update)(target, source, &added, &[left, row(captured, mv.to())]);
            }
            None => (network.kernels.update)(target, source, &added, &[left]),
        }
        self.ready[index] = true;
    }
}
