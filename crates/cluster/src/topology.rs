//! Topologies of message passing: star, ring and binomial tree. Table entries are broadcast along one, and votes are
//! added up along it on their way to rank 0.

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
            Self::Tree => self.parent(rank, ranks).into_iter().chain(self.children(rank, ranks)).collect(),
        };
        targets.retain(|&to| to != rank && to != origin && to != from);
        targets
    }

    /// The next rank on the way to rank 0; `None` for rank 0.
    pub fn parent(self, rank: usize, ranks: usize) -> Option<usize> {
        (rank > 0).then(|| match self {
            Self::Star => 0,
            Self::Ring => (rank + 1) % ranks,
            // Without its lowest bit.
            Self::Tree => rank & (rank - 1),
        })
    }

    /// The ranks whose parent is this one; in a tree the smallest subtree first.
    pub fn children(self, rank: usize, ranks: usize) -> Vec<usize> {
        match self {
            Self::Star if rank == 0 => (1..ranks).collect(),
            Self::Star => Vec::new(),
            Self::Ring => {
                let before = if rank == 0 { ranks - 1 } else { rank - 1 };
                (before > 0).then_some(before).into_iter().collect()
            }
            Self::Tree => {
                let rounds = if rank == 0 { usize::BITS } else { rank.trailing_zeros() };
                (0..rounds)
                    .map_while(|round| rank.checked_add(1usize.checked_shl(round)?))
                    .take_while(|&child| child < ranks)
                    .collect()
            }
        }
    }

    /// The hops from the farthest rank below this one.
    pub fn height(self, rank: usize, ranks: usize) -> u32 {
        match self {
            Self::Ring if rank == 0 => ranks as u32 - 1,
            Self::Ring => rank as u32 - 1,
            Self::Star => u32::from(rank == 0 && ranks > 1),
            Self::Tree => {
                let children = self.children(rank, ranks).into_iter();
                children.map(|child| self.height(child, ranks) + 1).max().unwrap_or(0)
            }
        }
    }
}

impl FromStr for Topology {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let topology = Self::ALL.into_iter().find(|topology| topology.name() == name);
        topology.ok_or_else(|| format!("'{name}' is not star, ring or tree"))
    }
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
        for (topology, ranks) in
            Topology::ALL.into_iter().flat_map(|topology| (1..70).map(move |n| (topology, n)))
        {
            let family = |rank| topology.children(rank, ranks).into_iter().map(move |child| (rank, child));
            let pairs: Vec<_> = (0..ranks).flat_map(family).collect();
            assert_eq!(pairs.len(), ranks - 1, "{topology:?} {ranks}");
            assert!(pairs.iter().all(|&(rank, child)| topology.parent(child, ranks) == Some(rank)));
        }
    }

    #[test]
    fn a_rank_is_higher_than_its_children() {
        for (topology, ranks) in
            Topology::ALL.into_iter().flat_map(|topology| (1..70).map(move |n| (topology, n)))
        {
            for rank in 0..ranks {
                let children = topology.children(rank, ranks).into_iter();
                let below = children.map(|child| topology.height(child, ranks) + 1).max().unwrap_or(0);
                assert_eq!(topology.height(rank, ranks), below, "{topology:?} {rank} of {ranks}");
            }
        }
        assert_eq!(Topology::ALL.map(|topology| topology.height(0, 64)), [1, 63, 6]);
    }
}
