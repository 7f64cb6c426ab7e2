//! The search stack: one frame for each ply of the line that is searched.

use arrayvec::ArrayVec;
use chuhe_board::Move;
use chuhe_eval::Score;

use crate::ordering::PieceTo;

/// The deepest ply that is searched.
pub(crate) const MAX_PLY: u16 = 200;

/// The principal variation below a node.
pub(crate) type Variation = ArrayVec<Move, { MAX_PLY as usize + 1 }>;

/// One ply of the line.
#[derive(Clone, Default)]
pub(crate) struct Frame {
    /// The move that is searched from here, as piece and target.
    pub(crate) piece_to: PieceTo,
    /// Whether the side to move is in check; set by the ply before.
    pub(crate) in_check: bool,
    /// The corrected static evaluation; `None` in check.
    pub(crate) evaluation: Option<Score>,
    /// The move left out by the singularity test.
    pub(crate) excluded: Option<Move>,
    pub(crate) killers: [Option<Move>; 2],
    /// How often nodes at this ply failed high since their parent was entered.
    pub(crate) cutoffs: u32,
    /// The late move reduction of the move that is searched from here, in plies.
    pub(crate) reduction: i32,
    /// The move that refuted the last sibling at this ply; studies only.
    pub(crate) refutation: Option<Move>,
    pub(crate) variation: Variation,
}

impl Frame {
    /// Resets the frame without touching the unused part of its variation.
    pub(crate) fn clear(&mut self) {
        let Self {
            piece_to,
            in_check,
            evaluation,
            excluded,
            killers,
            cutoffs,
            reduction,
            refutation,
            variation,
        } = self;
        *piece_to = PieceTo::NONE;
        *in_check = false;
        *evaluation = None;
        *excluded = None;
        *killers = [None; 2];
        *cutoffs = 0;
        *reduction = 0;
        *refutation = None;
        variation.clear();
    }
}
