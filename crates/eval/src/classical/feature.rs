//! What the evaluation counts. Each feature has one weight.

use chuhe_board::{PieceKind, Side, Square};

/// Something the evaluation counts for each side: the number of its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Feature(u16);

/// Points of one half of the board from left edge to centre: the other half mirrors them.
const HALF_FILES: u16 = 5;
const HALF_BOARD: u16 = HALF_FILES * Square::RANKS as u16;

const MATERIAL: u16 = 0;
const PLACEMENT: u16 = MATERIAL + 7;
const CHARIOT_MOBILITY: u16 = PLACEMENT + 7 * HALF_BOARD;
const CANNON_MOBILITY: u16 = CHARIOT_MOBILITY + 18;
const HORSE_MOBILITY: u16 = CANNON_MOBILITY + 18;
const PALACE_ATTACK: u16 = HORSE_MOBILITY + 9;
const SINGLES: u16 = PALACE_ATTACK + 7;

impl Feature {
    /// A cannon that looks at the enemy general along a line with nothing between (空頭炮).
    pub const HOLLOW_CANNON: Self = Self(SINGLES);
    /// A cannon on the enemy general's line with two pieces between.
    pub const LOADED_CANNON: Self = Self(SINGLES + 1);
    /// A cannon on the enemy's back rank that attacks along it (沉底炮).
    pub const BOTTOM_CANNON: Self = Self(SINGLES + 2);
    /// A chariot, horse or cannon that a soldier, advisor or elephant attacks.
    pub const THREAT_BY_MINOR: Self = Self(SINGLES + 3);
    /// A chariot that a horse or cannon attacks.
    pub const CHARIOT_THREATENED: Self = Self(SINGLES + 4);
    /// An enemy piece other than a soldier that is attacked and not protected.
    pub const HANGING: Self = Self(SINGLES + 5);
    /// An enemy soldier that is attacked and not protected.
    pub const HANGING_SOLDIER: Self = Self(SINGLES + 6);
    /// An own chariot, horse or cannon that some own piece protects.
    pub const PROTECTED: Self = Self(SINGLES + 7);
    /// Two crossed soldiers side by side (牽手兵).
    pub const LINKED_SOLDIERS: Self = Self(SINGLES + 8);
    /// An enemy chariot for each advisor missing (缺士怕雙車).
    pub const CHARIOT_AND_MISSING_ADVISOR: Self = Self(SINGLES + 9);
    /// An enemy cannon for each elephant missing (缺象怕炮).
    pub const CANNON_AND_MISSING_ELEPHANT: Self = Self(SINGLES + 10);
    /// An enemy horse for each advisor missing.
    pub const HORSE_AND_MISSING_ADVISOR: Self = Self(SINGLES + 11);
    /// An own cannon for each guard of either side, which it can use as a screen.
    pub const CANNON_AND_GUARDS: Self = Self(SINGLES + 12);
    /// A free point beside the general.
    pub const GENERAL_FREEDOM: Self = Self(SINGLES + 13);

    /// How many features there are.
    pub const COUNT: usize = SINGLES as usize + 14;

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

    /// A chariot with this many points to go to (0–17).
    #[inline]
    pub const fn chariot_mobility(points: u32) -> Self {
        Self(CHARIOT_MOBILITY + points as u16)
    }

    /// A cannon with this many points to go to, takes not counted (0–17).
    #[inline]
    pub const fn cannon_mobility(points: u32) -> Self {
        Self(CANNON_MOBILITY + points as u16)
    }

    /// A horse with this many points to go to (0–8).
    #[inline]
    pub const fn horse_mobility(points: u32) -> Self {
        Self(HORSE_MOBILITY + points as u16)
    }

    /// A point of the enemy palace that a piece of this kind attacks.
    #[inline]
    pub const fn palace_attack(kind: PieceKind) -> Self {
        Self(PALACE_ATTACK + kind.index() as u16)
    }

    /// The name of the group the feature belongs to, and its place there.
    pub fn name(self) -> (&'static str, usize) {
        const GROUPS: [(u16, &str); 7] = [
            (SINGLES, "pattern"),
            (PALACE_ATTACK, "palace attack"),
            (HORSE_MOBILITY, "horse mobility"),
            (CANNON_MOBILITY, "cannon mobility"),
            (CHARIOT_MOBILITY, "chariot mobility"),
            (PLACEMENT, "placement"),
            (MATERIAL, "material"),
        ];
        let (start, name) =
            GROUPS.into_iter().find(|(start, _)| *start <= self.0).expect("groups start at 0");
        (name, usize::from(self.0 - start))
    }
}
