//! One search, from the question to its end, over as many slices as it takes.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chuhe_adapters::Handicap;
use chuhe_board::Move;
use chuhe_referee::Game;
use chuhe_search::{Bound, Control, Event, Limits, Line, Pool};
use tokio::sync::watch;

use super::{Account, News, Task};

/// How a slice ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The search was told to stop.
    Stopped,
    /// There is nothing more to search.
    Complete,
}

pub(super) struct Job {
    account: Arc<Account>,
    game: Game,
    task: Task,
    /// How many lines are asked for.
    lines: usize,
    asked_at: Instant,
    goes_first: bool,
    cancelled: AtomicBool,
    course: Mutex<Course>,
    news: watch::Sender<News>,
}

/// What has happened to a job so far.
#[derive(Default)]
struct Course {
    slices: usize,
    /// The engine that worked on it last.
    engine: Option<usize>,
    /// Positions and time of the slices that are over.
    nodes: u64,
    time: Duration,
    /// From which depth on the best move was the best one.
    settled: u32,
    /// The last complete set of lines.
    lines: Vec<Line>,
    /// The lines of the depth that is being told.
    coming: Vec<Line>,
}

impl Job {
    pub(super) fn new(
        account: Arc<Account>,
        game: Game,
        task: Task,
        lines: usize,
    ) -> (Self, watch::Receiver<News>) {
        let (news, receiver) = watch::channel(News::default());
        let asked_at = Instant::now();
        let goes_first = account.takes_first_slice(asked_at);
        let cancelled = AtomicBool::new(false);
        let course = Mutex::default();
        (
            Self { account, game, task, lines: lines.max(1), asked_at, goes_first, cancelled, course, news },
            receiver,
        )
    }

    pub(super) fn account(&self) -> &Account {
        &self.account
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn asked_at(&self) -> Instant {
        self.asked_at
    }

    pub(super) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Whether no slice has ended yet.
    pub(super) fn is_fresh(&self) -> bool {
        self.course().slices == 0
    }

    /// Whether the next slice goes ahead of the others.
    pub(super) fn goes_first(&self) -> bool {
        self.goes_first && self.is_fresh()
    }

    pub(super) fn is_at_home(&self, engine: usize) -> bool {
        self.course().engine == Some(engine)
    }

    pub(super) fn has_time_limit(&self) -> bool {
        matches!(self.task, Task::Move { .. })
    }

    /// Whether a move must be given now, whatever was found.
    pub(super) fn is_late(&self, now: Instant) -> bool {
        match self.task {
            Task::Move { time, .. } => {
                !self.is_fresh() && now.saturating_duration_since(self.asked_at) >= time
            }
            Task::Analyse { .. } => false,
        }
    }

    /// Works on the job until it ends or is stopped.
    pub(super) fn run(&self, pool: &mut Pool, control: &Control, engine: usize) -> End {
        let Some(limits) = self.limits() else {
            return End::Complete;
        };
        if self.is_cancelled() {
            return End::Stopped;
        }
        let answer = pool.search(&self.game, &limits, control, &mut |event| {
            if let Event::Line(line) = event {
                self.hear(line, limits.lines);
            }
        });
        let mut course = self.course();
        course.slices += 1;
        course.engine = Some(engine);
        course.nodes += answer.nodes;
        course.time += answer.time;
        if course.lines.is_empty() {
            course.lines = answer.lines;
        }
        self.account.charge(answer.time, Instant::now());
        if control.is_stopped() { End::Stopped } else { End::Complete }
    }

    /// What is left of the job's limits; `None` if nothing is.
    fn limits(&self) -> Option<Limits> {
        let course = self.course();
        let limits = |left: Duration| Limits { lines: self.lines, ..Limits::movetime(left) };
        let mut limits = match self.task {
            Task::Analyse { longest } => limits(longest.checked_sub(course.time)?),
            Task::Move { strength, time } => {
                let left = time.saturating_sub(self.asked_at.elapsed()).max(Duration::from_millis(10));
                let limits = limits(left);
                Handicap::new(strength).map_or(limits.clone(), |handicap| handicap.hold_back(limits))
            }
        };
        if let Some(nodes) = limits.nodes {
            limits.nodes = Some(nodes.checked_sub(course.nodes).filter(|left| *left > 0)?);
        }
        Some(limits)
    }

    /// Takes in a line. Lines of a depth come together; a set is told when it is complete and deeper
    /// than what was told in an earlier slice.
    fn hear(&self, line: Line, expected: usize) {
        let mut course = self.course();
        if line.rank == 1 {
            course.coming.clear();
        }
        let expected = expected.min(self.game.position().moves().len());
        let (depth, rank) = (line.depth, line.rank);
        let (nodes, time) = (course.nodes + line.nodes, course.time + line.time);
        if line.bound != Bound::Exact || course.coming.len() + 1 != rank {
            return;
        }
        course.coming.push(line);
        let known = course.lines.first().map_or(0, |line| line.depth);
        if rank == expected && depth >= known {
            let lines = std::mem::take(&mut course.coming);
            if best(&lines) != best(&course.lines) {
                course.settled = depth;
            }
            course.lines = lines;
            let lines = course.lines.clone();
            let news = News { lines, nodes, time, settled: course.settled, finished: false };
            drop(course);
            self.news.send_replace(news);
        }
    }

    /// Tells the last news. A player who is held back may have chosen another line than the best, and
    /// that line comes first then.
    pub(super) fn finish(&self) {
        let course = self.course();
        let mut lines = course.lines.clone();
        if let Task::Move { strength, .. } = self.task
            && let Some(handicap) = Handicap::new(strength)
            && !lines.is_empty()
        {
            let random = RandomState::new().hash_one(course.nodes);
            let chosen = handicap.choose(&lines, random);
            lines[..=chosen].rotate_right(1);
        }
        let Course { nodes, time, settled, .. } = *course;
        let news = News { lines, nodes, time, settled, finished: true };
        drop(course);
        self.news.send_replace(news);
    }

    fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn best(lines: &[Line]) -> Option<Move> {
    lines.first()?.moves.first().copied()
}
