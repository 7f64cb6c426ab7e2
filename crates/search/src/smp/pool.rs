//! The thread pool: lazy SMP workers around one transposition table.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::thread;
use std::time::{Duration, Instant};

use chuhe_board::Position;
use chuhe_referee::{Game, Referee};

use super::{Diversification, TtExchange};
use crate::endgames::Endgames;
use crate::evaluation::Evaluator;
use crate::node::LmrTable;
use crate::params::Params;
use crate::report::{Answer, Event};
use crate::techniques::Techniques;
use crate::time::{Budget, Control, Limits};
use crate::transposition::{OutOfMemory, TranspositionTable, TtEntry};
use crate::worker::{Shared, ThreadData, Worker};

/// The search threads, their data and the transposition table they share. Lives as long as the engine.
pub struct Pool {
    tt: TranspositionTable,
    threads: Vec<ThreadData>,
    params: Params,
    lmr: LmrTable,
    referee: Referee,
    techniques: Techniques,
    evaluator: Evaluator,
    endgames: Option<Arc<dyn Endgames>>,
    tt_exchange: Option<Arc<TtExchange>>,
    diversification: Diversification,
}

/// The most threads of a pool.
const MAX_THREADS: usize = 1024;

impl Pool {
    /// A pool of `threads` threads with a transposition table of `mebibytes`.
    pub fn new(threads: usize, mebibytes: usize) -> Self {
        let params = Params::default();
        Self {
            tt: TranspositionTable::new(mebibytes),
            threads: (0..threads.clamp(1, MAX_THREADS)).map(|_| ThreadData::new()).collect(),
            lmr: LmrTable::new(&params),
            params,
            referee: Referee::default(),
            techniques: Techniques::default(),
            evaluator: Evaluator::default(),
            endgames: None,
            tt_exchange: None,
            diversification: Diversification::default(),
        }
    }

    /// Changes the number of threads.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads.resize_with(threads.clamp(1, MAX_THREADS), ThreadData::new);
    }

    /// Replaces the transposition table by an empty one of another size. If that does not fit in memory, nothing
    /// changes.
    pub fn set_hash_size(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        self.tt.resize(mebibytes)?;
        // Pages are allocated when first written. During a search that could take seconds between two looks at the
        // clock and the stop flag.
        self.tt.clear(self.threads.len());
        Ok(())
    }

    /// Changes the tuned numbers.
    pub fn set_params(&mut self, params: Params) {
        self.lmr = LmrTable::new(&params);
        self.params = params;
    }

    /// Changes the rules that repetitions are judged by.
    pub fn set_referee(&mut self, referee: Referee) {
        self.referee = referee;
    }

    /// Changes the techniques that searches use.
    pub fn set_techniques(&mut self, techniques: Techniques) {
        self.techniques = techniques;
    }

    /// Changes the evaluator and clears the tables, which hold scores of the old one.
    pub fn set_evaluator(&mut self, evaluator: Evaluator) {
        if self.evaluator != evaluator {
            self.evaluator = evaluator;
            self.clear();
        }
    }

    /// Changes the endgame tables (none at first) and clears the tables of the search.
    pub fn set_endgames(&mut self, endgames: Option<Arc<dyn Endgames>>) {
        self.endgames = endgames;
        self.clear();
    }

    /// Exchanges deep TT entries with other machines from now on.
    pub fn set_tt_exchange(&mut self, exchange: Arc<TtExchange>) {
        self.tt_exchange = Some(exchange);
    }

    /// Changes the pool's place among others that search the same positions.
    pub fn set_diversification(&mut self, diversification: Diversification) {
        self.diversification = diversification;
    }

    /// The evaluator in use.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// The tuned numbers in use.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Clears the transposition table, histories and caches, as for a new game.
    pub fn clear(&mut self) {
        self.tt.clear(self.threads.len());
        self.threads.iter_mut().for_each(ThreadData::clear);
    }

    /// The TT entry of a position.
    pub fn probe_tt(&self, position: &Position) -> Option<TtEntry> {
        self.tt.probe(position.key())
    }

    /// Searches the position at the end of the game until a limit is reached or `control` stops it. Calls
    /// `on_event` on the caller's thread.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        on_event: &mut dyn FnMut(Event),
    ) -> Answer {
        let start = Instant::now();
        self.tt.new_search();
        let nodes: Vec<AtomicU64> = self.threads.iter().map(|_| AtomicU64::new(0)).collect();
        let tablebase_hits = AtomicU64::new(0);
        let stop_helpers = Control::default();
        let shared = Shared {
            tt: &self.tt,
            control,
            limits,
            budget: Budget::new(limits, &self.params, start),
            params: &self.params,
            lmr: &self.lmr,
            referee: self.referee,
            techniques: self.techniques,
            evaluator: &self.evaluator,
            endgames: self.endgames.as_deref(),
            tablebase_hits: &tablebase_hits,
            tt_exchange: self.tt_exchange.as_deref(),
            diversification: self.diversification,
            nodes: &nodes,
        };
        let helping = Shared { control: &stop_helpers, ..shared };
        let (first, rest) = self.threads.split_first_mut().expect("a pool has at least one thread");
        let mut main = Worker::new(0, &shared, first, game);
        thread::scope(|scope| {
            for (index, data) in rest.iter_mut().enumerate() {
                let helping = &helping;
                let help =
                    move || Worker::new(index + 1, helping, data, game).iterative_deepening(&mut |_| {});
                // If the system refuses a thread, the search runs on fewer.
                let _ = thread::Builder::new().spawn_scoped(scope, help);
            }
            let receiver = shared.tt_exchange.and_then(|exchange| {
                let (shared, done) = (&helping, &stop_helpers);
                let receive = move || store_received(exchange, shared, done);
                thread::Builder::new().spawn_scoped(scope, receive).ok()
            });
            let depth = main.iterative_deepening(on_event);
            stop_helpers.stop();
            if let Some(receiver) = receiver {
                receiver.thread().unpark();
            }
            main.answer(depth, limits.lines.max(1))
        })
    }
}

/// How often entries from other machines are stored.
const RECEIVE_INTERVAL: Duration = Duration::from_millis(1);

/// Stores entries from other machines until the search is done, so that no search thread has to.
fn store_received(exchange: &TtExchange, shared: &Shared<'_>, done: &Control) {
    while !done.is_stopped() {
        exchange.store_received(shared.tt);
        exchange.set_nodes(shared.total_nodes());
        thread::park_timeout(RECEIVE_INTERVAL);
    }
}

impl Worker<'_> {
    fn answer(&self, depth: u32, lines: usize) -> Answer {
        self.publish_nodes();
        let best = self.root_moves.first();
        Answer {
            best: best.map(|root| root.mv),
            ponder: best.and_then(|root| root.variation.get(1).copied()),
            lines: (0..lines.min(self.root_moves.len())).map(|rank| self.line(depth, rank)).collect(),
            nodes: self.shared.total_nodes(),
            time: self.shared.budget.elapsed(),
        }
    }
}
