//! A pool of search workers shared fairly by many visitors.
//!
//! Each worker is a thread with a search and a transposition table of its own. Jobs wait in one queue; a
//! worker leases the next one for a time slice and puts it back. A job is preempted only while others
//! queue, so a lone visitor has a whole worker, and an analysis that asks for threads gets those of idle workers, until they are
//! wanted elsewhere. The transposition table keeps what a slice found, so the
//! next slice reaches the same depth much faster.

mod job;
mod scheduler;
mod usage;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use chuhe_api::live::Update;
use chuhe_board::Move;
use chuhe_referee::Game;
use chuhe_search::{Endgames, Pool};
use tokio::sync::watch;

use crate::priority::{self, Work};
use job::{Job, SliceEnd};
use scheduler::Scheduler;
pub use usage::Usage;

/// The purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Task {
    /// Analyse the position until stopped.
    Analyse {
        /// Limit of worker time.
        longest: Duration,
        /// Threads, as far as workers are idle.
        threads: usize,
        /// The last depth.
        depth: Option<u32>,
        /// Size of the transposition table in mebibytes; that of the worker if `None`.
        hash: Option<usize>,
    },
    /// Find a move.
    Move {
        /// From 0 for a beginner to 1 for full strength.
        strength: f64,
        /// Deadline, counted from submission.
        time: Duration,
        /// The move of the opening book, if there is one: it is played without a search.
        book: Option<Move>,
    },
}

impl Task {
    /// An analysis on one thread, to any depth.
    pub const fn analyse(longest: Duration) -> Self {
        Self::Analyse { longest, threads: 1, depth: None, hash: None }
    }
}

/// More moves are being searched than there are workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contention {
    /// Moves being searched.
    pub players: usize,
    /// Workers.
    pub engines: usize,
    /// How long after its deadline a move may come.
    pub longest_wait: Duration,
}

/// The workers. Dropping this ends all searches.
pub struct Engines {
    scheduler: Arc<Scheduler>,
}

impl Engines {
    /// Starts `count` workers, each with a transposition table of `mebibytes`.
    pub fn start(count: usize, mebibytes: usize, endgames: Option<Arc<dyn Endgames>>) -> Self {
        let count = count.max(1);
        let scheduler = Arc::new(Scheduler::new(count));
        for worker in 0..count {
            let (scheduler, endgames) = (scheduler.clone(), endgames.clone());
            thread::spawn(move || {
                work(&scheduler, worker, || SizedPool::new(mebibytes, endgames.clone()));
            });
        }
        let preempting = scheduler.clone();
        thread::spawn(move || preempting.preempt());
        Self { scheduler }
    }

    /// Submits a search, charged to a visitor's `usage`.
    pub fn search(&self, usage: &Arc<Usage>, game: Game, task: Task, lines: usize) -> Search {
        let (job, updates) = Job::new(usage.clone(), game, task, lines);
        let job = Arc::new(job);
        self.scheduler.submit(job.clone());
        Search { job, scheduler: self.scheduler.clone(), updates }
    }

    /// How moves in play share the workers; `None` while each has one.
    pub fn contention(&self) -> Option<Contention> {
        self.scheduler.contention()
    }

    /// Number of searches running or queued.
    pub fn load(&self) -> usize {
        self.scheduler.load()
    }
}

impl Drop for Engines {
    fn drop(&mut self) {
        self.scheduler.shut_down();
    }
}

/// Handle to a submitted search. Dropping it cancels the search.
pub struct Search {
    job: Arc<Job>,
    scheduler: Arc<Scheduler>,
    updates: watch::Receiver<Update>,
}

impl Search {
    /// The game searched.
    pub fn game(&self) -> &Game {
        self.job.game()
    }

    /// Waits for the next update; intermediate ones are skipped.
    pub async fn update(&mut self) -> Update {
        // Cannot fail: the job owns the sender, and this handle keeps the job alive.
        let _ = self.updates.changed().await;
        self.updates.borrow_and_update().clone()
    }

    /// Waits for the update that ends the search.
    pub fn last_update(&self) -> impl Future<Output = Update> + use<> {
        let mut updates = self.updates.clone();
        async move {
            let last = updates.wait_for(|update| update.finished).await.map(|update| update.clone());
            match last {
                Ok(update) => update,
                // The search was given up.
                Err(_) => std::future::pending().await,
            }
        }
    }

    /// The newest update.
    #[cfg(test)]
    fn update_now(&self) -> Update {
        self.updates.borrow().clone()
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.scheduler.cancel(&self.job);
    }
}

/// A pool whose transposition table changes its size for an analysis that asks for another.
struct SizedPool {
    pool: Pool,
    /// The usual size, in mebibytes.
    usual: usize,
}

impl SizedPool {
    fn new(mebibytes: usize, endgames: Option<Arc<dyn Endgames>>) -> Self {
        let mut pool = Pool::new(1, mebibytes);
        pool.set_endgames(endgames);
        Self { pool, usual: mebibytes }
    }

    /// Makes the pool ready for a job.
    fn prepare(&mut self, job: &Job, threads: usize) -> &mut Pool {
        if self.pool.threads() != threads {
            self.pool.set_threads(threads);
        }
        let wanted = job.hash().unwrap_or(self.usual);
        if wanted != self.pool.hash_size() {
            // If it does not fit in memory, the last table serves.
            let _ = self.pool.set_hash_size(wanted);
        }
        &mut self.pool
    }
}

/// The loop of a worker. A search that panics ends alone: its worker goes on with a new pool.
fn work(scheduler: &Scheduler, worker: usize, make_pool: impl Fn() -> SizedPool) {
    priority::lower(Work::Awaited);
    let mut pool = None;
    while let Some((job, control, threads)) = scheduler.lease(worker) {
        // Nothing that the panic may have left half done is used again: the pool is dropped and the job fails.
        let run = AssertUnwindSafe(|| {
            let pool = pool.get_or_insert_with(&make_pool);
            job.run(pool.prepare(&job, threads), &control, worker)
        });
        let end = catch_unwind(run).unwrap_or_else(|_| {
            pool = None;
            SliceEnd::Failed
        });
        scheduler.release(worker, &job, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::Position;

    const ANALYSE: Task = Task::analyse(Duration::from_secs(60));

    fn start() -> Game {
        Game::new(Position::start())
    }

    #[tokio::test]
    async fn a_lone_analysis_keeps_deepening() {
        let engines = Engines::start(1, 4, None);
        let mut search = engines.search(&Arc::default(), start(), ANALYSE, 3);
        let mut depth = 0;
        while depth < 6 {
            let update = search.update().await;
            assert_eq!(update.lines.len(), 3);
            assert!(update.lines[0].depth >= depth, "the depth shown never falls");
            depth = update.lines[0].depth;
        }
    }

    #[tokio::test]
    async fn an_analysis_uses_idle_workers_until_another_search_comes() {
        let engines = Engines::start(3, 4, None);
        let wide = Task::Analyse { longest: Duration::from_secs(60), threads: 8, depth: None, hash: None };
        let mut first = engines.search(&Arc::default(), start(), wide, 1);
        first.update().await;
        assert_eq!(engines.scheduler.threads(), [3]);
        let _second = engines.search(&Arc::default(), start(), ANALYSE, 1);
        while engines.scheduler.threads().iter().sum::<usize>() != 3 || engines.scheduler.threads().len() != 2
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let depth = first.update_now().lines[0].depth;
        while first.update().await.lines[0].depth <= depth {}
    }

    #[tokio::test]
    async fn an_analysis_ends_at_its_depth() {
        let engines = Engines::start(1, 4, None);
        let task = Task::Analyse { longest: Duration::from_secs(60), threads: 1, depth: Some(5), hash: None };
        let mut search = engines.search(&Arc::default(), start(), task, 1);
        while !search.update().await.finished {}
        assert_eq!(search.update_now().lines[0].depth, 5);
    }

    #[test]
    fn the_table_has_the_size_that_an_analysis_asks_for_and_no_longer() {
        let mut pool = SizedPool::new(4, None);
        let large = Task::Analyse { longest: Duration::ZERO, threads: 1, depth: None, hash: Some(8) };
        for (task, mebibytes) in [(large, 8), (ANALYSE, 4)] {
            let (job, _) = Job::new(Arc::default(), start(), task, 1);
            pool.prepare(&job, 1);
            assert_eq!(pool.pool.hash_size(), mebibytes);
        }
    }

    #[tokio::test]
    async fn a_dropped_search_frees_its_worker() {
        let engines = Engines::start(1, 4, None);
        let mut first = engines.search(&Arc::default(), start(), ANALYSE, 1);
        first.update().await;
        assert_eq!(engines.load(), 1);
        drop(first);
        let task = Task::Move { strength: 1.0, time: Duration::from_millis(20), book: None };
        let mut second = engines.search(&Arc::default(), start(), task, 1);
        while !second.update().await.finished {}
        drop(second);
        assert_eq!(engines.load(), 0);
    }

    #[tokio::test]
    async fn every_visitor_gets_a_slice_of_one_worker() {
        let engines = Engines::start(1, 4, None);
        let mut searches: Vec<Search> =
            (0..12).map(|_| engines.search(&Arc::default(), start(), ANALYSE, 1)).collect();
        // The first slice gives every visitor a line; later ones deepen it.
        for _ in 0..2 {
            for search in &mut searches {
                assert!(!search.update().await.lines.is_empty());
            }
        }
    }

    #[tokio::test]
    async fn a_move_is_found_while_others_analyse() {
        let engines = Engines::start(1, 4, None);
        let _others: Vec<Search> =
            (0..4).map(|_| engines.search(&Arc::default(), start(), ANALYSE, 1)).collect();
        for strength in [0.0, 0.5, 1.0] {
            let task = Task::Move { strength, time: Duration::from_millis(150), book: None };
            let mut search = engines.search(&Arc::default(), start(), task, 1);
            let update = loop {
                let update = search.update().await;
                if update.finished {
                    break update;
                }
            };
            assert!(start().position().is_legal(update.lines[0].moves[0]));
        }
    }

    #[tokio::test]
    async fn moves_meet_their_deadline_among_many_analyses() {
        const WORKERS: usize = 2;
        let engines = Engines::start(WORKERS, 4, None);
        let _analyses: Vec<Search> =
            (0..100).map(|_| engines.search(&Arc::default(), start(), ANALYSE, 1)).collect();
        let time = Duration::from_millis(400);
        let mut lateness = Vec::new();
        // A busy machine may delay a round; starvation delays all of them.
        for _ in 0..3 {
            let submitted = std::time::Instant::now();
            let task = Task::Move { strength: 1.0, time, book: None };
            let mut moves: Vec<Search> =
                (0..WORKERS).map(|_| engines.search(&Arc::default(), start(), task, 1)).collect();
            for search in &mut moves {
                while !search.update().await.finished {}
            }
            lateness.push(submitted.elapsed().saturating_sub(time));
        }
        assert!(lateness.iter().min() < Some(&Duration::from_millis(200)), "{lateness:?}");
    }

    #[tokio::test]
    async fn more_players_than_workers_all_get_a_move_and_know_the_wait() {
        let engines = Engines::start(2, 4, None);
        assert_eq!(engines.contention(), None);
        let task = Task::Move { strength: 1.0, time: Duration::from_millis(300), book: None };
        let mut moves: Vec<Search> =
            (0..2).map(|_| engines.search(&Arc::default(), start(), task, 1)).collect();
        assert_eq!(engines.contention(), None, "a worker for each");
        moves.extend((0..18).map(|_| engines.search(&Arc::default(), start(), task, 1)));
        let contention = engines.contention().expect("ten players a worker");
        assert_eq!((contention.players, contention.engines), (20, 2));
        assert_eq!(contention.longest_wait, Duration::from_millis(400));
        for search in &mut moves {
            while !search.update().await.finished {}
            assert!(!search.update_now().lines.is_empty());
        }
        assert_eq!(engines.contention(), None);
    }

    #[tokio::test]
    async fn the_last_update_is_seen_past_all_others() {
        let engines = Engines::start(1, 4, None);
        let task = Task::Move { strength: 1.0, time: Duration::from_millis(100), book: None };
        let search = engines.search(&Arc::default(), start(), task, 1);
        let last = search.last_update().await;
        assert!(last.finished && start().position().is_legal(last.lines[0].moves[0]));
    }

    #[tokio::test]
    async fn a_finished_game_has_no_move() {
        let engines = Engines::start(1, 4, None);
        let mated = Game::new("3k1R3/4R4/9/9/9/9/9/9/9/4K4 b".parse().unwrap());
        let mut search = engines.search(&Arc::default(), mated, ANALYSE, 1);
        let update = search.update().await;
        assert!(update.finished && update.lines.is_empty());
    }

    /// Tables of three pieces whose look-up panics.
    struct Faulty;

    impl Endgames for Faulty {
        fn most_pieces(&self) -> u32 {
            3
        }

        fn certainty(&self, _: &Position) -> Option<chuhe_search::Certainty> {
            panic!("a panic on purpose");
        }
    }

    #[tokio::test]
    async fn a_search_that_panics_fails_alone() {
        let engines = Engines::start(1, 4, Some(Arc::new(Faulty)));
        let mut healthy = engines.search(&Arc::default(), start(), ANALYSE, 1);
        healthy.update().await;
        let poisoned = || Game::new("4k4/9/9/9/9/9/9/9/R8/3K5 w".parse().unwrap());
        for _ in 0..3 {
            let mut search = engines.search(&Arc::default(), poisoned(), ANALYSE, 1);
            while !search.update().await.finished {}
            assert!(search.update_now().failed);
        }
        let depth = healthy.update_now().lines[0].depth;
        while healthy.update().await.lines[0].depth <= depth {}
        assert!(!healthy.update_now().failed);
    }
}
