//! The inner node: principal variation search (PVS) as a numbered list of steps.
//!
//! Each technique is a function of its own in `node/`; this file says in which order they apply.

mod extensions;
mod pruning;
mod reductions;
mod stack;
mod study;
mod updates;
mod window;

use chuhe_board::Move;
use chuhe_eval::Score;

pub(crate) use self::reductions::{LmrFactors, LmrTable};
pub(crate) use self::stack::{Frame, MAX_PLY};
pub(crate) use self::window::{Node, Window};

use self::extensions::Singularity;
use self::stack::Variation;
use self::updates::Tried;
use crate::ordering::{Moves, Picker};
use crate::report::Bound;
use crate::techniques::Technique;
use crate::transposition::TtEntry;
use crate::worker::Worker;

/// What the search may assume about a node.
pub(crate) trait NodeKind {
    const PV: bool;
    /// Whether techniques that only studies use are asked for. Nodes of play are compiled without them.
    const STUDY: bool;
    /// The kinds of the nodes below.
    type Pv: NodeKind;
    type Scout: NodeKind;
}

/// On the principal variation: the window is open and the line is recorded.
pub(crate) struct Pv<const STUDY: bool>;
/// Off it: a null window.
pub(crate) struct Scout<const STUDY: bool>;

impl<const STUDY: bool> NodeKind for Pv<STUDY> {
    const PV: bool = true;
    const STUDY: bool = STUDY;
    type Pv = Self;
    type Scout = Scout<STUDY>;
}

impl<const STUDY: bool> NodeKind for Scout<STUDY> {
    const PV: bool = false;
    const STUDY: bool = STUDY;
    type Pv = Pv<STUDY>;
    type Scout = Self;
}

/// Scores at or below this are losses by force.
pub(crate) const MATED: Score = Score::lost_in(1000);

impl Worker<'_> {
    /// The score of the position for the side to move, `node.depth` plies deep.
    pub(crate) fn search_node<N: NodeKind>(&mut self, mut node: Node) -> Score {
        if node.depth <= 0 {
            return match N::STUDY && !self.uses(Technique::Quiescence) {
                true => self.leaf::<N>(node.ply),
                false => self.quiescence::<N>(node.window, node.ply),
            };
        }
        debug_assert!(node.window.alpha < node.window.beta);
        debug_assert!(N::PV || node.window.alpha + 1 == node.window.beta);
        let ply = node.ply;
        self.enter::<N>(ply);
        if self.stopped {
            return Score::DRAW;
        }

        // 1. Results that need no search: rules, endgame tables, mate distance pruning, TT cutoff.
        if let Some(score) = self.rule_verdict(ply) {
            return score;
        }
        if let Some(score) = self.endgame_cutoff(ply) {
            return score;
        }
        node.window.alpha = node.window.alpha.max(Score::lost_in(ply));
        node.window.beta = node.window.beta.min(Score::won_in(ply + 1));
        if node.window.alpha >= node.window.beta {
            return node.window.alpha;
        }
        let excluded = self.frame(ply).excluded;
        let entry = match excluded {
            None => self.probe_tt(),
            Some(_) => None,
        };
        if !N::PV
            && let Some(score) = tt_cutoff(entry, &node)
            && i32::from(self.position.quiet_plies()) < self.params().tt_cutoff_quiet_plies
        {
            return score;
        }

        // 2. Static evaluation, and a hindsight extension.
        let in_check = self.frame(ply).in_check;
        let (raw, evaluation) = self.static_evaluation(entry, in_check, ply);
        let improving = self.is_improving(ply);
        let tt_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        if excluded.is_none() && self.hindsight_extension(ply) {
            node.depth += 1;
        }
        if N::STUDY && self.one_reply_extension(in_check) {
            node.depth += 1;
        }

        // 3. Pruning of the whole node: razoring, RFP, NMP; then IIR and ProbCut.
        if let (false, None, Some(evaluation)) = (N::PV, excluded, evaluation) {
            if let Some(score) = self.razoring::<N::Scout>(evaluation, &node) {
                return score;
            }
            if let Some(score) = self.reverse_futility_pruning(evaluation, &node, improving) {
                return score;
            }
            if let Some(score) = self.null_move_pruning::<N::Scout>(evaluation, &node) {
                return score;
            }
        }
        let legality = self.position.legality();
        let checks = self.position.checks();
        let tt_move = entry.and_then(|entry| entry.mv).filter(|mv| self.is_allowed(&legality, *mv));
        if tt_move.is_none() && self.internal_iterative_reduction::<N>(&node) {
            node.depth -= 1;
        }
        if let (false, None, Some(evaluation)) = (N::PV, excluded, evaluation)
            && let Some(score) = self.probcut::<N::Scout>(&legality, evaluation, &node, entry)
        {
            return score;
        }

        // 4. The moves, in order of promise.
        let asked = node.window;
        let depth = node.depth;
        let context = self.context(ply);
        let tt_move_captures = tt_move.is_some_and(|mv| self.is_capture(mv));
        self.frame(ply + 1).killers = [None; 2];
        self.frame(ply + 1).cutoffs = 0;
        let mut first = tt_move;
        if N::STUDY {
            first = first.or_else(|| self.analogous_move(&legality, ply));
            self.frame(ply + 1).refutation = None;
        }
        let unreduced = N::STUDY && self.is_unreduced_node(in_check);
        let mut picker = Picker::new(Moves::All, first, context, &self.thread.history);
        let mut tried = Tried::default();
        let mut best = Score::MIN;
        let mut best_move = None;
        let mut number = 0;

        while let Some(mv) = picker.next(&self.position, &legality, &checks, &self.thread.history) {
            if Some(mv) == excluded {
                continue;
            }
            number += 1;
            let is_capture = self.is_capture(mv);
            let gives_check = self.position.gives_check(&checks, mv);
            let history = match is_capture {
                true => 0,
                false => context.quiet_score(&self.thread.history, self.piece_to(mv), mv),
            };

            // 5. Pruning of single moves: LMP, futility, history and SEE pruning.
            if number > 1 && best > MATED {
                if !in_check && self.late_move_pruning(tried.quiets.len(), depth, improving) {
                    picker.skip_quiets();
                    if !is_capture && !gives_check {
                        continue;
                    }
                }
                if !gives_check && self.is_pruned(mv, number, history, evaluation, &node) {
                    continue;
                }
            }

            // 6. Extensions: singular moves and checks.
            let mut extension = 0;
            if let (true, Some(entry), None) = (Some(mv) == tt_move, entry, excluded) {
                match self.singular_extension::<N>(mv, entry, &node) {
                    Singularity::Extend(plies) => extension = plies,
                    Singularity::Cut(score) => return score,
                }
            }
            if gives_check && extension == 0 && self.uses(Technique::CheckExtensions) {
                extension = i32::from(N::PV || depth <= self.params().check_extension_depth);
            }
            if N::STUDY && extension == 0 && self.is_recapture(mv) {
                extension = 1;
            }

            // 7. The search of the move, with late move reductions (LMR).
            let factors = LmrFactors {
                number,
                reducible: self.is_reducible::<N>(depth, number, is_capture)
                    && !(N::STUDY && (unreduced || self.is_unreduced_soldier(mv))),
                pv: tt_pv,
                improving,
                tt_move_captures,
                gives_check,
                is_refutation: picker.is_refutation(mv),
                history,
                cutoffs: self.frame(ply + 1).cutoffs,
            };
            let played = self.play(mv, gives_check, ply);
            let score = self.search_move::<N>(&node, depth - 1 + extension, &factors);
            self.take_back(played);
            if self.stopped {
                return Score::DRAW;
            }

            // 8. A new best move, a raised alpha, or a fail high.
            if score > best {
                best = score;
                if score > node.window.alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.update_pv(mv, ply);
                    }
                    if score >= node.window.beta {
                        self.frame(ply).cutoffs += 1;
                        if N::STUDY {
                            self.frame(ply).refutation = Some(mv);
                        }
                        break;
                    }
                    node.window.alpha = score;
                }
            }
            if best_move != Some(mv) {
                tried.push(mv, is_capture);
            }
        }

        // 9. Updates: histories, killers, the transposition table, correction history.
        if number == 0 {
            return if excluded.is_some() { node.window.alpha } else { Score::lost_in(ply) };
        }
        if let Some(mv) = best_move {
            self.update_histories(mv, &tried, &context, &node, best >= asked.beta);
        } else if excluded.is_none() {
            self.reward_prior_move(depth, ply);
        }
        if excluded.is_none() {
            let bound = asked.bound(best);
            let entry = TtEntry { mv: best_move, score: best, evaluation: raw, depth, bound, pv: tt_pv };
            self.store_tt(ply, entry);
            self.update_correction_history(evaluation, &entry);
        }
        best
    }

    /// Searches a move that was just played: with a null window and a late move reduction, then again
    /// at full depth or with the full window if it is better than expected.
    #[inline]
    pub(crate) fn search_move<N: NodeKind>(
        &mut self,
        node: &Node,
        new_depth: i32,
        factors: &LmrFactors,
    ) -> Score {
        if N::PV && !self.uses(Technique::PrincipalVariationSearch) {
            return -self.search_node::<N::Pv>(node.child(node.window, new_depth, false));
        }
        let alpha = node.window.alpha;
        let null_window = Window::above(if N::STUDY { alpha + self.tolerance::<N>() } else { alpha });
        let mut score = Score::MAX;
        if factors.reducible {
            let reduction = self.shared.lmr.plies(node, factors, self.params());
            let reduced = (new_depth - reduction).clamp(1.min(new_depth), new_depth);
            self.frame(node.ply).reduction = new_depth - reduced;
            score = -self.search_node::<N::Scout>(node.child(null_window, reduced, true));
            self.frame(node.ply).reduction = 0;
            if score > null_window.alpha && reduced < new_depth {
                score = -self.search_node::<N::Scout>(node.child(null_window, new_depth, !node.cut_node));
            }
        } else if !N::PV || factors.number > 1 || self.uses(Technique::PvsFirstMove) {
            score = -self.search_node::<N::Scout>(node.child(null_window, new_depth, !node.cut_node));
        }
        if N::STUDY && score <= null_window.alpha {
            return score.min(alpha);
        }
        if N::PV && score > null_window.alpha {
            score = -self.search_node::<N::Pv>(node.child(node.window, new_depth, false));
        }
        score
    }

    #[inline]
    pub(crate) fn enter<N: NodeKind>(&mut self, ply: u16) {
        self.count_node();
        if N::PV {
            self.selective_depth = self.selective_depth.max(ply);
            self.frame(ply).variation.clear();
        }
    }

    /// The static evaluation before and after correction; none in check.
    #[inline]
    pub(crate) fn static_evaluation(
        &mut self,
        entry: Option<TtEntry>,
        in_check: bool,
        ply: u16,
    ) -> (Option<Score>, Option<Score>) {
        if in_check {
            self.frame(ply).evaluation = None;
            return (None, None);
        }
        let raw = entry.and_then(|entry| entry.evaluation).unwrap_or_else(|| self.raw_evaluation());
        let corrected = self.corrected(raw);
        self.frame(ply).evaluation = Some(corrected);
        // A TT score whose bound lies on the right side of the evaluation is the better estimate.
        let better =
            entry.map(|entry| (entry.score.from_node_to_root(ply), entry.bound)).filter(|(score, bound)| {
                match bound {
                    _ if score.is_decided() => false,
                    Bound::Exact => true,
                    Bound::Lower => *score > corrected,
                    Bound::Upper => *score < corrected,
                }
            });
        (Some(raw), Some(better.map_or(corrected, |(score, _)| score)))
    }

    /// Whether the side to move stands better than two plies ago.
    #[inline]
    fn is_improving(&self, ply: u16) -> bool {
        let Some(now) = self.frame_before(ply, 0).evaluation else {
            return false;
        };
        let earlier = self.frame_before(ply, 2).evaluation.or(self.frame_before(ply, 4).evaluation);
        earlier.is_none_or(|earlier| now > earlier)
    }

    /// The move and the line below it become this ply's principal variation.
    #[inline]
    pub(crate) fn update_pv(&mut self, mv: Move, ply: u16) {
        let mut line = Variation::new();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(self.frame(ply + 1).variation.iter().copied().take(room));
        self.frame(ply).variation = line;
    }
}

/// The score of a TT entry that is deep enough and settles the question the window asks.
#[inline]
pub(crate) fn tt_cutoff(entry: Option<TtEntry>, node: &Node) -> Option<Score> {
    let entry = entry.filter(|entry| entry.depth >= node.depth)?;
    let score = entry.score.from_node_to_root(node.ply);
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= node.window.beta,
        Bound::Upper => score <= node.window.alpha,
    };
    settles.then_some(score)
}
