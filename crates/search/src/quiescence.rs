//! Searching on until the position is quiet enough to be evaluated.

use chuhe_eval::Score;

use crate::exchange::value;
use crate::node::{NodeKind, settled_by_table};
use crate::picker::{Moves, Picker};
use crate::report::Bound;
use crate::worker::Worker;

impl Worker<'_> {
    /// The score when only captures are played on, or all evasions when in check.
    pub(crate) fn quiesce<N: NodeKind>(&mut self, mut alpha: Score, beta: Score, ply: u16) -> Score {
        self.enter::<N>(ply);
        if self.stopped {
            return Score::DRAW;
        }
        if let Some(score) = self.settled_by_rules(ply) {
            return score;
        }
        let known = self.known();
        if !N::PV
            && let Some(score) = settled_by_table(known, alpha, beta, 0, ply)
        {
            return score;
        }

        // 1. Standing pat: the side to move need not take.
        let in_check = self.frame(ply).in_check;
        let (raw, evaluation) = self.assess(known, in_check, ply);
        let mut best = Score::lost_in(ply);
        if let Some(evaluation) = evaluation {
            best = evaluation;
            if best >= beta {
                if known.is_none() {
                    self.remember(ply, None, best, raw, 0, Bound::Lower, false);
                }
                return best;
            }
            alpha = alpha.max(best);
        }

        // 2. Captures, or all evasions.
        let legality = self.position.legality();
        let checks = self.position.checks();
        let moves = if in_check { Moves::All } else { Moves::GoodCaptures };
        let table_move = known
            .and_then(|known| known.mv)
            .filter(|mv| (in_check || self.is_capture(*mv)) && self.is_allowed(&legality, *mv));
        let context = self.context(ply);
        let mut picker = Picker::new(moves, table_move, context, &self.memory.history);
        let mut best_move = None;
        while let Some(mv) = picker.next(&self.position, &legality, &checks, &self.memory.history) {
            let gives_check = self.position.gives_check(&checks, mv);
            if let (Some(evaluation), Some(taken)) = (evaluation, self.position.piece_on(mv.to())) {
                let reachable = evaluation + value(taken.kind()) + self.params().delta_margin;
                if reachable <= alpha && !gives_check {
                    best = best.max(reachable);
                    continue;
                }
            } else if best > Score::lost_in(1000) && !self.is_capture(mv) {
                // One evasion that does not lose at once is enough to go on with captures.
                picker.skip_quiets();
                continue;
            }
            let played = self.play(mv, gives_check, ply);
            let score = -self.quiesce::<N>(-beta, -alpha, ply + 1);
            self.take_back(played);
            if self.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.record(mv, ply);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        self.remember(ply, best_move, best, raw, 0, bound, known.is_some_and(|known| known.pv));
        best
    }
}
