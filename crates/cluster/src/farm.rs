//! Work that rank 0 hands out piece by piece: games to play, leaves to score.
//!
//! Every rank works with its own threads, rank 0 included. A rank that falls silent is given up: its pieces go to
//! others, and if it speaks again after all, what it did first counts and nothing counts twice.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::last_words::words;
use crate::link::{Channel, Link, LinkError};
use crate::wire::{self, Reader, Wire, WireError, Writer};

/// Who gives the work and takes what comes of it, on rank 0.
pub trait Giver<T, O> {
    /// The next piece; `None` if there is none now, though outcomes still to come may bring new ones.
    fn next(&mut self) -> Option<T>;

    /// Takes the outcome of a piece, from rank `from`. Breaks when there is enough.
    fn take(&mut self, from: usize, task: T, outcome: O) -> ControlFlow<()>;
}

/// Does one piece of work after the other, on a thread of its own.
pub type Doer<T, O> = Box<dyn FnMut(T) -> O + Send>;

/// How long a rank may be silent before its work is given to others.
pub const LOST_AFTER: Duration = Duration::from_secs(30);
/// How often ranks say that they are there.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// How often ranks look for messages.
const TICK: Duration = Duration::from_millis(2);
/// No rank has more threads.
const MOST_THREADS: u32 = 4096;

enum Message<T, O> {
    /// A rank has so many threads.
    Ready(u32),
    Task(u64, T),
    Outcome(u64, O),
    Alive,
    Finish,
}

/// Hands out work from rank 0 until there is none left or enough is done. `doers` are rank 0's own threads.
pub fn hand_out<T: Wire + Clone + Send + 'static, O: Wire + Send + 'static>(
    link: &mut impl Link,
    giver: &mut dyn Giver<T, O>,
    doers: Vec<Doer<T, O>>,
    lost_after: Duration,
) -> Result<(), LinkError> {
    let crew = Crew::new(doers);
    let mut book = Book::new(link.ranks(), crew.threads, lost_after);
    loop {
        let mut finished = false;
        while let Some(letter) = link.receive(None, Channel::Talk)? {
            finished |= book.read(giver, letter.from, &letter.bytes).is_break();
        }
        while let Some((number, outcome)) = crew.outcome(link)? {
            finished |= book.take(giver, 0, number, outcome).is_break();
        }
        book.give_up_silent_ranks();
        while !finished && let Some((to, number, task)) = book.assign(giver) {
            if to == 0 {
                crew.start(number, task);
            } else {
                link.send(to, Channel::Talk, &wire::pack(&Message::<T, O>::Task(number, task)))?;
            }
        }
        if finished || book.is_done() {
            let bytes = wire::pack(&Message::<T, O>::Finish);
            return (1..link.ranks()).try_for_each(|rank| link.send(rank, Channel::Talk, &bytes));
        }
        thread::sleep(TICK);
    }
}

/// Works for rank 0 until it says that all is done. Pieces that are being worked on then are left unfinished.
pub fn work<T: Wire + Send + 'static, O: Wire + Send + 'static>(
    link: &mut impl Link,
    doers: Vec<Doer<T, O>>,
) -> Result<(), LinkError> {
    let crew = Crew::new(doers);
    tell(link, &Message::<T, O>::Ready(crew.threads))?;
    let mut told = Instant::now();
    loop {
        if let Some(letter) = link.wait(Some(0), Channel::Talk, TICK)? {
            match wire::unpack::<Message<T, O>>(&letter.bytes) {
                Ok(Message::Task(number, task)) => crew.start(number, task),
                Ok(Message::Finish) => return Ok(()),
                Ok(_) => {}
                Err(error) => return Err(link.abort(&format!("rank 0 cannot be understood: {error}"))),
            }
        }
        while let Some((number, outcome)) = crew.outcome(link)? {
            tell(link, &Message::<T, O>::Outcome(number, outcome))?;
        }
        if told.elapsed() > HEARTBEAT {
            told = Instant::now();
            tell(link, &Message::<T, O>::Alive)?;
        }
    }
}

/// Says something to rank 0.
fn tell(link: &mut impl Link, message: &impl Wire) -> Result<(), LinkError> {
    link.send(0, Channel::Talk, &wire::pack(message))
}

/// The threads of one rank.
struct Crew<T, O> {
    threads: u32,
    tasks: Sender<(u64, T)>,
    /// A thread that fails says why instead.
    outcomes: Receiver<Result<(u64, O), String>>,
}

impl<T: Send + 'static, O: Send + 'static> Crew<T, O> {
    /// Threads that end by themselves when the crew is gone and their piece is done.
    fn new(doers: Vec<Doer<T, O>>) -> Self {
        let threads = doers.len() as u32;
        let (tasks, waiting) = mpsc::channel();
        let (done, outcomes) = mpsc::channel();
        let waiting = Arc::new(Mutex::new(waiting));
        for mut doer in doers {
            let (waiting, done) = (Arc::clone(&waiting), done.clone());
            thread::spawn(move || {
                loop {
                    let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((number, task)) = next else { return };
                    let outcome = catch_unwind(AssertUnwindSafe(|| doer(task)));
                    let outcome = outcome.map(|outcome| (number, outcome)).map_err(|reason| words(&*reason));
                    if done.send(outcome).is_err() {
                        return;
                    }
                }
            });
        }
        Self { threads, tasks, outcomes }
    }

    fn start(&self, number: u64, task: T) {
        // Threads are gone only if they failed, which ends the job.
        let _ = self.tasks.send((number, task));
    }

    /// What a thread has done, if one has.
    fn outcome(&self, link: &mut impl Link) -> Result<Option<(u64, O)>, LinkError> {
        match self.outcomes.try_recv() {
            Ok(Ok(outcome)) => Ok(Some(outcome)),
            Ok(Err(reason)) => Err(link.abort(&format!("a thread failed: {reason}"))),
            Err(_) => Ok(None),
        }
    }
}

/// Who works on what.
struct Book<T> {
    ranks: Vec<Member>,
    /// Pieces that are being worked on, by number.
    handed_out: BTreeMap<u64, (usize, T)>,
    /// Pieces of ranks that fell silent.
    returned: VecDeque<(u64, T)>,
    numbers: u64,
    /// The giver had nothing when it was asked last.
    exhausted: bool,
    lost_after: Duration,
}

struct Member {
    threads: u32,
    busy: u32,
    heard: Instant,
    lost: bool,
}

impl<T: Clone> Book<T> {
    fn new(ranks: usize, threads: u32, lost_after: Duration) -> Self {
        let member = |rank| Member {
            threads: if rank == 0 { threads } else { 0 },
            busy: 0,
            heard: Instant::now(),
            lost: false,
        };
        Self {
            ranks: (0..ranks).map(member).collect(),
            handed_out: BTreeMap::new(),
            returned: VecDeque::new(),
            numbers: 0,
            exhausted: false,
            lost_after,
        }
    }

    fn is_done(&self) -> bool {
        self.exhausted && self.handed_out.is_empty() && self.returned.is_empty()
    }

    fn read<O: Wire>(&mut self, giver: &mut dyn Giver<T, O>, from: usize, bytes: &[u8]) -> ControlFlow<()>
    where
        T: Wire,
    {
        let Some(member) = self.ranks.get_mut(from) else { return ControlFlow::Continue(()) };
        member.heard = Instant::now();
        member.lost = false;
        match wire::unpack::<Message<T, O>>(bytes) {
            Ok(Message::Ready(threads)) => member.threads = threads.min(MOST_THREADS),
            Ok(Message::Outcome(number, outcome)) => return self.take(giver, from, number, outcome),
            Ok(_) => {}
            // A rank that cannot be understood is as good as silent.
            Err(_) => member.threads = 0,
        }
        ControlFlow::Continue(())
    }

    fn take<O>(
        &mut self,
        giver: &mut dyn Giver<T, O>,
        from: usize,
        number: u64,
        outcome: O,
    ) -> ControlFlow<()> {
        self.ranks[from].busy = self.ranks[from].busy.saturating_sub(1);
        let given = match self.handed_out.remove(&number) {
            Some((_, task)) => Some(task),
            None => {
                let place = self.returned.iter().position(|(returned, _)| *returned == number);
                place.and_then(|place| self.returned.remove(place)).map(|(_, task)| task)
            }
        };
        match given {
            Some(task) => giver.take(from, task, outcome),
            // Somebody else was quicker.
            None => ControlFlow::Continue(()),
        }
    }

    fn give_up_silent_ranks(&mut self) {
        for (rank, member) in self.ranks.iter_mut().enumerate().skip(1) {
            if member.lost || member.heard.elapsed() < self.lost_after {
                continue;
            }
            (member.lost, member.busy) = (true, 0);
            let lost: Vec<u64> = self
                .handed_out
                .iter()
                .filter(|(_, (who, _))| *who == rank)
                .map(|(number, _)| *number)
                .collect();
            for number in lost {
                let (_, task) = self.handed_out.remove(&number).expect("just found");
                self.returned.push_back((number, task));
            }
        }
    }

    /// The next piece and who gets it, if somebody is free and there is one.
    fn assign<O>(&mut self, giver: &mut dyn Giver<T, O>) -> Option<(usize, u64, T)> {
        let free = |member: &Member| !member.lost && member.busy < member.threads;
        let rank = self.ranks.iter().position(free)?;
        let (number, task) = match self.returned.pop_front() {
            Some(returned) => returned,
            None => {
                let next = giver.next();
                self.exhausted = next.is_none();
                self.numbers += 1;
                (self.numbers, next?)
            }
        };
        self.ranks[rank].busy += 1;
        self.handed_out.insert(number, (rank, task.clone()));
        Some((rank, number, task))
    }
}

impl<T: Wire, O: Wire> Wire for Message<T, O> {
    fn write(&self, writer: &mut Writer) {
        match self {
            Self::Ready(threads) => {
                writer.u8(1);
                writer.u32(*threads);
            }
            Self::Task(number, task) => {
                writer.u8(2);
                writer.u64(*number);
                task.write(writer);
            }
            Self::Outcome(number, outcome) => {
                writer.u8(3);
                writer.u64(*number);
                outcome.write(writer);
            }
            Self::Alive => writer.u8(4),
            Self::Finish => writer.u8(5),
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(match reader.u8()? {
            1 => Self::Ready(reader.u32()?),
            2 => Self::Task(reader.u64()?, T::read(reader)?),
            3 => Self::Outcome(reader.u64()?, O::read(reader)?),
            4 => Self::Alive,
            5 => Self::Finish,
            kind => return Err(WireError::Kind(kind)),
        })
    }
}
