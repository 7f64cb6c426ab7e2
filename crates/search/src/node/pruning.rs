//! Forward pruning: razoring, reverse futility, null move pruning, ProbCut for whole nodes; late move,
//! futility, history and SEE pruning for single moves. None applies to a node in check.

use chuhe_board::{Legality, Move, PieceKind};
use chuhe_eval::Score;

use super::{Node, NodeKind, Window};
use crate::ordering::{Context, Moves, Picker, PieceTo, piece_value, see_at_least};
use crate::report::Bound;
use crate::techniques::Technique;
use crate::transposition::TtEntry;
use crate::worker::Worker;

impl Worker<'_> {
    /// Razoring: so far below alpha that only captures could help, which quiescence tests.
    #[inline]
    pub(crate) fn razoring<Scout: NodeKind>(&mut self, evaluation: Score, node: &Node) -> Option<Score> {
        let params = self.params();
        let Node { window: Window { alpha, .. }, depth, ply, .. } = *node;
        if depth > params.razor_depth
            || !self.uses(Technique::Razoring)
            || self.only_mate_matters(alpha)
            || evaluation + params.razor_base + params.razor_slope * depth * depth >= alpha
        {
            return None;
        }
        let score = self.quiescence::<Scout>(Window::above(alpha), ply);
        (score <= alpha).then_some(score)
    }

    /// Reverse futility pruning (RFP): so far above beta that the few plies left will not bring it down.
    #[inline]
    pub(crate) fn reverse_futility_pruning(
        &self,
        evaluation: Score,
        node: &Node,
        improving: bool,
    ) -> Option<Score> {
        let params = self.params();
        let Node { window: Window { beta, .. }, depth, .. } = *node;
        let margin = params.rfp_margin * (depth - i32::from(improving));
        let cuts = self.uses(Technique::ReverseFutilityPruning)
            && depth < params.rfp_depth
            && !self.only_mate_matters(-beta)
            && evaluation - margin >= beta;
        let share = params.rfp_evaluation_share;
        let between = || (evaluation.get() * share + beta.get() * (256 - share)) / 256;
        cuts.then(|| Score::centisoldiers(between()))
    }

    /// Null move pruning (NMP): if passing still fails high, the node is cut. Not with soldiers, advisors and
    /// elephants alone, where zugzwang is common; deep cuts are verified by a search without null moves.
    pub(crate) fn null_move_pruning<Scout: NodeKind>(
        &mut self,
        evaluation: Score,
        node: &Node,
    ) -> Option<Score> {
        let params = self.params();
        let Node { window: Window { beta, .. }, depth, ply, cut_node } = *node;
        let after_null_move = ply > 0 && self.frame_before(ply, 1).piece_to == PieceTo::NONE;
        if depth < params.nmp_depth
            || evaluation < beta
            || !self.uses(Technique::NullMovePruning)
            || beta.is_decided()
            || self.only_mate_matters(-beta)
            || after_null_move
            || ply < self.nmp_from_ply
            || !self.has_major_piece()
        {
            return None;
        }
        let surplus = ((evaluation - beta) / params.nmp_evaluation_divisor).min(params.nmp_evaluation_limit);
        let reduced = depth - params.nmp_base - depth / params.nmp_depth_divisor - surplus;
        let score = self.with_null_move(ply, |worker| {
            -worker.search_node::<Scout>(node.child(Window::below(beta), reduced, !cut_node))
        });
        if self.stopped || score < beta {
            return None;
        }
        let score = if score.is_decided() { beta } else { score };
        if depth < params.nmp_verify_depth || self.nmp_from_ply > 0 {
            return Some(score);
        }
        self.nmp_from_ply = ply + (params.nmp_verify_share * reduced.max(1) / 256) as u16;
        let window = Window::below(beta);
        let verified = self.search_node::<Scout>(Node { window, depth: reduced, ply, cut_node: false });
        self.nmp_from_ply = 0;
        (verified >= beta).then_some(score)
    }

    /// Whether the side to move has a chariot, horse or cannon.
    fn has_major_piece(&self) -> bool {
        let own = self.position.pieces(self.position.side_to_move());
        [PieceKind::Chariot, PieceKind::Horse, PieceKind::Cannon]
            .into_iter()
            .any(|kind| own.meets(self.position.kind(kind)))
    }

    /// Internal iterative reduction (IIR): without a TT move the node is searched one ply less deep; the
    /// next visit then has a move to begin with.
    #[inline]
    pub(crate) fn internal_iterative_reduction<N: NodeKind>(&self, node: &Node) -> bool {
        node.depth >= self.params().iir_depth
            && (N::PV || node.cut_node)
            && self.uses(Technique::InternalIterativeReduction)
    }

    /// ProbCut: a capture whose shallow search is far above beta will be above it deeper down.
    pub(crate) fn probcut<Scout: NodeKind>(
        &mut self,
        legality: &Legality,
        evaluation: Score,
        node: &Node,
        entry: Option<TtEntry>,
    ) -> Option<Score> {
        let params = self.params();
        let Node { window: Window { beta, .. }, depth, ply, .. } = *node;
        if depth < params.probcut_depth || beta.is_decided() || !self.uses(Technique::ProbCut) {
            return None;
        }
        let raised = beta + params.probcut_margin;
        let reduced = depth - params.probcut_reduction;
        if entry.is_some_and(|entry| entry.depth > reduced && entry.score.from_node_to_root(ply) < raised) {
            return None;
        }
        let needed = raised - evaluation;
        let hint = entry
            .and_then(|entry| entry.mv)
            .filter(|mv| self.is_capture(*mv) && self.is_allowed(legality, *mv));
        let checks = self.position.checks();
        let context = Context::new(self.shared.techniques, params);
        let mut picker = Picker::new(Moves::GoodCaptures, hint, context, &self.thread.history);
        while let Some(mv) = picker.next(&self.position, legality, &checks, &self.thread.history) {
            if !see_at_least(&self.position, mv, needed) {
                continue;
            }
            let played = self.play(mv, self.position.gives_check(&checks, mv), ply);
            let child = node.child(Window::below(raised), reduced, true);
            let mut score = -self.quiescence::<Scout>(child.window, child.ply);
            if score >= raised {
                score = -self.search_node::<Scout>(child);
            }
            self.take_back(played);
            if self.stopped {
                return None;
            }
            if score >= raised {
                let (mv, bound) = (Some(mv), Bound::Lower);
                let entry = TtEntry { mv, score, evaluation: None, depth: reduced + 1, bound, pv: false };
                self.store_tt(ply, entry);
                return Some(score);
            }
        }
        None
    }

    /// Late move pruning (LMP): a shallow node tries only its first quiet moves.
    #[inline]
    pub(crate) fn late_move_pruning(&self, quiets_tried: usize, depth: i32, improving: bool) -> bool {
        let params = self.params();
        let full = params.lmp_base + depth * depth;
        let allowed = if improving { full } else { full * params.lmp_worsening_share / 256 };
        quiets_tried >= allowed as usize && self.uses(Technique::LateMovePruning)
    }

    /// Futility, history and SEE pruning of a move that is not the node's first: it cannot reach alpha, has
    /// a bad history, or loses material.
    #[inline]
    pub(crate) fn is_pruned(
        &self,
        mv: Move,
        number: usize,
        history: i32,
        evaluation: Option<Score>,
        node: &Node,
    ) -> bool {
        let params = self.params();
        let Node { window: Window { alpha, .. }, depth, .. } = *node;
        if let Some(taken) = self.position.piece_on(mv.to()) {
            let Some(evaluation) = evaluation else {
                return false;
            };
            let gain = piece_value(taken.kind());
            return depth < params.futility_capture_depth && self.is_futile(evaluation + gain, depth, alpha)
                || self.see_loses(mv, params.see_capture_margin * depth);
        }
        if history < -params.history_pruning_margin * depth && self.uses(Technique::HistoryPruning) {
            return true;
        }
        // The depth that a late move reduction would leave.
        let reduction = self.shared.lmr.base(depth, number) - history * params.pruning_history_share / 256;
        let reduced = (depth - 1 - reduction / 1024).max(0);
        if let Some(evaluation) = evaluation
            && reduced < params.futility_depth
            && self.is_futile(evaluation, reduced, alpha)
        {
            return true;
        }
        self.see_loses(mv, params.see_quiet_margin * reduced * reduced)
    }

    /// Futility: the evaluation plus a margin for the depth stays below alpha.
    #[inline]
    fn is_futile(&self, evaluation: Score, depth: i32, alpha: Score) -> bool {
        let params = self.params();
        self.uses(Technique::FutilityPruning)
            && !self.only_mate_matters(alpha)
            && evaluation + params.futility_base + params.futility_slope * depth <= alpha
    }

    /// Whether the exchange that the move starts loses more than this.
    #[inline]
    fn see_loses(&self, mv: Move, loss: i32) -> bool {
        self.uses(Technique::SeePruning) && !see_at_least(&self.position, mv, -loss)
    }

    /// Whether only a mate still beats alpha: then no margin of material makes a move futile.
    #[inline]
    fn only_mate_matters(&self, alpha: Score) -> bool {
        alpha.get() > self.params().winning_score
    }

    #[inline]
    pub(crate) fn is_capture(&self, mv: Move) -> bool {
        self.position.piece_on(mv.to()).is_some()
    }

    #[inline]
    pub(crate) fn is_allowed(&self, legality: &Legality, mv: Move) -> bool {
        self.position.allows(legality, mv)
    }
}
