//! One search thread: its position, its search stack and its tables.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use chuhe_board::{Move, Position, Side, Square, Undo};
use chuhe_eval::network::Accumulators;
use chuhe_eval::{Score, classical};
use chuhe_referee::{Game, History as Plies, Referee, Standing, limit};

use crate::endgames::Endgames;
use crate::evaluation::{CorrectionHistory, EvaluationCache, Evaluator, Incremental};
use crate::node::{Frame, LmrTable, MAX_PLY};
use crate::ordering::{Context, History, PieceTo};
use crate::params::Params;
use crate::root::RootMove;
use crate::smp::{Diversification, Iterations, TtExchange};
use crate::techniques::{Technique, Techniques};
use crate::time::{Budget, Control, Limits, NodeBudget};
use crate::transposition::{TranspositionTable, TtEntry};

/// What all workers of one search share.
pub(crate) struct Shared {
    pub(crate) tt: Arc<TranspositionTable>,
    pub(crate) control: Control,
    /// Set when the first worker is done: the others stop.
    pub(crate) finished: AtomicBool,
    /// Whether the search can be paused.
    pub(crate) resumable: bool,
    pub(crate) limits: Limits,
    pub(crate) node_budget: NodeBudget,
    pub(crate) budget: Budget,
    pub(crate) params: Params,
    pub(crate) lmr: Arc<LmrTable>,
    pub(crate) referee: Referee,
    pub(crate) techniques: Techniques,
    pub(crate) evaluator: Evaluator,
    pub(crate) endgames: Option<Arc<dyn Endgames>>,
    /// TT entries to and from other machines, if others search with us.
    pub(crate) tt_exchange: Option<Arc<TtExchange>>,
    /// The pool's place among others.
    pub(crate) diversification: Diversification,
    /// What the threads have completed.
    pub(crate) iterations: Iterations,
    /// Nodes that the endgame tables settled.
    pub(crate) tablebase_hits: AtomicU64,
    /// Nodes by worker, updated at every checkpoint.
    pub(crate) nodes: Box<[AtomicU64]>,
}

impl Shared {
    /// Nodes of all workers, as last published.
    pub(crate) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }

    /// Whether the workers must stop: the first one is done, the caller says so, or time is up.
    fn must_stop(&self) -> bool {
        if self.resumable {
            self.control.poll_host();
        }
        self.finished.load(Ordering::Relaxed)
            || self.control.is_stopped()
            || self.resumable && self.control.is_paused()
            || self.budget.is_spent(|| self.total_nodes()) && !self.control.is_pondering()
    }
}

/// What a thread keeps from one search to the next.
pub(crate) struct ThreadData {
    pub(crate) history: History,
    pub(crate) correction: CorrectionHistory,
    pub(crate) evaluations: EvaluationCache,
    // The next two carry nothing over; they are kept so that no search has to allocate.
    /// The network's accumulators, if a network evaluates.
    accumulators: Option<Accumulators>,
    stack: Vec<Frame>,
}

impl ThreadData {
    /// Data for a thread that evaluates with `evaluator`. All its pages are written, so that no search has to wait
    /// for them.
    pub(crate) fn new(evaluator: &Evaluator) -> Self {
        let mut data = Self {
            history: History::new(),
            correction: CorrectionHistory::new(),
            evaluations: EvaluationCache::new(),
            accumulators: None,
            stack: vec![Frame::default(); BEFORE_ROOT + usize::from(MAX_PLY) + 2],
        };
        data.clear();
        data.set_evaluator(evaluator);
        data
    }

    /// Replaces the accumulators, which belong to one network.
    pub(crate) fn set_evaluator(&mut self, evaluator: &Evaluator) {
        self.accumulators = None;
        evaluator.start(&mut self.accumulators, &Position::start());
    }

    /// Resets everything in place: fresh memory would have to be zeroed page by page as well.
    pub(crate) fn clear(&mut self) {
        self.history.clear();
        self.correction.clear();
        self.evaluations.clear();
    }
}

/// Frames before the root, so that looking a few plies back needs no bounds test.
const BEFORE_ROOT: usize = 4;
/// Nodes between two looks at the clock and the stop flag. Small, so that many threads on few cores all stop within
/// milliseconds.
const CHECK_INTERVAL: u64 = 256;

/// What [`Worker::take_back`] needs.
#[must_use = "a move can only be taken back with this"]
pub(crate) struct Played {
    undo: Undo,
    /// A copy from before the move: cheaper than undoing the updates.
    incremental: Incremental,
}

pub(crate) struct Worker<'a> {
    pub(crate) id: usize,
    pub(crate) diversification: Diversification,
    pub(crate) shared: &'a Shared,
    pub(crate) thread: &'a mut ThreadData,
    pub(crate) position: Position,
    pub(crate) incremental: Incremental,
    /// The plies of the game and of the line that is searched.
    plies: Plies,
    /// Plies of the game before the root.
    game_plies: usize,
    pub(crate) root_moves: Vec<RootMove>,
    pub(crate) nodes: u64,
    /// Nodes that this worker may search so far.
    granted: u64,
    /// The node count at which to look at the limits again.
    next_check: u64,
    pub(crate) selective_depth: u16,
    /// Null moves are off below this ply while a null move cut is verified.
    pub(crate) nmp_from_ply: u16,
    pub(crate) stopped: bool,
    /// The depth of the iteration that is searched.
    pub(crate) iteration: u32,
    /// Whether the search was stopped because another thread has completed the iteration.
    overtaken: bool,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(id: usize, shared: &'a Shared, thread: &'a mut ThreadData, game: &Game) -> Self {
        let position = game.position().clone();
        thread.stack.iter_mut().for_each(Frame::clear);
        thread.stack[BEFORE_ROOT].in_check = position.is_in_check();
        let mut root_moves = RootMove::all(game, &shared.limits, shared.referee);
        shared.evaluator.start(&mut thread.accumulators, &position);
        let diversification = shared.diversification.of_thread(id, shared.nodes.len());
        diversification.rotate(&mut root_moves);
        let granted = shared.node_budget.claim_first(id);
        Self {
            id,
            diversification,
            shared,
            thread,
            incremental: Incremental::of(&position),
            plies: game.history().clone(),
            game_plies: game.history().len(),
            root_moves,
            nodes: 0,
            granted,
            next_check: granted.min(CHECK_INTERVAL),
            selective_depth: 0,
            nmp_from_ply: 0,
            stopped: granted == 0 && !shared.control.is_pondering(),
            iteration: 1,
            overtaken: false,
            position,
        }
    }

    /// Counts nodes from `nodes` on, which the limits already allowed.
    pub(crate) fn go_on_from(&mut self, nodes: u64) {
        self.nodes = nodes;
        self.next_check = self.granted.min(nodes + CHECK_INTERVAL).max(nodes + 1);
        self.publish_nodes();
    }

    #[inline]
    pub(crate) fn params(&self) -> &'a Params {
        &self.shared.params
    }

    #[inline]
    pub(crate) fn uses(&self, technique: Technique) -> bool {
        self.shared.techniques.has(technique)
    }

    /// The position's TT entry.
    #[inline]
    pub(crate) fn probe_tt(&self) -> Option<TtEntry> {
        if !self.uses(Technique::TranspositionTable) {
            return None;
        }
        self.shared.tt.probe(self.position.key())
    }

    #[inline]
    pub(crate) fn frame(&mut self, ply: u16) -> &mut Frame {
        &mut self.thread.stack[BEFORE_ROOT + usize::from(ply)]
    }

    /// The frame `plies` before `ply`, which may lie before the root.
    #[inline]
    pub(crate) fn frame_before(&self, ply: u16, plies: usize) -> &Frame {
        &self.thread.stack[BEFORE_ROOT + usize::from(ply) - plies]
    }

    /// What move ordering knows about the line.
    #[inline]
    pub(crate) fn context(&self, ply: u16) -> Context<'a> {
        Context {
            techniques: self.shared.techniques,
            params: self.params(),
            killers: self.frame_before(ply, 0).killers,
            before: [1, 2, 4].map(|plies| self.frame_before(ply, plies).piece_to),
        }
    }

    #[inline]
    pub(crate) fn piece_to(&self, mv: Move) -> PieceTo {
        PieceTo::new(self.position.piece_on(mv.from()).expect("moves start on a piece"), mv.to())
    }

    /// The quiet move that led here, if it was one.
    pub(crate) fn last_quiet_move(&self) -> Option<Move> {
        let undo = self.plies.plies().last()?.undo()?;
        undo.captured().is_none().then(|| undo.mv())
    }

    /// The point of the capture that led here, if it was one.
    pub(crate) fn last_capture(&self) -> Option<Square> {
        let undo = self.plies.plies().last()?.undo()?;
        undo.captured().map(|_| undo.mv().to())
    }

    /// Counts a node; now and then looks at the limits.
    #[inline]
    pub(crate) fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check_limits();
        }
    }

    #[cold]
    fn check_limits(&mut self) {
        if self.stopped {
            // On the way back to the root no node is searched.
            self.nodes -= 1;
            return;
        }
        self.publish_nodes();
        self.stopped |= self.shared.must_stop();
        if self.nodes >= self.granted {
            let more = self.shared.node_budget.claim();
            self.granted += more;
            self.stopped |= more == 0 && !self.shared.control.is_pondering();
        }
        self.overtaken = !self.stopped && self.shared.iterations.depth() >= self.iteration;
        self.stopped |= self.overtaken;
        self.next_check = match self.nodes < self.granted && !self.stopped {
            true => self.granted.min(self.nodes + CHECK_INTERVAL),
            // Stopped, or out of nodes while pondering: the limit applies as soon as the opponent moves.
            false => self.nodes + 1,
        };
    }

    /// If another thread has completed the iteration, takes its results over and goes on. Returns the depth that they
    /// are of.
    pub(crate) fn take_over_iteration(&mut self) -> Option<u32> {
        if !std::mem::take(&mut self.overtaken) {
            return None;
        }
        self.stopped = false;
        self.next_check = self.granted.min(self.nodes + CHECK_INTERVAL).max(self.nodes + 1);
        Some(self.shared.iterations.adopt(&mut self.root_moves))
    }

    pub(crate) fn publish_nodes(&self) {
        self.shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
    }

    /// Plays a move and prepares the next ply.
    #[inline]
    pub(crate) fn play(&mut self, mv: Move, gives_check: bool, ply: u16) -> Played {
        let piece_to = self.piece_to(mv);
        let incremental = self.incremental;
        self.frame(ply).piece_to = piece_to;
        let undo = self.position.play(mv, &mut self.incremental);
        if let Some(accumulators) = &mut self.thread.accumulators {
            accumulators.play(&self.position, &undo);
        }
        self.shared.tt.prefetch(self.position.key());
        self.thread.evaluations.prefetch(self.position.key());
        self.plies.push_known(undo, self.position.key(), gives_check);
        self.frame(ply + 1).in_check = gives_check;
        Played { undo, incremental }
    }

    #[inline]
    pub(crate) fn take_back(&mut self, Played { undo, incremental }: Played) {
        self.position.take_back(undo, &mut ());
        self.incremental = incremental;
        if let Some(accumulators) = &mut self.thread.accumulators {
            accumulators.take_back();
        }
        self.plies.pop();
    }

    /// Runs `search` after a null move.
    pub(crate) fn with_null_move(&mut self, ply: u16, search: impl FnOnce(&mut Self) -> Score) -> Score {
        self.frame(ply).piece_to = PieceTo::NONE;
        self.frame(ply + 1).in_check = false;
        self.position.pass();
        self.shared.tt.prefetch(self.position.key());
        self.plies.push_pass(&self.position);
        let score = search(self);
        self.position.take_back_pass();
        self.plies.pop();
        score
    }

    /// A result by the rules: repetition, the move limit, no attackers left; or the static evaluation at the
    /// deepest ply.
    #[inline]
    pub(crate) fn rule_verdict(&mut self, ply: u16) -> Option<Score> {
        let in_check = self.frame(ply).in_check;
        let ruling = self.shared.referee.repetition(&self.position, &self.plies, self.game_plies);
        if let Some(ruling) = ruling {
            return Some(match ruling.standing {
                Standing::Win => Score::won_by_rule(ply),
                Standing::Draw => Score::DRAW,
                Standing::Loss => -Score::won_by_rule(ply),
            });
        }
        if limit::is_reached(&self.position, &self.plies) && (!in_check || self.position.has_moves()) {
            return Some(Score::DRAW);
        }
        if !Side::ALL.into_iter().any(|side| self.position.can_attack(side)) {
            return Some(Score::DRAW);
        }
        (ply >= MAX_PLY).then(|| self.raw_evaluation())
    }

    /// The static evaluation before correction, from the cache if it is there.
    #[inline]
    pub(crate) fn raw_evaluation(&mut self) -> Score {
        let Self { position, incremental: Incremental { placement, .. }, shared, thread, .. } = self;
        let ThreadData { evaluations, accumulators, .. } = &mut **thread;
        evaluations.get_or(position.key(), || match (&shared.evaluator, accumulators) {
            (Evaluator::Network(network), Some(accumulators)) => {
                let score = accumulators.evaluate(network, position);
                classical::tempered(position, placement.material(), score)
            }
            _ => classical::evaluate(position, placement),
        })
    }

    #[inline]
    pub(crate) fn corrected(&self, raw: Score) -> Score {
        if !self.uses(Technique::CorrectionHistory) {
            return raw;
        }
        let side = self.position.side_to_move();
        self.thread.correction.corrected(raw, side, &self.incremental, self.params().correction_share)
    }
}
