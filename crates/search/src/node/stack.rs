//! What the search remembers about each ply of the line it is on.

use arrayvec::ArrayVec;
use chuhe_board::Move;
use chuhe_eval::Score;

use crate::history::Step;

/// The deepest line that is searched.
pub(crate) const MAX_PLY: u16 = 200;

/// The line of moves found best below a node.
pub(crate) type Variation = ArrayVec<Move, { MAX_PLY as usize + 1 }>;

/// One ply of the line.
#[derive(Clone, Default)]
pub(crate) struct Frame {
    /// The step that was made from here.
    pub(crate) step: Step,
    /// Whether the side to move is in check; set by the ply before.
    pub(crate) in_check: bool,
    /// The corrected evaluation; `None` in check.
    pub(crate) evaluation: Option<Score>,
    /// The move left out while the others are tested against it.
    pub(crate) excluded: Option<Move>,
    pub(crate) killers: [Option<Move>; 2],
    /// How often the children of this ply's node were cut.
    pub(crate) cuts: u32,
    /// By how many plies the move that is searched from here was reduced.
    pub(crate) reduction: i32,
    pub(crate) variation: Variation,
}

impl Frame {
    /// Makes the frame as good as new.
    pub(crate) fn clear(&mut self) {
        let Self { step, in_check, evaluation, excluded, killers, cuts, reduction, variation } = self;
        *step = Step::PASS;
        *in_check = false;
        *evaluation = None;
        *excluded = None;
        *killers = [None; 2];
        *cuts = 0;
        *reduction = 0;
        variation.clear();
    }
}
