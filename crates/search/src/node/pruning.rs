//! Bets that a node or a move will not matter. None is made in check.

use chuhe_board::{Legality, Move, PieceKind};
use chuhe_eval::Score;

use crate::exchange::{exchange_gains, value};
use crate::history::Step;
use crate::node::Scout;
use crate::picker::{Context, Moves, Picker};
use crate::report::Bound;
use crate::table::Known;
use crate::techniques::Technique;
use crate::worker::Worker;

impl Worker<'_> {
    /// Reverse futility: so far above beta that the few plies left will hardly bring it down.
    #[inline]
    pub(crate) fn safely_above(&self, evaluation: Score, beta: Score, depth: i32, improving: bool) -> bool {
        let params = self.params();
        let margin = params.static_margin * (depth - i32::from(improving));
        self.uses(Technique::ReverseFutility)
            && depth < params.static_depth
            && !self.is_hunting(-beta)
            && evaluation - margin >= beta
    }

    /// Razoring: so far below alpha that only captures could help.
    #[inline]
    pub(crate) fn razored(&mut self, evaluation: Score, alpha: Score, depth: i32, ply: u16) -> Option<Score> {
        let params = self.params();
        if depth > params.razor_depth
            || !self.uses(Technique::Razoring)
            || self.is_hunting(alpha)
            || evaluation + params.razor_base + params.razor_slope * depth * depth >= alpha
        {
            return None;
        }
        let score = self.quiesce::<Scout>(alpha, alpha + 1, ply);
        (score <= alpha).then_some(score)
    }

    /// Null move: if passing still leaves us above beta, some move will. Not with soldiers and guards
    /// alone, where having to move can be the loss; deep cuts are verified by a search without
    /// passes.
    pub(crate) fn refuted_by_passing(
        &mut self,
        evaluation: Score,
        beta: Score,
        depth: i32,
        ply: u16,
        cut_node: bool,
    ) -> Option<Score> {
        let passed_before = ply > 0 && self.frame_before(ply, 1).step == Step::PASS;
        if evaluation < beta
            || !self.uses(Technique::NullMove)
            || beta.is_decided()
            || self.is_hunting(-beta)
            || passed_before
            || ply < self.pass_from_ply
            || !self.has_attackers()
        {
            return None;
        }
        let params = self.params();
        let surplus = ((evaluation - beta) / params.null_surplus_divisor).min(3);
        let reduced = depth - params.null_base - depth / params.null_depth_divisor - surplus;
        let score =
            self.pass(ply, |worker| -worker.node::<Scout>(-beta, -(beta - 1), reduced, ply + 1, !cut_node));
        if self.stopped || score < beta {
            return None;
        }
        let score = if score.is_decided() { beta } else { score };
        if depth < params.null_verify_depth || self.pass_from_ply > 0 {
            return Some(score);
        }
        self.pass_from_ply = ply + (3 * reduced.max(1) / 4) as u16;
        let verified = self.node::<Scout>(beta - 1, beta, reduced, ply, false);
        self.pass_from_ply = 0;
        (verified >= beta).then_some(score)
    }

    /// Whether the side to move has a chariot, horse or cannon.
    fn has_attackers(&self) -> bool {
        let own = self.position.pieces(self.position.side_to_move());
        [PieceKind::Chariot, PieceKind::Horse, PieceKind::Cannon]
            .into_iter()
            .any(|kind| own.meets(self.position.kind(kind)))
    }

    /// Probable cut: a capture whose shallow search is far above beta will be above it deeper down.
    pub(crate) fn probably_cut(
        &mut self,
        legality: &Legality,
        evaluation: Score,
        beta: Score,
        depth: i32,
        ply: u16,
        known: Option<Known>,
    ) -> Option<Score> {
        let raised = beta + self.params().probcut_margin;
        if depth < self.params().probcut_depth || beta.is_decided() || !self.uses(Technique::ProbableCut) {
            return None;
        }
        if known.is_some_and(|known| known.depth >= depth - 3 && known.score.from_node_to_root(ply) < raised)
        {
            return None;
        }
        let needed = raised - evaluation;
        let hint = known
            .and_then(|known| known.mv)
            .filter(|mv| self.is_capture(*mv) && self.is_allowed(legality, *mv));
        let checks = self.position.checks();
        let mut picker = Picker::new(
            Moves::GoodCaptures,
            hint,
            Context::new(self.shared.techniques),
            &self.memory.history,
        );
        while let Some(mv) = picker.next(&self.position, legality, &checks, &self.memory.history) {
            if !exchange_gains(&self.position, mv, needed) {
                continue;
            }
            let played = self.play(mv, self.position.gives_check(&checks, mv), ply);
            let mut score = -self.quiesce::<Scout>(-raised, -(raised - 1), ply + 1);
            if score >= raised {
                score = -self.node::<Scout>(-raised, -(raised - 1), depth - 4, ply + 1, true);
            }
            self.take_back(played);
            if self.stopped {
                return None;
            }
            if score >= raised {
                self.remember(ply, Some(mv), score, None, depth - 3, Bound::Lower, false);
                return Some(score);
            }
        }
        None
    }

    /// Whether a move that is not the first can be left out: late, futile, losing or with a bad
    /// record. `reduced` is the depth that reduction would leave it.
    #[inline]
    pub(crate) fn is_hopeless(
        &self,
        mv: Move,
        worth: i32,
        evaluation: Option<Score>,
        alpha: Score,
        depth: i32,
        reduced: i32,
    ) -> bool {
        let params = self.params();
        if let Some(taken) = self.position.piece_on(mv.to()) {
            let Some(evaluation) = evaluation else {
                return false;
            };
            let futile = depth < 7
                && self.uses(Technique::Futility)
                && !self.is_hunting(alpha)
                && evaluation + params.futility_base + params.futility_slope * depth + value(taken.kind())
                    <= alpha;
            return futile || self.loses_more_than(mv, params.capture_exchange_margin * depth);
        }
        if worth < -params.history_prune_slope * depth && self.uses(Technique::HistoryPruning) {
            return true;
        }
        let reduced = reduced.max(0);
        if let Some(evaluation) = evaluation
            && reduced < params.futility_depth
            && self.uses(Technique::Futility)
            && !self.is_hunting(alpha)
            && evaluation + params.futility_base + params.futility_slope * reduced <= alpha
        {
            return true;
        }
        self.loses_more_than(mv, params.quiet_exchange_margin * reduced * reduced)
    }

    #[inline]
    fn loses_more_than(&self, mv: Move, loss: i32) -> bool {
        self.uses(Technique::ExchangePruning) && !exchange_gains(&self.position, mv, -loss)
    }

    /// Whether only a mate is still better than what is known: then no margin of material makes a move
    /// futile.
    #[inline]
    fn is_hunting(&self, alpha: Score) -> bool {
        alpha.get() > self.params().hunting_score
    }

    /// How many quiet moves a node of this depth tries.
    #[inline]
    pub(crate) fn quiet_allowance(&self, depth: i32, improving: bool) -> usize {
        let full = self.params().late_base + depth * depth;
        (if improving { full } else { full / 2 }) as usize
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
