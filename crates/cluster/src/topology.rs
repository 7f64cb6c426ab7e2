//! Topologies of message passing: star, ring and binomial tree.

use std::str::FromStr;

/// How a broadcast from any rank reaches all others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// Through rank 0: two hops, but rank 0 carries all traffic.
    Star,
    /// Each rank forwards to the next: N − 1 hops, equal load.
    Ring,
    /// Each rank forwards to its parent and children in a binomial tree: at most 2 log₂ N hops, few neighbours.
    #[default]
    Tree,
}

impl Topology {
    /// All topologies.
    pub const ALL: [Self; 3] = [Self::Star, Self::Ring, Self::Tree];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Star => "star",
            Self::Ring => "ring",
            Self::Tree => "tree",
        }
    }

    /// The ranks to which `rank` forwards a message that `origin` broadcast and `from` delivered (for its own messages,
    /// both are `rank`). Every other rank is reached exactly once.
    pub fn forward_to(self, rank: usize, ranks: usize, origin: usize, from: usize) -> Vec<usize> {
        let mut targets: Vec<usize> = match self {
            Self::Star if rank == 0 => (1..ranks).collect(),
            Self::Star => vec![0],
            Self::Ring => vec![(rank + 1) % ranks],
            Self::Tree => parent(rank).into_iter().chain(children(rank, ranks)).collect(),
        };
        targets.retain(|&to| to != rank && to != origin && to != from);
        targets
    }
}

impl FromStr for Topology {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let topology = Self::ALL.into_iter().find(|topology| topology.name() == name);
        topology.ok_or_else(|| format!("'{name}' is not star, ring or tree"))
    }
}

/// The parent in the binomial tree; `None` for the root, rank 0.
pub fn parent(rank: usize) -> Option<usize> {
    (rank > 0).then(|| rank & (rank - 1))
}

/// The children in the binomial tree, the smallest subtree first.
pub fn children(rank: usize, ranks: usize) -> impl Iterator<Item = usize> {
    let rounds = if rank == 0 { usize::BITS } else { rank.trailing_zeros() };
    (0..rounds)
        .map_while(move |round| rank.checked_add(1usize.checked_shl(round)?))
        .take_while(move |&child| child < ranks)
}

/// The height of a rank's subtree.
pub fn height(rank: usize, ranks: usize) -> u32 {
    children(rank, ranks).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ranks that a broadcast of `origin` reaches, once per delivery.
    fn reached(topology: Topology, origin: usize, ranks: usize) -> Vec<usize> {
        let mut reached = Vec::new();
        let mut in_flight = vec![(origin, origin)];
        while let Some((rank, from)) = in_flight.pop() {
            for to in topology.forward_to(rank, ranks, origin, from) {
                reached.push(to);
                in_flight.push((to, rank));
            }
        }
        reached.sort_unstable();
        reached
    }

    #[test]
    fn every_topology_reaches_every_other_rank_once() {
        for topology in Topology::ALL {
            for ranks in 1..20 {
                for origin in 0..ranks {
                    let others: Vec<usize> = (0..ranks).filter(|&rank| rank != origin).collect();
                    assert_eq!(reached(topology, origin, ranks), others, "{topology:?} {origin} of {ranks}");
                }
            }
        }
    }

    #[test]
    fn parents_and_children_know_each_other() {
        for ranks in 1..70 {
            let pairs = (0..ranks).flat_map(|rank| children(rank, ranks).map(move |child| (rank, child)));
            let pairs: Vec<_> = pairs.collect();
            assert_eq!(pairs.len(), ranks - 1);
            assert!(pairs.iter().all(|&(rank, child)| parent(child) == Some(rank)));
        }
        assert_eq!(height(0, 64), 6);
    }
}
