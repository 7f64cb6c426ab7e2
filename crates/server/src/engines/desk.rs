//! The desk where searches wait: who is next, and when a running one must make way.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chuhe_search::Control;

use super::job::{End, Job};

/// How long a search keeps its engine when others wait: the first time just long enough for some
/// lines, later long enough to get deeper than before.
const FIRST_SLICE: Duration = Duration::from_millis(20);
const SLICE: Duration = Duration::from_millis(120);
/// How often running searches are looked at while somebody waits or a move has a time limit.
const GLANCE: Duration = Duration::from_millis(4);

pub(super) struct Desk {
    state: Mutex<State>,
    /// Told when a search arrives, when one is put back and when the desk closes.
    news: Condvar,
}

struct State {
    waiting: Vec<Arc<Job>>,
    running: Vec<Option<Run>>,
    closed: bool,
}

/// A search on an engine.
struct Run {
    job: Arc<Job>,
    control: Control,
    since: Instant,
    /// Told to make way for others, not to end.
    interrupted: bool,
}

impl Run {
    fn slice_is_over(&self, now: Instant) -> bool {
        let slice = if self.job.is_fresh() { FIRST_SLICE } else { SLICE };
        now.saturating_duration_since(self.since) >= slice
    }
}

impl Desk {
    pub(super) fn new(engines: usize) -> Self {
        let running = (0..engines).map(|_| None).collect();
        Self {
            state: Mutex::new(State { waiting: Vec::new(), running, closed: false }),
            news: Condvar::new(),
        }
    }

    pub(super) fn add(&self, job: Arc<Job>) {
        self.state().waiting.push(job);
        self.news.notify_all();
    }

    /// Takes a search off the desk and stops it if it runs.
    pub(super) fn cancel(&self, job: &Arc<Job>) {
        job.cancel();
        let mut state = self.state();
        state.waiting.retain(|waiting| !Arc::ptr_eq(waiting, job));
        for run in state.running.iter().flatten().filter(|run| Arc::ptr_eq(&run.job, job)) {
            run.control.stop();
        }
    }

    /// Ends everything.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.waiting.clear();
        state.running.iter().flatten().for_each(|run| run.control.stop());
        self.news.notify_all();
    }

    /// How many searches run or wait, those left out that are being stopped.
    pub(super) fn load(&self) -> usize {
        let state = self.state();
        let running = state.running.iter().flatten().filter(|run| !run.job.is_cancelled()).count();
        state.waiting.len() + running
    }

    /// Waits for work for an engine; `None` when the desk has closed.
    pub(super) fn next(&self, engine: usize) -> Option<(Arc<Job>, Control)> {
        let mut state = self.state();
        loop {
            if state.closed {
                return None;
            }
            if let Some(index) = most_in_need(&state.waiting, engine, Instant::now()) {
                let job = state.waiting.swap_remove(index);
                let control = Control::default();
                let run = Run {
                    job: job.clone(),
                    control: control.clone(),
                    since: Instant::now(),
                    interrupted: false,
                };
                state.running[engine] = Some(run);
                self.news.notify_all();
                return Some((job, control));
            }
            state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// An engine has ended a slice: the search goes back to the desk, or is done.
    pub(super) fn done(&self, engine: usize, job: &Arc<Job>, end: End) {
        let mut state = self.state();
        let interrupted = state.running[engine].take().is_some_and(|run| run.interrupted);
        let goes_on = end == End::Stopped && interrupted && !job.is_cancelled() && !state.closed;
        if goes_on {
            state.waiting.push(job.clone());
        } else {
            drop(state);
            job.finish();
        }
        self.news.notify_all();
    }

    /// Makes running searches give way, until the desk closes.
    pub(super) fn oversee(&self) {
        let mut state = self.state();
        while !state.closed {
            let now = Instant::now();
            let mut must_look_again = false;
            let mut others = state.waiting.len();
            for run in state.running.iter_mut().flatten() {
                if run.job.is_late(now) {
                    run.control.stop();
                } else if others > 0 && run.slice_is_over(now) && !run.interrupted {
                    run.interrupted = true;
                    run.control.stop();
                    others -= 1;
                }
                must_look_again |= others > 0 || run.job.has_time_limit();
            }
            state = if must_look_again {
                self.news.wait_timeout(state, GLANCE).unwrap_or_else(PoisonError::into_inner).0
            } else {
                self.news.wait(state).unwrap_or_else(PoisonError::into_inner)
            };
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Which of the waiting searches an engine should take: new ones first, then those whose visitors have
/// had least; of equals one that this engine knows already.
fn most_in_need(waiting: &[Arc<Job>], engine: usize, now: Instant) -> Option<usize> {
    let need = |job: &Arc<Job>| {
        let slices_used = job.account().used(now).as_millis() / SLICE.as_millis();
        (!job.goes_first(), slices_used, !job.is_at_home(engine), job.asked_at())
    };
    (0..waiting.len()).min_by_key(|index| need(&waiting[*index]))
}
