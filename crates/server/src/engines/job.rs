//! One search job, from submission to its end, over as many slices as it takes.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chuhe_adapters::Handicap;
use chuhe_api::live::{LineSets, Update};
use chuhe_referee::Game;
use chuhe_search::{Control, Event, Limits, Line, Pool};
use tokio::sync::watch;

use super::{Task, Usage};

/// The last quarter of a move's time, within these bounds, is reserved for it.
const MIN_RESERVED: Duration = Duration::from_millis(200);
const MAX_RESERVED: Duration = Duration::from_secs(1);

/// How a slice ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SliceEnd {
    /// The search was stopped.
    Stopped,
    /// The search reached its limits.
    Complete,
    /// The search panicked.
    Failed,
}

pub(super) struct Job {
    usage: Arc<Usage>,
    game: Game,
    task: Task,
    /// Number of principal variations (MultiPV).
    lines: usize,
    submitted_at: Instant,
    has_priority: bool,
    cancelled: AtomicBool,
    progress: Mutex<Progress>,
    updates: watch::Sender<Update>,
}

/// State carried from slice to slice.
#[derive(Default)]
struct Progress {
    slices: usize,
    /// The worker of the last slice.
    worker: Option<usize>,
    /// Nodes and time of finished slices.
    nodes: u64,
    time: Duration,
    sets: LineSets,
    /// Whether the last update was published.
    is_finished: bool,
}

impl Job {
    pub(super) fn new(
        usage: Arc<Usage>,
        game: Game,
        task: Task,
        lines: usize,
    ) -> (Self, watch::Receiver<Update>) {
        let (updates, receiver) = watch::channel(Update::default());
        let submitted_at = Instant::now();
        let job = Self {
            has_priority: usage.take_priority(submitted_at),
            usage,
            game,
            task,
            lines: lines.max(1),
            submitted_at,
            cancelled: AtomicBool::new(false),
            progress: Mutex::default(),
            updates,
        };
        (job, receiver)
    }

    pub(super) fn usage(&self) -> &Usage {
        &self.usage
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn submitted_at(&self) -> Instant {
        self.submitted_at
    }

    pub(super) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Whether a slice has ended.
    pub(super) fn has_run(&self) -> bool {
        self.progress().slices > 0
    }

    /// Whether the next slice is a priority slice.
    pub(super) fn has_priority(&self) -> bool {
        self.has_priority && !self.has_run()
    }

    /// Whether the worker's transposition table still holds this job's last slice.
    pub(super) fn last_ran_on(&self, worker: usize) -> bool {
        self.progress().worker == Some(worker)
    }

    /// When the move is due; analyses have no deadline.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.task {
            Task::Move { time, .. } => Some(self.submitted_at + time),
            Task::Analyse { .. } => None,
        }
    }

    /// Whether the move is due now. A job that has found nothing yet gets a short slice even then.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        let Progress { slices, sets, .. } = &*self.progress();
        let has_answer = *slices > 0 || !sets.lines.is_empty();
        has_answer && self.deadline().is_some_and(|deadline| now >= deadline)
    }

    /// Whether the move needs a worker for the rest of its time.
    pub(super) fn is_urgent(&self, now: Instant) -> bool {
        match self.task {
            Task::Move { time, .. } => {
                let reserved = (time / 4).clamp(MIN_RESERVED, MAX_RESERVED);
                now + reserved >= self.submitted_at + time
            }
            Task::Analyse { .. } => false,
        }
    }

    /// Threads that the job can use.
    pub(super) fn threads(&self) -> usize {
        match self.task {
            Task::Analyse { threads, .. } => threads.max(1),
            Task::Move { .. } => 1,
        }
    }

    /// The transposition table that the job asks for, in mebibytes.
    pub(super) fn hash(&self) -> Option<usize> {
        match self.task {
            Task::Analyse { hash, .. } => hash,
            Task::Move { .. } => None,
        }
    }

    /// Searches until the job ends or is stopped.
    pub(super) fn run(&self, pool: &mut Pool, control: &Control, worker: usize) -> SliceEnd {
        let Some(limits) = self.remaining_limits() else {
            return SliceEnd::Complete;
        };
        if self.is_cancelled() {
            return SliceEnd::Stopped;
        }
        let answer = pool.search(&self.game, &limits, control, &mut |event| {
            if let Event::Line(line) = event {
                self.on_line(line, limits.lines);
            }
        });
        let mut progress = self.progress();
        progress.slices += 1;
        progress.worker = Some(worker);
        progress.nodes += answer.nodes;
        progress.time += answer.time;
        if progress.sets.lines.is_empty() {
            progress.sets.lines = answer.lines;
        }
        let threads = u32::try_from(pool.threads()).unwrap_or(u32::MAX);
        self.usage.charge(answer.time.saturating_mul(threads), Instant::now());
        if control.is_stopped() { SliceEnd::Stopped } else { SliceEnd::Complete }
    }

    /// What is left of the job's limits; `None` if they are used up.
    fn remaining_limits(&self) -> Option<Limits> {
        let progress = self.progress();
        let limits = |left: Duration| Limits { lines: self.lines, ..Limits::movetime(left) };
        let mut limits = match self.task {
            Task::Analyse { longest, depth, .. } => {
                Limits { depth, ..limits(longest.checked_sub(progress.time)?) }
            }
            Task::Move { book: Some(mv), .. } => Limits { only: vec![mv], ..Limits::depth(1) },
            Task::Move { strength, time, .. } => {
                let left = time.saturating_sub(self.submitted_at.elapsed()).max(Duration::from_millis(10));
                let limits = limits(left);
                Handicap::new(strength).map_or(limits.clone(), |handicap| handicap.hold_back(limits))
            }
        };
        if let Some(nodes) = limits.nodes {
            limits.nodes = Some(nodes.checked_sub(progress.nodes).filter(|left| *left > 0)?);
        }
        Some(limits)
    }

    /// Publishes complete sets of lines.
    fn on_line(&self, line: Line, expected: usize) {
        let mut progress = self.progress();
        let expected = expected.min(self.game.position().moves().len());
        let (nodes, time) = (progress.nodes + line.nodes, progress.time + line.time);
        if progress.sets.add(line, expected) && !progress.is_finished {
            let LineSets { lines, settled, .. } = &progress.sets;
            let update = Update { lines: lines.clone(), nodes, time, settled: *settled, ..Update::default() };
            // Still locked: nothing follows the last update.
            self.updates.send_replace(update);
        }
    }

    /// Publishes the last update, once. Below full strength the chosen line comes first, best or not.
    pub(super) fn finish(&self, failed: bool) {
        let mut progress = self.progress();
        if std::mem::replace(&mut progress.is_finished, true) {
            return;
        }
        let mut lines = progress.sets.lines.clone();
        if let Task::Move { strength, .. } = self.task
            && let Some(handicap) = Handicap::new(strength)
            && !lines.is_empty()
        {
            let random = RandomState::new().hash_one(progress.nodes);
            let chosen = handicap.choose(&lines, random);
            lines[..=chosen].rotate_right(1);
        }
        let (nodes, time, settled) = (progress.nodes, progress.time, progress.sets.settled);
        let update = Update { lines, nodes, time, settled, finished: true, failed };
        self.updates.send_replace(update);
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
