//! Work queue: the coordinator (rank 0) hands out tasks, workers send back results. Tasks are games to play or book
//! leaves to score.
//!
//! Every rank works with its own threads, rank 0 included. When a worker falls silent, its tasks return to the queue; if
//! it comes back, the first result for a task counts and later ones are dropped.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::link::{Channel, Link, LinkError};
use crate::panic_message::panic_message;
use crate::wire::{self, Reader, Wire, WireError, Writer};

/// Supplies tasks and takes their results, on rank 0.
pub trait TaskSource<T, R> {
    /// The next task; `None` if there is none now. Results still to come may bring new ones.
    fn next(&mut self) -> Option<T>;

    /// Takes the result of a task from rank `from`. Breaks when no more results are needed.
    fn accept(&mut self, from: usize, task: T, result: R) -> ControlFlow<()>;
}

/// Runs one task after another, on a thread of its own.
pub type TaskRunner<T, R> = Box<dyn FnMut(T) -> R + Send>;

/// A worker that is silent for longer loses its tasks to others.
pub const WORKER_TIMEOUT: Duration = Duration::from_secs(30);
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);
const POLL_INTERVAL: Duration = Duration::from_millis(2);
const MAX_THREADS: u32 = 4096;

enum Message<T, R> {
    /// A worker is ready with this many threads.
    Ready(u32),
    Task(u64, T),
    Result(u64, R),
    Heartbeat,
    Finish,
}

/// Coordinates from rank 0 until the source runs dry or has enough. `runners` are rank 0's own threads.
pub fn coordinate<T: Wire + Clone + Send + 'static, R: Wire + Send + 'static>(
    link: &mut impl Link,
    source: &mut dyn TaskSource<T, R>,
    runners: Vec<TaskRunner<T, R>>,
    worker_timeout: Duration,
) -> Result<(), LinkError> {
    let threads = ThreadPool::new(runners);
    let mut queue = Queue::new(link.ranks(), threads.count, worker_timeout);
    loop {
        let mut finished = false;
        while let Some(packet) = link.receive(None, Channel::PointToPoint)? {
            finished |= queue.read(source, packet.from, &packet.bytes).is_break();
        }
        while let Some((id, result)) = threads.result(link)? {
            finished |= queue.accept(source, 0, id, result).is_break();
        }
        queue.requeue_tasks_of_silent_workers();
        while !finished && let Some((to, id, task)) = queue.assign(source) {
            if to == 0 {
                threads.start(id, task);
            } else {
                link.send(to, Channel::PointToPoint, &wire::pack(&Message::<T, R>::Task(id, task)))?;
            }
        }
        if finished || queue.is_done() {
            let bytes = wire::pack(&Message::<T, R>::Finish);
            return (1..link.ranks()).try_for_each(|rank| link.send(rank, Channel::PointToPoint, &bytes));
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// Works for rank 0 until it sends `Finish`. Tasks that are running then are abandoned.
pub fn work<T: Wire + Send + 'static, R: Wire + Send + 'static>(
    link: &mut impl Link,
    runners: Vec<TaskRunner<T, R>>,
) -> Result<(), LinkError> {
    let threads = ThreadPool::new(runners);
    send_to_coordinator(link, &Message::<T, R>::Ready(threads.count))?;
    let mut last_heartbeat = Instant::now();
    loop {
        if let Some(packet) = link.wait(Some(0), Channel::PointToPoint, POLL_INTERVAL)? {
            match wire::unpack::<Message<T, R>>(&packet.bytes) {
                Ok(Message::Task(id, task)) => threads.start(id, task),
                Ok(Message::Finish) => return Ok(()),
                Ok(_) => {}
                Err(error) => return Err(link.abort(&format!("malformed message from rank 0: {error}"))),
            }
        }
        while let Some((id, result)) = threads.result(link)? {
            send_to_coordinator(link, &Message::<T, R>::Result(id, result))?;
        }
        if last_heartbeat.elapsed() > HEARTBEAT_INTERVAL {
            last_heartbeat = Instant::now();
            send_to_coordinator(link, &Message::<T, R>::Heartbeat)?;
        }
    }
}

fn send_to_coordinator(link: &mut impl Link, message: &impl Wire) -> Result<(), LinkError> {
    link.send(0, Channel::PointToPoint, &wire::pack(message))
}

/// The threads of one rank.
struct ThreadPool<T, R> {
    count: u32,
    tasks: Sender<(u64, T)>,
    /// A result, or the panic message of the thread that failed.
    results: Receiver<Result<(u64, R), String>>,
}

impl<T: Send + 'static, R: Send + 'static> ThreadPool<T, R> {
    /// Each thread ends when the pool is dropped and its task is done.
    fn new(runners: Vec<TaskRunner<T, R>>) -> Self {
        let count = runners.len() as u32;
        let (tasks, queued) = mpsc::channel();
        let (done, results) = mpsc::channel();
        let queued = Arc::new(Mutex::new(queued));
        for runner in runners {
            let (queued, done) = (Arc::clone(&queued), done.clone());
            thread::spawn(move || run_tasks(runner, &queued, &done));
        }
        Self { count, tasks, results }
    }

    fn start(&self, id: u64, task: T) {
        // Threads are gone only if they failed, which ends the job.
        let _ = self.tasks.send((id, task));
    }

    /// A finished task, if there is one.
    fn result(&self, link: &mut impl Link) -> Result<Option<(u64, R)>, LinkError> {
        match self.results.try_recv() {
            Ok(Ok(result)) => Ok(Some(result)),
            Ok(Err(reason)) => Err(link.abort(&format!("a thread failed: {reason}"))),
            Err(_) => Ok(None),
        }
    }
}

fn run_tasks<T, R>(
    mut runner: TaskRunner<T, R>,
    queued: &Mutex<Receiver<(u64, T)>>,
    done: &Sender<Result<(u64, R), String>>,
) {
    loop {
        let next = queued.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((id, task)) = next else { return };
        let result = catch_unwind(AssertUnwindSafe(|| runner(task)));
        let result = result.map(|result| (id, result)).map_err(|reason| panic_message(&*reason));
        if done.send(result).is_err() {
            return;
        }
    }
}

/// The coordinator's state: which worker runs which task.
struct Queue<T> {
    workers: Vec<Worker>,
    /// Running tasks with their workers, by id.
    in_flight: BTreeMap<u64, (usize, T)>,
    /// Tasks of workers that fell silent.
    requeued: VecDeque<(u64, T)>,
    last_id: u64,
    /// The source had no task when it was asked last.
    exhausted: bool,
    worker_timeout: Duration,
}

struct Worker {
    threads: u32,
    busy: u32,
    last_message: Instant,
    lost: bool,
}

impl<T: Clone> Queue<T> {
    fn new(ranks: usize, threads: u32, worker_timeout: Duration) -> Self {
        let worker = |rank| Worker {
            threads: if rank == 0 { threads } else { 0 },
            busy: 0,
            last_message: Instant::now(),
            lost: false,
        };
        Self {
            workers: (0..ranks).map(worker).collect(),
            in_flight: BTreeMap::new(),
            requeued: VecDeque::new(),
            last_id: 0,
            exhausted: false,
            worker_timeout,
        }
    }

    fn is_done(&self) -> bool {
        self.exhausted && self.in_flight.is_empty() && self.requeued.is_empty()
    }

    fn read<R: Wire>(
        &mut self,
        source: &mut dyn TaskSource<T, R>,
        from: usize,
        bytes: &[u8],
    ) -> ControlFlow<()>
    where
        T: Wire,
    {
        let Some(worker) = self.workers.get_mut(from) else { return ControlFlow::Continue(()) };
        worker.last_message = Instant::now();
        worker.lost = false;
        match wire::unpack::<Message<T, R>>(bytes) {
            Ok(Message::Ready(threads)) => worker.threads = threads.min(MAX_THREADS),
            Ok(Message::Result(id, result)) => return self.accept(source, from, id, result),
            Ok(_) => {}
            // A worker that sends malformed messages gets no more tasks.
            Err(_) => worker.threads = 0,
        }
        ControlFlow::Continue(())
    }

    fn accept<R>(
        &mut self,
        source: &mut dyn TaskSource<T, R>,
        from: usize,
        id: u64,
        result: R,
    ) -> ControlFlow<()> {
        self.workers[from].busy = self.workers[from].busy.saturating_sub(1);
        match self.remove(id) {
            Some(task) => source.accept(from, task, result),
            // Another worker was faster.
            None => ControlFlow::Continue(()),
        }
    }

    /// Takes a task that is running or requeued.
    fn remove(&mut self, id: u64) -> Option<T> {
        if let Some((_, task)) = self.in_flight.remove(&id) {
            return Some(task);
        }
        let place = self.requeued.iter().position(|(requeued, _)| *requeued == id)?;
        self.requeued.remove(place).map(|(_, task)| task)
    }

    fn requeue_tasks_of_silent_workers(&mut self) {
        for (rank, worker) in self.workers.iter_mut().enumerate().skip(1) {
            if worker.lost || worker.last_message.elapsed() < self.worker_timeout {
                continue;
            }
            (worker.lost, worker.busy) = (true, 0);
            let lost = self.in_flight.extract_if(.., |_, (assigned, _)| *assigned == rank);
            self.requeued.extend(lost.map(|(id, (_, task))| (id, task)));
        }
    }

    /// The next task and the rank that gets it, if a thread is free and there is a task.
    fn assign<R>(&mut self, source: &mut dyn TaskSource<T, R>) -> Option<(usize, u64, T)> {
        let is_free = |worker: &Worker| !worker.lost && worker.busy < worker.threads;
        let rank = self.workers.iter().position(is_free)?;
        let (id, task) = match self.requeued.pop_front() {
            Some(requeued) => requeued,
            None => {
                let next = source.next();
                self.exhausted = next.is_none();
                self.last_id += 1;
                (self.last_id, next?)
            }
        };
        self.workers[rank].busy += 1;
        self.in_flight.insert(id, (rank, task.clone()));
        Some((rank, id, task))
    }
}

impl<T: Wire, R: Wire> Wire for Message<T, R> {
    fn write(&self, writer: &mut Writer) {
        match self {
            Self::Ready(threads) => {
                writer.u8(1);
                writer.u32(*threads);
            }
            Self::Task(id, task) => {
                writer.u8(2);
                writer.u64(*id);
                task.write(writer);
            }
            Self::Result(id, result) => {
                writer.u8(3);
                writer.u64(*id);
                result.write(writer);
            }
            Self::Heartbeat => writer.u8(4),
            Self::Finish => writer.u8(5),
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(match reader.u8()? {
            1 => Self::Ready(reader.u32()?),
            2 => Self::Task(reader.u64()?, T::read(reader)?),
            3 => Self::Result(reader.u64()?, R::read(reader)?),
            4 => Self::Heartbeat,
            5 => Self::Finish,
            kind => return Err(WireError::Kind(kind)),
        })
    }
}
