//! Late move reductions (LMR): moves late in the order are searched less deep, and again if they
//! surprise. With the hindsight extension, which takes part of a large reduction back one ply later.

use super::{Node, NodeKind};
use crate::params::Params;
use crate::techniques::Technique;
use crate::worker::Worker;

/// The base reduction by depth and move number, in 1024ths of a ply.
pub(crate) struct LmrTable {
    table: Box<[[i32; 64]; 64]>,
}

/// What the reduction of a move depends on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LmrFactors {
    /// The move's place in the order, from 1.
    pub(crate) number: usize,
    /// Whether the move may be reduced at all.
    pub(crate) reducible: bool,
    /// Whether the node is or once was on a principal variation.
    pub(crate) pv: bool,
    pub(crate) improving: bool,
    pub(crate) tt_move_captures: bool,
    pub(crate) gives_check: bool,
    /// A killer or the countermove.
    pub(crate) is_refutation: bool,
    /// The move's history score; 0 for captures.
    pub(crate) history: i32,
    /// How often siblings of the child node failed high.
    pub(crate) cutoffs: u32,
}

impl LmrTable {
    pub(crate) fn new(params: &Params) -> Self {
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, cell) in row.iter_mut().enumerate().skip(1) {
                let growth = (depth as f64).ln() * (number as f64).ln() * f64::from(params.lmr_slope);
                *cell = params.lmr_base + growth as i32;
            }
        }
        Self { table }
    }

    /// The base reduction, in 1024ths of a ply.
    #[inline]
    pub(crate) fn base(&self, depth: i32, number: usize) -> i32 {
        self.table[depth.clamp(0, 63) as usize][number.min(63)]
    }

    /// The reduction in plies.
    #[inline]
    pub(crate) fn plies(&self, node: &Node, factors: &LmrFactors, params: &Params) -> i32 {
        let mut reduction = self.base(node.depth, factors.number);
        let when = |condition: bool, amount: i32| if condition { amount } else { 0 };
        reduction += when(node.cut_node, params.lmr_cut_node);
        reduction += when(!factors.improving, params.lmr_worsening);
        reduction += when(factors.tt_move_captures, params.lmr_tt_capture);
        reduction += when(factors.cutoffs > params.lmr_cutoff_count as u32, params.lmr_cutoffs);
        reduction -= when(factors.pv, params.lmr_pv);
        reduction -= when(factors.gives_check, params.lmr_check);
        reduction -= when(factors.is_refutation, params.lmr_refutation);
        reduction -= factors.history * 1024 / params.lmr_history_divisor;
        reduction / 1024
    }
}

impl Worker<'_> {
    /// Whether a move of an inner node may be reduced: not the first, nor an early capture.
    #[inline]
    pub(crate) fn is_reducible<N: NodeKind>(&self, depth: i32, number: usize, is_capture: bool) -> bool {
        let params = self.params();
        depth >= params.lmr_depth
            && number > 1 + usize::from(N::PV)
            && !(is_capture && number < params.lmr_capture_number as usize)
            && self.uses(Technique::LateMoveReductions)
    }

    /// Hindsight extension: the move that led here was reduced a lot, and yet its side stands no worse by the
    /// evaluation. The root's own moves are left out.
    #[inline]
    pub(crate) fn hindsight_extension(&self, ply: u16) -> bool {
        let [now, before] = [0, 1].map(|plies| self.frame_before(ply, plies));
        before.reduction >= self.params().hindsight_reduction
            && ply > 1
            && self.uses(Technique::Hindsight)
            && matches!((now.evaluation, before.evaluation), (Some(now), Some(before)) if now <= -before)
    }
}

#[cfg(test)]
mod tests {
    use chuhe_eval::Score;

    use super::super::Window;
    use super::*;

    #[test]
    fn later_moves_and_deeper_nodes_are_reduced_more() {
        let params = Params::default();
        let table = LmrTable::new(&params);
        assert!(table.base(10, 20) > table.base(10, 4));
        assert!(table.base(20, 10) > table.base(4, 10));
        let node = Node { window: Window::above(Score::DRAW), depth: 12, ply: 3, cut_node: false };
        let plain = LmrFactors { number: 12, ..LmrFactors::default() };
        let check = LmrFactors { gives_check: true, ..plain };
        assert!(table.plies(&node, &check, &params) <= table.plies(&node, &plain, &params));
    }
}
