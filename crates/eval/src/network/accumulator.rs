//! The sums of the first layer along the line that is searched.
//!
//! A move changes two or three pieces, so the sums after it are those before it with two or three
//! rows added or taken off. Nothing is added until a position is evaluated: many never are. When a
//! move changes a side's view, that side's sums start from the last position seen
//! with the same view, which differs by fewer pieces than the board holds.

use arrayvec::ArrayVec;
use chuhe_board::{Bitboard, Move, Piece, Position, Side, Undo};

use super::features::{self, View};
use super::{Network, Row};
use crate::Score;

/// The sums for every position of a line, the current one last.
///
/// It must be told of every move and of every move taken back. Passing changes no sum.
pub struct Accumulators {
    frames: Vec<Frame>,
    top: usize,
    cache: [[Seen; View::COUNT]; 2],
}

/// The sums of one position, as far as they were needed.
#[derive(Clone)]
struct Frame {
    sums: [Row; 2],
    ready: [bool; 2],
    views: [View; 2],
    /// What led here from the frame before; nothing at the start.
    change: Option<Change>,
}

/// A move as a change of the board.
#[derive(Clone, Copy)]
struct Change {
    piece: Piece,
    mv: Move,
    captured: Option<Piece>,
}

/// The last sums that a view had, and where the pieces stood.
#[derive(Clone)]
struct Seen {
    sums: Row,
    pieces: [Bitboard; 14],
}

impl Accumulators {
    /// Starts a line at this position.
    pub fn new(network: &Network, position: &Position) -> Self {
        let seen = Seen { sums: network.input_bias.clone(), pieces: [Bitboard::EMPTY; 14] };
        let start =
            Frame { sums: [Row::ZERO; 2], ready: [false; 2], views: View::both(position), change: None };
        let cache = [0, 1].map(|_| std::array::from_fn(|_| seen.clone()));
        let mut sums = Self { frames: vec![start], top: 0, cache };
        sums.restart(network, position);
        sums
    }

    /// Starts another line, at this position; what views have seen stays. The sums are added up even if the
    /// position itself is never evaluated, so that every position after it has one to follow.
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
            None => self.frames.push(Frame { sums: [Row::ZERO; 2], ready: [false; 2], views, change }),
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

    /// The worth of the position to the side to move. It must be the one that the moves led to.
    #[inline]
    pub fn evaluate(&mut self, network: &Network, position: &Position) -> Score {
        for side in Side::ALL {
            if !self.frames[self.top].ready[side.index()] {
                self.bring_up_to_date(network, position, side);
            }
        }
        let mover = position.side_to_move();
        let sums = &self.frames[self.top].sums;
        network.output(&sums[mover.index()], &sums[(!mover).index()], features::stage(position))
    }

    fn bring_up_to_date(&mut self, network: &Network, position: &Position, side: Side) {
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

    /// Adds the sums up from the last position with the same view.
    fn refresh(&mut self, network: &Network, position: &Position, index: usize) {
        let view = self.frames[self.top].views[index];
        let seen = &mut self.cache[index][view.index()];
        let (mut added, mut lifted) = (ArrayVec::<&Row, 32>::new(), ArrayVec::<&Row, 32>::new());
        for (piece, then) in Piece::ALL.into_iter().zip(&mut seen.pieces) {
            let now = position.pieces_of(piece.side(), piece.kind());
            added.extend((now - *then).into_iter().map(|at| &network.inputs[view.row(piece, at)]));
            lifted.extend((*then - now).into_iter().map(|at| &network.inputs[view.row(piece, at)]));
            *then = now;
        }
        let frame = &mut self.frames[self.top];
        (network.kernels.update)(&mut frame.sums[index], &seen.sums, &added, &lifted);
        seen.sums.clone_from(&frame.sums[index]);
        frame.ready[index] = true;
    }
}

impl Frame {
    /// Takes over a side's sums from the frame before, with the change between them.
    fn follow(&mut self, before: &Self, network: &Network, index: usize) {
        let Change { piece, mv, captured } = self.change.expect("only the start has no frame before it");
        let view = self.views[index];
        let row = |piece, at| &network.inputs[view.row(piece, at)];
        let (target, source) = (&mut self.sums[index], &before.sums[index]);
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
