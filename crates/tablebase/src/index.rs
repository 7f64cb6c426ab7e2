//! The index (Fang): a number for every placement of all groups, in a mixed-radix system whose digits are the groups'
//! codes. The only gaps are placements in which groups collide.
//!
//! Left-right mirror images share a number: the group that gains most by it (Fang, table 1) counts images once, and when
//! its placement is not the representative, the whole board is mirrored. That group is the innermost digit, so a move
//! of its pieces stays within a row of neighbours.

pub(crate) mod entry_board;
pub(crate) mod group;
pub(crate) mod row;
pub(crate) mod row_moves;
mod subset;
pub(crate) mod unmoves;

use chuhe_board::{Piece, PieceKind, Position, Side, Square};

use self::group::{Code, Composition, Group};
use crate::Material;
use crate::material::ATTACKERS;

/// Groups of one side: its guards, then its attackers by kind.
pub(crate) const GROUPS: usize = 1 + ATTACKERS.len();
/// Groups of both sides, Red's first.
pub(crate) const SLOTS: usize = 2 * GROUPS;

/// The placement of every group.
pub(crate) type Codes = [Code; SLOTS];

/// The numbering of one endgame's positions, for either side to move.
pub struct Index {
    material: Material,
    pub(crate) groups: [Group; SLOTS],
    /// The place value of each group's code; 0 for groups without pieces.
    pub(crate) weights: [u64; SLOTS],
    /// The groups with pieces, the innermost first; that one counts mirror images once.
    pub(crate) order: Vec<usize>,
    len: u64,
}

/// The slot of a piece.
pub(crate) fn slot(side: Side, kind: PieceKind) -> usize {
    let within = ATTACKERS.iter().position(|&attacker| attacker == kind).map_or(0, |place| place + 1);
    side.index() * GROUPS + within
}

/// The same group of the other side.
pub(crate) const fn opposite(slot: usize) -> usize {
    (slot + GROUPS) % SLOTS
}

fn composition(material: &Material, slot: usize) -> (Side, Composition) {
    let side = Side::ALL[slot / GROUPS];
    let count = |kind| material.count(side, kind);
    let composition = match slot % GROUPS {
        0 => {
            Composition::Guards { advisors: count(PieceKind::Advisor), elephants: count(PieceKind::Elephant) }
        }
        attacker => {
            let kind = ATTACKERS[attacker - 1];
            Composition::Attackers { kind, count: count(kind) }
        }
    };
    (side, composition)
}

impl Index {
    /// The index of an endgame, in the canonical order of its sides.
    pub fn new(material: &Material) -> Self {
        let (material, _) = material.canonical();
        let groups: [Group; SLOTS] = std::array::from_fn(|slot| {
            let (side, composition) = composition(&material, slot);
            Group::new(side, composition)
        });
        let order = order(&groups);
        let mut weights = [0; SLOTS];
        let mut len = 1;
        for (place, &slot) in order.iter().enumerate() {
            weights[slot] = len;
            len *= u64::from(if place == 0 { groups[slot].folded_len() } else { groups[slot].len() });
        }
        Self { material, groups, weights, order, len }
    }

    /// The length of an index without building it; `None` if it exceeds 2^64.
    pub fn len_of(material: &Material) -> Option<u64> {
        let (material, _) = material.canonical();
        let mut len = Some(1_u64);
        let mut best = (1, 1);
        for slot in 0..SLOTS {
            let (folded, full) = group::sizes(composition(&material, slot).1);
            len = len.and_then(|len| len.checked_mul(full));
            if folded * best.1 < best.0 * full {
                best = (folded, full);
            }
        }
        len.map(|len| len / best.1 * best.0)
    }

    /// The endgame.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The number of entries.
    #[expect(clippy::len_without_is_empty, reason = "an index is never empty")]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The innermost group.
    #[inline]
    pub(crate) fn inner(&self) -> usize {
        self.order[0]
    }

    /// The entries of a row: the placements of the innermost group.
    pub(crate) fn row_len(&self) -> usize {
        self.groups[self.inner()].folded_len() as usize
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> u64 {
        self.len / self.row_len() as u64
    }

    /// The number of a placement of all groups.
    #[inline]
    pub(crate) fn number(&self, codes: &Codes) -> u64 {
        let inner = self.inner();
        let kept = self.groups[inner].is_kept(codes[inner]);
        let mut number = u64::from(self.groups[inner].folded(codes[inner]));
        for &slot in &self.order[1..] {
            let code = if kept { codes[slot] } else { self.groups[slot].mirrored(codes[slot]) };
            number += self.weights[slot] * u64::from(code);
        }
        number
    }

    /// The codes of a row's outer groups; the innermost is left at 0.
    pub(crate) fn row_codes(&self, mut row: u64) -> Codes {
        let mut codes = [0; SLOTS];
        for &slot in &self.order[1..] {
            let len = u64::from(self.groups[slot].len());
            codes[slot] = (row % len) as Code;
            row /= len;
        }
        codes
    }

    /// The number of a position and the side to move in the table's order of sides. `None` for other material, or a
    /// soldier on an unreachable square.
    pub fn find(&self, position: &Position) -> Option<(u64, Side)> {
        let (material, turned) = Material::of(position).canonical();
        if material != self.material {
            return None;
        }
        let mut codes = [0; SLOTS];
        for &slot in &self.order {
            let group = &self.groups[slot];
            let side = if turned { !group.side } else { group.side };
            codes[slot] = group.code_in(position, side)?;
        }
        let mover = position.side_to_move();
        Some((self.number(&codes), if turned { !mover } else { mover }))
    }

    /// The position with this number; `None` if pieces collide or the rules do not allow it.
    pub fn position(&self, number: u64, side_to_move: Side) -> Option<Position> {
        let row = self.row_len() as u64;
        let mut codes = self.row_codes(number / row);
        let inner = self.inner();
        codes[inner] = self.groups[inner].unfolded((number % row) as Code);
        let mut pieces: Vec<(Piece, Square)> = Vec::new();
        for &slot in &self.order {
            let group = &self.groups[slot];
            for (member, &square) in group.squares(codes[slot]).iter().enumerate() {
                pieces.push((Piece::new(group.side, group.kind(member)), square));
            }
        }
        Position::from_pieces(pieces, side_to_move).ok()
    }
}

/// The order of the digits, innermost first: the group that gains most by folding, the stronger side's guards, the
/// other attackers, the weaker side's guards. Entries that differ only in the stronger side's guards mostly have the same
/// value, and equal neighbours compress well.
fn order(groups: &[Group; SLOTS]) -> Vec<usize> {
    let len = |slot: usize| u64::from(groups[slot].len());
    let folded = |slot: usize| u64::from(groups[slot].folded_len());
    let mut slots: Vec<usize> = (0..SLOTS).filter(|&slot| len(slot) > 1).collect();
    slots.sort_by_key(|&slot| slot == GROUPS);
    let best = (0..slots.len())
        .min_by(|&a, &b| {
            let (a, b) = (slots[a], slots[b]);
            (folded(a) * len(b)).cmp(&(folded(b) * len(a)))
        })
        .expect("both generals are groups");
    slots[..=best].rotate_right(1);
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(name: &str) -> Index {
        Index::new(&name.parse().unwrap())
    }

    #[test]
    fn the_length_is_the_product_of_the_group_sizes() {
        for (name, len) in [
            ("KR-KAABB", 9 * 50 * 1410),
            ("KRN-KAABB", 9 * 50 * 90 * 1410),
            ("KPPP-KAA", 9 * 13219 * 70),
            ("KRP-KN", 9 * 50 * 55 * 9 * 90),
            ("KPPPPP-K", 9 * 9 * (3_478_761 + 2793) / 2),
        ] {
            assert_eq!(Index::len_of(&name.parse().unwrap()), Some(len), "{name}");
        }
        for name in ["KR-KAABB", "KPPP-KA", "KNP-KC", "KRR-KB"] {
            let index = index(name);
            assert_eq!(Some(index.len()), Index::len_of(index.material()), "{name}");
        }
        assert_eq!(Index::len_of(&"KRRNNCCPPPPPAABB-KRRNNCCPPPPPAABB".parse().unwrap()), None);
    }

    #[test]
    fn numbers_and_positions_correspond() {
        for name in ["KR-KA", "KP-KP", "KC-KP", "KNA-KB"] {
            let index = index(name);
            let mut seen = 0;
            for number in 0..index.len() {
                let Some(position) = index.position(number, Side::Red) else { continue };
                assert_eq!(index.find(&position), Some((number, Side::Red)), "{position}");
                // A board whose innermost group is its own image has two numbers, one for each image.
                let image = position.mirrored();
                let (other, _) = index.find(&image).unwrap();
                assert!(other == number || index.position(other, Side::Red) == Some(image));
                seen += 1;
            }
            assert!(seen > 0);
        }
    }

    #[test]
    fn sides_may_be_exchanged() {
        let position: Position = "4r4/4k4/9/9/9/9/9/9/4A4/3K5 b".parse().unwrap();
        let index = index("KA-KR");
        assert_eq!(index.material().to_string(), "KR-KA");
        let (number, mover) = index.find(&position).unwrap();
        assert_eq!(mover, Side::Red);
        let turned = index.position(number, mover).unwrap();
        assert_eq!(Material::of(&turned).to_string(), "KR-KA");
    }
}
