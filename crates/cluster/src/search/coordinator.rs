//! The coordinator: rank 0's side of the link. It broadcasts commands to the workers, relays table entries and counts
//! votes.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use chuhe_search::{Control, TtExchange};

use super::cluster_searcher::{Ranks, Warnings, WorkerNodes};
use super::message::{Message, Start};
use super::tt_relay::TtRelay;
use super::vote::VoteCount;
use super::{Exchange, POLL_INTERVAL, VOTE_TIMEOUT};
use crate::link::{Channel, Link, LinkError, Packet};
use crate::topology::Topology;
use crate::wire;

/// Serves the requests of a [`ClusterSearcher`](super::ClusterSearcher) until that is dropped.
pub struct Coordinator {
    requests: Receiver<Request>,
    /// How votes travel.
    topology: Topology,
    relay: TtRelay,
    warnings: Warnings,
    /// How many ranks search, with rank 0.
    ranks: Ranks,
    /// What the GUI has set so far, for ranks that join later.
    options: Vec<Message>,
    search: Option<Search>,
}

/// What the searcher asks for.
pub(super) enum Request {
    Broadcast(Message),
    Start(StartedSearch),
    /// The pool of rank 0 has finished: collect the workers' votes.
    Vote(u64, Sender<VoteCount>),
}

/// A search that starts on all ranks.
#[derive(Clone)]
pub(super) struct StartedSearch {
    pub(super) start: Start,
    /// Set by the session.
    pub(super) outer: Control,
    /// Read by the pool of rank 0; follows the outer one.
    pub(super) inner: Control,
    pub(super) worker_nodes: Arc<WorkerNodes>,
}

/// The running search.
struct Search {
    id: u64,
    outer: Control,
    inner: Control,
    worker_nodes: Arc<WorkerNodes>,
    nodes_by_rank: Vec<u64>,
    pondering: bool,
    stopped: bool,
    /// The result of the first worker that finished.
    first_done: Option<VoteCount>,
    ballot: Option<Ballot>,
}

/// Votes that are being collected.
struct Ballot {
    reply: Sender<VoteCount>,
    votes: VoteCount,
    missing: Vec<usize>,
    deadline: Instant,
}

const MAX_WARNINGS: usize = 100;

/// How long rank 0 waits for votes.
pub(super) fn vote_timeout(topology: Topology, ranks: usize) -> Duration {
    VOTE_TIMEOUT * (topology.height(0, ranks) + 1)
}

impl Coordinator {
    pub(super) fn new(
        requests: Receiver<Request>,
        exchange: Exchange,
        warnings: Warnings,
        ranks: Ranks,
    ) -> Self {
        Self {
            requests,
            topology: exchange.topology,
            relay: TtRelay::new(exchange),
            warnings,
            ranks,
            options: Vec::new(),
            search: None,
        }
    }

    pub(super) fn tt_exchange(&self) -> Arc<TtExchange> {
        self.relay.tt_exchange()
    }

    /// Runs on the thread that owns the link, until the searcher is dropped.
    pub fn run(mut self, link: &mut impl Link) -> Result<(), LinkError> {
        self.serve(link)
    }

    /// Lets the workers of a job join, until the searcher is dropped (`Ok`) or the link fails.
    pub(super) fn lead(&mut self, link: &mut impl Link) -> Result<(), LinkError> {
        self.options.iter().try_for_each(|option| broadcast(link, option))?;
        self.ranks.set(link.ranks());
        let end = self.serve(link);
        self.ranks.set(1);
        // A searcher that waits for votes waits no longer.
        self.search = None;
        end
    }

    /// Keeps what the GUI sets for a time without workers. Breaks when the searcher is dropped.
    pub(super) fn idle(&mut self, time: Duration) -> ControlFlow<()> {
        match self.requests.recv_timeout(time) {
            Ok(Request::Broadcast(message)) => self.remember(&message),
            // For workers that have just gone; nobody waits for the reply to a dropped vote.
            Ok(Request::Start(_) | Request::Vote(..)) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    }

    fn remember(&mut self, message: &Message) {
        let Message::SetOption { name, .. } = message else { return };
        let is_older = |known: &Message| matches!(known, Message::SetOption { name: of, .. } if of == name);
        self.options.retain(|known| !is_older(known));
        self.options.push(message.clone());
    }

    fn serve(&mut self, link: &mut impl Link) -> Result<(), LinkError> {
        loop {
            match self.requests.recv_timeout(POLL_INTERVAL) {
                Ok(Request::Broadcast(message)) => {
                    self.remember(&message);
                    broadcast(link, &message)?;
                }
                Ok(Request::Start(started)) => self.start(link, started)?,
                Ok(Request::Vote(search, reply)) => self.open_ballot(link, search, reply)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return broadcast(link, &Message::Quit),
            }
            while let Some(packet) = link.receive(None, Channel::PointToPoint)? {
                self.read(link, packet);
            }
            self.forward_controls(link)?;
            self.relay.tick(link)?;
            self.close_ballot();
        }
    }

    fn start(&mut self, link: &mut impl Link, started: StartedSearch) -> Result<(), LinkError> {
        let StartedSearch { start, outer, inner, worker_nodes } = started;
        self.relay.begin();
        self.search = Some(Search {
            id: start.search,
            pondering: start.pondering,
            outer,
            inner,
            worker_nodes,
            nodes_by_rank: vec![0; link.ranks()],
            stopped: false,
            first_done: None,
            ballot: None,
        });
        broadcast(link, &Message::Start(Box::new(start)))
    }

    /// Forwards the session's ponder hit and stop to the workers.
    fn forward_controls(&mut self, link: &mut impl Link) -> Result<(), LinkError> {
        let Some(search) = &mut self.search else { return Ok(()) };
        if search.pondering && !search.outer.is_pondering() {
            search.pondering = false;
            broadcast(link, &Message::PonderHit(search.id))?;
        }
        if search.outer.is_stopped() { search.stop(link) } else { Ok(()) }
    }

    fn open_ballot(
        &mut self,
        link: &mut impl Link,
        id: u64,
        reply: Sender<VoteCount>,
    ) -> Result<(), LinkError> {
        let Some(search) = self.search.as_mut().filter(|search| search.id == id) else { return Ok(()) };
        search.stop(link)?;
        let ranks = link.ranks();
        search.ballot = Some(Ballot {
            reply,
            votes: self.relay.traffic(),
            missing: self.topology.children(0, ranks),
            deadline: Instant::now() + vote_timeout(self.topology, ranks),
        });
        Ok(())
    }

    /// Replies with the votes when all are in or the time is up.
    fn close_ballot(&mut self) {
        let is_ready = |ballot: &mut Ballot| ballot.missing.is_empty() || Instant::now() >= ballot.deadline;
        let Some(search) = &mut self.search else { return };
        let Some(Ballot { reply, mut votes, .. }) = search.ballot.take_if(is_ready) else { return };
        // The first worker to finish counts even if its vote is late.
        if let Some(first) = search.first_done.take()
            && !first.voters.iter().all(|rank| votes.voters.contains(rank))
        {
            votes.add(first);
        }
        let _ = reply.send(votes);
        self.search = None;
    }

    fn read(&mut self, link: &impl Link, Packet { from, bytes, .. }: Packet) {
        let message = match wire::unpack::<Message>(&bytes) {
            Ok(message) => message,
            Err(error) => return self.warn(&format!("rank {from}: {error}")),
        };
        match (message, &mut self.search) {
            (Message::Entries(batches), _) => self.relay.receive(link, from, batches),
            (Message::Warning(text), _) => self.warn(&format!("rank {from}: {text}")),
            (Message::Progress(id, nodes), Some(search)) if id == search.id => search.progress(from, nodes),
            (Message::Done(id, result), Some(search)) if id == search.id && !search.pondering => {
                // The first worker to finish ends the search of all.
                search.inner.stop();
                search.first_done.get_or_insert(result);
            }
            (Message::Votes(id, votes), Some(Search { id: ours, ballot: Some(ballot), .. }))
                if id == *ours && ballot.missing.contains(&from) =>
            {
                ballot.missing.retain(|rank| *rank != from);
                ballot.votes.add(votes);
            }
            // Late, or not for rank 0.
            _ => {}
        }
    }

    /// Tells the GUI with the next search.
    pub(super) fn warn(&self, text: &str) {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        if warnings.len() < MAX_WARNINGS {
            warnings.push(text.to_owned());
        }
    }
}

impl Search {
    /// Stops the search on all ranks, once.
    fn stop(&mut self, link: &mut impl Link) -> Result<(), LinkError> {
        if self.stopped {
            return Ok(());
        }
        self.stopped = true;
        self.inner.stop();
        broadcast(link, &Message::Stop(self.id))
    }

    fn progress(&mut self, from: usize, nodes: u64) {
        if let Some(known) = self.nodes_by_rank.get_mut(from) {
            *known = nodes;
        }
        let total = self.nodes_by_rank.iter().fold(0, |sum: u64, nodes| sum.saturating_add(*nodes));
        self.worker_nodes.set(total.min(u64::MAX / 2));
    }
}

fn broadcast(link: &mut impl Link, message: &Message) -> Result<(), LinkError> {
    let bytes = wire::pack(message);
    (1..link.ranks()).try_for_each(|rank| link.send(rank, Channel::PointToPoint, &bytes))
}
