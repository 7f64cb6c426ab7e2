//! Telling a late engine from a busy machine.
//!
//! Two witnesses: a stall_detector in this process that ought to tick every few milliseconds, so that a
//! gap means that *we* were not run; and Linux's count of the time that the engine's threads were
//! ready but had to wait for a CPU, so that a growth means that *it* was not run.

use std::collections::{HashMap, VecDeque};
use std::fs;
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

/// How long the threads of a process have waited for a CPU so far. Empty where the system does not
/// tell.
#[derive(Debug, Default)]
pub(crate) struct QueueTimes(HashMap<String, Duration>);

impl QueueTimes {
    pub(crate) fn of(process: u32) -> Self {
        let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else {
            return Self::default();
        };
        let waited = |thread: fs::DirEntry| {
            let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            let nanoseconds = text.split_whitespace().nth(1)?.parse().ok()?;
            Some((thread.file_name().to_string_lossy().into_owned(), Duration::from_nanos(nanoseconds)))
        };
        Self(threads.flatten().filter_map(waited).collect())
    }

    /// The longest that any thread has waited since `earlier`.
    pub(crate) fn since(&self, earlier: &Self) -> Duration {
        let grown = |(thread, now): (&String, &Duration)| {
            now.saturating_sub(earlier.0.get(thread).copied().unwrap_or_default())
        };
        self.0.iter().map(grown).max().unwrap_or_default()
    }
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

    #[test]
    fn waiting_is_counted_by_thread_and_from_the_start_of_the_move() {
        let times = |list: &[(&str, u64)]| {
            QueueTimes(
                list.iter().map(|(thread, ms)| ((*thread).to_owned(), Duration::from_millis(*ms))).collect(),
            )
        };
        let before = times(&[("1", 5), ("2", 100)]);
        let after = times(&[("1", 6), ("2", 130), ("3", 20)]);
        assert_eq!(after.since(&before), Duration::from_millis(30));
        assert_eq!(QueueTimes::default().since(&before), Duration::ZERO);
    }
}
