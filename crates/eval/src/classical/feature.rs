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
/// The points a horse can jump to, and one more for none.
const JUMPS: u16 = 9;
/// Chariots, cannons, horses and the soldiers together, and one more for none.
const PARTNERS: u16 = 8;
/// Advisors and elephants of a side, and one more for none.
const GUARDS: u16 = 5;
pub(super) const KINDS: u16 = 7;
/// Points between a cannon and a general, and one more for none.
const GAPS: u16 = 9;

/// Numbers the features group by group: each group has a first number, a name, and rows of features
/// that belong together.
macro_rules! groups {
    ($($constant:ident, $group:ident: $size:expr, $row:expr, $name:literal;)*) => {
        /// Features of one sort.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Group {
            $($group),*
        }

        impl Group {
            const ALL: &[Self] = &[$(Self::$group),*];

            const fn first(self) -> u16 {
                match self {
                    $(Self::$group => $constant),*
                }
            }

            const fn name(self) -> &'static str {
                match self {
                    $(Self::$group => $name),*
                }
            }

            /// How many features belong to one row.
            pub(super) const fn row(self) -> usize {
                match self {
                    $(Self::$group => $row as usize),*
                }
            }
        }

        groups!(@numbers 0; $($constant: $size;)*);
    };
    (@numbers $first:expr; $constant:ident: $size:expr; $($rest:tt)*) => {
        const $constant: u16 = $first;
        groups!(@numbers $constant + $size; $($rest)*);
    };
    (@numbers $first:expr;) => {
        const ALL: u16 = $first;
    };
}

groups! {
    MATERIAL, Material: KINDS, 1, "material";
    PLACEMENT, Placement: KINDS * HALF_BOARD, HALF_BOARD, "placement";
    MOBILITY, Mobility: 3 * MOBILITIES, MOBILITIES, "mobility";
    HALF_FREE, HalfFree: JUMPS, 1, "horse, half-free points";
    DENIED, Denied: JUMPS, 1, "horse, denied points";
    STEPS, Steps: KINDS, 1, "steps of guards and soldiers";
    CONTROL, Control: RINGS * 2, 2, "control near the general";
    PALACE_ATTACK, PalaceAttack: KINDS, 1, "palace attack";
    ATTACK_PARTNERS, AttackPartners: PARTNERS * GUARDS, GUARDS, "partners in attack";
    SAFE_CHECK, SafeCheck: KINDS, 1, "safe checks";
    GENERAL_FREEDOM, GeneralFreedom: 5, 1, "freedom of the general";
    HOLLOW_CANNON, HollowCannon: GAPS + 1, GAPS, "hollow cannon 空頭炮";
    LOADED_CANNON, LoadedCannon: 2, 1, "cannon over two 當頭炮";
    BOTTOM_CANNON, BottomCannon: GAPS, 1, "bottom cannon 沉底炮";
    PIN, Pin: 2 * 2 * 3, 3, "pins 栓鍊";
    THREAT, Threat: KINDS * KINDS * 2, 2, "threats";
    PROTECTED, Protected: KINDS, 1, "protection";
    CROSSED_SOLDIERS, CrossedSoldiers: 6, 1, "crossed soldiers";
    SOLDIER_STANDING, SoldierStanding: 3 * HEIGHTS, HEIGHTS, "standing of soldiers";
    LINKED_SOLDIERS, LinkedSoldiers: 5, 1, "linked soldiers 牽手兵";
    MASSED, Massed: 10, 2, "pieces massed on a wing 多子歸邊";
    TOGETHER, Together: KINDS * KINDS, KINDS, "kinds together";
    AGAINST, Against: KINDS * KINDS, KINDS, "kinds against each other";
    GUARDS_MISSING, GuardsMissing: 2 * 9, 3, "missing guards 缺士怕雙車, 缺象怕炮";
    SINGLE, Single: SINGLES.len() as u16, 1, "patterns";
}

/// How far a soldier beyond the river has come: high, above the palace or beside its top, low, last rank.
const HEIGHTS: u16 = 4;

/// Rings of points around a general, and one more for all beyond.
const RINGS: u16 = 4;

/// The names of the features that stand for themselves.
const SINGLES: [&str; 10] = [
    "right to move",
    "horse choked under a cannon 炮鎮窩心馬",
    "horse choked under two cannons 雙炮鎮窩心馬",
    "weak point beside the general",
    "iron bolt 鐵門閂",
    "linked horses 連環馬",
    "cannons carried on a pole 擔子炮",
    "twin chariots 霸王車",
    "high elephant blocks a horse 高象",
    "won by material",
];

/// What the rest of its side means for a soldier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoldierStanding {
    /// The enemy's chariots, horses and cannons are worth more: a soldier that stays high still hinders
    /// and shields.
    Behind,
    /// No chariot supports it.
    WithoutChariot,
    /// Nothing supports it.
    Alone,
}

impl Feature {
    /// The right to move.
    pub const TO_MOVE: Self = Self(SINGLE);
    /// An enemy horse beside its general on the line of a cannon (炮鎮窩心馬).
    pub const CHOKED_HORSE: Self = Self(SINGLE + 1);
    /// The same with the second cannon behind the first.
    pub const CHOKED_BY_TWO: Self = Self(SINGLE + 2);
    /// A point beside the enemy general that is attacked and not protected.
    pub const WEAK_RING: Self = Self(SINGLE + 3);
    /// A point beside the enemy general that we hold while a cannon bolts the centre (鐵門閂).
    pub const IRON_BOLT: Self = Self(SINGLE + 4);
    /// Two horses that protect each other (連環馬).
    pub const LINKED_HORSES: Self = Self(SINGLE + 5);
    /// Two cannons that protect each other over one piece (擔子炮).
    pub const CARRIED_CANNONS: Self = Self(SINGLE + 6);
    /// Two chariots that protect each other (霸王車).
    pub const TWIN_CHARIOTS: Self = Self(SINGLE + 7);
    /// An elephant on the river bank that stands on the leg of an enemy horse.
    pub const HIGH_ELEPHANT: Self = Self(SINGLE + 8);
    /// A centisoldier of what a won ending adds to its material.
    pub const WON: Self = Self(SINGLE + 9);

    /// How many features there are.
    pub const COUNT: usize = ALL as usize;

    /// All features.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..ALL).map(Self)
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

    /// A horse with this many points that only own pieces keep it from (0–8).
    #[inline]
    pub const fn half_free(points: u32) -> Self {
        Self(HALF_FREE + points as u16)
    }

    /// A horse with this many points that the enemy keeps it from (0–8).
    #[inline]
    pub const fn denied(points: u32) -> Self {
        Self(DENIED + points as u16)
    }

    /// A point where a soldier, advisor or elephant can go.
    #[inline]
    pub const fn steps(kind: PieceKind) -> Self {
        Self(STEPS + kind.index() as u16)
    }

    /// A point that one or several pieces control, in this ring around the enemy general (0–2, 3 for all
    /// beyond).
    #[inline]
    pub const fn control(ring: u16, several: bool) -> Self {
        Self(CONTROL + ring * 2 + several as u16)
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

    /// A cannon that looks at the enemy general along the file over so many empty points (空頭炮).
    #[inline]
    pub const fn hollow_cannon(gap: u32) -> Self {
        Self(HOLLOW_CANNON + gap as u16)
    }

    /// The same along the rank.
    pub const HOLLOW_ON_RANK: Self = Self(HOLLOW_CANNON + GAPS);

    /// A cannon on the enemy general's file or rank with two pieces between.
    #[inline]
    pub const fn loaded_cannon(on_file: bool) -> Self {
        Self(LOADED_CANNON + on_file as u16)
    }

    /// A cannon on the back rank of a general at home, so many files from it (沉底炮).
    #[inline]
    pub const fn bottom_cannon(files: u32) -> Self {
        Self(BOTTOM_CANNON + files as u16)
    }

    /// An enemy piece that cannot leave the line between a chariot or cannon and its own chariot or
    /// general (栓鍊).
    #[inline]
    pub const fn pin(by_cannon: bool, on_general: bool, pinned: PieceKind) -> Self {
        let what = match pinned {
            PieceKind::Horse => 0,
            PieceKind::Cannon => 1,
            _ => 2,
        };
        Self(PIN + (by_cannon as u16 * 2 + on_general as u16) * 3 + what)
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

    /// A soldier beyond the river on this rank, counted from its own bank, in this state of the game.
    #[inline]
    pub const fn soldier_standing(standing: SoldierStanding, rank: u32) -> Self {
        let height = if rank < 7 { 0 } else { rank as u16 - 6 };
        Self(SOLDIER_STANDING + standing as u16 * HEIGHTS + height)
    }

    /// So many pairs of soldiers side by side (0–4, 牽手兵).
    #[inline]
    pub const fn linked_soldiers(pairs: u32) -> Self {
        Self(LINKED_SOLDIERS + pairs as u16)
    }

    /// So many attackers on one wing of the enemy's bank, with the enemy general on that wing or not
    /// (多子歸邊).
    #[inline]
    pub const fn massed(pieces: u32, on_general: bool) -> Self {
        let count = if pieces > 4 { 4 } else { pieces as u16 };
        Self(MASSED + count * 2 + on_general as u16)
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

    /// So many advisors left against so many chariots (缺士怕雙車).
    #[inline]
    pub const fn advisors_against(advisors: u32, chariots: u32) -> Self {
        Self(GUARDS_MISSING + (advisors * 3 + chariots) as u16)
    }

    /// So many elephants left against so many cannons (缺象怕炮).
    #[inline]
    pub const fn elephants_against(elephants: u32, cannons: u32) -> Self {
        Self(GUARDS_MISSING + 9 + (elephants * 3 + cannons) as u16)
    }

    /// The group the feature belongs to, and its place there.
    pub(super) fn group(self) -> (Group, usize) {
        let group = Group::ALL.iter().rfind(|group| group.first() <= self.0);
        let group = *group.expect("the first group starts at 0");
        (group, usize::from(self.0 - group.first()))
    }

    /// The name of the feature's group, or its own if it stands for itself.
    pub fn name(self) -> &'static str {
        match self.group() {
            (Group::Single, place) => SINGLES[place],
            (group, _) => group.name(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_know_their_group_and_place() {
        assert_eq!(Feature::material(PieceKind::Chariot).name(), "material");
        assert_eq!(Feature::IRON_BOLT.name(), "iron bolt 鐵門閂");
        assert_eq!(Feature::mobility(PieceKind::Horse, 3).group(), (Group::Mobility, 39));
        let places: std::collections::HashSet<_> =
            Feature::all().map(|feature| (feature.group().0.first(), feature.group().1)).collect();
        assert_eq!(places.len(), Feature::COUNT);
    }
}
