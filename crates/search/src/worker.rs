//! One search thread: its position, its search stack and its tables.

use std::sync::atomic::{AtomicU64, Ordering};

use chuhe_board::{Move, Position, Side, Undo};
use chuhe_eval::network::Accumulators;
use chuhe_eval::{Score, classical};
use chuhe_referee::{Game, History as Plies, Referee, Standing, limit};

use crate::endgames::Endgames;
use crate::evaluation::{CorrectionHistory, EvaluationCache, Evaluator, Incremental};
use crate::node::{Frame, LmrTable, MAX_PLY};
use crate::ordering::{Context, History, PieceTo};
use crate::params::Params;
use crate::root::RootMove;
use crate::smp::{Diversification, TtExchange};
use crate::techniques::{Technique, Techniques};
use crate::time::{Budget, Control, Limits};
use crate::transposition::{TranspositionTable, TtEntry};

/// What all workers of one search share.
pub(crate) struct Shared<'a> {
    pub(crate) tt: &'a TranspositionTable,
    pub(crate) control: &'a Control,
    pub(crate) limits: &'a Limits,
    pub(crate) budget: Budget,
    pub(crate) params: &'a Params,
    pub(crate) lmr: &'a LmrTable,
    pub(crate) referee: Referee,
    pub(crate) techniques: Techniques,
    pub(crate) evaluator: &'a Evaluator,
    pub(crate) endgames: Option<&'a dyn Endgames>,
    /// TT entries to and from other machines, if others search with us.
    pub(crate) tt_exchange: Option<&'a TtExchange>,
    /// The pool's place among others.
    pub(crate) diversification: Diversification,
    /// Nodes that the endgame tables settled.
    pub(crate) tablebase_hits: &'a AtomicU64,
    /// Nodes by worker, updated every [`CLOCK_INTERVAL`] nodes.
    pub(crate) nodes: &'a [AtomicU64],
}

impl Shared<'_> {
    /// Nodes of all workers, as last published.
    pub(crate) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }
}

/// What a thread keeps from one search to the next.
pub(crate) struct ThreadData {
    pub(crate) history: History,
    pub(crate) correction: CorrectionHistory,
    pub(crate) evaluations: EvaluationCache,
    // The next two carry nothing over; they are kept because short searches would spend their time allocating.
    /// The network's accumulators, if a network evaluates.
    accumulators: Option<Accumulators>,
    stack: Vec<Frame>,
}

impl ThreadData {
    pub(crate) fn new() -> Self {
        Self {
            history: History::new(),
            correction: CorrectionHistory::new(),
            evaluations: EvaluationCache::new(),
            accumulators: None,
            stack: vec![Frame::default(); BEFORE_ROOT + usize::from(MAX_PLY) + 2],
        }
    }

    /// Resets everything in place: fresh memory would have to be zeroed page by page as well.
    pub(crate) fn clear(&mut self) {
        self.history.clear();
        self.correction.clear();
        self.evaluations.clear();
        self.accumulators = None;
    }
}

/// Frames before the root, so that looking a few plies back needs no bounds test.
const BEFORE_ROOT: usize = 4;
/// Nodes between two looks at the clock and the stop flag.
const CLOCK_INTERVAL: u64 = 1024;

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
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) thread: &'a mut ThreadData,
    pub(crate) position: Position,
    pub(crate) incremental: Incremental,
    /// The plies of the game and of the line that is searched.
    plies: Plies,
    /// Plies of the game before the root.
    game_plies: usize,
    pub(crate) root_moves: Vec<RootMove>,
    pub(crate) nodes: u64,
    pub(crate) selective_depth: u16,
    /// Null moves are off below this ply while a null move cut is verified.
    pub(crate) nmp_from_ply: u16,
    pub(crate) stopped: bool,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(id: usize, shared: &'a Shared<'a>, thread: &'a mut ThreadData, game: &Game) -> Self {
        let position = game.position().clone();
        thread.stack.iter_mut().for_each(Frame::clear);
        thread.stack[BEFORE_ROOT].in_check = position.is_in_check();
        let mut root_moves = RootMove::all(game, shared.limits, shared.referee);
        shared.evaluator.start(&mut thread.accumulators, &position);
        let diversification = shared.diversification.of_thread(id, shared.nodes.len());
        diversification.rotate(&mut root_moves);
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
            selective_depth: 0,
            nmp_from_ply: 0,
            stopped: false,
            position,
        }
    }

    #[inline]
    pub(crate) fn params(&self) -> &'a Params {
        self.shared.params
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
            params: self.shared.params,
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

    /// Counts a node; every [`CLOCK_INTERVAL`] nodes checks the clock and the stop flag.
    #[inline]
    pub(crate) fn count_node(&mut self) {
        self.nodes += 1;
        if self.id == 0 && self.shared.limits.nodes.is_some_and(|limit| self.total_nodes() >= limit) {
            self.stopped = !self.shared.control.is_pondering();
        }
        if self.nodes.is_multiple_of(CLOCK_INTERVAL) {
            self.publish_nodes();
            let control = self.shared.control;
            let out_of_time =
                self.id == 0 && self.shared.budget.is_spent(self.total_nodes()) && !control.is_pondering();
            self.stopped |= control.is_stopped() || out_of_time;
        }
    }

    /// Nodes of all workers; exact for a single one.
    fn total_nodes(&self) -> u64 {
        match self.shared.nodes.len() {
            1 => self.nodes,
            _ => self.shared.total_nodes(),
        }
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
        evaluations.get_or(position.key(), || match (shared.evaluator, accumulators) {
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
