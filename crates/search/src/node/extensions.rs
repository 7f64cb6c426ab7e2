//! Singular extensions: the TT move is searched deeper if it is the only good one. Check extensions are a
//! line of the node itself.

use chuhe_board::Move;
use chuhe_eval::Score;

use super::{Node, NodeKind, Window};
use crate::report::Bound;
use crate::techniques::Technique;
use crate::transposition::TtEntry;
use crate::worker::Worker;

/// The outcome of the singularity test.
pub(crate) enum Singularity {
    /// Search the move this many plies deeper; negative: less deep.
    Extend(i32),
    /// Multi-cut: the node fails high even without the move.
    Cut(Score),
}

impl Worker<'_> {
    /// Singular extension: extends the TT move if all others, searched half as deep, stay well below its
    /// score. If they do not, the move is reduced (negative extension) or the node is cut (multi-cut).
    pub(crate) fn singular_extension<N: NodeKind>(
        &mut self,
        mv: Move,
        entry: TtEntry,
        node: &Node,
    ) -> Singularity {
        let params = self.params();
        let Node { window: Window { beta, .. }, depth, ply, cut_node } = *node;
        let tt_score = entry.score.from_node_to_root(ply);
        if depth < params.singular_depth
            || !self.uses(Technique::SingularExtensions)
            || entry.depth < depth - params.singular_tt_depth
            || entry.bound == Bound::Upper
            || tt_score.is_decided()
        {
            return Singularity::Extend(0);
        }
        let target = tt_score - params.singular_margin * depth;
        self.frame(ply).excluded = Some(mv);
        let window = Window::below(target);
        let score = self.search_node::<N::Scout>(Node { window, depth: (depth - 1) / 2, ply, cut_node });
        self.frame(ply).excluded = None;
        if score < target {
            let twice = !N::PV && score < target - params.double_extension_margin;
            Singularity::Extend(1 + i32::from(twice))
        } else if target >= beta {
            Singularity::Cut(target)
        } else if tt_score >= beta {
            Singularity::Extend(-params.singular_reduction)
        } else {
            Singularity::Extend(-i32::from(cut_node))
        }
    }
}
