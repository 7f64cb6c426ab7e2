//! Walking through an index row by row. A row fixes all groups but the innermost, so what its entries
//! have in common is worked out once, and the number of a neighbour is this number plus a difference.

use chuhe_board::{Bitboard, Side, Square};

use crate::group::Code;
use crate::index::{Codes, GROUPS, Index, SLOTS};
use crate::material::ATTACKERS;
use crate::scene::{Legal, Scene, retreats};

/// The entries that differ only in the innermost group.
pub(crate) struct Row<'a> {
    pub(crate) index: &'a Index,
    codes: Codes,
    /// The number of the first entry.
    base: u64,
    /// The number of the first entry of the row with the mirrored outer groups.
    image: u64,
    outer: Scene,
}

/// One entry: a placement of all groups without collisions.
pub(crate) struct Entry<'a> {
    row: &'a Row<'a>,
    pub(crate) codes: Codes,
    /// Its number in the index.
    pub(crate) number: u64,
    pub(crate) scene: Scene,
}

impl<'a> Row<'a> {
    /// The row with this number; `None` if its outer groups collide.
    pub(crate) fn new(index: &'a Index, row: u64) -> Option<Self> {
        let codes = index.row_codes(row);
        let mut outer = Scene {
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
        let inner = self.index.inner();
        let group = &self.index.groups[inner];
        let code = group.unfolded(place as Code);
        let set = group.occupied(code);
        if set.meets(self.outer.occupied()) {
            return None;
        }
        let mut scene = self.outer;
        scene.sets[inner] = set;
        scene.sides[inner / GROUPS] |= set;
        if inner % GROUPS == 0 {
            scene.generals[inner / GROUPS] = group.squares(code)[0];
        }
        let mut codes = self.codes;
        codes[inner] = code;
        Some(Entry { row: self, codes, number: self.base + place as u64, scene })
    }
}

impl Entry<'_> {
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

    /// Hands over every entry from which `side` comes here by a move that takes nothing.
    ///
    /// An entry stands for one board, and for its mirror image as well when the innermost group's image
    /// is not kept. So a retreat of the innermost group can end on a board that is no entry, and its
    /// image on one that is: the images of retreats are retreats of the image.
    #[inline]
    pub(crate) fn each_retreat(&self, side: Side, mut visit: impl FnMut(u64)) {
        let occupied = self.scene.occupied();
        let slots = side.index() * GROUPS;
        let index = self.row.index;
        for (within, kind) in (1..).zip(ATTACKERS) {
            let slot = slots + within;
            if self.scene.sets[slot].is_empty() {
                continue;
            }
            let group = &index.groups[slot];
            for (member, &to) in group.squares(self.codes[slot]).iter().enumerate() {
                for from in retreats(kind, side, to, occupied) {
                    if let Some(code) = group.moved(self.codes[slot], member, from) {
                        self.visit_retreat(slot, code, &mut visit);
                    }
                }
            }
        }
        for step in index.groups[slots].steps(self.codes[slots]) {
            let free = !occupied.contains(step.to) && step.eye.is_none_or(|eye| !occupied.contains(eye));
            if free {
                self.visit_retreat(slots, step.code, &mut visit);
            }
        }
    }

    #[inline]
    fn visit_retreat(&self, slot: usize, code: Code, visit: &mut impl FnMut(u64)) {
        let inner = self.row.index.inner();
        if slot != inner {
            return visit(self.shifted(slot, code));
        }
        let group = &self.row.index.groups[inner];
        let stands_for_image = !group.is_kept(group.mirrored(self.codes[inner]));
        let image = group.mirrored(code);
        if group.is_kept(code) {
            visit(self.row.base + u64::from(group.folded(code)));
        }
        if stands_for_image && group.is_kept(image) {
            visit(self.row.image + u64::from(group.folded(image)));
        }
    }

    /// Hands over the legal moves of `side`.
    #[inline]
    pub(crate) fn each_legal(&self, side: Side, visit: impl FnMut(Legal<'_>)) {
        let guards = side.index() * GROUPS;
        self.scene.each_legal(&self.row.index.groups[guards], self.codes[guards], visit);
    }

    /// The placement of an attacker's group after its move.
    #[inline]
    pub(crate) fn code_after(&self, slot: usize, from: Square, to: Square) -> Code {
        let group = &self.row.index.groups[slot];
        let squares = group.squares(self.codes[slot]);
        let member = squares.iter().position(|&square| square == from).expect("the attacker stands there");
        group.moved(self.codes[slot], member, to).expect("attackers go where they may stand")
    }
}
