//! The inner node of the search.

use arrayvec::ArrayVec;
use chuhe_board::Move;
use chuhe_eval::Score;

use crate::extensions::Singularity;
use crate::history::Step;
use crate::picker::{Context, Moves, Picker};
use crate::reductions::Circumstances;
use crate::report::Bound;
use crate::stack::Variation;
use crate::table::Known;
use crate::techniques::Technique;
use crate::worker::Worker;

/// What the search may assume about a node.
pub(crate) trait NodeKind {
    const PV: bool;
}

/// On the principal variation: the window is open and the line is recorded.
pub(crate) struct Pv;
/// Off it: the window is one point wide.
pub(crate) struct Scout;

impl NodeKind for Pv {
    const PV: bool = true;
}

impl NodeKind for Scout {
    const PV: bool = false;
}

/// Moves that were tried without success, to be blamed when another one cuts.
pub(crate) type Tried = ArrayVec<Move, 32>;

impl Worker<'_> {
    /// The score of the position for the side to move, `depth` plies deep. `cut_node` tells that a
    /// score above beta is expected.
    pub(crate) fn node<N: NodeKind>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: u16,
        cut_node: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiesce::<N>(alpha, beta, ply);
        }
        debug_assert!(alpha < beta && (N::PV || alpha + 1 == beta));
        self.enter::<N>(ply);
        if self.stopped {
            return Score::DRAW;
        }

        // 1. Results that need no search.
        if let Some(score) = self.settled_by_rules(ply) {
            return score;
        }
        if let Some(score) = self.settled_by_endgames(ply) {
            return score;
        }
        alpha = alpha.max(Score::lost_in(ply));
        beta = beta.min(Score::won_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        let excluded = self.frame(ply).excluded;
        let known = match excluded {
            None => self.known(),
            Some(_) => None,
        };
        if !N::PV
            && let Some(score) = settled_by_table(known, alpha, beta, depth, ply)
            && self.position.quiet_plies() < 100
        {
            return score;
        }

        // 2. What the position looks like.
        let in_check = self.frame(ply).in_check;
        let (raw, evaluation) = self.assess(known, in_check, ply);
        let improving = self.is_improving(ply);
        let was_pv = N::PV || known.is_some_and(|known| known.pv);
        if excluded.is_none() && self.was_reduced_too_much(ply) {
            depth += 1;
        }

        // 3. Bets that the node will not matter.
        if let (false, None, Some(evaluation)) = (N::PV, excluded, evaluation) {
            if let Some(score) = self.razored(evaluation, alpha, depth, ply) {
                return score;
            }
            if self.safely_above(evaluation, beta, depth, improving) {
                return Score::centisoldiers((evaluation.get() + beta.get()) / 2);
            }
            if depth >= 3
                && let Some(score) = self.refuted_by_passing(evaluation, beta, depth, ply, cut_node)
            {
                return score;
            }
        }

        let legality = self.position.legality();
        let checks = self.position.checks();
        let table_move = known.and_then(|known| known.mv).filter(|mv| self.is_allowed(&legality, *mv));
        if table_move.is_none()
            && depth >= 4
            && (N::PV || cut_node)
            && self.uses(Technique::TableMoveReduction)
        {
            // Nothing is known here: a shallower search finds a first move for the next time.
            depth -= 1;
        }
        if let (false, None, Some(evaluation)) = (N::PV, excluded, evaluation)
            && let Some(score) = self.probably_cut(&legality, evaluation, beta, depth, ply, known)
        {
            return score;
        }

        // 4. The moves themselves.
        let context = self.context(ply);
        let table_move_captures = table_move.is_some_and(|mv| self.is_capture(mv));
        self.frame(ply + 1).killers = [None; 2];
        self.frame(ply + 1).cuts = 0;
        let mut picker = Picker::new(Moves::All, table_move, context, &self.memory.history);
        let mut quiets = Tried::new();
        let mut captures = Tried::new();
        let mut best = Score::MIN;
        let mut best_move = None;
        let mut number = 0;
        let old_alpha = alpha;

        while let Some(mv) = picker.next(&self.position, &legality, &checks, &self.memory.history) {
            if Some(mv) == excluded {
                continue;
            }
            number += 1;
            let step = self.step(mv);
            let captures_piece = self.is_capture(mv);
            let gives_check = self.position.gives_check(&checks, mv);
            let worth = if captures_piece { 0 } else { context.quiet_worth(&self.memory.history, step, mv) };

            // 5. Moves not worth trying.
            if number > 1 && best > Score::lost_in(1000) {
                if !in_check
                    && quiets.len() >= self.quiet_allowance(depth, improving)
                    && self.uses(Technique::LateMovePruning)
                {
                    picker.skip_quiets();
                    if !captures_piece && !gives_check {
                        continue;
                    }
                }
                let reduced = depth - 1 - (self.shared.reductions.base(depth, number) - worth / 8) / 1024;
                if !gives_check && self.is_hopeless(mv, worth, evaluation, alpha, depth, reduced) {
                    continue;
                }
            }

            // 6. Forced moves are searched deeper.
            let mut extension = 0;
            if let (true, Some(known), None) = (Some(mv) == table_move, known, excluded) {
                match self.singularity::<N>(mv, known, beta, depth, ply, cut_node) {
                    Singularity::Extend(plies) => extension = plies,
                    Singularity::Cut(score) => return score,
                }
            }
            if gives_check && extension == 0 && self.uses(Technique::CheckExtension) {
                extension = i32::from(N::PV || depth <= self.params().check_depth);
            }

            // 7. The search of the move, less deep if it comes late.
            let new_depth = depth - 1 + extension;
            let about = Circumstances {
                pv: was_pv,
                cut_node,
                improving,
                table_move_captures,
                gives_check,
                refutation: picker.is_refutation(mv),
                worth,
                cuts: self.frame(ply + 1).cuts,
            };
            let played = self.play(mv, gives_check, ply);
            let score =
                self.search_move::<N>(alpha, beta, depth, new_depth, ply, number, captures_piece, &about);
            self.take_back(played);
            if self.stopped {
                return Score::DRAW;
            }

            // 8. What it means.
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.record(mv, ply);
                    }
                    if score >= beta {
                        self.frame(ply).cuts += 1;
                        break;
                    }
                    alpha = score;
                }
            }
            if best_move != Some(mv) {
                let tried = if captures_piece { &mut captures } else { &mut quiets };
                let _ = tried.try_push(mv);
            }
        }

        // 9. Lessons for the rest of the search.
        if number == 0 {
            return if excluded.is_some() { alpha } else { Score::lost_in(ply) };
        }
        if let Some(mv) = best_move {
            self.learn_from(mv, &quiets, &captures, &context, depth, ply, best >= beta);
        } else if excluded.is_none() {
            self.praise_last_move(depth, ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if N::PV && best > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if excluded.is_none() {
            self.remember(ply, best_move, best, raw, depth, bound, was_pv);
            self.learn_error(evaluation, best_move, best, depth, bound);
        }
        best
    }

    /// Looks at a move that was just played: with a window of one point, and if it is better than
    /// expected again, deeper or wider.
    #[expect(clippy::too_many_arguments, reason = "the parts of one step of the node")]
    #[inline]
    fn search_move<N: NodeKind>(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: i32,
        new_depth: i32,
        ply: u16,
        number: usize,
        captures_piece: bool,
        about: &Circumstances,
    ) -> Score {
        let next = ply + 1;
        if N::PV && !self.uses(Technique::ZeroWindow) {
            return -self.node::<Pv>(-beta, -alpha, new_depth, next, false);
        }
        let mut score = Score::MAX;
        let late = depth >= 2 && number > 1 + usize::from(N::PV) && !(captures_piece && number < 4);
        if late && self.uses(Technique::Reductions) {
            let plies = self.shared.reductions.plies(depth, number, about, self.params());
            let reduced = (new_depth - plies).clamp(1.min(new_depth), new_depth);
            self.frame(ply).reduction = new_depth - reduced;
            score = -self.node::<Scout>(-(alpha + 1), -alpha, reduced, next, true);
            self.frame(ply).reduction = 0;
            if score > alpha && reduced < new_depth {
                score = -self.node::<Scout>(-(alpha + 1), -alpha, new_depth, next, !about.cut_node);
            }
        } else if !N::PV || number > 1 || self.uses(Technique::ZeroWindowFirst) {
            score = -self.node::<Scout>(-(alpha + 1), -alpha, new_depth, next, !about.cut_node);
        }
        if N::PV && score > alpha {
            score = -self.node::<Pv>(-beta, -alpha, new_depth, next, false);
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

    /// The evaluation before and after correction; none in check.
    #[inline]
    pub(crate) fn assess(
        &mut self,
        known: Option<Known>,
        in_check: bool,
        ply: u16,
    ) -> (Option<Score>, Option<Score>) {
        if in_check {
            self.frame(ply).evaluation = None;
            return (None, None);
        }
        let raw = known.and_then(|known| known.evaluation).unwrap_or_else(|| self.raw_evaluation());
        let static_evaluation = self.corrected(raw);
        self.frame(ply).evaluation = Some(static_evaluation);
        // A table score on the right side of the evaluation is the better guess.
        let better =
            known.map(|known| (known.score.from_node_to_root(ply), known.bound)).filter(|(score, bound)| {
                match bound {
                    _ if score.is_decided() => false,
                    Bound::Exact => true,
                    Bound::Lower => *score > static_evaluation,
                    Bound::Upper => *score < static_evaluation,
                }
            });
        (Some(raw), Some(better.map_or(static_evaluation, |(score, _)| score)))
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

    /// The move and what follows it become this ply's best line.
    #[inline]
    pub(crate) fn record(&mut self, mv: Move, ply: u16) {
        let mut line = Variation::new();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(self.frame(ply + 1).variation.iter().copied().take(room));
        self.frame(ply).variation = line;
    }

    /// Keeps the result in the table.
    #[expect(clippy::too_many_arguments, reason = "the parts of one table entry")]
    #[inline]
    pub(crate) fn remember(
        &self,
        ply: u16,
        mv: Option<Move>,
        score: Score,
        evaluation: Option<Score>,
        depth: i32,
        bound: Bound,
        pv: bool,
    ) {
        let score = score.from_root_to_node(ply);
        let known = Known { mv, score, evaluation, depth, bound, pv };
        self.shared.table.keep(self.position.key(), known);
        if let Some(mailbox) = self.shared.mailbox {
            mailbox.post(self.position.key(), &known);
        }
    }

    /// Praises the move that was best and blames those tried before it.
    #[expect(clippy::too_many_arguments, reason = "all that was seen at the node")]
    fn learn_from(
        &mut self,
        best: Move,
        quiets: &Tried,
        captures: &Tried,
        context: &Context,
        depth: i32,
        ply: u16,
        cut: bool,
    ) {
        let bonus = self.bonus(depth);
        let step = self.step(best);
        if let Some(taken) = self.position.piece_on(best.to()) {
            self.memory.history.learn_capture(step, taken.kind(), bonus);
        } else {
            self.learn_quiet(step, best, context, bonus);
            for mv in quiets {
                self.learn_quiet(self.step(*mv), *mv, context, -bonus);
            }
            if cut {
                let killers = &mut self.frame(ply).killers;
                if killers[0] != Some(best) {
                    *killers = [Some(best), killers[0]];
                }
                self.memory.history.learn_counter(context.before[0], best);
            }
        }
        for mv in captures {
            let step = self.step(*mv);
            if let Some(taken) = self.position.piece_on(mv.to()) {
                self.memory.history.learn_capture(step, taken.kind(), -bonus);
            }
        }
    }

    /// Praises the quiet move that led here, because no answer to it was good enough.
    fn praise_last_move(&mut self, depth: i32, ply: u16) {
        if let Some(mv) = self.last_quiet_move()
            && self.uses(Technique::Unanswered)
        {
            let context = self.context(ply - 1);
            let bonus = self.bonus(depth) * self.params().unanswered_share / 256;
            self.learn_quiet(self.frame_before(ply, 1).step, mv, &context, bonus);
        }
    }

    /// What a move earns that decided a node of this depth.
    fn bonus(&self, depth: i32) -> i32 {
        let params = self.params();
        (params.bonus_slope * depth).min(params.bonus_limit)
    }

    fn learn_quiet(&mut self, step: Step, mv: Move, context: &Context, bonus: i32) {
        let history = &mut self.memory.history;
        history.learn_quiet(context.place_in_history(step, mv), bonus);
        for before in context.before {
            history.learn_continuation(before, step, bonus);
        }
    }

    /// Learns how far the evaluation was off, where the search says so clearly.
    fn learn_error(
        &mut self,
        evaluation: Option<Score>,
        best_move: Option<Move>,
        best: Score,
        depth: i32,
        bound: Bound,
    ) {
        let Some(evaluation) = evaluation else {
            return;
        };
        let captures = best_move.is_some_and(|mv| self.is_capture(mv));
        let says_nothing = match bound {
            Bound::Exact => false,
            Bound::Lower => best <= evaluation,
            Bound::Upper => best >= evaluation,
        };
        if captures || says_nothing || best.is_decided() {
            return;
        }
        let side = self.position.side_to_move();
        self.memory.correction.learn(side, &self.follower, depth, best - evaluation);
    }
}

/// A table score that is deep enough and on the right side of the window.
#[inline]
pub(crate) fn settled_by_table(
    known: Option<Known>,
    alpha: Score,
    beta: Score,
    depth: i32,
    ply: u16,
) -> Option<Score> {
    let known = known.filter(|known| known.depth >= depth)?;
    let score = known.score.from_node_to_root(ply);
    let settles = match known.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    settles.then_some(score)
}
