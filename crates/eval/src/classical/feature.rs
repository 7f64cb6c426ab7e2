//! What the evaluation counts. Each feature has one weight.

use chuhe_board::{PieceKind, Side, Square};

/// Something the evaluation counts for each side: the number of its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Feature(u16);

/// Points of one half of the board from left edge to centre: the other half mirrors them.
const HALF_FILES: u16 = 5;
const HALF_BOARD: u16 = HALF_FILES * Square::RANKS as u16;
/// The largest number of points a chariot or cannon can go to, and one more for none.
const MOBILITIES: u16 = 18;
/// Chariots, cannons, horses and the soldiers together, and one more for none.
const PARTNERS: u16 = 8;
/// Advisors and elephants of a side, and one more for none.
const GUARDS: u16 = 5;
const KINDS: u16 = 7;

const MATERIAL: u16 = 0;
const PLACEMENT: u16 = MATERIAL + KINDS;
const MOBILITY: u16 = PLACEMENT + KINDS * HALF_BOARD;
const PALACE_ATTACK: u16 = MOBILITY + 3 * MOBILITIES;
const ATTACK_PARTNERS: u16 = PALACE_ATTACK + KINDS;
const SAFE_CHECK: u16 = ATTACK_PARTNERS + PARTNERS * GUARDS;
const GENERAL_FREEDOM: u16 = SAFE_CHECK + KINDS;
const CANNON_LINE: u16 = GENERAL_FREEDOM + 5;
const THREAT: u16 = CANNON_LINE + 4;
const PROTECTED: u16 = THREAT + KINDS * KINDS * 2;
const CROSSED_SOLDIERS: u16 = PROTECTED + KINDS;
const TOGETHER: u16 = CROSSED_SOLDIERS + 6;
const AGAINST: u16 = TOGETHER + KINDS * KINDS;
const SINGLE: u16 = AGAINST + KINDS * KINDS;

/// Groups of features by their first number, last group first.
const GROUPS: [(u16, &str); 14] = [
    (SINGLE, "patterns"),
    (AGAINST, "kinds against each other"),
    (TOGETHER, "kinds together"),
    (CROSSED_SOLDIERS, "crossed soldiers"),
    (PROTECTED, "protection"),
    (THREAT, "threats"),
    (CANNON_LINE, "cannon lines"),
    (GENERAL_FREEDOM, "freedom of the general"),
    (SAFE_CHECK, "safe checks"),
    (ATTACK_PARTNERS, "partners in attack"),
    (PALACE_ATTACK, "palace attack"),
    (MOBILITY, "mobility"),
    (PLACEMENT, "placement"),
    (MATERIAL, "material"),
];

impl Feature {
    /// The right to move.
    pub const TO_MOVE: Self = Self(SINGLE);
    /// A cannon on the enemy's back rank (沉底炮).
    pub const BOTTOM_CANNON: Self = Self(SINGLE + 1);
    /// An enemy horse beside its general on the line of a cannon (炮鎮窩心馬).
    pub const CHOKED_HORSE: Self = Self(SINGLE + 2);
    /// An enemy piece that may not leave the line between a chariot and its general.
    pub const PINNED: Self = Self(SINGLE + 3);
    /// A point beside the enemy general that is attacked and not protected.
    pub const WEAK_RING: Self = Self(SINGLE + 4);
    /// A crossed soldier beside or behind another (牽手兵).
    pub const LINKED_SOLDIERS: Self = Self(SINGLE + 5);

    /// How many features there are.
    pub const COUNT: usize = SINGLE as usize + 6;

    /// All features.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u16).map(Self)
    }

    /// 0 to [`Self::COUNT`] − 1: for tables with an entry for each feature.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// A piece of this kind on the board.
    #[inline]
    pub const fn material(kind: PieceKind) -> Self {
        Self(MATERIAL + kind.index() as u16)
    }

    /// A piece of `side` on a point: the same for both sides and for both wings.
    #[inline]
    pub const fn placement(kind: PieceKind, side: Side, square: Square) -> Self {
        let seen = square.seen_by(side);
        let file = seen.file() as u16;
        let half = if file < HALF_FILES { file } else { Square::FILES as u16 - 1 - file };
        Self(PLACEMENT + kind.index() as u16 * HALF_BOARD + seen.rank() as u16 * HALF_FILES + half)
    }

    /// A chariot, cannon or horse with this many points to go to (at most 17).
    #[inline]
    pub const fn mobility(kind: PieceKind, points: u32) -> Self {
        let table = match kind {
            PieceKind::Chariot => 0,
            PieceKind::Cannon => 1,
            _ => 2,
        };
        Self(MOBILITY + table * MOBILITIES + points as u16)
    }

    /// A point of the enemy palace that a piece of this kind attacks.
    #[inline]
    pub const fn palace_attack(kind: PieceKind) -> Self {
        Self(PALACE_ATTACK + kind.index() as u16)
    }

    /// So many pieces attack a palace with so many guards.
    #[inline]
    pub const fn partners_in_attack(partners: u32, guards: u32) -> Self {
        Self(ATTACK_PARTNERS + partners as u16 * GUARDS + guards as u16)
    }

    /// A check by a piece of this kind from a point where the enemy does not take.
    #[inline]
    pub const fn safe_check(kind: PieceKind) -> Self {
        Self(SAFE_CHECK + kind.index() as u16)
    }

    /// A general with this many points to go to (0–4).
    #[inline]
    pub const fn general_freedom(points: u32) -> Self {
        Self(GENERAL_FREEDOM + points as u16)
    }

    /// A cannon that looks at the enemy general with nothing between (空頭炮), along the file or the
    /// rank.
    #[inline]
    pub const fn hollow_cannon(on_file: bool) -> Self {
        Self(CANNON_LINE + on_file as u16)
    }

    /// A cannon on the enemy general's file or rank with two pieces between.
    #[inline]
    pub const fn loaded_cannon(on_file: bool) -> Self {
        Self(CANNON_LINE + 2 + on_file as u16)
    }

    /// An enemy piece that is attacked, by the cheapest kind that does.
    #[inline]
    pub const fn threat(attacker: PieceKind, target: PieceKind, protected: bool) -> Self {
        let pair = attacker.index() as u16 * KINDS + target.index() as u16;
        Self(THREAT + pair * 2 + protected as u16)
    }

    /// An own piece of this kind that another protects.
    #[inline]
    pub const fn protected(kind: PieceKind) -> Self {
        Self(PROTECTED + kind.index() as u16)
    }

    /// So many soldiers beyond the river (0–5).
    #[inline]
    pub const fn crossed_soldiers(count: u32) -> Self {
        Self(CROSSED_SOLDIERS + count as u16)
    }

    /// A pair of own pieces of these kinds.
    #[inline]
    pub const fn together(first: PieceKind, second: PieceKind) -> Self {
        Self(TOGETHER + first.index() as u16 * KINDS + second.index() as u16)
    }

    /// An own piece of the first kind and an enemy piece of the second.
    #[inline]
    pub const fn against(own: PieceKind, enemy: PieceKind) -> Self {
        Self(AGAINST + own.index() as u16 * KINDS + enemy.index() as u16)
    }

    /// The name of the group the feature belongs to, and its place there.
    pub fn name(self) -> (&'static str, usize) {
        let (start, name) =
            GROUPS.into_iter().find(|(start, _)| *start <= self.0).expect("groups start at 0");
        (name, usize::from(self.0 - start))
    }
}
