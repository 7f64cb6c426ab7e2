//! Telling a late engine from a busy machine.
//!
//! Two witnesses: a stall_detector in this process that ought to tick every few milliseconds, so that a
//! gap means that *we* were not run; and Linux's count of the time that the engine's threads were
//! ready but had to wait for a CPU, so that a growth means that *it* was not run.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(5);
/// A tick this late is a stall; less is how sleeping works.
const NOTABLE: Duration = Duration::from_millis(5);
/// How many stalls are remembered; moves ask about the last few seconds.
const REMEMBERED: usize = 4096;

/// A thread that notices when this process is not run.
#[derive(Debug)]
pub(crate) struct StallDetector {
    beats: Arc<Mutex<Beats>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// What the stall_detector has seen.
#[derive(Debug)]
struct Beats {
    /// When it ought to tick next. After a stall others may wake up before the stall_detector does, and
    /// must see that it is late.
    due: Instant,
    stalls: VecDeque<(Instant, Instant)>,
}

impl Beats {
    /// Notes that it is late, if it is.
    fn note_stall(&mut self, now: Instant) {
        if now > self.due + NOTABLE {
            if self.stalls.len() == REMEMBERED {
                self.stalls.pop_front();
            }
            self.stalls.push_back((self.due, now));
            self.due = now;
        }
    }

    fn stalled_between(&self, from: Instant, to: Instant) -> Duration {
        let inside =
            |(begin, end): &(Instant, Instant)| (*end).min(to).saturating_duration_since((*begin).max(from));
        self.stalls.iter().map(inside).sum()
    }
}

impl StallDetector {
    pub(crate) fn start() -> Self {
        let beats = Arc::new(Mutex::new(Beats { due: Instant::now() + TICK, stalls: VecDeque::new() }));
        let stop = Arc::new(AtomicBool::new(false));
        let thread = thread::spawn({
            let (beats, stop) = (Arc::clone(&beats), Arc::clone(&stop));
            move || tick(&beats, &stop)
        });
        Self { beats, stop, thread: Some(thread) }
    }

    /// How much of the time since `start` this process was not run.
    pub(crate) fn stalled_since(&self, start: Instant) -> Duration {
        let now = Instant::now();
        let mut beats = self.beats.lock().unwrap_or_else(PoisonError::into_inner);
        beats.note_stall(now);
        beats.stalled_between(start, now)
    }
}

impl Drop for StallDetector {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn tick(beats: &Mutex<Beats>, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        thread::sleep(TICK);
        let now = Instant::now();
        let mut beats = beats.lock().unwrap_or_else(PoisonError::into_inner);
        beats.note_stall(now);
        beats.due = now + TICK;
    }
}

/// How long the threads of a process have been ready to run without a CPU since the first look.
///
/// Linux counts a wait when it ends. So a thread that is ready and has not run since the last look counts as waiting for all of that
/// time: it stands in a queue, or on a virtual CPU that the hypervisor does not run.
#[derive(Debug)]
pub(crate) struct QueueTimes {
    process: u32,
    looked: Instant,
    start: HashMap<String, ThreadTimes>,
    /// Empty until the second look.
    last: HashMap<String, ThreadTimes>,
    /// Waits that have not ended.
    waiting: HashMap<String, Duration>,
    longest: Duration,
}

/// What Linux has counted for a thread.
#[derive(Clone, Copy, Debug, Default)]
struct ThreadTimes {
    ran: Duration,
    waited: Duration,
    ready: bool,
}

impl QueueTimes {
    /// The least time between two looks: Linux counts the time of a running thread by ticks of at most 10 ms.
    pub(crate) const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

    pub(crate) fn start(process: u32) -> Self {
        // Every move begins with this; who is ready matters at the end of a late one.
        Self::from(process, thread_times(process, |_| false))
    }

    fn from(process: u32, start: HashMap<String, ThreadTimes>) -> Self {
        Self {
            process,
            looked: Instant::now(),
            start,
            last: HashMap::new(),
            waiting: HashMap::new(),
            longest: Duration::ZERO,
        }
    }

    /// Looks again, and returns the longest that any thread has waited since the start.
    pub(crate) fn look(&mut self) -> Duration {
        let passed = self.looked.elapsed();
        self.looked += passed;
        self.note(thread_times(self.process, is_ready), passed);
        self.longest
    }

    fn note(&mut self, now: HashMap<String, ThreadTimes>, passed: Duration) {
        for (thread, times) in &now {
            let start = self.start.get(thread).copied().unwrap_or_default();
            let last = self.last.get(thread).copied().unwrap_or(start);
            let waiting = self.waiting.entry(thread.clone()).or_default();
            if times.ran != last.ran {
                *waiting = Duration::ZERO;
            } else if times.ready && passed >= Self::BETWEEN_LOOKS {
                *waiting += passed;
            }
            let ended = times.waited.saturating_sub(start.waited);
            self.longest = self.longest.max(ended + *waiting);
        }
        self.last = now;
    }
}

/// Empty where the system does not tell.
fn thread_times(process: u32, is_ready: impl Fn(&Path) -> bool) -> HashMap<String, ThreadTimes> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else {
        return HashMap::new();
    };
    let times = |thread: fs::DirEntry| {
        let folder = thread.path();
        let (ran, waited) = run_and_waited(&fs::read_to_string(folder.join("schedstat")).ok()?)?;
        let times = ThreadTimes { ran, waited, ready: is_ready(&folder) };
        Some((thread.file_name().to_string_lossy().into_owned(), times))
    };
    threads.flatten().filter_map(times).collect()
}

/// The first two numbers of `schedstat`: nanoseconds.
fn run_and_waited(schedstat: &str) -> Option<(Duration, Duration)> {
    let mut times = schedstat.split_whitespace().map(|word| word.parse().ok().map(Duration::from_nanos));
    Some((times.next()??, times.next()??))
}

/// Whether a thread runs or could run.
fn is_ready(folder: &Path) -> bool {
    fs::read_to_string(folder.join("stat")).is_ok_and(|stat| state(&stat) == Some('R'))
}

/// The state in `stat`, after the name in brackets, which may hold anything.
fn state(stat: &str) -> Option<char> {
    stat.rsplit_once(") ").and_then(|(_, fields)| fields.chars().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_part_of_a_stall_inside_the_move_counts() {
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let stalls = VecDeque::from([(at(10), at(40)), (at(100), at(110))]);
        let beats = Beats { due: at(200), stalls };
        let between = |from, to| beats.stalled_between(at(from), at(to)).as_millis();
        assert_eq!(between(0, 200), 40);
        assert_eq!(between(20, 30), 10);
        assert_eq!(between(35, 105), 10);
        assert_eq!(between(50, 90), 0);
    }

    #[test]
    fn a_late_beat_is_a_stall_whoever_notices_it_first() {
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut beats = Beats { due: at(5), stalls: VecDeque::new() };
        beats.note_stall(at(8));
        assert_eq!(beats.stalled_between(at(0), at(100)).as_millis(), 0);
        beats.note_stall(at(605));
        beats.note_stall(at(606));
        assert_eq!(beats.stalled_between(at(0), at(606)).as_millis(), 600);
    }

    const fn times(ran: u64, waited: u64, ready: bool) -> ThreadTimes {
        ThreadTimes { ran: Duration::from_millis(ran), waited: Duration::from_millis(waited), ready }
    }

    /// The longest wait after each of these looks at two threads, 100 ms apart.
    fn longest(start: [ThreadTimes; 2], looks: &[[ThreadTimes; 2]]) -> Vec<u128> {
        let named = |[first, second]: [ThreadTimes; 2]| {
            HashMap::from([("1".to_owned(), first), ("2".to_owned(), second)])
        };
        let mut queue = QueueTimes::from(0, named(start));
        let after = |look: &[ThreadTimes; 2]| {
            queue.note(named(*look), Duration::from_millis(100));
            queue.longest.as_millis()
        };
        looks.iter().map(after).collect()
    }

    #[test]
    fn waiting_is_counted_by_thread_and_from_the_start_of_the_move() {
        let start = [times(10, 5, true), times(10, 100, true)];
        let looks = [[times(20, 6, true), times(20, 130, true)], [times(30, 56, true), times(30, 140, true)]];
        assert_eq!(longest(start, &looks), [30, 51]);
    }

    #[test]
    fn a_wait_that_has_not_ended_counts_once() {
        let asleep = times(10, 0, false);
        let start = [times(10, 5, true), asleep];
        // It stands in the queue at two looks, then runs, and the system counts the wait of 250 ms.
        let looks =
            [[times(10, 5, true), asleep], [times(10, 5, true), asleep], [times(60, 255, true), asleep]];
        assert_eq!(longest(start, &looks), [100, 200, 250]);
        assert_eq!(longest([asleep; 2], &[[asleep; 2]]), [0]);
    }

    #[test]
    fn the_system_is_read() {
        assert_eq!(state("12 (engine) S) R 1 2 3"), Some('R'));
        assert_eq!(state("12 (engine R) S 1 2 3"), Some('S'));
        assert_eq!(state("no bracket"), None);
        let milliseconds = |times: (Duration, Duration)| (times.0.as_millis(), times.1.as_millis());
        assert_eq!(run_and_waited("2000000 5000000 7\n").map(milliseconds), Some((2, 5)));
        assert_eq!(run_and_waited("2000000"), None);
        #[cfg(target_os = "linux")]
        assert!(!thread_times(std::process::id(), is_ready).is_empty());
    }
}
