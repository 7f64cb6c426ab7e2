//! The ways that messages take between ranks.

use std::str::FromStr;

/// How what one rank knows reaches all others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Everything goes through rank 0: two hops, but rank 0 carries all.
    Star,
    /// Each rank hands on to the next: as many hops as ranks, and every rank carries the same.
    Ring,
    /// Each rank hands on to its parent and its children: few hops, and no rank has many neighbours.
    #[default]
    Tree,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Self; 3] = [Self::Star, Self::Ring, Self::Tree];

    /// The name of the shape.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Star => "star",
            Self::Ring => "ring",
            Self::Tree => "tree",
        }
    }

    /// To whom `rank` hands on what `origin` sent and `from` brought; what is its own comes from itself. Following this
    /// from rank to rank reaches every rank once.
    pub fn onward(self, rank: usize, ranks: usize, origin: usize, from: usize) -> Vec<usize> {
        let mut onward: Vec<usize> = match self {
            Self::Star if rank == 0 => (1..ranks).collect(),
            Self::Star => vec![0],
            Self::Ring => vec![(rank + 1) % ranks],
            Self::Tree => parent(rank).into_iter().chain(children(rank, ranks)).collect(),
        };
        onward.retain(|&to| to != rank && to != origin && to != from);
        onward
    }
}

impl FromStr for Shape {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let shape = Self::ALL.into_iter().find(|shape| shape.name() == name);
        shape.ok_or_else(|| format!("'{name}' is not star, ring or tree"))
    }
}

/// The rank that the winner of this rank's part of the tournament meets next.
pub fn parent(rank: usize) -> Option<usize> {
    (rank > 0).then(|| rank & (rank - 1))
}

/// The ranks whose winners play this one, the smallest tournament first.
pub fn children(rank: usize, ranks: usize) -> impl Iterator<Item = usize> {
    let rounds = if rank == 0 { usize::BITS } else { rank.trailing_zeros() };
    (0..rounds)
        .map_while(move |round| rank.checked_add(1usize.checked_shl(round)?))
        .take_while(move |&child| child < ranks)
}

/// The rounds of the tournament below a rank.
pub fn height(rank: usize, ranks: usize) -> u32 {
    children(rank, ranks).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who gets what `origin` sends, each as often as it gets it.
    fn reached(shape: Shape, origin: usize, ranks: usize) -> Vec<usize> {
        let mut reached = Vec::new();
        let mut under_way = vec![(origin, origin)];
        while let Some((rank, from)) = under_way.pop() {
            for to in shape.onward(rank, ranks, origin, from) {
                reached.push(to);
                under_way.push((to, rank));
            }
        }
        reached.sort_unstable();
        reached
    }

    #[test]
    fn every_shape_reaches_every_other_rank_once() {
        for shape in Shape::ALL {
            for ranks in 1..20 {
                for origin in 0..ranks {
                    let others: Vec<usize> = (0..ranks).filter(|&rank| rank != origin).collect();
                    assert_eq!(reached(shape, origin, ranks), others, "{shape:?} {origin} of {ranks}");
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
