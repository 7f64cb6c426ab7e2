//! Supervision: rank 0 is outside the job of its workers, starts it, and starts it again when it dies. A search goes on
//! without the workers that it lost, so the game never notices more than a weaker move.

use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use super::coordinator::Coordinator;
use crate::link::Link;

/// How often an idle coordinator checks whether the job is ready.
const CHECK_INTERVAL: Duration = Duration::from_millis(5);
/// A job that ran this long may start again at once.
const LONG_RUN: Duration = Duration::from_secs(10);
/// The longest pause before a job that keeps failing is started again.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Leads jobs that `start` starts, one after the other, until the coordinator's searcher is dropped. `start` returns the
/// link to a job whose ranks have passed the handshake, or why there is none.
pub fn supervise<L: Link + Send + 'static>(
    mut coordinator: Coordinator,
    start: impl Fn() -> Result<L, String> + Send + Sync + 'static,
) {
    let start = Arc::new(start);
    let mut pauses = Pauses::default();
    let mut ended = None;
    let mut last_failure = String::new();
    loop {
        let starting = start_job(Arc::clone(&start), ended.take(), pauses.next());
        let Some(started) = await_job(&mut coordinator, &starting) else { return };
        let failure = match started {
            Ok(mut link) => {
                last_failure.clear();
                let began = Instant::now();
                let end = coordinator.lead(&mut link);
                ended = Some(link);
                pauses.ran_for(began.elapsed());
                match end {
                    Ok(()) => return,
                    Err(error) => format!("lost the workers, searching alone until they are back: {error}"),
                }
            }
            Err(reason) => format!("no workers, searching alone: {reason}"),
        };
        // The same trouble again is no news.
        if mem::replace(&mut last_failure, failure.clone()) != failure {
            coordinator.warn(&failure);
        }
    }
}

/// Starts a job on another thread, after the end of the last one and a pause.
fn start_job<L: Link + Send + 'static>(
    start: Arc<impl Fn() -> Result<L, String> + Send + Sync + 'static>,
    ended: Option<L>,
    pause: Duration,
) -> Receiver<Result<L, String>> {
    let (sender, started) = mpsc::channel();
    thread::spawn(move || {
        drop(ended);
        thread::sleep(pause);
        // If the searcher is gone, so is the receiver, and the job ends with its link.
        let _ = sender.send(start());
    });
    started
}

/// Waits for the job; `None` if the searcher is dropped meanwhile.
fn await_job<L>(
    coordinator: &mut Coordinator,
    starting: &Receiver<Result<L, String>>,
) -> Option<Result<L, String>> {
    loop {
        match starting.try_recv() {
            Ok(started) => return Some(started),
            Err(TryRecvError::Disconnected) => return Some(Err("starting them failed".to_owned())),
            Err(TryRecvError::Empty) => {}
        }
        if let ControlFlow::Break(()) = coordinator.idle(CHECK_INTERVAL) {
            return None;
        }
    }
}

/// The pauses between jobs: none at first, then ever longer ones.
#[derive(Default)]
struct Pauses {
    failures: u32,
}

impl Pauses {
    fn next(&mut self) -> Duration {
        let pause = match self.failures {
            0 | 1 => Duration::ZERO,
            failures => LONGEST_PAUSE.min(Duration::from_secs(1 << (failures - 2).min(10))),
        };
        self.failures += 1;
        pause
    }

    fn ran_for(&mut self, time: Duration) {
        if time >= LONG_RUN {
            self.failures = 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_until_a_job_runs_for_long() {
        let mut pauses = Pauses::default();
        let seconds: Vec<u64> = (0..9).map(|_| pauses.next().as_secs()).collect();
        assert_eq!(seconds, [0, 0, 1, 2, 4, 8, 16, 30, 30]);
        pauses.ran_for(Duration::from_secs(1));
        assert_eq!(pauses.next(), LONGEST_PAUSE);
        pauses.ran_for(LONG_RUN);
        assert_eq!([pauses.next(), pauses.next()].map(|pause| pause.as_secs()), [0, 1]);
    }
}
