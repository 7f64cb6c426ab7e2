//! Unmove generation: from which entries a side reaches entries of a row by moves without capture.
//!
//! What other pieces than the innermost group can have done is generated once for the row, on the board without that group,
//! which must not stand in the way.

use chuhe_board::{Bitboard, Side};

use crate::index::entry_board::unmoves;
use crate::index::group::Code;
use crate::index::row::Row;
use crate::index::row_moves::way;
use crate::index::{GROUPS, Index};
use crate::material::ATTACKERS;

/// An entry of a row: its place and what the innermost group occupies.
#[derive(Clone, Copy)]
pub(crate) struct Placed {
    place: u32,
    set: Bitboard,
}

impl Placed {
    /// The entry with this place in any row.
    #[inline]
    pub(crate) fn new(index: &Index, place: usize) -> Self {
        let group = &index.groups[index.inner()];
        Self { place: place as u32, set: group.occupied(group.unfolded(place as Code)) }
    }
}

impl Row<'_> {
    /// Visits every entry from which `side` reaches one of these by a move without capture, once for every move. With `once`
    /// set, it may be visited once for several of them.
    #[inline]
    pub(crate) fn each_unmove(&self, side: Side, entries: &[Placed], once: bool, mut visit: impl FnMut(u64)) {
        let occupied = self.outer.occupied();
        let mut visit_outer = |slot: usize, code: Code, way: Bitboard| {
            let difference = i64::from(code) - i64::from(self.codes[slot]);
            let start = self.base.wrapping_add_signed(self.index.weights[slot] as i64 * difference);
            for Placed { place, set } in entries {
                if !set.meets(way) {
                    visit(start + u64::from(*place));
                }
            }
        };
        for (within, kind) in (1..).zip(ATTACKERS) {
            let slot = side.index() * GROUPS + within;
            if self.outer.sets[slot].is_empty() {
                continue;
            }
            let group = &self.index.groups[slot];
            for (member, &to) in group.squares(self.codes[slot]).iter().enumerate() {
                for from in unmoves(kind, side, to, occupied) {
                    if let Some(code) = group.moved(self.codes[slot], member, from) {
                        visit_outer(slot, code, way(kind, from, to) | from);
                    }
                }
            }
        }
        let guards = side.index() * GROUPS;
        for step in self.index.groups[guards].steps(self.codes[guards]) {
            let way = step.eye.map_or(Bitboard::EMPTY, Bitboard::of) | step.to;
            if !occupied.meets(way) {
                visit_outer(guards, step.code, way);
            }
        }
        if self.index.inner() / GROUPS == side.index() {
            self.each_inner_unmove(side, entries, once, &mut visit);
        }
    }

    /// The same for moves of the innermost group.
    ///
    /// An entry represents one board, and its mirror image as well when the innermost group's image is not kept. An
    /// unmove of the innermost group can then end on a board that is no entry while its image is one: the images of
    /// unmoves are unmoves of the image.
    #[inline]
    fn each_inner_unmove(&self, side: Side, entries: &[Placed], once: bool, visit: &mut impl FnMut(u64)) {
        let inner = self.index.inner();
        let (group, kind) = (&self.index.groups[inner], ATTACKERS[inner % GROUPS - 1]);
        let mut visit_code = |code: Code, represents_image: bool| {
            if group.is_kept(code) {
                visit(self.base + u64::from(group.folded(code)));
            }
            let image = group.mirrored(code);
            if represents_image && group.is_kept(image) {
                visit(self.image + u64::from(group.folded(image)));
            }
        };
        let represents_image = |code: Code| !group.is_kept(group.mirrored(code));
        let occupied = self.outer.occupied();
        if once && group.pieces() == 1 {
            // By whether the entry represents its image.
            let mut sources = [Bitboard::EMPTY; 2];
            for entry in entries {
                let code = group.unfolded(entry.place);
                let to = group.squares(code)[0];
                sources[usize::from(represents_image(code))] |= unmoves(kind, side, to, occupied | entry.set);
            }
            for (sources, represents_image) in sources.into_iter().zip([false, true]) {
                let codes = sources.into_iter().filter_map(|from| group.moved(0, 0, from));
                codes.for_each(|code| visit_code(code, represents_image));
            }
            return;
        }
        for entry in entries {
            let code = group.unfolded(entry.place);
            let is_image = represents_image(code);
            for (member, &to) in group.squares(code).iter().enumerate() {
                let sources = unmoves(kind, side, to, occupied | entry.set).into_iter();
                let codes = sources.filter_map(|from| group.moved(code, member, from));
                codes.for_each(|code| visit_code(code, is_image));
            }
        }
    }
}
