//! Scheduler: a queue of jobs, preemptive time slices, and fair share between visitors.
//!
//! Fair share alone would let moves in play starve behind many analyses. A move is therefore *urgent* for the
//! last part of its time: it then preempts analyses and keeps its worker to the deadline, earliest deadline
//! first (EDF). As long as no more players think than there are workers, every move comes on time.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chuhe_search::Control;

use super::Contention;
use super::job::{Job, SliceEnd};

/// Time slice of a job that has not run yet: enough for the first lines.
const FIRST_SLICE: Duration = Duration::from_millis(20);
/// Later slices are long enough to search deeper than the slice before.
const SLICE: Duration = Duration::from_millis(120);
/// How often running jobs are checked while others queue or a deadline is set.
const TICK: Duration = Duration::from_millis(4);

/// How long after its deadline a move comes at most while every player has an engine.
const ANSWER_TIME: Duration = Duration::from_millis(200);

pub(super) struct Scheduler {
    state: Mutex<State>,
    /// Notified when a job is queued or released, and on shutdown.
    changed: Condvar,
}

struct State {
    queue: Vec<Arc<Job>>,
    /// The job on each worker.
    running: Vec<Option<Lease>>,
    is_shut_down: bool,
}

/// A job on a worker.
struct Lease {
    job: Arc<Job>,
    control: Control,
    /// Threads of its search: its own worker's and those of idle ones.
    threads: usize,
    since: Instant,
    /// Stopped to make room for others; the job will be queued again.
    preempted: bool,
}

impl Lease {
    fn is_slice_over(&self, now: Instant) -> bool {
        let slice = if self.job.has_run() { SLICE } else { FIRST_SLICE };
        now.saturating_duration_since(self.since) >= slice
    }
}

impl State {
    /// Threads of all running searches.
    fn threads(&self) -> usize {
        self.running.iter().flatten().map(|lease| lease.threads).sum()
    }

    /// Answers the moves that are due with what is known of them. A worker that runs one is stopped as well, but on a busy
    /// machine it may notice late.
    fn answer_due(&mut self, now: Instant) {
        self.queue.extract_if(.., |job| job.is_due(now)).for_each(|job| job.finish(false));
        for lease in self.running.iter().flatten().filter(|lease| lease.job.is_due(now)) {
            lease.control.stop();
            lease.job.finish(false);
        }
    }

    /// Returns whether the running jobs must be checked again soon.
    fn preempt(&mut self, now: Instant) -> bool {
        let mut queued = self.queue.len();
        let mut urgent = self.queue.iter().filter(|job| job.is_urgent(now)).count();
        // A search on several threads gives them back when their workers have found work.
        let is_crowded = self.threads() > self.running.len();
        let mut needs_tick = is_crowded;
        for lease in self.running.iter_mut().flatten() {
            let is_urgent = lease.job.is_urgent(now);
            let is_wide = is_crowded && lease.threads > 1;
            let must_yield = match urgent {
                0 => (queued > 0 || is_wide) && !is_urgent && lease.is_slice_over(now),
                _ => !is_urgent || lease.is_slice_over(now),
            };
            if must_yield && !lease.preempted {
                lease.preempted = true;
                lease.control.stop();
                queued = queued.saturating_sub(1);
                urgent = urgent.saturating_sub(1);
            }
            needs_tick |= queued > 0 || lease.job.deadline().is_some();
        }
        needs_tick
    }
}

impl Scheduler {
    pub(super) fn new(workers: usize) -> Self {
        let running = (0..workers).map(|_| None).collect();
        Self {
            state: Mutex::new(State { queue: Vec::new(), running, is_shut_down: false }),
            changed: Condvar::new(),
        }
    }

    pub(super) fn submit(&self, job: Arc<Job>) {
        self.state().queue.push(job);
        self.changed.notify_all();
    }

    /// Removes a job from the queue, or stops it if it is running.
    pub(super) fn cancel(&self, job: &Arc<Job>) {
        job.cancel();
        let mut state = self.state();
        state.queue.retain(|queued| !Arc::ptr_eq(queued, job));
        for lease in state.running.iter().flatten().filter(|lease| Arc::ptr_eq(&lease.job, job)) {
            lease.control.stop();
        }
    }

    pub(super) fn shut_down(&self) {
        let mut state = self.state();
        state.is_shut_down = true;
        state.queue.clear();
        state.running.iter().flatten().for_each(|lease| lease.control.stop());
        self.changed.notify_all();
    }

    /// Number of jobs running or queued, without cancelled ones.
    pub(super) fn load(&self) -> usize {
        let state = self.state();
        let running = state.running.iter().flatten().filter(|lease| !lease.job.is_cancelled()).count();
        state.queue.len() + running
    }

    /// How moves in play share the workers, if they have to.
    pub(super) fn contention(&self) -> Option<Contention> {
        let state = self.state();
        let running = state.running.iter().flatten().map(|lease| &lease.job);
        let players = state
            .queue
            .iter()
            .chain(running)
            .filter(|job| job.deadline().is_some() && !job.is_cancelled())
            .count();
        let engines = state.running.len();
        (players > engines).then(|| {
            // A move that has had a slice is answered by its deadline; in the worst case all wait for their first.
            let rounds = u32::try_from(players.div_ceil(engines)).unwrap_or(u32::MAX);
            Contention { players, engines, longest_wait: FIRST_SLICE.saturating_mul(rounds) + ANSWER_TIME }
        })
    }

    /// The threads of each running search.
    #[cfg(test)]
    pub(super) fn threads(&self) -> Vec<usize> {
        self.state().running.iter().flatten().map(|lease| lease.threads).collect()
    }

    /// Blocks until there is a job for a worker, and returns how many threads it gets; `None` on shutdown.
    pub(super) fn lease(&self, worker: usize) -> Option<(Arc<Job>, Control, usize)> {
        let mut state = self.state();
        loop {
            if state.is_shut_down {
                return None;
            }
            if let Some(index) = next_job(&state.queue, worker, Instant::now()) {
                let job = state.queue.swap_remove(index);
                let control = Control::default();
                let idle = state.running.len().saturating_sub(state.threads() + state.queue.len());
                let threads = job.threads().min(idle).max(1);
                state.running[worker] = Some(Lease {
                    job: job.clone(),
                    control: control.clone(),
                    threads,
                    since: Instant::now(),
                    preempted: false,
                });
                self.changed.notify_all();
                return Some((job, control, threads));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A worker has finished a slice: requeues the job if it was preempted, finishes it otherwise.
    pub(super) fn release(&self, worker: usize, job: &Arc<Job>, end: SliceEnd) {
        let mut state = self.state();
        let preempted = state.running[worker].take().is_some_and(|lease| lease.preempted);
        let is_requeued = end == SliceEnd::Stopped && preempted && !job.is_cancelled() && !state.is_shut_down;
        if is_requeued {
            state.queue.push(job.clone());
        } else {
            drop(state);
            job.finish(end == SliceEnd::Failed);
        }
        self.changed.notify_all();
    }

    /// Preempts jobs whose slice is over and stops those past their deadline, until shutdown.
    pub(super) fn preempt(&self) {
        let mut state = self.state();
        while !state.is_shut_down {
            let now = Instant::now();
            state.answer_due(now);
            let needs_tick = state.preempt(now);
            state = if needs_tick {
                self.changed.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0
            } else {
                self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
            };
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The queued job a worker should take: urgent moves by deadline, then priority slices, then least usage; ties
/// go to a job whose transposition table entries this worker has, then to the oldest.
fn next_job(queue: &[Arc<Job>], worker: usize, now: Instant) -> Option<usize> {
    let key = |job: &Arc<Job>| {
        let slices_used = job.usage().recent(now).as_millis() / SLICE.as_millis();
        let (is_urgent, due) = (job.is_urgent(now), job.deadline().unwrap_or(now));
        let due = if is_urgent { due } else { now };
        (!is_urgent, due, !job.has_priority(), slices_used, !job.last_ran_on(worker), job.submitted_at())
    };
    (0..queue.len()).min_by_key(|index| key(&queue[*index]))
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;
    use chuhe_referee::Game;
    use chuhe_search::Pool;

    use super::super::Task;
    use super::*;

    #[test]
    fn a_due_move_is_answered_though_its_worker_is_late() {
        let task = Task::Move { strength: 1.0, time: Duration::ZERO, book: None };
        let (job, updates) = Job::new(Arc::default(), Game::new(Position::start()), task, 1);
        let job = Arc::new(job);
        job.run(&mut Pool::new(1, 1), &Control::default(), 0);
        let scheduler = Scheduler::new(1);
        scheduler.submit(job.clone());
        let (_, control, _) = scheduler.lease(0).unwrap();
        scheduler.state().answer_due(Instant::now());
        assert!(updates.borrow().finished && control.is_stopped());
        let answer = updates.borrow().lines[0].moves[0];
        assert!(Position::start().is_legal(answer));
        // What the worker says later changes nothing.
        scheduler.release(0, &job, SliceEnd::Failed);
        assert!(!updates.borrow().failed);
    }
}
