//! The root: deepening iteration by iteration.

use std::sync::atomic::Ordering;
use std::time::Duration;

use chuhe_board::Move;
use chuhe_eval::Score;
use chuhe_referee::{Game, Referee};

use crate::limits::Limits;
use crate::node::{Pv, Scout};
use crate::reductions::Circumstances;
use crate::report::{Bound, Event, Line};
use crate::stack::MAX_PLY;
use crate::techniques::Technique;
use crate::worker::Worker;

/// A move of the root with what is known about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    pub(crate) variation: Vec<Move>,
    pub(crate) selective_depth: u16,
    /// Positions looked at below the move.
    pub(crate) nodes: u64,
}

impl RootMove {
    /// The moves that the limits and the rules of repetition allow. If the rules leave none, they
    /// cannot be kept and all are allowed.
    pub(crate) fn all(game: &Game, limits: &Limits, referee: Referee) -> Vec<Self> {
        let allowed =
            |mv: &Move| (limits.only.is_empty() || limits.only.contains(mv)) && !limits.banned.contains(mv);
        let moves: Vec<Move> = game.position().moves().into_iter().filter(allowed).collect();
        let lawful = referee.lawful(game, &moves);
        let moves = if lawful.is_empty() { moves } else { lawful };
        moves.into_iter().map(Self::new).collect()
    }

    fn new(mv: Move) -> Self {
        Self { mv, score: Score::MIN, bound: Bound::Exact, variation: vec![mv], selective_depth: 0, nodes: 0 }
    }
}

/// The root moves are told one by one only after this time.
const TELL_CURRENT_AFTER: Duration = Duration::from_secs(3);

impl Worker<'_> {
    /// Deepens until a limit is reached. Returns the depth of the last whole iteration.
    pub(crate) fn deepen(&mut self, tell: &mut dyn FnMut(Event)) -> u32 {
        if self.root_moves.is_empty() {
            return 0;
        }
        let deepest = self.shared.limits.depth.unwrap_or(u32::from(MAX_PLY) - 1).min(u32::from(MAX_PLY) - 1);
        let lines = self.shared.limits.lines.clamp(1, self.root_moves.len());
        let mut confidence = Confidence::default();
        let mut finished = 0;
        let from = if self.uses(Technique::Deepening) { 1 } else { deepest };
        for depth in from..=deepest {
            if self.spread.skips(depth) && depth < deepest {
                continue;
            }
            self.selective_depth = 0;
            for rank in 0..lines {
                self.aspire(depth as i32, rank, tell);
                if self.stopped {
                    break;
                }
                self.root_moves[..=rank].sort_by_key(|root| std::cmp::Reverse(root.score));
                // Lines are told together, unless they take so long that news is welcome.
                let slow = self.shared.budget.elapsed() > TELL_CURRENT_AFTER;
                if self.id == 0 && (slow || rank + 1 == lines) {
                    for rank in 0..=rank {
                        tell(Event::Line(self.line(depth, rank)));
                    }
                }
            }
            self.tell_nodes();
            if self.stopped {
                if self.id == 0 && finished == 0 {
                    tell(Event::Line(self.line(depth, 0)));
                }
                break;
            }
            finished = depth;
            if self.id == 0 && self.is_enough(depth, &mut confidence) {
                break;
            }
        }
        finished
    }

    /// Searches with a narrow window around the last score, and wider while the score falls out.
    fn aspire(&mut self, depth: i32, rank: usize, tell: &mut dyn FnMut(Event)) {
        let expected = self.root_moves[rank].score;
        let mut width = self.params().aspiration_window;
        let (mut alpha, mut beta) = (Score::MIN, Score::MAX);
        if depth >= 5 && !expected.is_decided() && self.uses(Technique::Aspiration) {
            (alpha, beta) = (expected - width, expected + width);
        }
        let mut failed_high = 0;
        loop {
            let score = self.search_root(alpha, beta, (depth - failed_high).max(1), rank, tell);
            self.root_moves[rank..].sort_by_key(|root| std::cmp::Reverse(root.score));
            if self.stopped {
                return;
            }
            if score <= alpha && alpha > Score::MIN {
                beta = Score::from_number((alpha.get() + beta.get()) / 2);
                alpha = score - width;
                failed_high = 0;
            } else if score >= beta && beta < Score::MAX {
                beta = score + width;
                failed_high = (failed_high + 1).min(3);
            } else {
                return;
            }
            if self.id == 0 && self.shared.budget.elapsed() > TELL_CURRENT_AFTER {
                tell(Event::Line(self.line(depth as u32, rank)));
            }
            width += width / 2;
            if width > 1500 {
                (alpha, beta) = (Score::MIN, Score::MAX);
            }
        }
    }

    /// The root node: every move from `rank` on, none pruned.
    fn search_root(
        &mut self,
        mut alpha: Score,
        beta: Score,
        depth: i32,
        rank: usize,
        tell: &mut dyn FnMut(Event),
    ) -> Score {
        self.count_node();
        self.frame(0).evaluation = None;
        if !self.frame(0).in_check {
            let raw = self.raw_evaluation();
            let evaluation = self.corrected(raw);
            self.frame(0).evaluation = Some(evaluation);
        }
        self.frame(1).killers = [None; 2];
        self.frame(1).cuts = 0;
        let mut best = Score::MIN;
        for index in rank..self.root_moves.len() {
            let mv = self.root_moves[index].mv;
            if self.id == 0 && self.shared.budget.elapsed() > TELL_CURRENT_AFTER {
                tell(Event::Current { depth: depth as u32, mv, number: index + 1 });
            }
            let number = index - rank + 1;
            let nodes_before = self.nodes;
            let score = self.search_root_move(mv, alpha, beta, depth, number);
            if self.stopped {
                return Score::DRAW;
            }
            let selective_depth = self.selective_depth;
            let nodes = self.nodes - nodes_before;
            let variation = self.frame_before(1, 0).variation.clone();
            let root = &mut self.root_moves[index];
            root.nodes += nodes;
            root.score = Score::MIN;
            if number == 1 || score > alpha {
                root.score = score;
                root.selective_depth = selective_depth;
                root.bound = if score >= beta {
                    Bound::Lower
                } else if score <= alpha {
                    Bound::Upper
                } else {
                    Bound::Exact
                };
                root.variation.truncate(1);
                root.variation.extend(variation);
            }
            best = best.max(score);
            if score >= beta {
                break;
            }
            alpha = alpha.max(score);
        }
        if rank == 0 {
            let root = self.root_moves[rank..].iter().max_by_key(|root| root.score);
            let mv = root.map(|root| root.mv);
            let bound = if best >= beta { Bound::Lower } else { Bound::Exact };
            self.remember(0, mv, best, None, depth, bound, true);
        }
        best
    }

    fn search_root_move(&mut self, mv: Move, alpha: Score, beta: Score, depth: i32, number: usize) -> Score {
        let captures_piece = self.is_capture(mv);
        let gives_check = self.position.gives_check(&self.position.checks(), mv);
        let played = self.play(mv, gives_check, 0);
        self.frame(1).variation.clear();
        let new_depth = depth - 1;
        let mut score = Score::MAX;
        if number > 1 {
            let about = Circumstances { pv: true, improving: true, gives_check, ..Circumstances::default() };
            let late = depth >= 3 && number > 4 && !captures_piece && self.uses(Technique::Reductions);
            let plies =
                if late { self.shared.reductions.plies(depth, number, &about, self.params()) } else { 0 };
            let reduced = (new_depth - plies).clamp(1.min(new_depth), new_depth);
            score = -self.node::<Scout>(-(alpha + 1), -alpha, reduced, 1, true);
            if score > alpha && reduced < new_depth {
                score = -self.node::<Scout>(-(alpha + 1), -alpha, new_depth, 1, true);
            }
        }
        if number == 1 || score > alpha {
            score = -self.node::<Pv>(-beta, -alpha, new_depth, 1, false);
        }
        self.take_back(played);
        score
    }

    /// What to tell about a root move.
    pub(crate) fn line(&self, depth: u32, rank: usize) -> Line {
        let root = &self.root_moves[rank];
        Line {
            depth,
            selective_depth: u32::from(root.selective_depth).max(depth.min(1)),
            rank: rank + 1,
            // A search that was stopped before it looked at a move knows no better.
            score: if root.score == Score::MIN {
                self.shared.evaluator.evaluate(&self.position)
            } else {
                root.score
            },
            bound: root.bound,
            nodes: self.shared.total_nodes().max(self.nodes),
            time: self.shared.budget.elapsed(),
            fullness: self.shared.table.fullness(),
            endgame_hits: self.shared.endgame_hits.load(Ordering::Relaxed),
            moves: root.variation.clone(),
        }
    }

    /// Whether the search has found enough to stop after this iteration.
    fn is_enough(&self, depth: u32, confidence: &mut Confidence) -> bool {
        let best = &self.root_moves[0];
        let effort = best.nodes as f64 / self.nodes.max(1) as f64;
        let stretch = confidence.stretch(best.mv, best.score, effort);
        if self.shared.control.is_pondering() {
            return false;
        }
        let limits = self.shared.limits;
        if let (Some(moves), Some(plies)) = (limits.mate, best.score.plies_to_end())
            && plies > 0
            && plies <= 2 * moves as i32
        {
            return true;
        }
        // With a clock, a forced reply or a proven end needs no more thought.
        let clock_runs = limits.clock.is_some();
        let forced = clock_runs && self.root_moves.len() == 1 && depth >= 6;
        let proven =
            clock_runs && best.score.plies_to_end().is_some_and(|plies| plies.unsigned_abs() + 2 <= depth);
        forced || proven || self.shared.budget.is_enough(self.nodes, stretch)
    }
}

/// How sure the search is of its move, from one iteration to the next.
#[derive(Default)]
struct Confidence {
    mv: Option<Move>,
    /// Iterations since the best move changed.
    stable: u32,
    score: Option<Score>,
}

impl Confidence {
    /// By how much the time for this move should be stretched: more after a change of mind or a
    /// falling score, less when nearly all effort confirms one move.
    fn stretch(&mut self, mv: Move, score: Score, effort: f64) -> f64 {
        self.stable = if self.mv == Some(mv) { self.stable + 1 } else { 0 };
        let drop = self.score.map_or(0, |before| before - score).clamp(-30, 90);
        self.mv = Some(mv);
        self.score = Some(score);
        let by_stability = 1.6 - 0.12 * f64::from(self.stable.min(8));
        let by_score = 1.0 + f64::from(drop) / 120.0;
        let by_effort = 1.5 - 0.8 * effort;
        by_stability * by_score * by_effort
    }
}
