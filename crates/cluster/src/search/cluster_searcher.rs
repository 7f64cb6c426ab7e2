//! The searcher of rank 0's session: searches with its own pool while all workers search, too, and plays the move that
//! the vote elects.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chuhe_engine::{Searcher, first_pool};
use chuhe_referee::Game;
use chuhe_search::{Answer, Bound, Control, Event, Limits, Line, Pool};

use super::Exchange;
use super::coordinator::{Coordinator, Request, StartedSearch, vote_timeout};
use super::message::{Message, Start};
use super::vote::{SearchResult, VoteCount};
use crate::topology::Topology;

/// Searches on all ranks. Its [`Coordinator`] runs on the thread that owns the link.
pub struct ClusterSearcher {
    pool: Pool,
    requests: Sender<Request>,
    ranks: Ranks,
    topology: Topology,
    searches: u64,
    warnings: Warnings,
    stop_handle: StopHandle,
    shows_traffic: bool,
}

/// How many ranks search, with this one.
#[derive(Clone)]
pub(super) struct Ranks(Arc<AtomicUsize>);

impl Ranks {
    fn alone() -> Self {
        Self(Arc::new(AtomicUsize::new(1)))
    }

    pub(super) fn set(&self, ranks: usize) {
        self.0.store(ranks, Ordering::Relaxed);
    }

    fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// What workers report, as text for the GUI.
pub(super) type Warnings = Arc<Mutex<Vec<String>>>;

/// Makes the running search answer with its best move so far, even if the link is dead.
#[derive(Clone, Default)]
pub struct StopHandle {
    control: Arc<Mutex<Option<Control>>>,
}

impl StopHandle {
    /// Ends the running search, if there is one.
    pub fn stop(&self) {
        if let Some(control) = &*self.control.lock().unwrap_or_else(PoisonError::into_inner) {
            control.ponder_hit();
            control.stop();
        }
    }

    fn set(&self, control: Option<Control>) {
        *self.control.lock().unwrap_or_else(PoisonError::into_inner) = control;
    }
}

/// Nodes that the workers have searched so far.
#[derive(Default)]
pub(super) struct WorkerNodes(AtomicU64);

impl WorkerNodes {
    pub(super) fn set(&self, nodes: u64) {
        self.0.store(nodes, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl ClusterSearcher {
    /// The searcher for rank 0 of `ranks`, and its coordinator. With `shows_traffic` it reports after every search what
    /// the exchange of table entries cost.
    pub fn new(ranks: usize, exchange: Exchange, shows_traffic: bool) -> (Self, Coordinator) {
        let (mut searcher, coordinator) = Self::supervised(exchange, shows_traffic);
        searcher.ranks.set(ranks);
        if ranks == 1 {
            searcher.pool = first_pool();
        }
        (searcher, coordinator)
    }

    /// The searcher for a rank 0 whose workers come and go (see [`supervise`](super::supervise)), and its coordinator.
    pub fn supervised(exchange: Exchange, shows_traffic: bool) -> (Self, Coordinator) {
        let (requests, receiver) = mpsc::channel();
        let (warnings, ranks) = (Warnings::default(), Ranks::alone());
        let coordinator = Coordinator::new(receiver, exchange, Arc::clone(&warnings), ranks.clone());
        let mut pool = first_pool();
        pool.set_tt_exchange(coordinator.tt_exchange());
        let stop_handle = StopHandle::default();
        let topology = exchange.topology;
        let searcher =
            Self { pool, requests, ranks, topology, searches: 0, warnings, stop_handle, shows_traffic };
        (searcher, coordinator)
    }

    /// Stops this searcher from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop_handle.clone()
    }

    fn request(&self, request: Request) {
        // Without a coordinator this rank searches alone.
        let _ = self.requests.send(request);
    }

    /// Starts a search on all workers.
    fn start_workers(&mut self, game: &Game, limits: &Limits, control: &Control) -> StartedSearch {
        self.searches += 1;
        let network = self.pool.evaluator().fingerprint();
        let started = StartedSearch {
            start: Start::new(self.searches, network, game, limits, control.is_pondering()),
            outer: control.clone(),
            inner: control.follower(),
            worker_nodes: Arc::default(),
        };
        self.request(Request::Start(started.clone()));
        started
    }

    /// The votes of all workers that answer in time.
    fn collect_votes(&self, ranks: usize) -> VoteCount {
        let (sender, votes) = mpsc::channel();
        self.request(Request::Vote(self.searches, sender));
        // Longer than the coordinator's own timeout, in case it hangs on a dead link.
        votes
            .recv_timeout(vote_timeout(self.topology, ranks) + Duration::from_millis(200))
            .unwrap_or_default()
    }

    fn report_warnings(&self, on_event: &mut dyn FnMut(Event)) {
        for warning in std::mem::take(&mut *self.warnings.lock().unwrap_or_else(PoisonError::into_inner)) {
            on_event(Event::Remark(warning));
        }
    }

    fn report(&self, votes: &VoteCount, ranks: usize, on_event: &mut dyn FnMut(Event)) {
        self.report_warnings(on_event);
        if self.shows_traffic {
            let VoteCount { voters, messages, bytes, .. } = votes;
            let voters = voters.len();
            on_event(Event::Remark(format!(
                "{messages} messages with {bytes} bytes of entries, {voters} of {ranks} ranks voted"
            )));
        }
    }
}

impl Searcher for ClusterSearcher {
    fn pool(&mut self) -> &mut Pool {
        &mut self.pool
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        on_event: &mut dyn FnMut(Event),
    ) -> Answer {
        let ranks = self.ranks.get();
        if ranks == 1 {
            self.report_warnings(on_event);
            return self.pool.search(game, limits, control, on_event);
        }
        let limits = limits_per_rank(limits, ranks);
        self.stop_handle.set(Some(control.clone()));
        let StartedSearch { inner, worker_nodes, .. } = self.start_workers(game, &limits, control);
        let mut answer = self
            .pool
            .search(game, &limits, &inner, &mut |event| on_event(with_worker_nodes(event, &worker_nodes)));
        let own = VoteCount::of(0, &answer);
        let mut all = self.collect_votes(ranks);
        self.stop_handle.set(None);
        all.add(own.clone());
        self.report(&all, ranks, on_event);
        // Late votes are missing, and their nodes with them.
        answer.nodes = all.nodes.max(own.nodes + worker_nodes.get());
        // MultiPV lines are rank 0's alone: the vote is on one move.
        if limits.lines <= 1
            && let Some(winner) = all.winner(limits.depth.unwrap_or(0))
            && own.winner(0) != Some(winner)
            && is_allowed(game, &limits, winner)
        {
            adopt(&mut answer, winner);
        }
        if let Some(line) = answer.lines.first_mut() {
            line.nodes = answer.nodes;
            on_event(Event::Line(line.clone()));
        }
        answer
    }

    fn forget(&mut self) {
        self.pool.clear();
        self.request(Request::Broadcast(Message::Forget));
    }

    fn option_set(&mut self, name: &str, value: Option<&str>) {
        let (name, value) = (name.to_owned(), value.map(str::to_owned));
        self.request(Request::Broadcast(Message::SetOption { name, value }));
    }
}

/// Nodes are divided, time is not.
fn limits_per_rank(limits: &Limits, ranks: usize) -> Limits {
    let nodes = limits.nodes.map(|nodes| nodes.div_ceil(ranks as u64));
    Limits { nodes, ..limits.clone() }
}

/// Whether a worker's line is legal and within the limits.
fn is_allowed(game: &Game, limits: &Limits, result: &SearchResult) -> bool {
    let mut after = game.clone();
    let plays = result.moves.iter().all(|mv| after.play(*mv).is_ok());
    let allowed = |mv| (limits.only.is_empty() || limits.only.contains(&mv)) && !limits.banned.contains(&mv);
    plays && result.mv().is_some_and(allowed)
}

/// Replaces the answer by a worker's line.
fn adopt(answer: &mut Answer, result: &SearchResult) {
    let Some(own) = answer.lines.first() else { return };
    let line = Line {
        depth: result.depth,
        selective_depth: result.selective_depth,
        score: result.score,
        bound: Bound::Exact,
        moves: result.moves.clone(),
        ..own.clone()
    };
    answer.best = result.mv();
    answer.ponder = result.moves.get(1).copied();
    answer.lines = vec![line];
}

fn with_worker_nodes(event: Event, workers: &WorkerNodes) -> Event {
    match event {
        Event::Line(line) => Event::Line(Line { nodes: line.nodes + workers.get(), ..line }),
        event => event,
    }
}
