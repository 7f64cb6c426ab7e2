//! What a node leaves behind: history bonuses and maluses, killers, countermoves, TT entries, correction history.

use arrayvec::ArrayVec;
use chuhe_board::Move;
use chuhe_eval::Score;

use super::Node;
use crate::ordering::{Context, PieceTo};
use crate::report::Bound;
use crate::techniques::Technique;
use crate::transposition::TtEntry;
use crate::worker::Worker;

/// Moves searched without success: they get a malus when another move fails high.
#[derive(Default)]
pub(crate) struct Tried {
    pub(crate) quiets: ArrayVec<Move, 32>,
    captures: ArrayVec<Move, 32>,
}

impl Tried {
    /// Adds a move; beyond 32 of a kind the rest gets no malus.
    #[inline]
    pub(crate) fn push(&mut self, mv: Move, is_capture: bool) {
        let list = if is_capture { &mut self.captures } else { &mut self.quiets };
        let _ = list.try_push(mv);
    }
}

impl Worker<'_> {
    /// Stores a result in the transposition table. The entry's score counts mates from the root.
    #[inline]
    pub(crate) fn store_tt(&self, ply: u16, entry: TtEntry) {
        let entry = TtEntry { score: entry.score.from_root_to_node(ply), ..entry };
        self.shared.tt.store(self.position.key(), entry);
        if let Some(exchange) = &self.shared.tt_exchange {
            exchange.post(self.position.key(), &entry);
        }
    }

    /// A history bonus for the best move and a malus for the moves tried before it. A quiet move that
    /// failed high becomes a killer and a countermove.
    pub(crate) fn update_histories(
        &mut self,
        best: Move,
        tried: &Tried,
        context: &Context<'_>,
        node: &Node,
        failed_high: bool,
    ) {
        let bonus = self.history_bonus(node.depth);
        let piece_to = self.piece_to(best);
        if let Some(taken) = self.position.piece_on(best.to()) {
            self.thread.history.update_capture(piece_to, taken.kind(), bonus);
        } else {
            self.update_quiet(piece_to, best, context, bonus);
            for mv in &tried.quiets {
                self.update_quiet(self.piece_to(*mv), *mv, context, -bonus);
            }
            if failed_high {
                let killers = &mut self.frame(node.ply).killers;
                if killers[0] != Some(best) {
                    *killers = [Some(best), killers[0]];
                }
                if self.uses(Technique::Countermoves) {
                    self.thread.history.set_countermove(context.before[0], best);
                }
            }
        }
        for mv in &tried.captures {
            let piece_to = self.piece_to(*mv);
            if let Some(taken) = self.position.piece_on(mv.to()) {
                self.thread.history.update_capture(piece_to, taken.kind(), -bonus);
            }
        }
    }

    /// A bonus for the opponent's quiet move that led to a node which failed low.
    pub(crate) fn reward_prior_move(&mut self, depth: i32, ply: u16) {
        if let Some(mv) = self.last_quiet_move()
            && self.uses(Technique::PriorMoveBonus)
        {
            let context = self.context(ply - 1);
            let bonus = self.history_bonus(depth) * self.params().prior_bonus_share / 256;
            self.update_quiet(self.frame_before(ply, 1).piece_to, mv, &context, bonus);
        }
    }

    fn history_bonus(&self, depth: i32) -> i32 {
        let params = self.params();
        (params.history_bonus_slope * depth).min(params.history_bonus_limit)
    }

    fn update_quiet(&mut self, piece_to: PieceTo, mv: Move, context: &Context<'_>, bonus: i32) {
        let history = &mut self.thread.history;
        history.update_quiet(context.quiet_index(piece_to, mv), bonus);
        for before in context.before {
            history.update_continuation(before, piece_to, bonus);
        }
    }

    /// Correction history: learns how far the evaluation was off, unless the bound leaves that open.
    pub(crate) fn update_correction_history(&mut self, evaluation: Option<Score>, result: &TtEntry) {
        let Some(evaluation) = evaluation else {
            return;
        };
        let score = result.score;
        let is_capture = result.mv.is_some_and(|mv| self.is_capture(mv));
        let is_open = match result.bound {
            Bound::Exact => false,
            Bound::Lower => score <= evaluation,
            Bound::Upper => score >= evaluation,
        };
        if is_capture || is_open || score.is_decided() {
            return;
        }
        let side = self.position.side_to_move();
        let weight = result.depth.clamp(1, self.params().correction_depth_limit);
        self.thread.correction.update(side, &self.incremental, weight, score - evaluation);
    }
}
