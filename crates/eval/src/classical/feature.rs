//! Features: what the evaluation counts. Each has one weight; the table of their groups is in `groups.rs`.

use chuhe_board::{PieceKind, Side, Square};

use super::groups::{
    self, DISTANCES, GAPS, GUARDS, Group, HALF_BOARD, HALF_FILES, HEIGHTS, KINDS, MOBILITIES,
};

/// Something the evaluation counts for each side: the number of its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Feature(u16);

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
    /// Tempo: the right to move.
    pub const TO_MOVE: Self = Self(groups::TO_MOVE);
    /// An enemy horse in the palace centre on the line of a cannon: 炮鎮窩心馬 (Liu 2014, §3.3.2).
    pub const CHOKED_HORSE: Self = Self(groups::CHOKED_HORSE);
    /// The same with the second cannon behind the first.
    pub const CHOKED_BY_TWO: Self = Self(groups::CHOKED_BY_TWO);
    /// A point beside the enemy general that is attacked and not protected.
    pub const WEAK_RING: Self = Self(groups::WEAK_RING);
    /// A controlled point beside the enemy general while a cannon bolts the centre: iron bolt 鐵門閂 (Liu 2014,
    /// §3.3.2).
    pub const IRON_BOLT: Self = Self(groups::IRON_BOLT);
    /// Two horses that protect each other: 連環馬 (Xu & Wang 2006, §5).
    pub const LINKED_HORSES: Self = Self(groups::LINKED_HORSES);
    /// Two cannons that protect each other over one piece: 擔子炮 (Xu & Wang 2006, §5).
    pub const CARRIED_CANNONS: Self = Self(groups::CARRIED_CANNONS);
    /// Two chariots that protect each other: 霸王車 (Xu & Wang 2006, §5).
    pub const TWIN_CHARIOTS: Self = Self(groups::TWIN_CHARIOTS);
    /// An elephant on the river bank on the leg of an enemy horse: 高象 (Deep Elephant).
    pub const HIGH_ELEPHANT: Self = Self(groups::HIGH_ELEPHANT);
    /// A centisoldier of the bonus of a won ending.
    pub const WON: Self = Self(groups::WON);

    /// How many features there are.
    pub const COUNT: usize = groups::COUNT as usize;

    /// All features.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..groups::COUNT).map(Self)
    }

    /// 0 to [`Self::COUNT`] − 1: for tables with an entry for each feature.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// A piece of this kind on the board.
    #[inline]
    pub const fn material(kind: PieceKind) -> Self {
        Self(groups::MATERIAL + kind.index() as u16)
    }

    /// A piece of `side` on a point: the same for both sides and for both wings.
    #[inline]
    pub const fn placement(kind: PieceKind, side: Side, square: Square) -> Self {
        let seen = square.seen_by(side);
        let file = seen.file() as u16;
        let half = if file < HALF_FILES { file } else { Square::FILES as u16 - 1 - file };
        Self(groups::PLACEMENT + kind.index() as u16 * HALF_BOARD + seen.rank() as u16 * HALF_FILES + half)
    }

    /// A chariot, cannon or horse with this many points to go to (at most 17).
    #[inline]
    pub const fn mobility(kind: PieceKind, points: u32) -> Self {
        let table = match kind {
            PieceKind::Chariot => 0,
            PieceKind::Cannon => 1,
            _ => 2,
        };
        Self(groups::MOBILITY + table * MOBILITIES + points as u16)
    }

    /// A horse with this many points that only own pieces keep it from (0–8).
    #[inline]
    pub const fn half_free(points: u32) -> Self {
        Self(groups::HALF_FREE + points as u16)
    }

    /// A horse with this many points that the enemy keeps it from (0–8).
    #[inline]
    pub const fn denied(points: u32) -> Self {
        Self(groups::DENIED + points as u16)
    }

    /// A point where a soldier, advisor or elephant can go.
    #[inline]
    pub const fn steps(kind: PieceKind) -> Self {
        Self(groups::STEPS + kind.index() as u16)
    }

    /// An empty point that more own than enemy pieces attack, in this ring around the enemy general (0–2, 3 for all
    /// beyond), and whether any enemy piece attacks it.
    #[inline]
    pub const fn control(ring: u16, contested: bool) -> Self {
        Self(groups::CONTROL + ring * 2 + contested as u16)
    }

    /// A point of the enemy palace that a piece of this kind attacks.
    #[inline]
    pub const fn palace_attack(kind: PieceKind) -> Self {
        Self(groups::PALACE_ATTACK + kind.index() as u16)
    }

    /// This many pieces attack a palace with this many guards.
    #[inline]
    pub const fn partners_in_attack(partners: u32, guards: u32) -> Self {
        Self(groups::ATTACK_PARTNERS + partners as u16 * GUARDS + guards as u16)
    }

    /// A check by a piece of this kind from a point where the enemy does not take.
    #[inline]
    pub const fn safe_check(kind: PieceKind) -> Self {
        Self(groups::SAFE_CHECK + kind.index() as u16)
    }

    /// A general with this many points to go to (0–4).
    #[inline]
    pub const fn general_freedom(points: u32) -> Self {
        Self(groups::GENERAL_FREEDOM + points as u16)
    }

    /// A cannon that looks at the enemy general along the file over `gap` empty points: hollow cannon 空頭炮 (Liu 2014, §3.3.2).
    #[inline]
    pub const fn hollow_cannon(gap: u32) -> Self {
        Self(groups::HOLLOW_CANNON + gap as u16)
    }

    /// The same along the rank.
    pub const HOLLOW_ON_RANK: Self = Self(groups::HOLLOW_CANNON + GAPS);

    /// A cannon on the enemy general's file or rank with two pieces between: 當頭炮 (Xu & Wang 2006, §5).
    #[inline]
    pub const fn loaded_cannon(on_file: bool) -> Self {
        Self(groups::LOADED_CANNON + on_file as u16)
    }

    /// A cannon on the back rank of a general at home, `files` from it with nothing between, and whether the general
    /// is shut in and cannot step off the rank: bottom cannon 沉底炮 (Liu 2014, §3.3.2).
    #[inline]
    pub const fn bottom_cannon(files: u32, shut_in: bool) -> Self {
        Self(groups::BOTTOM_CANNON + shut_in as u16 * GAPS + files as u16)
    }

    /// An enemy piece that cannot leave the line between a chariot or cannon and its own chariot or
    /// general, with `gap` points between the two: pin 栓鍊 (Liu 2014, §3.3.2).
    #[inline]
    pub const fn pin(by_cannon: bool, on_general: bool, pinned: PieceKind, gap: u32) -> Self {
        let what = match pinned {
            PieceKind::Horse => 0,
            PieceKind::Cannon => 1,
            _ => 2,
        };
        let distance = match gap {
            0 => 0,
            1 | 2 => 1,
            _ => 2,
        };
        Self(groups::PIN + ((by_cannon as u16 * 2 + on_general as u16) * 3 + what) * DISTANCES + distance)
    }

    /// An enemy piece that is attacked, by the cheapest kind that does.
    #[inline]
    pub const fn threat(attacker: PieceKind, target: PieceKind, protected: bool) -> Self {
        let pair = attacker.index() as u16 * KINDS + target.index() as u16;
        Self(groups::THREAT + pair * 2 + protected as u16)
    }

    /// An own piece of this kind that another protects.
    #[inline]
    pub const fn protected(kind: PieceKind) -> Self {
        Self(groups::PROTECTED + kind.index() as u16)
    }

    /// This many soldiers beyond the river (0–5).
    #[inline]
    pub const fn crossed_soldiers(count: u32) -> Self {
        Self(groups::CROSSED_SOLDIERS + count as u16)
    }

    /// A soldier beyond the river on this rank, counted from its own bank, in this state of the game.
    #[inline]
    pub const fn soldier_standing(standing: SoldierStanding, rank: u32) -> Self {
        let height = if rank < 7 { 0 } else { rank as u16 - 6 };
        Self(groups::SOLDIER_STANDING + standing as u16 * HEIGHTS + height)
    }

    /// An own advisor or elephant, once for each point of the enemy's attack chance 進攻機會 (Liu 2014, table 15).
    #[inline]
    pub const fn threatened_guard(kind: PieceKind) -> Self {
        Self(groups::THREATENED_GUARD + matches!(kind, PieceKind::Elephant) as u16)
    }

    /// A soldier beyond the river, once for each point of its side's attack chance 進攻機會 (Liu 2014, table 16): by its
    /// distance from the middle file (0–4), and whether it has come to the palace's ranks.
    #[inline]
    pub const fn attacking_soldier(from_middle: u32, close: bool) -> Self {
        let files = match from_middle {
            0 | 1 => 0,
            2 | 3 => 1,
            _ => 2,
        };
        Self(groups::ATTACKING_SOLDIER + close as u16 * 3 + files)
    }

    /// Pairs of soldiers side by side (0–4): linked soldiers 牽手兵 (Liu 2014, §3.3.2).
    #[inline]
    pub const fn linked_soldiers(pairs: u32) -> Self {
        Self(groups::LINKED_SOLDIERS + pairs as u16)
    }

    /// Attackers massed on one wing of the enemy's bank, with the enemy general on that wing or not: 多子歸邊
    /// (Xu & Wang 2006, §5).
    #[inline]
    pub const fn massed(pieces: u32, on_general: bool) -> Self {
        let count = if pieces > 4 { 4 } else { pieces as u16 };
        Self(groups::MASSED + count * 2 + on_general as u16)
    }

    /// A pair of own pieces of these kinds.
    #[inline]
    pub const fn together(first: PieceKind, second: PieceKind) -> Self {
        Self(groups::TOGETHER + first.index() as u16 * KINDS + second.index() as u16)
    }

    /// An own piece of the first kind and an enemy piece of the second.
    #[inline]
    pub const fn against(own: PieceKind, enemy: PieceKind) -> Self {
        Self(groups::AGAINST + own.index() as u16 * KINDS + enemy.index() as u16)
    }

    /// Advisors left against enemy chariots: 缺士怕雙車 (Liu 2014, §3.3.4).
    #[inline]
    pub const fn advisors_against(advisors: u32, chariots: u32) -> Self {
        Self(groups::GUARDS_MISSING + (advisors * 3 + chariots) as u16)
    }

    /// Elephants left against enemy cannons: 缺象怕炮 (Liu 2014, §3.3.4).
    #[inline]
    pub const fn elephants_against(elephants: u32, cannons: u32) -> Self {
        Self(groups::GUARDS_MISSING + 9 + (elephants * 3 + cannons) as u16)
    }

    /// The group the feature belongs to, and its place there.
    fn group(self) -> (&'static Group, usize) {
        Group::of(self.0)
    }

    /// The name of the feature's group: English, with the Chinese term where players have one.
    pub fn name(self) -> &'static str {
        self.group().0.name
    }

    /// The name of the feature's group in Traditional and in Simplified Chinese.
    pub fn chinese(self) -> [&'static str; 2] {
        self.group().0.chinese
    }

    /// The paper and section that describe the group (docs/references.md); empty if it is our own.
    pub fn source(self) -> &'static str {
        self.group().0.source
    }

    /// The key of the pattern, if players have a name for it: `hollow-cannon`.
    pub fn pattern(self) -> Option<&'static str> {
        let is_absent = self == Self::linked_soldiers(0);
        self.group().0.pattern.filter(|_| !is_absent)
    }

    /// The feature in a few words: "chariot with 9 points to go to".
    pub fn words(self) -> String {
        let (group, place) = self.group();
        (group.words)(place)
    }

    /// Where the feature stands in its group: line and column.
    pub fn line_and_column(self) -> (usize, usize) {
        let (group, place) = self.group();
        (place / usize::from(group.row), place % usize::from(group.row))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn features_know_their_group_and_place() {
        assert_eq!(Feature::material(PieceKind::Chariot).name(), "material");
        assert_eq!(Feature::IRON_BOLT.name(), "iron bolt 鐵門閂");
        let mobility = Feature::mobility(PieceKind::Horse, 3);
        assert_eq!((mobility.name(), mobility.group().1), ("mobility", 39));
        assert_eq!(mobility.line_and_column(), (2, 3));
        let places: HashSet<_> = Feature::all().map(|feature| (feature.name(), feature.group().1)).collect();
        assert_eq!(places.len(), Feature::COUNT);
    }

    #[test]
    fn features_have_words() {
        let threat = Feature::threat(PieceKind::Cannon, PieceKind::Horse, true);
        assert_eq!(threat.words(), "cannon attacks protected horse");
        assert_eq!(Feature::mobility(PieceKind::Chariot, 9).words(), "chariot with 9 points to go to");
        let pin = Feature::pin(true, false, PieceKind::Cannon, 0);
        assert_eq!(pin.words(), "cannon pins cannon to chariot beside it");
        assert_eq!(Feature::elephants_against(1, 2).words(), "1 elephants against 2 cannons");
        assert_eq!(Feature::hollow_cannon(4).words(), "on the file, 4 points away");
        assert_eq!(Feature::TWIN_CHARIOTS.pattern(), Some("twin-chariots"));
        assert_eq!(Feature::linked_soldiers(0).pattern(), None);
        for feature in Feature::all() {
            assert!(!feature.words().is_empty() && !feature.chinese()[0].is_empty());
            assert!(feature.pattern().is_none() || !feature.source().is_empty(), "{}", feature.name());
        }
    }
}
