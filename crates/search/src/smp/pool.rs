//! The thread pool: lazy SMP workers around one transposition table.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use chuhe_board::Position;
use chuhe_clock::Instant;
use chuhe_referee::{Game, Referee};

use super::helpers::Helpers;
use super::{Diversification, Iterations, TtExchange};
use crate::endgames::Endgames;
use crate::evaluation::Evaluator;
use crate::node::LmrTable;
use crate::params::Params;
use crate::preset::Preset;
use crate::report::{Answer, Event};
use crate::root::PausedSearch;
use crate::techniques::Techniques;
use crate::time::{Budget, Control, Limits, NodeBudget};
use crate::transposition::{OutOfMemory, TranspositionTable, TtEntry};
use crate::worker::{Shared, ThreadData, Worker};

/// The search threads, their data and the transposition table they share. Lives as long as the engine.
pub struct Pool {
    tt: Arc<TranspositionTable>,
    /// The data of the first worker, which runs on the caller's thread.
    first: ThreadData,
    helpers: Helpers<ThreadData>,
    /// The thread that stores entries from other machines, if there is an exchange.
    receiver: Helpers<()>,
    params: Params,
    lmr: Arc<LmrTable>,
    referee: Referee,
    techniques: Techniques,
    evaluator: Evaluator,
    endgames: Option<Arc<dyn Endgames>>,
    tt_exchange: Option<Arc<TtExchange>>,
    diversification: Diversification,
}

/// Threads that every machine takes, however few processors it has.
const FEW_THREADS: usize = 64;
/// The most threads of a pool.
const MAX_THREADS: usize = 1024;

impl Pool {
    /// A pool of `threads` threads with a transposition table of `mebibytes`.
    ///
    /// # Panics
    /// If the table does not fit in memory.
    pub fn new(threads: usize, mebibytes: usize) -> Self {
        let (params, evaluator) = (Params::default(), Evaluator::default());
        let mut pool = Self {
            tt: Arc::new(TranspositionTable::new(mebibytes)),
            first: ThreadData::new(&evaluator),
            helpers: Helpers::new(),
            receiver: Helpers::new(),
            lmr: Arc::new(LmrTable::new(&params)),
            params,
            referee: Referee::default(),
            techniques: Techniques::default(),
            evaluator,
            endgames: None,
            tt_exchange: None,
            diversification: Diversification::default(),
        };
        pool.set_threads(threads);
        pool
    }

    /// The most threads that make sense on this machine: four per processor, but at least 64.
    pub fn most_threads() -> usize {
        (4 * processors()).clamp(FEW_THREADS, MAX_THREADS)
    }

    /// Starts or ends threads, and returns when they are ready to search. Returns how many there are: no more than
    /// [`Pool::most_threads`], and fewer than asked for if the system refuses some.
    pub fn set_threads(&mut self, threads: usize) -> usize {
        let evaluator = self.evaluator.clone();
        let helpers = threads.clamp(1, Self::most_threads()) - 1;
        self.helpers.resize(helpers, move || ThreadData::new(&evaluator));
        self.threads()
    }

    /// The number of search threads.
    pub fn threads(&self) -> usize {
        1 + self.helpers.len()
    }

    /// The size of the transposition table in mebibytes.
    pub fn hash_size(&self) -> usize {
        self.tt.mebibytes()
    }

    /// Replaces the transposition table by an empty one of another size. If that does not fit in memory, nothing
    /// changes.
    pub fn set_hash_size(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        self.idle_tt().resize(mebibytes)
    }

    /// The transposition table, after the helpers have left the last search.
    fn idle_tt(&mut self) -> &mut TranspositionTable {
        self.wait();
        Arc::get_mut(&mut self.tt).expect("idle helpers hold no table")
    }

    /// Waits until the helpers have left the last search.
    fn wait(&self) {
        self.helpers.wait();
        self.receiver.wait();
    }

    /// Changes the tuned numbers.
    pub fn set_params(&mut self, params: Params) {
        self.lmr = Arc::new(LmrTable::new(&params));
        self.params = params;
    }

    /// Changes the rules that repetitions are judged by.
    pub fn set_referee(&mut self, referee: Referee) {
        self.referee = referee;
    }

    /// Changes the techniques that searches use, and their numbers.
    pub fn set_preset(&mut self, preset: &Preset) {
        self.techniques = preset.techniques;
        self.set_params(preset.params.clone());
    }

    /// Changes the evaluator and clears the tables, which hold scores of the old one.
    pub fn set_evaluator(&mut self, evaluator: Evaluator) {
        if self.evaluator != evaluator {
            self.evaluator = evaluator;
            self.clear();
            self.first.set_evaluator(&self.evaluator);
            self.helpers.run(|_| {
                let evaluator = self.evaluator.clone();
                move |data: &mut ThreadData| data.set_evaluator(&evaluator)
            });
            self.helpers.wait();
        }
    }

    /// Changes the endgame tables (none at first) and clears the tables of the search.
    pub fn set_endgames(&mut self, endgames: Option<Arc<dyn Endgames>>) {
        self.endgames = endgames;
        self.clear();
    }

    /// The endgame tables.
    pub fn endgames(&self) -> Option<Arc<dyn Endgames>> {
        self.endgames.clone()
    }

    /// Exchanges deep TT entries with other machines from now on.
    pub fn set_tt_exchange(&mut self, exchange: Arc<TtExchange>) {
        self.tt_exchange = Some(exchange);
        self.receiver.resize(1, || ());
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
        self.idle_tt().clear();
        self.helpers.run(|_| ThreadData::clear);
        self.first.clear();
        self.helpers.wait();
    }

    /// The TT entry of a position.
    pub fn probe_tt(&self, position: &Position) -> Option<TtEntry> {
        self.tt.probe(position.key())
    }

    /// Searches the position at the end of the game until a limit is reached or `control` stops it. Calls
    /// `on_event` on the caller's thread. Returns as soon as the first worker has the answer. Helpers that have not
    /// noticed yet join the next search when they have: on a busy machine nobody waits for them.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        on_event: &mut dyn FnMut(Event),
    ) -> Answer {
        self.run(game, limits, control, None, on_event)
    }

    /// The same on one thread, in slices: returns early when `control` is paused, and goes on from `paused` when called
    /// again with the same arguments. What the interrupted iteration had found is in the transposition table. Give
    /// `limits.started`, so that the clock runs through.
    pub fn resume(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        paused: &mut PausedSearch,
        on_event: &mut dyn FnMut(Event),
    ) -> Answer {
        self.set_threads(1);
        self.run(game, limits, control, Some(paused), on_event)
    }

    fn run(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        paused: Option<&mut PausedSearch>,
        on_event: &mut dyn FnMut(Event),
    ) -> Answer {
        let start = limits.started.unwrap_or_else(Instant::now);
        if paused.as_ref().is_none_or(|paused| paused.is_new()) {
            self.tt.new_search();
        }
        let shared = Arc::new(Shared {
            tt: Arc::clone(&self.tt),
            control: control.clone(),
            finished: AtomicBool::new(false),
            resumable: paused.is_some(),
            limits: limits.clone(),
            node_budget: NodeBudget::new(limits.nodes, self.threads()),
            budget: Budget::new(limits, &self.params, start),
            params: self.techniques.applied_to(self.params.clone()),
            lmr: Arc::clone(&self.lmr),
            referee: self.referee,
            techniques: self.techniques,
            evaluator: self.evaluator.clone(),
            endgames: self.endgames.clone(),
            tt_exchange: self.tt_exchange.clone(),
            diversification: self.diversification,
            iterations: Iterations::default(),
            tablebase_hits: AtomicU64::new(0),
            nodes: (0..self.threads()).map(|_| AtomicU64::new(0)).collect(),
        });
        // The first worker claims its nodes before the helpers do.
        let mut first = Worker::new(0, &shared, &mut self.first, game);
        if self.helpers.len() > 0 {
            let game = Arc::new(game.clone());
            self.helpers.run(|index| help(index + 1, Arc::clone(&shared), Arc::clone(&game)));
        }
        self.receiver.run(|_| {
            let shared = Arc::clone(&shared);
            move |(): &mut ()| store_received(&shared)
        });
        let _finish = FinishOnDrop(&shared.finished);
        let mut fresh = PausedSearch::default();
        let paused = paused.unwrap_or(&mut fresh);
        first.take_up(paused);
        first.iterative_deepening(paused, on_event);
        let answer = first.answer(paused.finished(), limits.lines.max(1));
        first.lay_down(paused);
        answer
    }
}

/// The job of a helper: the same search with its own data.
fn help(id: usize, shared: Arc<Shared>, game: Arc<Game>) -> impl FnOnce(&mut ThreadData) + Send {
    move |data| {
        Worker::new(id, &shared, data, &game).iterative_deepening(&mut PausedSearch::default(), &mut |_| {});
    }
}

/// Stops the helpers when the first worker is done, even by a panic.
struct FinishOnDrop<'a>(&'a AtomicBool);

impl Drop for FinishOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// How often entries from other machines are stored.
const RECEIVE_INTERVAL: Duration = Duration::from_millis(1);

/// Stores entries from other machines until the search is done, so that no search thread has to.
fn store_received(shared: &Shared) {
    let Some(exchange) = &shared.tt_exchange else { return };
    while !shared.finished.load(Ordering::Relaxed) {
        exchange.store_received(&shared.tt);
        exchange.set_nodes(shared.total_nodes());
        thread::sleep(RECEIVE_INTERVAL);
    }
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
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
            overrun: self.shared.budget.overrun(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(pool: &mut Pool, limits: &Limits) -> Answer {
        pool.search(&Game::new(Position::start()), limits, &Control::default(), &mut |_| {})
    }

    #[test]
    fn threads_start_when_they_are_set_and_never_in_a_search() {
        let mut pool = Pool::new(1, 1);
        assert_eq!(pool.set_threads(5), 5);
        assert_eq!(pool.helpers.started(), 4);
        for _ in 0..3 {
            search(&mut pool, &Limits::nodes(2000));
            pool.clear();
        }
        assert_eq!(pool.helpers.started(), 4);
        assert_eq!(pool.set_threads(2), 2);
    }

    #[test]
    fn threads_beyond_what_makes_sense_are_not_started() {
        let mut pool = Pool::new(1, 1);
        assert_eq!(pool.set_threads(100_000), Pool::most_threads());
        assert!((FEW_THREADS..=MAX_THREADS).contains(&pool.threads()));
    }

    #[test]
    fn all_threads_together_search_at_most_the_nodes_allowed() {
        for threads in [1, 2, 7] {
            let mut pool = Pool::new(threads, 1);
            for nodes in [1, 2, 100, 5000] {
                let answer = search(&mut pool, &Limits::nodes(nodes));
                assert!(answer.best.is_some() && answer.nodes <= nodes, "{threads} threads, {nodes} nodes");
                pool.wait();
                assert!(threads > 1 || answer.nodes == nodes);
            }
        }
    }

    #[test]
    fn several_threads_report_every_depth_at_most_once_and_reach_the_last() {
        for threads in [2, 3, 8] {
            let mut pool = Pool::new(threads, 1);
            let mut depths = Vec::new();
            let game = Game::new(Position::start());
            let answer = pool.search(&game, &Limits::depth(10), &Control::default(), &mut |event| {
                if let Event::Line(line) = event {
                    depths.push(line.depth);
                }
            });
            assert!(depths.is_sorted_by(|one, next| one < next), "{threads} threads: {depths:?}");
            assert_eq!((depths.last(), answer.lines[0].depth), (Some(&10), 10));
            assert_eq!(answer.lines[0].moves[0], answer.best.unwrap());
        }
    }

    /// A search that is paused at every look at the limits.
    fn in_slices(limits: &Limits) -> (Answer, usize) {
        let (mut pool, control) = (Pool::new(1, 4), Control::default());
        let game = Game::new(Position::start());
        let mut paused = PausedSearch::default();
        let (mut slices, mut depth) = (0, 0);
        loop {
            let mut nodes = 0;
            let answer = pool.resume(&game, limits, &control, &mut paused, &mut |event| {
                if let Event::Line(line) = event {
                    assert!(line.depth > depth, "no depth is reported twice");
                    depth = line.depth;
                    nodes = line.nodes;
                    // Only some slices: an iteration must fit into one, or its work is lost for want of a table.
                    if slices < 5 {
                        control.pause();
                    }
                }
            });
            slices += 1;
            assert!(answer.nodes >= nodes);
            if !control.take_pause() {
                return (answer, slices);
            }
        }
    }

    #[test]
    fn a_paused_search_goes_on_where_it_was() {
        let (answer, slices) = in_slices(&Limits::depth(8));
        assert_eq!((answer.lines[0].depth, slices), (8, 6));
        assert_eq!(in_slices(&Limits::nodes(20_000)).0.nodes, 20_000);
    }

    #[test]
    fn a_stopped_search_answers_and_its_helpers_become_idle() {
        let mut pool = Pool::new(8, 1);
        let control = Control::default();
        control.stop();
        let answer = pool.search(&Game::new(Position::start()), &Limits::default(), &control, &mut |_| {});
        assert!(answer.best.is_some());
        pool.wait();
        assert!(Arc::get_mut(&mut pool.tt).is_some());
    }

    /// Also run under ThreadSanitizer (`tools/sanitize thread`).
    #[test]
    fn threads_and_table_change_between_searches_that_are_stopped() {
        let mut pool = Pool::new(4, 1);
        for (threads, mebibytes) in [(4, 2), (2, 1), (3, 4), (4, 1)] {
            let (control, started) = (Control::default(), AtomicBool::new(false));
            thread::scope(|scope| {
                scope.spawn(|| {
                    while !started.load(Ordering::Relaxed) {
                        thread::yield_now();
                    }
                    control.stop();
                });
                let game = Game::new(Position::start());
                let answer = pool.search(&game, &Limits::default(), &control, &mut |_| {
                    started.store(true, Ordering::Relaxed);
                });
                assert!(answer.best.is_some());
            });
            pool.clear();
            assert_eq!(pool.set_threads(threads), threads);
            pool.set_hash_size(mebibytes).unwrap();
            assert_eq!(pool.hash_size(), mebibytes);
        }
    }
}
