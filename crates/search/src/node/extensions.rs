//! Searching deeper where the move is forced.

use chuhe_board::Move;
use chuhe_eval::Score;

use crate::node::{NodeKind, Scout};
use crate::report::Bound;
use crate::table::Known;
use crate::techniques::Technique;
use crate::worker::Worker;

/// What the test for a singular move found.
pub(crate) enum Singularity {
    /// Search the move this much deeper; negative: less deep.
    Extend(i32),
    /// Even without the move the node is above beta.
    Cut(Score),
}

impl Worker<'_> {
    /// Whether the table's move is the only good one: all others, searched half as deep, stay well
    /// below its score.
    pub(crate) fn singularity<N: NodeKind>(
        &mut self,
        mv: Move,
        known: Known,
        beta: Score,
        depth: i32,
        ply: u16,
        cut_node: bool,
    ) -> Singularity {
        let params = self.params();
        let table_score = known.score.from_node_to_root(ply);
        if depth < params.singular_depth
            || !self.uses(Technique::Singular)
            || known.depth < depth - 3
            || known.bound == Bound::Upper
            || table_score.is_decided()
        {
            return Singularity::Extend(0);
        }
        let target = table_score - params.singular_margin * depth;
        self.frame(ply).excluded = Some(mv);
        let score = self.node::<Scout>(target - 1, target, (depth - 1) / 2, ply, cut_node);
        self.frame(ply).excluded = None;
        if score < target {
            let twice = !N::PV && score < target - params.double_margin;
            Singularity::Extend(1 + i32::from(twice))
        } else if target >= beta {
            Singularity::Cut(target)
        } else if table_score >= beta {
            Singularity::Extend(-2)
        } else {
            Singularity::Extend(-i32::from(cut_node))
        }
    }
}
