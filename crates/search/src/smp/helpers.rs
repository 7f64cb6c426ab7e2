//! Persistent helper threads. They are started when the number of threads is set and then only woken: no
//! thread starts and no memory is allocated while the clock runs.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// Work for a helper with its data.
type Job<D> = Box<dyn FnOnce(&mut D) + Send>;

/// Helper threads, each with data of its own.
pub(crate) struct Helpers<D> {
    helpers: Vec<Helper<D>>,
    busy: Arc<Busy>,
    /// Threads started so far, for tests.
    started: usize,
}

struct Helper<D> {
    /// `None` ends the thread.
    jobs: Option<Sender<Job<D>>>,
    thread: Option<JoinHandle<()>>,
}

/// Counts helpers at work.
#[derive(Default)]
struct Busy {
    count: Mutex<usize>,
    idle: Condvar,
}

/// One helper at work; idle again when dropped, even by a panic.
struct AtWork(Arc<Busy>);

impl AtWork {
    fn new(busy: &Arc<Busy>) -> Self {
        *busy.count.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        Self(Arc::clone(busy))
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        let mut count = self.0.count.lock().unwrap_or_else(PoisonError::into_inner);
        *count -= 1;
        if *count == 0 {
            self.0.idle.notify_all();
        }
    }
}

impl<D: 'static> Helpers<D> {
    pub(crate) fn new() -> Self {
        Self { helpers: Vec::new(), busy: Arc::default(), started: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.helpers.len()
    }

    /// Threads started since the helpers exist.
    #[cfg(test)]
    pub(crate) fn started(&self) -> usize {
        self.started
    }

    /// Starts or ends threads until there are `count`. Each makes its data itself. Returns when all are ready; if
    /// the system refuses a thread, there are fewer.
    pub(crate) fn resize(&mut self, count: usize, make: impl Fn() -> D + Clone + Send + 'static) {
        self.wait();
        self.helpers.truncate(count);
        while self.helpers.len() < count {
            let Ok(helper) = Helper::start(AtWork::new(&self.busy), make.clone()) else {
                break;
            };
            self.helpers.push(helper);
            self.started += 1;
        }
        self.wait();
    }

    /// Wakes every helper with a job of its own. Does not wait for them.
    pub(crate) fn run<J: FnOnce(&mut D) + Send + 'static>(&self, mut job: impl FnMut(usize) -> J) {
        for (index, helper) in self.helpers.iter().enumerate() {
            let (job, at_work) = (job(index), AtWork::new(&self.busy));
            let job: Job<D> = Box::new(move |data| {
                // Outlives the job: what the job owns is dropped before the helper counts as idle.
                let _at_work = at_work;
                job(data);
            });
            // A helper is gone only after a panic; the search then runs on fewer threads.
            let _ = helper.jobs.as_ref().map(|jobs| jobs.send(job));
        }
    }

    /// Waits until all helpers are idle.
    pub(crate) fn wait(&self) {
        let mut count = self.busy.count.lock().unwrap_or_else(PoisonError::into_inner);
        while *count > 0 {
            count = self.busy.idle.wait(count).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<D: 'static> Helper<D> {
    fn start(starting: AtWork, make: impl FnOnce() -> D + Send + 'static) -> io::Result<Self> {
        let (jobs, inbox) = mpsc::channel::<Job<D>>();
        let thread = thread::Builder::new().name("search".to_owned()).spawn(move || {
            let mut data = make();
            drop(starting);
            while let Ok(job) = inbox.recv() {
                job(&mut data);
            }
        })?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }
}

impl<D> Drop for Helper<D> {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A helper that panicked has printed why.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn helpers_start_once_and_keep_their_data() {
        let mut helpers: Helpers<usize> = Helpers::new();
        helpers.resize(3, || 10);
        let sum = Arc::new(AtomicUsize::new(0));
        for _ in 0..5 {
            helpers.run(|index| {
                let sum = Arc::clone(&sum);
                move |data: &mut usize| {
                    *data += 1;
                    sum.fetch_add(*data * (index + 1), Ordering::Relaxed);
                }
            });
            helpers.wait();
        }
        assert_eq!(sum.load(Ordering::Relaxed), (11 + 12 + 13 + 14 + 15) * 6);
        assert_eq!((helpers.len(), helpers.started()), (3, 3));
        assert_eq!(Arc::strong_count(&sum), 1, "idle helpers hold nothing of their jobs");
        helpers.resize(1, || 10);
        helpers.resize(2, || 10);
        assert_eq!((helpers.len(), helpers.started()), (2, 4));
    }

    #[test]
    fn a_helper_that_panics_does_not_block_the_others() {
        let mut helpers: Helpers<()> = Helpers::new();
        helpers.resize(2, || ());
        helpers.run(|index| move |(): &mut ()| assert_ne!(index, 0, "a panic on purpose"));
        helpers.wait();
        helpers.run(|_| |(): &mut ()| {});
        helpers.wait();
    }
}
