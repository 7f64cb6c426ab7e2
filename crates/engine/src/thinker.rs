//! The search on a thread of its own.

use std::thread::{self, JoinHandle};
use std::time::Duration;

use chuhe_referee::Game;
use chuhe_search::{Answer, Control, Event, Limits, Pool};

/// A pool that is either at rest here or at work on its thread.
pub(crate) struct Thinker {
    pool: Option<Box<Pool>>,
    work: Option<Work>,
}

struct Work {
    control: Control,
    thread: JoinHandle<Box<Pool>>,
    bounded: bool,
}

/// What a search is asked for besides its limits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    /// Answer only when told to stop.
    pub(crate) infinite: bool,
    /// Answer only when the expected move was played or when told to stop.
    pub(crate) ponder: bool,
    /// The search may never end by itself, even if it may answer when it does.
    pub(crate) endless: bool,
}

/// How often a search that is done but may not answer looks whether it may.
const PATIENCE: Duration = Duration::from_millis(2);

impl Thinker {
    pub(crate) fn new(pool: Pool) -> Self {
        Self { pool: Some(Box::new(pool)), work: None }
    }

    /// Starts a search, after the last one has ended. `tell` hears of its progress and `answer` of
    /// its outcome, both on the search's thread.
    pub(crate) fn start(
        &mut self,
        game: Game,
        limits: Limits,
        manner: Manner,
        mut tell: impl FnMut(Event) + Send + 'static,
        answer: impl FnOnce(Answer) + Send + 'static,
    ) {
        self.halt();
        let mut pool = self.pool.take().expect("a pool at rest is here");
        let control = if manner.ponder { Control::pondering() } else { Control::default() };
        let shared = control.clone();
        let work = move || {
            let found = pool.search(&game, &limits, &control, &mut tell);
            while !control.is_stopped() && (manner.infinite || control.is_pondering()) {
                thread::sleep(PATIENCE);
            }
            answer(found);
            pool
        };
        self.work = Some(Work {
            control: shared,
            thread: thread::spawn(work),
            bounded: !manner.infinite && !manner.endless,
        });
    }

    /// Tells the search to answer at once; does not wait for it.
    pub(crate) fn stop(&self) {
        if let Some(work) = &self.work {
            work.control.ponder_hit();
            work.control.stop();
        }
    }

    /// The expected move was played: the limits count from now on.
    pub(crate) fn ponder_hit(&self) {
        if let Some(work) = &self.work {
            work.control.ponder_hit();
        }
    }

    /// Stops the search and waits until it has answered.
    pub(crate) fn halt(&mut self) {
        self.stop();
        self.wait();
    }

    /// Waits for a search that ends by itself; stops one that does not.
    pub(crate) fn finish(&mut self) {
        match &self.work {
            Some(work) if work.bounded && !work.control.is_pondering() => self.wait(),
            _ => self.halt(),
        }
    }

    /// The pool, after the search has ended.
    pub(crate) fn pool(&mut self) -> &mut Pool {
        self.halt();
        self.pool.as_mut().expect("a pool at rest is here")
    }

    fn wait(&mut self) {
        if let Some(work) = self.work.take() {
            self.pool = Some(work.thread.join().expect("a search does not panic"));
        }
    }
}
