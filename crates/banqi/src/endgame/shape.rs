//! Shapes: sets of pieces that differ only in names.
//!
//! A table depends on nothing but which piece of one side can take which of the other and who jumps. Of
//! all orders of the pieces, and of the sides where they are equally many, the one whose relations read as
//! the smallest number is the shape.

use std::collections::HashSet;

use arrayvec::ArrayVec;

use crate::endgame::MOST;
use crate::piece::{Kind, Piece, Side};
use crate::rules::Captures;

/// The relations of up to five pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Shape {
    /// How many pieces the first side has, at least as many as the second.
    pub(super) first: u8,
    pub(super) second: u8,
    /// Bits: who jumps, then for each pair whether the first's piece takes the second's and the reverse.
    pub(super) relations: u32,
}

impl Shape {
    /// The relations in sixteen bits. Three against two have seventeen, of which the first says that the first piece jumps; in
    /// the smallest order it does not, since of three pieces at most two are cannons.
    pub(super) fn packed_relations(self) -> u16 {
        u16::try_from(self.relations).expect("the smallest order begins with a piece that does not jump")
    }
}

/// A set of pieces brought into its shape's order.
#[derive(Debug, Clone)]
pub(super) struct Arrangement {
    pub(super) shape: Shape,
    /// Which side is the shape's first.
    pub(super) first: Side,
    /// The pieces, the first side's before the second's.
    pub(super) order: ArrayVec<Piece, MOST>,
}

impl Arrangement {
    pub(super) fn new(captures: &Captures, red: &[Kind], black: &[Kind]) -> Self {
        let firsts: &[Side] = match red.len().cmp(&black.len()) {
            std::cmp::Ordering::Greater => &[Side::Red],
            std::cmp::Ordering::Less => &[Side::Black],
            std::cmp::Ordering::Equal => &Side::ALL,
        };
        let mut best: Option<Self> = None;
        for &first in firsts {
            let (ours, theirs) = if first == Side::Red { (red, black) } else { (black, red) };
            for own in permutations(ours) {
                for other in permutations(theirs) {
                    let shape = relations(captures, &own, &other);
                    if best.as_ref().is_none_or(|best| shape < best.shape) {
                        let order = own.iter().map(|&kind| Piece::new(first, kind));
                        let order = order.chain(other.iter().map(|&kind| Piece::new(first.opponent(), kind)));
                        best = Some(Self { shape, first, order: order.collect() });
                    }
                }
            }
        }
        best.expect("every set has an order")
    }
}

/// The relations in this order, the first side being Red: rules are the same for both.
fn relations(captures: &Captures, own: &[Kind], other: &[Kind]) -> Shape {
    let mut bits = 0;
    let mut push = |bit: bool| bits = bits << 1 | u32::from(bit);
    let red: ArrayVec<Piece, MOST> = own.iter().map(|&kind| Piece::new(Side::Red, kind)).collect();
    let black: ArrayVec<Piece, MOST> = other.iter().map(|&kind| Piece::new(Side::Black, kind)).collect();
    red.iter().chain(&black).for_each(|&piece| push(captures.by_jump(piece)));
    for &ours in &red {
        for &theirs in &black {
            push(captures.by_step(ours, theirs));
            push(captures.by_step(theirs, ours));
        }
    }
    Shape { first: own.len() as u8, second: other.len() as u8, relations: bits }
}

fn permutations(kinds: &[Kind]) -> Vec<Vec<Kind>> {
    if kinds.len() <= 1 {
        return vec![kinds.to_vec()];
    }
    let mut all = Vec::new();
    for place in 0..kinds.len() {
        let mut rest = kinds.to_vec();
        let head = rest.remove(place);
        all.extend(permutations(&rest).into_iter().map(|mut tail| {
            tail.insert(0, head);
            tail
        }));
    }
    all
}

/// Every shape of two to `pieces` pieces with a set of pieces that has it, smaller ones first.
pub(super) fn all(captures: &Captures, pieces: u32) -> Vec<(Shape, Arrangement)> {
    let mut seen = HashSet::new();
    let mut list = Vec::new();
    for total in 2..=pieces as usize {
        for first in total.div_ceil(2)..total {
            for own in sets(first) {
                for other in sets(total - first) {
                    let arrangement = Arrangement::new(captures, &own, &other);
                    if seen.insert(arrangement.shape) {
                        list.push((arrangement.shape, arrangement));
                    }
                }
            }
        }
    }
    list
}

/// All multisets of kinds of this size within a full set.
fn sets(count: usize) -> Vec<Vec<Kind>> {
    fn grow(count: usize, from: usize, set: &mut Vec<Kind>, all: &mut Vec<Vec<Kind>>) {
        if set.len() == count {
            all.push(set.clone());
            return;
        }
        for (place, kind) in Kind::ALL.into_iter().enumerate().skip(from) {
            if set.iter().filter(|&&other| other == kind).count() < kind.count().into() {
                set.push(kind);
                grow(count, place, set, all);
                set.pop();
            }
        }
    }
    let mut all = Vec::new();
    grow(count, 0, &mut Vec::new(), &mut all);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use Kind::{Advisor, Cannon, Chariot, Elephant, Horse, Soldier};

    fn shape(red: &[Kind], black: &[Kind]) -> Shape {
        Arrangement::new(&Captures::from(&Rules::OLYMPIAD), red, black).shape
    }

    #[test]
    fn sets_with_the_same_relations_share_a_shape() {
        assert_eq!(shape(&[Advisor, Elephant], &[Horse]), shape(&[Chariot, Elephant], &[Soldier]));
        assert_eq!(shape(&[Advisor], &[Horse]), shape(&[Horse], &[Advisor]));
        assert_ne!(shape(&[Advisor], &[Horse]), shape(&[Advisor], &[Advisor]));
        assert_ne!(shape(&[Advisor, Cannon], &[Horse]), shape(&[Advisor, Elephant], &[Horse]));
    }

    #[test]
    fn every_shape_has_its_own_sixteen_bits() {
        let captures = Captures::from(&Rules::OLYMPIAD);
        let count = |pieces| all(&captures, pieces).len();
        assert_eq!((count(4), count(5)), (100, 100 + 179 + 54));
        let packed: HashSet<_> = all(&captures, 5)
            .into_iter()
            .map(|(shape, _)| (shape.first, shape.second, shape.packed_relations()))
            .collect();
        assert_eq!(packed.len(), count(5));
    }

    #[test]
    fn there_are_as_many_sets_as_a_full_set_allows() {
        assert_eq!(sets(1).len(), 7);
        // Seven kinds in pairs, and all but the general twice.
        assert_eq!(sets(2).len(), 21 + 6);
        // Three different, one twice and another, three soldiers.
        assert_eq!(sets(3).len(), 35 + 6 * 6 + 1);
    }
}
