//! Who sent a request: its address, the proxy in between, and what each address may have at a time.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use axum::http::HeaderMap;

use crate::rate_limit::TokenBucket;

/// The address a connection came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The client of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Client {
    pub(crate) address: ClientAddress,
    /// Whether the client speaks TLS to a trusted proxy.
    pub(crate) is_tls: bool,
}

/// A client as limits count it: an IPv4 address or an IPv6 network of 64 bits, which one client usually has whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ClientAddress(IpAddr);

impl From<IpAddr> for ClientAddress {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) if !address.is_loopback() => {
                let [a, b, c, d, ..] = address.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
            address => address,
        })
    }
}

impl Client {
    /// Headers that name the client count only if the peer is one of `proxies`.
    pub(crate) fn new(peer: Peer, proxies: &[IpAddr], headers: &HeaderMap) -> Self {
        let peer = peer.0.to_canonical();
        if !proxies.contains(&peer) {
            return Self { address: peer.into(), is_tls: false };
        }
        let forwarded = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
        let chain: Vec<IpAddr> =
            forwarded.flat_map(|text| text.split(',')).filter_map(|text| text.trim().parse().ok()).collect();
        // Each proxy appends the address it sees, so anything left of the last unknown one may be invented.
        let client = chain.into_iter().rev().find(|address| !proxies.contains(&address.to_canonical()));
        let is_tls = headers.get("x-forwarded-proto").is_some_and(|scheme| scheme == "https");
        Self { address: client.unwrap_or(peer).into(), is_tls }
    }
}

/// Counts what every address holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct AddressCounts(Arc<Mutex<HashMap<ClientAddress, usize>>>);

/// One thing held by an address, returned on drop.
#[derive(Debug)]
pub(crate) struct AddressPermit {
    counts: AddressCounts,
    address: ClientAddress,
}

impl AddressCounts {
    /// Takes one more, unless the address has `most` already.
    pub(crate) fn try_acquire(&self, address: ClientAddress, most: usize) -> Option<AddressPermit> {
        let mut counts = lock(&self.0);
        let count = counts.entry(address).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(AddressPermit { counts: self.clone(), address })
    }
}

impl Drop for AddressPermit {
    fn drop(&mut self) {
        let mut counts = lock(&self.counts.0);
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

/// More addresses than this are not remembered.
const MAX_ADDRESSES: usize = 10_000;

/// A token bucket for every address.
#[derive(Debug)]
pub(crate) struct AddressBuckets {
    per_second: u32,
    buckets: Mutex<HashMap<ClientAddress, TokenBucket>>,
}

impl AddressBuckets {
    pub(crate) fn new(per_second: u32) -> Self {
        Self { per_second, buckets: Mutex::default() }
    }

    /// Takes a token of the address if one is left.
    pub(crate) fn try_take(&self, address: ClientAddress, now: Instant) -> bool {
        self.with(address, now, |bucket| bucket.try_take(now))
    }

    /// Whether the address has a token left.
    pub(crate) fn has_token(&self, address: ClientAddress, now: Instant) -> bool {
        self.with(address, now, |bucket| bucket.has_token(now))
    }

    fn with<T>(
        &self,
        address: ClientAddress,
        now: Instant,
        use_bucket: impl FnOnce(&mut TokenBucket) -> T,
    ) -> T {
        let mut buckets = lock(&self.buckets);
        if buckets.len() >= MAX_ADDRESSES && !buckets.contains_key(&address) {
            // A full bucket says no more than a new one.
            buckets.retain(|_, bucket| !bucket.is_full(now));
            if buckets.len() >= MAX_ADDRESSES {
                buckets.clear();
            }
        }
        use_bucket(buckets.entry(address).or_insert_with(|| TokenBucket::new(self.per_second, now)))
    }
}

fn lock<K: Eq + Hash, V>(map: &Mutex<HashMap<K, V>>) -> MutexGuard<'_, HashMap<K, V>> {
    map.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn client(peer: &str, forwarded: &[&str]) -> Client {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        headers.insert("x-forwarded-proto", "https".parse().unwrap());
        Client::new(Peer(address(peer)), &[address("127.0.0.1"), address("10.0.0.1")], &headers)
    }

    #[test]
    fn only_a_trusted_proxy_names_the_client() {
        let direct = client("192.0.2.7", &["198.51.100.1"]);
        assert_eq!(direct, Client { address: address("192.0.2.7").into(), is_tls: false });
        let proxied = client("127.0.0.1", &["203.0.113.9, 198.51.100.1", "10.0.0.1"]);
        assert_eq!(proxied, Client { address: address("198.51.100.1").into(), is_tls: true });
        assert_eq!(client("127.0.0.1", &["nonsense"]).address, address("127.0.0.1").into());
        assert_eq!(client("::ffff:127.0.0.1", &["198.51.100.1"]).address, address("198.51.100.1").into());
    }

    #[test]
    fn an_ipv6_network_is_one_client() {
        let network = ClientAddress::from(address("2001:db8:1:2::1"));
        assert_eq!(network, address("2001:db8:1:2:ffff::9").into());
        assert_ne!(network, address("2001:db8:1:3::1").into());
        assert_eq!(ClientAddress::from(address("::ffff:192.0.2.7")), address("192.0.2.7").into());
    }

    #[test]
    fn an_address_holds_no_more_than_it_may() {
        let counts = AddressCounts::default();
        let (one, other) = (address("192.0.2.1").into(), address("192.0.2.2").into());
        let held: Vec<_> = (0..3).filter_map(|_| counts.try_acquire(one, 2)).collect();
        assert_eq!(held.len(), 2);
        assert!(counts.try_acquire(other, 2).is_some());
        drop(held);
        assert!(counts.try_acquire(one, 2).is_some());
        assert!(lock(&counts.0).is_empty(), "addresses that hold nothing are forgotten");
    }

    #[test]
    fn buckets_of_many_addresses_take_bounded_room() {
        let buckets = AddressBuckets::new(1);
        let now = Instant::now();
        for number in 0..20_000u32 {
            buckets.try_take(IpAddr::V4(number.into()).into(), now + Duration::from_millis(number.into()));
        }
        assert!(lock(&buckets.buckets).len() <= MAX_ADDRESSES);
    }
}
