//! Late move reductions: how much less deep a move is searched that probably does not matter.

use crate::params::Params;
use crate::techniques::Technique;
use crate::worker::Worker;

/// The base reduction by depth and number of the move, in 1024ths of a ply.
pub(crate) struct Reductions {
    table: Box<[[i32; 64]; 64]>,
}

/// What is known about a move and its node when it is reduced.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Circumstances {
    pub(crate) pv: bool,
    pub(crate) cut_node: bool,
    pub(crate) improving: bool,
    pub(crate) table_move_captures: bool,
    pub(crate) gives_check: bool,
    pub(crate) refutation: bool,
    /// History of the move; 0 for captures.
    pub(crate) worth: i32,
    /// How often siblings of the node below were cut.
    pub(crate) cuts: u32,
}

impl Reductions {
    pub(crate) fn new(params: &Params) -> Self {
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, cell) in row.iter_mut().enumerate().skip(1) {
                let growth = (depth as f64).ln() * (number as f64).ln() * f64::from(params.reduction_slope);
                *cell = params.reduction_base + growth as i32;
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
    pub(crate) fn plies(&self, depth: i32, number: usize, about: &Circumstances, params: &Params) -> i32 {
        let mut reduction = self.base(depth, number);
        let when = |condition: bool, amount: i32| if condition { amount } else { 0 };
        reduction += when(about.cut_node, params.reduction_cut);
        reduction += when(!about.improving, params.reduction_worsening);
        reduction += when(about.table_move_captures, params.reduction_capture);
        reduction += when(about.cuts > 3, params.reduction_cuts);
        reduction -= when(about.pv, params.reduction_pv);
        reduction -= when(about.gives_check, params.reduction_check);
        reduction -= when(about.refutation, params.reduction_refutation);
        reduction -= about.worth * 1024 / params.reduction_history;
        reduction / 1024
    }
}

impl Worker<'_> {
    /// Whether the move that led here was reduced much, and yet its side stands no worse by the evaluation: it
    /// may be better than its place among the moves said.
    #[inline]
    pub(crate) fn was_reduced_too_much(&self, ply: u16) -> bool {
        let [now, before] = [0, 1].map(|plies| self.frame_before(ply, plies));
        before.reduction >= self.params().hindsight_reduction
            && self.uses(Technique::Hindsight)
            && matches!((now.evaluation, before.evaluation), (Some(now), Some(before)) if now <= -before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_moves_and_deeper_nodes_are_reduced_more() {
        let params = Params::default();
        let reductions = Reductions::new(&params);
        assert!(reductions.base(10, 20) > reductions.base(10, 4));
        assert!(reductions.base(20, 10) > reductions.base(4, 10));
        let plain = Circumstances::default();
        let check = Circumstances { gives_check: true, ..plain };
        assert!(reductions.plies(12, 12, &check, &params) <= reductions.plies(12, 12, &plain, &params));
    }
}
