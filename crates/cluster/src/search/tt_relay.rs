//! Sharing the transposition table: sends a rank's new entries to its neighbours and forwards those of others.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use chuhe_search::{SharedEntry, TtExchange};

use super::Exchange;
use super::message::{EntryBatch, Message};
use super::vote::VoteCount;
use crate::link::{Channel, Link, LinkError};
use crate::wire;

/// The entry exchange of one rank.
pub(super) struct TtRelay {
    exchange: Exchange,
    tt_exchange: Arc<TtExchange>,
    /// What each neighbour gets with the next message.
    pending: BTreeMap<usize, Vec<EntryBatch>>,
    last_sent: Instant,
    /// Messages and bytes sent since the search began.
    messages: u64,
    bytes: u64,
}

/// Beyond this many pending entries a neighbour's link is too slow, and further ones are dropped.
const MAX_PENDING: usize = 1 << 15;

impl TtRelay {
    pub(super) fn new(exchange: Exchange) -> Self {
        Self {
            exchange,
            tt_exchange: Arc::new(TtExchange::new(exchange.least_depth)),
            pending: BTreeMap::new(),
            last_sent: Instant::now(),
            messages: 0,
            bytes: 0,
        }
    }

    pub(super) fn tt_exchange(&self) -> Arc<TtExchange> {
        Arc::clone(&self.tt_exchange)
    }

    /// Nodes that this rank has searched.
    pub(super) fn nodes(&self) -> u64 {
        self.tt_exchange.nodes()
    }

    /// An empty vote that carries this search's traffic.
    pub(super) fn traffic(&self) -> VoteCount {
        VoteCount { messages: self.messages, bytes: self.bytes, ..VoteCount::default() }
    }

    /// Drops what the previous search left.
    pub(super) fn begin(&mut self) {
        self.pending.clear();
        self.tt_exchange.collect();
        (self.messages, self.bytes) = (0, 0);
    }

    /// Stores received entries and queues them for the ranks further on.
    pub(super) fn receive(&mut self, link: &impl Link, from: usize, batches: Vec<EntryBatch>) {
        for batch in batches {
            self.tt_exchange.deliver(batch.entries.iter().copied());
            self.forward(link, from, batch);
        }
    }

    /// Sends what is pending, once per interval.
    pub(super) fn tick(&mut self, link: &mut impl Link) -> Result<(), LinkError> {
        if self.last_sent.elapsed() < self.exchange.interval {
            return Ok(());
        }
        self.last_sent = Instant::now();
        let entries: Vec<SharedEntry> = self.tt_exchange.collect();
        if !entries.is_empty() {
            let own = EntryBatch { origin: link.rank() as u16, entries };
            self.forward(link, link.rank(), own);
        }
        for (to, batches) in std::mem::take(&mut self.pending) {
            let bytes = wire::pack(&Message::Entries(batches));
            link.send(to, Channel::PointToPoint, &bytes)?;
            self.messages += 1;
            self.bytes += bytes.len() as u64;
        }
        Ok(())
    }

    fn forward(&mut self, link: &impl Link, from: usize, batch: EntryBatch) {
        let origin = batch.origin.into();
        for to in self.exchange.topology.forward_to(link.rank(), link.ranks(), origin, from) {
            let pending = self.pending.entry(to).or_default();
            if pending.iter().map(|batch| batch.entries.len()).sum::<usize>() < MAX_PENDING {
                pending.push(batch.clone());
            }
        }
    }
}
