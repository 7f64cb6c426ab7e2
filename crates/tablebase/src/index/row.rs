//! Iteration over an index by rows. A row fixes all groups but the innermost: what its entries have in common is computed
//! once, and a neighbour's number is this number plus a difference.

use std::convert::Infallible;

use chuhe_board::{Bitboard, Side, Square};

use crate::index::entry_board::EntryBoard;
use crate::index::group::Code;
use crate::index::row_moves::RowMoves;
use crate::index::{Codes, GROUPS, Index, SLOTS};

/// Entries that differ only in the innermost group.
pub(crate) struct Row<'a> {
    pub(crate) index: &'a Index,
    pub(super) codes: Codes,
    /// The number of the first entry.
    pub(super) base: u64,
    /// The number of the first entry of the row with the mirrored outer groups.
    pub(super) image: u64,
    pub(super) outer: EntryBoard,
}

/// A cursor on one entry: a placement of all groups without collisions.
pub(crate) struct Entry<'a> {
    row: &'a Row<'a>,
    pub(crate) codes: Codes,
    /// Its number in the index.
    pub(crate) number: u64,
    pub(crate) board: EntryBoard,
}

impl<'a> Row<'a> {
    /// The row with this number; `None` if its outer groups collide.
    pub(crate) fn new(index: &'a Index, row: u64) -> Option<Self> {
        let codes = index.row_codes(row);
        let mut outer = EntryBoard {
            sets: [Bitboard::EMPTY; SLOTS],
            sides: [Bitboard::EMPTY; 2],
            generals: [0, GROUPS].map(|slot| index.groups[slot].squares(codes[slot])[0]),
        };
        let mut image = 0;
        for &slot in &index.order[1..] {
            let group = &index.groups[slot];
            let set = group.occupied(codes[slot]);
            if set.meets(outer.occupied()) {
                return None;
            }
            outer.sets[slot] = set;
            outer.sides[slot / GROUPS] |= set;
            image += index.weights[slot] * u64::from(group.mirrored(codes[slot]));
        }
        Some(Self { index, codes, base: row * index.row_len() as u64, image, outer })
    }

    /// The entry with this place in the row; `None` if its innermost group collides with others.
    #[inline]
    pub(crate) fn entry(&'a self, place: usize) -> Option<Entry<'a>> {
        let mut entry = Entry { row: self, codes: self.codes, number: self.base, board: self.outer };
        entry.go_to(place).then_some(entry)
    }

    /// Visits every entry in order.
    #[inline]
    pub(crate) fn each(&'a self, mut visit: impl FnMut(&Entry<'a>)) {
        let all = self.try_each(|entry| {
            visit(entry);
            Ok::<(), Infallible>(())
        });
        all.unwrap_or_else(|error| match error {});
    }

    /// Visits every entry in order until one fails.
    #[inline]
    pub(crate) fn try_each<E>(&'a self, mut visit: impl FnMut(&Entry<'a>) -> Result<(), E>) -> Result<(), E> {
        let mut entry = Entry { row: self, codes: self.codes, number: self.base, board: self.outer };
        (0..self.index.row_len())
            .try_for_each(|place| if entry.go_to(place) { visit(&entry) } else { Ok(()) })
    }
}

impl Entry<'_> {
    /// Moves to another place in the row. Returns `false`, and leaves the entry invalid, if pieces collide there.
    #[inline]
    pub(crate) fn go_to(&mut self, place: usize) -> bool {
        let inner = self.row.index.inner();
        let group = &self.row.index.groups[inner];
        let code = group.unfolded(place as Code);
        let set = group.occupied(code);
        if set.meets(self.row.outer.occupied()) {
            return false;
        }
        self.board.sets[inner] = set;
        self.board.sides[inner / GROUPS] = self.row.outer.sides[inner / GROUPS] | set;
        if inner.is_multiple_of(GROUPS) {
            self.board.generals[inner / GROUPS] = group.squares(code)[0];
        }
        self.codes[inner] = code;
        self.number = self.row.base + place as u64;
        true
    }

    /// How positions are numbered.
    #[inline]
    pub(crate) fn index(&self) -> &Index {
        self.row.index
    }

    /// The number after a group other than the innermost changes its placement.
    #[inline]
    fn shifted(&self, slot: usize, code: Code) -> u64 {
        let weight = self.row.index.weights[slot];
        self.number
            .wrapping_add(weight.wrapping_mul(u64::from(code)))
            .wrapping_sub(weight.wrapping_mul(u64::from(self.codes[slot])))
    }

    /// The number of the entry in which one group has another placement.
    #[inline]
    pub(crate) fn neighbour(&self, slot: usize, code: Code) -> u64 {
        let inner = self.row.index.inner();
        if slot != inner {
            return self.shifted(slot, code);
        }
        let group = &self.row.index.groups[inner];
        let start = if group.is_kept(code) { self.row.base } else { self.row.image };
        start + u64::from(group.folded(code))
    }

    /// The moves of `side` in the row of this entry.
    pub(crate) fn moves(&self, side: Side) -> RowMoves {
        RowMoves::new(self.row, side)
    }

    /// The placement of an attacker's group after its move.
    #[inline]
    pub(crate) fn code_after(&self, slot: usize, from: Square, to: Square) -> Code {
        let group = &self.row.index.groups[slot];
        let squares = group.squares(self.codes[slot]);
        let member = squares.iter().position(|&square| square == from).expect("the group has a piece there");
        group.moved(self.codes[slot], member, to).expect("moves end on squares of the piece")
    }
}
