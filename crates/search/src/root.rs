//! The root: iterative deepening with aspiration windows.

use std::cmp::Reverse;
use std::sync::atomic::Ordering;
use std::time::Duration;

use chuhe_board::Move;
use chuhe_eval::Score;
use chuhe_referee::{Game, Referee};

use crate::node::{LmrFactors, MAX_PLY, Node, Pv, Window};
use crate::report::{Bound, Event, Line};
use crate::techniques::Technique;
use crate::time::{Limits, Stability};
use crate::transposition::TtEntry;
use crate::worker::Worker;

/// A move of the root with its latest result.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    pub(crate) variation: Vec<Move>,
    pub(crate) selective_depth: u16,
    /// Nodes spent on the move.
    pub(crate) nodes: u64,
}

impl RootMove {
    /// The moves that the limits and the repetition rules allow. If the rules leave none, they allow all.
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

/// A search on one thread between two of its slices.
#[derive(Default)]
pub struct PausedSearch {
    /// The depth of the last complete iteration.
    finished: u32,
    nodes: u64,
    root_moves: Vec<RootMove>,
    stability: Stability,
}

impl PausedSearch {
    /// Whether the search has not begun.
    pub(crate) fn is_new(&self) -> bool {
        self.nodes == 0
    }

    /// The depth of the last complete iteration.
    pub(crate) fn finished(&self) -> u32 {
        self.finished
    }
}

/// Searches longer than this report every root move and every change.
const SLOW: Duration = Duration::from_secs(3);

impl Worker<'_> {
    /// Goes on with a search that was paused.
    pub(crate) fn take_up(&mut self, paused: &mut PausedSearch) {
        if !paused.is_new() {
            self.root_moves = std::mem::take(&mut paused.root_moves);
            self.go_on_from(paused.nodes);
        }
    }

    /// Leaves a search to be taken up again.
    pub(crate) fn lay_down(self, paused: &mut PausedSearch) {
        paused.nodes = self.nodes;
        paused.root_moves = self.root_moves;
    }

    /// Iterative deepening until a limit is reached, from the iteration that `search` stopped in.
    pub(crate) fn iterative_deepening(&mut self, search: &mut PausedSearch, report: &mut dyn FnMut(Event)) {
        if self.root_moves.is_empty() || self.stopped {
            return;
        }
        let deepest = self.shared.limits.depth.unwrap_or(u32::from(MAX_PLY) - 1).min(u32::from(MAX_PLY) - 1);
        let lines = self.shared.limits.lines.clamp(1, self.root_moves.len());
        let from = if self.uses(Technique::IterativeDeepening) { search.finished + 1 } else { deepest };
        let mut depth = from;
        while depth <= deepest {
            if self.diversification.skips(depth) && depth < deepest {
                depth += 1;
                continue;
            }
            self.selective_depth = 0;
            self.iteration = depth;
            for rank in 0..lines {
                self.search_with_aspiration(depth as i32, rank, report);
                if self.stopped {
                    break;
                }
                self.root_moves[..=rank].sort_by_key(|root| Reverse(root.score));
                // Lines are reported together, unless the search is slow.
                if self.id == 0 && (rank + 1 == lines || self.is_slow()) {
                    for rank in 0..=rank {
                        report(Event::Line(self.line(depth, rank)));
                    }
                }
            }
            self.publish_nodes();
            if let Some(completed) = self.take_over_iteration() {
                depth = completed;
                if self.id == 0 {
                    report(Event::Line(self.line(depth, 0)));
                }
            } else if self.stopped {
                let paused = self.shared.resumable && self.shared.control.is_paused();
                if self.id == 0 && search.finished == 0 && !paused {
                    report(Event::Line(self.line(depth, 0)));
                }
                break;
            } else if lines == 1 && self.shared.nodes.len() > 1 {
                self.shared.iterations.complete(depth, &self.root_moves);
            }
            search.finished = depth;
            if self.id == 0 && self.has_enough(depth, &mut search.stability) {
                break;
            }
            depth += 1;
        }
    }

    fn is_slow(&self) -> bool {
        self.shared.budget.elapsed() > SLOW
    }

    /// Aspiration windows: a narrow window around the last score, widened each time the score fails high or low.
    fn search_with_aspiration(&mut self, depth: i32, rank: usize, report: &mut dyn FnMut(Event)) {
        let params = self.params();
        let expected = self.root_moves[rank].score;
        let mut width = params.aspiration_window;
        let mut window = Window::FULL;
        if depth >= params.aspiration_depth
            && !expected.is_decided()
            && self.uses(Technique::AspirationWindows)
        {
            window = Window::new(expected - width, expected + width);
        }
        let mut fail_highs = 0;
        loop {
            let score = self.search_root(window, (depth - fail_highs).max(1), rank, report);
            self.root_moves[rank..].sort_by_key(|root| Reverse(root.score));
            if self.stopped {
                return;
            }
            let Window { alpha, beta } = window;
            if score <= alpha && alpha > Score::MIN {
                let middle = Score::from_number((alpha.get() + beta.get()) / 2);
                window = Window::new(score - width, middle);
                fail_highs = 0;
            } else if score >= beta && beta < Score::MAX {
                window = Window::new(alpha, score + width);
                fail_highs = (fail_highs + 1).min(params.aspiration_reduction);
            } else {
                return;
            }
            if self.id == 0 && self.is_slow() {
                report(Event::Line(self.line(depth as u32, rank)));
            }
            width += width * params.aspiration_growth / 256;
            if width > params.aspiration_limit {
                window = Window::FULL;
            }
        }
    }

    /// The root node: every move from `rank` on, none pruned.
    fn search_root(
        &mut self,
        window: Window,
        depth: i32,
        rank: usize,
        report: &mut dyn FnMut(Event),
    ) -> Score {
        self.count_node();
        if self.stopped {
            return Score::DRAW;
        }
        let in_check = self.frame(0).in_check;
        self.static_evaluation(None, in_check, 0);
        self.frame(1).killers = [None; 2];
        self.frame(1).cutoffs = 0;
        let mut node = Node { window, depth, ply: 0, cut_node: false };
        let mut best = Score::MIN;
        for index in rank..self.root_moves.len() {
            let mv = self.root_moves[index].mv;
            if self.id == 0 && self.is_slow() {
                report(Event::Current { depth: depth as u32, mv, number: index + 1 });
            }
            let number = index - rank + 1;
            let nodes_before = self.nodes;
            let score = self.search_root_move(mv, &node, number);
            if self.stopped {
                return Score::DRAW;
            }
            let selective_depth = self.selective_depth;
            let nodes = self.nodes - nodes_before;
            let variation = self.frame_before(1, 0).variation.clone();
            let root = &mut self.root_moves[index];
            root.nodes += nodes;
            root.score = Score::MIN;
            if number == 1 || score > node.window.alpha {
                root.score = score;
                root.selective_depth = selective_depth;
                root.bound = node.window.bound(score);
                root.variation.truncate(1);
                root.variation.extend(variation);
            }
            best = best.max(score);
            if score >= window.beta {
                break;
            }
            node.window.alpha = node.window.alpha.max(score);
        }
        if rank == 0 {
            let mv = self.root_moves.iter().max_by_key(|root| root.score).map(|root| root.mv);
            let bound = if best >= window.beta { Bound::Lower } else { Bound::Exact };
            self.store_tt(0, TtEntry { mv, score: best, evaluation: None, depth, bound, pv: true });
        }
        best
    }

    fn search_root_move(&mut self, mv: Move, node: &Node, number: usize) -> Score {
        let params = self.params();
        let gives_check = self.position.gives_check(&self.position.checks(), mv);
        let reducible = node.depth >= params.lmr_root_depth
            && number > params.lmr_root_number as usize
            && !self.is_capture(mv)
            && self.uses(Technique::LateMoveReductions);
        let factors =
            LmrFactors { number, reducible, pv: true, improving: true, gives_check, ..LmrFactors::default() };
        let played = self.play(mv, gives_check, 0);
        self.frame(1).variation.clear();
        let score = match self.shared.techniques.need_study() {
            true => self.search_move::<Pv<true>>(node, node.depth - 1, &factors),
            false => self.search_move::<Pv<false>>(node, node.depth - 1, &factors),
        };
        self.take_back(played);
        score
    }

    /// The report about a root move.
    pub(crate) fn line(&self, depth: u32, rank: usize) -> Line {
        let root = &self.root_moves[rank];
        Line {
            depth,
            selective_depth: u32::from(root.selective_depth).max(depth.min(1)),
            rank: rank + 1,
            // A move that was never searched has only its static evaluation.
            score: if root.score == Score::MIN {
                self.shared.evaluator.evaluate(&self.position)
            } else {
                root.score
            },
            bound: root.bound,
            nodes: self.shared.total_nodes().max(self.nodes),
            time: self.shared.budget.elapsed(),
            hashfull: self.shared.tt.hashfull(),
            tablebase_hits: self.shared.tablebase_hits.load(Ordering::Relaxed),
            moves: root.variation.clone(),
        }
    }

    /// Whether the search can stop after this iteration.
    fn has_enough(&self, depth: u32, stability: &mut Stability) -> bool {
        let best = &self.root_moves[0];
        let effort = best.nodes as f64 / self.nodes.max(1) as f64;
        let stretch = stability.stretch(best.mv, best.score, effort, self.params());
        if self.shared.control.is_pondering() {
            return false;
        }
        let limits = &self.shared.limits;
        if let (Some(moves), Some(plies)) = (limits.mate, best.score.plies_to_end())
            && plies > 0
            && plies <= 2 * moves as i32
        {
            return true;
        }
        // With a clock, a forced move or a proven mate ends the search.
        let clock_runs = limits.clock.is_some();
        let forced =
            clock_runs && self.root_moves.len() == 1 && depth >= self.params().time_forced_depth as u32;
        let proven =
            clock_runs && best.score.plies_to_end().is_some_and(|plies| plies.unsigned_abs() + 2 <= depth);
        forced || proven || self.shared.budget.is_enough(self.nodes, stretch)
    }
}
