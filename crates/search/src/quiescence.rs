//! Quiescence search: captures, or all evasions in check, until the position is quiet enough to evaluate.

use chuhe_eval::Score;

use crate::node::{MATED, Node, NodeKind, Window, tt_cutoff};
use crate::ordering::{Moves, Picker, piece_value};
use crate::report::Bound;
use crate::transposition::TtEntry;
use crate::worker::Worker;

impl Worker<'_> {
    /// The score when only captures are searched, or all evasions when in check.
    pub(crate) fn quiescence<N: NodeKind>(&mut self, window: Window, ply: u16) -> Score {
        self.enter::<N>(ply);
        if self.stopped {
            return Score::DRAW;
        }
        if let Some(score) = self.rule_verdict(ply) {
            return score;
        }
        let Window { mut alpha, beta } = window;
        let entry = self.probe_tt();
        if !N::PV
            && let Some(score) = tt_cutoff(entry, &Node { window, depth: 0, ply, cut_node: false })
        {
            return score;
        }

        // 1. Stand pat: the side to move need not capture.
        let in_check = self.frame(ply).in_check;
        let (raw, evaluation) = self.static_evaluation(entry, in_check, ply);
        let mut best = Score::lost_in(ply);
        if let Some(evaluation) = evaluation {
            best = evaluation;
            if best >= beta {
                if entry.is_none() {
                    let bound = Bound::Lower;
                    let entry =
                        TtEntry { mv: None, score: best, evaluation: raw, depth: 0, bound, pv: false };
                    self.store_tt(ply, entry);
                }
                return best;
            }
            alpha = alpha.max(best);
        }

        // 2. Captures with delta pruning, or all evasions.
        let legality = self.position.legality();
        let checks = self.position.checks();
        let moves = if in_check { Moves::All } else { Moves::GoodCaptures };
        let tt_move = entry
            .and_then(|entry| entry.mv)
            .filter(|mv| (in_check || self.is_capture(*mv)) && self.is_allowed(&legality, *mv));
        let context = self.context(ply);
        let mut picker = Picker::new(moves, tt_move, context, &self.thread.history);
        let mut best_move = None;
        while let Some(mv) = picker.next(&self.position, &legality, &checks, &self.thread.history) {
            let gives_check = self.position.gives_check(&checks, mv);
            if let (Some(evaluation), Some(taken)) = (evaluation, self.position.piece_on(mv.to())) {
                let reachable = evaluation + piece_value(taken.kind()) + self.params().delta_margin;
                if reachable <= alpha && !gives_check {
                    best = best.max(reachable);
                    continue;
                }
            } else if best > MATED && !self.is_capture(mv) {
                // One evasion that is not mated is enough; from then on only captures.
                picker.skip_quiets();
                continue;
            }
            let played = self.play(mv, gives_check, ply);
            let score = -self.quiescence::<N>(-Window::new(alpha, beta), ply + 1);
            self.take_back(played);
            if self.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.update_pv(mv, ply);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }

        // 3. The transposition table. Most moves were left out: the score is never exact.
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let pv = entry.is_some_and(|entry| entry.pv);
        self.store_tt(ply, TtEntry { mv: best_move, score: best, evaluation: raw, depth: 0, bound, pv });
        best
    }
}
