//! Carrying entries of the transposition tables from rank to rank.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use chuhe_search::{SharedEntry, TtExchange};

use super::Exchange;
use super::message::{Message, Parcel};
use crate::link::{Channel, Link, LinkError};
use crate::wire;

/// The post office of one rank.
pub(super) struct Post {
    exchange: Exchange,
    mailbox: Arc<TtExchange>,
    /// What goes to each neighbour with the next message.
    waiting: BTreeMap<usize, Vec<Parcel>>,
    last: Instant,
    /// Messages sent since the search began, and their bytes.
    pub(super) messages: u64,
    pub(super) bytes: u64,
}

/// More entries than this do not wait for one neighbour: what a slow link cannot carry is left out.
const MOST_WAITING: usize = 1 << 15;

impl Post {
    pub(super) fn new(exchange: Exchange) -> Self {
        Self {
            exchange,
            mailbox: Arc::new(TtExchange::new(exchange.least_depth)),
            waiting: BTreeMap::new(),
            last: Instant::now(),
            messages: 0,
            bytes: 0,
        }
    }

    pub(super) fn mailbox(&self) -> Arc<TtExchange> {
        Arc::clone(&self.mailbox)
    }

    /// Positions that this rank's search has looked at.
    pub(super) fn nodes(&self) -> u64 {
        self.mailbox.nodes()
    }

    /// A search begins: what waits is old.
    pub(super) fn begin(&mut self) {
        self.waiting.clear();
        self.mailbox.collect();
        (self.messages, self.bytes) = (0, 0);
    }

    /// Takes what a neighbour brought, for this rank and for those behind it.
    pub(super) fn receive(&mut self, link: &impl Link, from: usize, parcels: Vec<Parcel>) {
        for parcel in parcels {
            self.mailbox.deliver(parcel.entries.iter().copied());
            self.hand_on(link, from, parcel);
        }
    }

    /// Sends what was found since the last time.
    pub(super) fn tick(&mut self, link: &mut impl Link) -> Result<(), LinkError> {
        if self.last.elapsed() < self.exchange.interval {
            return Ok(());
        }
        self.last = Instant::now();
        let entries: Vec<SharedEntry> = self.mailbox.collect();
        if !entries.is_empty() {
            let own = Parcel { origin: link.rank() as u16, entries };
            self.hand_on(link, link.rank(), own);
        }
        for (to, parcels) in std::mem::take(&mut self.waiting) {
            let bytes = wire::pack(&Message::Entries(parcels));
            link.send(to, Channel::Talk, &bytes)?;
            self.messages += 1;
            self.bytes += bytes.len() as u64;
        }
        Ok(())
    }

    fn hand_on(&mut self, link: &impl Link, from: usize, parcel: Parcel) {
        let origin = parcel.origin.into();
        for to in self.exchange.shape.onward(link.rank(), link.ranks(), origin, from) {
            let waiting = self.waiting.entry(to).or_default();
            if waiting.iter().map(|parcel| parcel.entries.len()).sum::<usize>() < MOST_WAITING {
                waiting.push(parcel.clone());
            }
        }
    }
}
