//! One thread of the search: its position, its line and its memory.

use std::sync::atomic::{AtomicU64, Ordering};

use chuhe_board::{Move, Position, Side, Undo};
use chuhe_eval::network::Accumulators;
use chuhe_eval::{Score, classical};
use chuhe_referee::{Game, History as Plies, Referee, Standing, limit};

use crate::clock::Budget;
use crate::correction::Correction;
use crate::endgames::Endgames;
use crate::evaluations::Evaluations;
use crate::evaluator::Evaluator;
use crate::follower::Follower;
use crate::history::{History, Step};
use crate::mailbox::Mailbox;
use crate::params::Params;
use crate::picker::Context;
use crate::reductions::Reductions;
use crate::root::RootMove;
use crate::spread::Spread;
use crate::stack::{Frame, MAX_PLY};
use crate::table::Known;
use crate::techniques::{Technique, Techniques};
use crate::{Control, Limits, Table};

/// What all workers of one search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) control: &'a Control,
    pub(crate) limits: &'a Limits,
    pub(crate) budget: Budget,
    pub(crate) params: &'a Params,
    pub(crate) reductions: &'a Reductions,
    pub(crate) referee: Referee,
    pub(crate) techniques: Techniques,
    pub(crate) evaluator: &'a Evaluator,
    pub(crate) endgames: Option<&'a dyn Endgames>,
    /// The post to and from other machines, if others search with us.
    pub(crate) mailbox: Option<&'a Mailbox>,
    /// The pool's place among others.
    pub(crate) spread: Spread,
    /// Positions that the endgames settled.
    pub(crate) endgame_hits: &'a AtomicU64,
    /// Positions looked at, by worker; brought up to date now and then.
    pub(crate) nodes: &'a [AtomicU64],
}

impl Shared<'_> {
    /// Positions looked at by all workers, as far as they have told.
    pub(crate) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }
}

/// What a worker keeps from one search to the next.
pub(crate) struct Memory {
    pub(crate) history: History,
    pub(crate) correction: Correction,
    pub(crate) evaluations: Evaluations,
    // The next two hold nothing that a search could learn from. They are kept because short searches would
    // spend their time on making them.
    /// The network's sums, if a network evaluates.
    sums: Option<Accumulators>,
    stack: Vec<Frame>,
}

impl Memory {
    pub(crate) fn new() -> Self {
        Self {
            history: History::new(),
            correction: Correction::new(),
            evaluations: Evaluations::new(),
            sums: None,
            stack: vec![Frame::default(); BEFORE_ROOT + usize::from(MAX_PLY) + 2],
        }
    }

    /// Forgets everything, in place: fresh memory would have to be cleared page by page as well.
    pub(crate) fn forget(&mut self) {
        self.history.forget();
        self.correction.forget();
        self.evaluations.forget();
        self.sums = None;
    }
}

/// Frames before the root, so that looking a few plies back needs no test.
const BEFORE_ROOT: usize = 4;
/// The clock is looked at once in so many positions.
const CLOCK_INTERVAL: u64 = 1024;

/// What takes a move back.
#[must_use = "a move can only be taken back with this"]
pub(crate) struct Played {
    undo: Undo,
    /// As it was before; to put it back costs less than to follow the move backwards.
    follower: Follower,
}

pub(crate) struct Worker<'a> {
    pub(crate) id: usize,
    pub(crate) spread: Spread,
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) memory: &'a mut Memory,
    pub(crate) position: Position,
    pub(crate) follower: Follower,
    /// The game and the line that is searched.
    plies: Plies,
    /// How many of the plies belong to the game.
    game_plies: usize,
    pub(crate) root_moves: Vec<RootMove>,
    pub(crate) nodes: u64,
    pub(crate) selective_depth: u16,
    /// Passing is not tried again above this ply while a pass is verified.
    pub(crate) pass_from_ply: u16,
    pub(crate) stopped: bool,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(id: usize, shared: &'a Shared<'a>, memory: &'a mut Memory, game: &Game) -> Self {
        let position = game.position().clone();
        memory.stack.iter_mut().for_each(Frame::clear);
        memory.stack[BEFORE_ROOT].in_check = position.is_in_check();
        let mut root_moves = RootMove::all(game, shared.limits, shared.referee);
        shared.evaluator.start(&mut memory.sums, &position);
        let spread = shared.spread.of_thread(id, shared.nodes.len());
        spread.arrange(&mut root_moves);
        Self {
            id,
            spread,
            shared,
            memory,
            follower: Follower::of(&position),
            plies: game.history().clone(),
            game_plies: game.history().len(),
            root_moves,
            nodes: 0,
            selective_depth: 0,
            pass_from_ply: 0,
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

    /// What the table knows about the position.
    #[inline]
    pub(crate) fn known(&self) -> Option<Known> {
        if !self.uses(Technique::Table) {
            return None;
        }
        self.shared.table.find(self.position.key())
    }

    #[inline]
    pub(crate) fn frame(&mut self, ply: u16) -> &mut Frame {
        &mut self.memory.stack[BEFORE_ROOT + usize::from(ply)]
    }

    /// The frame `plies` before `ply`, which may lie before the root.
    #[inline]
    pub(crate) fn frame_before(&self, ply: u16, plies: usize) -> &Frame {
        &self.memory.stack[BEFORE_ROOT + usize::from(ply) - plies]
    }

    /// What the move picker should know about the line.
    #[inline]
    pub(crate) fn context(&self, ply: u16) -> Context {
        Context {
            techniques: self.shared.techniques,
            killers: self.frame_before(ply, 0).killers,
            before: [1, 2, 4].map(|plies| self.frame_before(ply, plies).step),
        }
    }

    #[inline]
    pub(crate) fn step(&self, mv: Move) -> Step {
        Step::new(self.position.piece_on(mv.from()).expect("moves start on a piece"), mv.to())
    }

    /// The quiet move that led here, if it was one.
    pub(crate) fn last_quiet_move(&self) -> Option<Move> {
        let undo = self.plies.plies().last()?.undo()?;
        undo.captured().is_none().then(|| undo.mv())
    }

    /// Counts a position and looks at the clock from time to time.
    #[inline]
    pub(crate) fn count_node(&mut self) {
        self.nodes += 1;
        if self.id == 0 && self.shared.limits.nodes.is_some_and(|limit| self.total_nodes() >= limit) {
            self.stopped = !self.shared.control.is_pondering();
        }
        if self.nodes.is_multiple_of(CLOCK_INTERVAL) {
            self.tell_nodes();
            let control = self.shared.control;
            let out_of_time =
                self.id == 0 && self.shared.budget.is_spent(self.total_nodes()) && !control.is_pondering();
            self.stopped |= control.is_stopped() || out_of_time;
        }
    }

    /// Positions looked at by all workers, this one counted exactly.
    fn total_nodes(&self) -> u64 {
        match self.shared.nodes.len() {
            1 => self.nodes,
            _ => self.shared.total_nodes(),
        }
    }

    pub(crate) fn tell_nodes(&self) {
        self.shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
    }

    /// Plays a move and prepares the next ply.
    #[inline]
    pub(crate) fn play(&mut self, mv: Move, gives_check: bool, ply: u16) -> Played {
        let step = self.step(mv);
        let follower = self.follower;
        self.frame(ply).step = step;
        let undo = self.position.play(mv, &mut self.follower);
        if let Some(sums) = &mut self.memory.sums {
            sums.play(&self.position, &undo);
        }
        self.shared.table.prefetch(self.position.key());
        self.memory.evaluations.prefetch(self.position.key());
        self.plies.push_known(undo, self.position.key(), gives_check);
        self.frame(ply + 1).in_check = gives_check;
        Played { undo, follower }
    }

    #[inline]
    pub(crate) fn take_back(&mut self, Played { undo, follower }: Played) {
        self.position.take_back(undo, &mut ());
        self.follower = follower;
        if let Some(sums) = &mut self.memory.sums {
            sums.take_back();
        }
        self.plies.pop();
    }

    /// Lets the opponent move twice while `search` looks at it.
    pub(crate) fn pass(&mut self, ply: u16, search: impl FnOnce(&mut Self) -> Score) -> Score {
        self.frame(ply).step = Step::PASS;
        self.frame(ply + 1).in_check = false;
        self.position.pass();
        self.shared.table.prefetch(self.position.key());
        self.plies.push_pass(&self.position);
        let score = search(self);
        self.position.take_back_pass();
        self.plies.pop();
        score
    }

    /// A result that needs no search: repetition, the move limit, no attackers left, or a line too
    /// long to follow.
    #[inline]
    pub(crate) fn settled_by_rules(&mut self, ply: u16) -> Option<Score> {
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

    /// The static evaluation before correction.
    #[inline]
    pub(crate) fn raw_evaluation(&mut self) -> Score {
        let Self { position, follower: Follower { placement, .. }, shared, memory, .. } = self;
        let Memory { evaluations, sums, .. } = &mut **memory;
        evaluations.get_or(position.key(), || match (shared.evaluator, sums) {
            (Evaluator::Network(network), Some(sums)) => {
                classical::tempered(position, placement.material(), sums.evaluate(network, position))
            }
            _ => classical::evaluate(position, placement),
        })
    }

    #[inline]
    pub(crate) fn corrected(&self, raw: Score) -> Score {
        if !self.uses(Technique::Correction) {
            return raw;
        }
        let side = self.position.side_to_move();
        self.memory.correction.corrected(raw, side, &self.follower, self.params().correction_share)
    }
}
