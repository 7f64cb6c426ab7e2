//! A worker: every rank but 0. It runs the coordinator's searches with its own threads and transposition table.

use std::ops::ControlFlow;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use chuhe_engine::{Follower, first_pool};
use chuhe_search::{Answer, Control, Diversification, Pool};

use super::message::{Message, Start};
use super::tt_relay::TtRelay;
use super::vote::VoteCount;
use super::{Exchange, POLL_INTERVAL, PROGRESS_INTERVAL, VOTE_TIMEOUT};
use crate::link::{Channel, Link, LinkError, Packet};
use crate::panic_message::panic_message;
use crate::topology::Topology;
use crate::wire;

/// Searches for rank 0 until it quits.
pub fn work(link: &mut impl Link, exchange: Exchange) -> Result<(), LinkError> {
    Worker::new(link, exchange).run()
}

struct Worker<'a, L> {
    link: &'a mut L,
    /// How votes travel.
    topology: Topology,
    relay: TtRelay,
    follower: Follower,
    /// `None` while it searches.
    pool: Option<Pool>,
    search: Option<Search>,
    ballot: Option<Ballot>,
    /// Votes of children that finished before this rank: search, child and votes.
    early_votes: Vec<(u64, usize, VoteCount)>,
}

/// A search on a thread of its own.
struct Search {
    id: u64,
    control: Control,
    thread: JoinHandle<(Pool, Answer)>,
    last_progress: Instant,
}

/// A finished search whose votes are being collected.
struct Ballot {
    search: u64,
    votes: VoteCount,
    missing: Vec<usize>,
    /// When this rank votes without the missing ones; set once rank 0 asks for votes.
    deadline: Option<Instant>,
    done_sent: bool,
    control: Control,
}

impl<'a, L: Link> Worker<'a, L> {
    fn new(link: &'a mut L, exchange: Exchange) -> Self {
        let relay = TtRelay::new(exchange);
        let mut pool = first_pool();
        pool.set_tt_exchange(relay.tt_exchange());
        pool.set_diversification(Diversification::new(link.rank()));
        let follower = Follower::default();
        let topology = exchange.topology;
        Self {
            link,
            topology,
            relay,
            follower,
            pool: Some(pool),
            search: None,
            ballot: None,
            early_votes: Vec::new(),
        }
    }

    fn run(&mut self) -> Result<(), LinkError> {
        loop {
            let mut packet = self.link.wait(None, Channel::PointToPoint, POLL_INTERVAL)?;
            while let Some(next) = packet {
                if self.read(next)?.is_break() {
                    return self.abandon_search();
                }
                packet = self.link.receive(None, Channel::PointToPoint)?;
            }
            self.check_search()?;
            self.relay.tick(self.link)?;
            self.vote()?;
        }
    }

    /// Handles a message; breaks on `Quit`.
    fn read(&mut self, Packet { from, bytes, .. }: Packet) -> Result<ControlFlow<()>, LinkError> {
        match wire::unpack::<Message>(&bytes) {
            Ok(Message::Quit) => return Ok(ControlFlow::Break(())),
            Ok(Message::SetOption { name, value }) => self.set_option(&name, value.as_deref())?,
            Ok(Message::Forget) => self.idle_pool()?.clear(),
            Ok(Message::Start(start)) => self.start(&start)?,
            Ok(Message::PonderHit(search)) => {
                if let Some(control) = self.control_of(search) {
                    control.ponder_hit();
                }
            }
            Ok(Message::Stop(search)) => {
                if let Some(control) = self.control_of(search) {
                    control.ponder_hit();
                    control.stop();
                }
            }
            Ok(Message::Entries(batches)) => self.relay.receive(self.link, from, batches),
            Ok(Message::Votes(search, votes)) => self.early_votes.push((search, from, votes)),
            // Sent to rank 0 only.
            Ok(Message::Progress(..) | Message::Done(..) | Message::Warning(_)) => {}
            Err(error) => self.warn(&format!("malformed message from rank {from}: {error}"))?,
        }
        Ok(ControlFlow::Continue(()))
    }

    fn send(&mut self, to: usize, message: &Message) -> Result<(), LinkError> {
        self.link.send(to, Channel::PointToPoint, &wire::pack(message))
    }

    fn warn(&mut self, text: &str) -> Result<(), LinkError> {
        self.send(0, &Message::Warning(text.to_owned()))
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), LinkError> {
        self.abandon_search()?;
        let pool = self.pool.as_mut().expect("the pool is idle");
        match self.follower.set(pool, name, value) {
            Ok(()) => Ok(()),
            Err(error) => self.warn(&error.to_string()),
        }
    }

    fn start(&mut self, start: &Start) -> Result<(), LinkError> {
        self.ballot = None;
        self.early_votes.retain(|(search, ..)| *search >= start.search);
        let network = self.idle_pool()?.evaluator().fingerprint();
        if network != start.network {
            return self.warn(&format!("evaluates with {network:016x}, not with {:016x}", start.network));
        }
        let game = match start.game() {
            Ok(game) => game,
            Err(error) => return self.warn(&error),
        };
        self.relay.begin();
        let control = if start.pondering { Control::pondering() } else { Control::default() };
        let mut pool = self.pool.take().expect("the pool is idle");
        let (limits, pool_control) = (start.limits(), control.clone());
        let thread = thread::spawn(move || {
            let answer = pool.search(&game, &limits, &pool_control, &mut |_| {});
            (pool, answer)
        });
        self.search = Some(Search { id: start.search, control, thread, last_progress: Instant::now() });
        Ok(())
    }

    fn control_of(&self, id: u64) -> Option<&Control> {
        let running = self.search.as_ref().map(|search| (search.id, &search.control));
        let finished = self.ballot.as_ref().map(|ballot| (ballot.search, &ballot.control));
        running.into_iter().chain(finished).find(|(search, _)| *search == id).map(|(_, control)| control)
    }

    /// The pool, after its search has ended.
    fn idle_pool(&mut self) -> Result<&mut Pool, LinkError> {
        self.abandon_search()?;
        Ok(self.pool.as_mut().expect("the pool is idle"))
    }

    /// Ends the running search without a vote.
    fn abandon_search(&mut self) -> Result<(), LinkError> {
        if let Some(search) = self.search.take() {
            search.control.stop();
            self.join(search.thread)?;
        }
        Ok(())
    }

    fn join(&mut self, thread: JoinHandle<(Pool, Answer)>) -> Result<Answer, LinkError> {
        match thread.join() {
            Ok((pool, answer)) => {
                self.pool = Some(pool);
                Ok(answer)
            }
            // The pool is lost with its thread, so the job ends with the reason.
            Err(reason) => Err(self.link.abort(&format!("the search failed: {}", panic_message(&*reason)))),
        }
    }

    /// Opens the ballot of a finished search; reports the progress of a running one.
    fn check_search(&mut self) -> Result<(), LinkError> {
        let Some(search) = &mut self.search else { return Ok(()) };
        if search.thread.is_finished() {
            return self.open_ballot();
        }
        if search.last_progress.elapsed() >= PROGRESS_INTERVAL {
            search.last_progress = Instant::now();
            let progress = Message::Progress(search.id, self.relay.nodes());
            return self.send(0, &progress);
        }
        Ok(())
    }

    fn open_ballot(&mut self) -> Result<(), LinkError> {
        let Some(Search { id, control, thread, .. }) = self.search.take() else { return Ok(()) };
        let answer = self.join(thread)?;
        let mut votes = self.relay.traffic();
        votes.add(VoteCount::of(self.link.rank(), &answer));
        let missing = self.topology.children(self.link.rank(), self.link.ranks());
        self.ballot = Some(Ballot { search: id, votes, missing, deadline: None, done_sent: false, control });
        Ok(())
    }

    /// Reports a finished search to rank 0 and, once that asks for votes, sends the subtree's votes to the parent.
    fn vote(&mut self) -> Result<(), LinkError> {
        let height = self.topology.height(self.link.rank(), self.link.ranks());
        let Some(ballot) = &mut self.ballot else { return Ok(()) };
        if !ballot.control.is_stopped() {
            if ballot.done_sent || ballot.control.is_pondering() {
                return Ok(());
            }
            ballot.done_sent = true;
            let done = Message::Done(ballot.search, ballot.votes.clone());
            return self.send(0, &done);
        }
        let deadline = *ballot.deadline.get_or_insert_with(|| Instant::now() + VOTE_TIMEOUT * height);
        ballot.count(std::mem::take(&mut self.early_votes));
        if ballot.missing.is_empty() || Instant::now() >= deadline {
            let votes = Message::Votes(ballot.search, std::mem::take(&mut ballot.votes));
            self.ballot = None;
            if let Some(parent) = self.topology.parent(self.link.rank(), self.link.ranks()) {
                return self.send(parent, &votes);
            }
        }
        Ok(())
    }
}

impl Ballot {
    /// Adds the votes of children for this search.
    fn count(&mut self, votes: Vec<(u64, usize, VoteCount)>) {
        for (search, from, votes) in votes {
            if search == self.search && self.missing.contains(&from) {
                self.missing.retain(|rank| *rank != from);
                self.votes.add(votes);
            }
        }
    }
}
