//! The feature table: one row for each group of features, with its name, its words and its source.
//!
//! A new pattern is a row here, a constructor in `feature.rs`, a detector in `terms/`, and weights.

use chuhe_board::{PieceKind, Square};

/// Files of one half of the board, from the edge to the centre: the other half mirrors them.
pub(super) const HALF_FILES: u16 = 5;
pub(super) const HALF_BOARD: u16 = HALF_FILES * Square::RANKS as u16;
/// The most points a chariot or cannon can go to, and one more for none.
pub(super) const MOBILITIES: u16 = 18;
/// The points a horse can jump to, and one more for none.
const JUMPS: u16 = 9;
/// Chariots, cannons, horses and the soldiers together, and one more for none.
const PARTNERS: u16 = 8;
/// Advisors and elephants of a side, and one more for none.
pub(super) const GUARDS: u16 = 5;
pub(super) const KINDS: u16 = 7;
/// Points between a cannon and a general, and one more for none.
pub(super) const GAPS: u16 = 9;
/// How far a soldier beyond the river has come: 高兵, above the palace or beside its top; 低兵; 底兵.
pub(super) const HEIGHTS: u16 = 4;
/// Distances of a pinned piece from what it is pinned to: beside it, near it, far from it.
pub(super) const DISTANCES: u16 = 3;
/// Rings of points around a general, and one more for all beyond.
const RINGS: u16 = 4;

/// A row of the table: a group of features of one sort.
pub(super) struct Group {
    /// The index of the group's first feature.
    first: u16,
    /// How many features one line of the group has, where it is two-dimensional.
    pub(super) row: u16,
    /// The name in English, with the Chinese term where players have one. The JSON of an explanation and the
    /// weights file carry it.
    pub(super) name: &'static str,
    /// The name in Traditional and in Simplified Chinese.
    pub(super) chinese: [&'static str; 2],
    /// The key of the pattern, if players have a name for it.
    pub(super) pattern: Option<&'static str>,
    /// Where it is described (docs/references.md), empty if it is our own.
    pub(super) source: &'static str,
    /// A feature of the group in English words, by its place in the group.
    pub(super) words: fn(usize) -> String,
}

impl Group {
    /// The group of the feature with this index, and the feature's place in it.
    pub(super) fn of(index: u16) -> (&'static Self, usize) {
        let group = GROUPS.iter().rfind(|group| group.first <= index);
        let group = group.expect("the first group starts at 0");
        (group, usize::from(index - group.first))
    }
}

/// Numbers the features group by group: a constant for the first feature of each, and [`GROUPS`].
macro_rules! groups {
    ($($constant:ident: $size:expr, $row:expr, $name:literal, $traditional:literal, $simplified:literal,
       $pattern:expr, $source:literal, $words:expr;)*) => {
        static GROUPS: &[Group] = &[$(Group {
            first: $constant,
            row: $row,
            name: $name,
            chinese: [$traditional, $simplified],
            pattern: $pattern,
            source: $source,
            words: $words,
        }),*];

        groups!(@numbers 0; $($constant: $size;)*);
    };
    (@numbers $first:expr; $constant:ident: $size:expr; $($rest:tt)*) => {
        pub(super) const $constant: u16 = $first;
        groups!(@numbers $constant + $size; $($rest)*);
    };
    (@numbers $first:expr;) => {
        /// How many features there are.
        pub(super) const COUNT: u16 = $first;
    };
}

groups! {
    // constant: features, features per line, name, 繁體, 简体, pattern key, source, words
    MATERIAL: KINDS, 1, "material", "子力", "子力", None, "Liu 2014, §3.3.1; Xu & Wang 2006, §5 (1)",
        |place| kind(place).to_owned();
    PLACEMENT: KINDS * HALF_BOARD, HALF_BOARD, "placement", "位置", "位置", None, "Xu & Wang 2006, §5 (2)",
        |place| kind(place / usize::from(HALF_BOARD)).to_owned();
    MOBILITY: 3 * MOBILITIES, MOBILITIES, "mobility", "靈活度", "灵活度", None,
        "Liu 2014, §3.3.3; Deep Elephant, evaluation (3); Xu & Wang 2006, §5 (3)", mobility;
    HALF_FREE: JUMPS, 1, "horse, half-free points", "馬的半自由點", "马的半自由点", None, "Liu 2014, §3.3.3",
        |place| format!("horse with {place} points held by own pieces");
    DENIED: JUMPS, 1, "horse, denied points", "馬的受制點", "马的受制点", None, "Liu 2014, §3.3.3",
        |place| format!("horse with {place} points denied by the enemy");
    STEPS: KINDS, 1, "steps of guards and soldiers", "士象兵的走步", "士象兵的走步", None, "Xu & Wang 2006, §5 (3)",
        |place| format!("steps of {}s", kind(place));
    CONTROL: RINGS * 2, 2, "control near the general", "控制點", "控制点", None,
        "Liu 2014, §3.2.4; Deep Elephant, evaluation (4)", control;
    PALACE_ATTACK: KINDS, 1, "palace attack", "攻擊九宮", "攻击九宫", None, "",
        |place| format!("{} attacks the palace", kind(place));
    ATTACK_PARTNERS: PARTNERS * GUARDS, GUARDS, "partners in attack", "協同進攻", "协同进攻", None, "",
        |place| format!("{} attackers against {} guards", place / usize::from(GUARDS), place % usize::from(GUARDS));
    SAFE_CHECK: KINDS, 1, "safe checks", "安全將軍", "安全将军", None, "",
        |place| format!("safe check by {}", kind(place));
    GENERAL_FREEDOM: 5, 1, "freedom of the general", "將帥自由", "将帅自由", None, "Xu & Wang 2006, §5 (5)",
        |place| format!("general with {place} points to go to");
    HOLLOW_CANNON: GAPS + 1, GAPS, "hollow cannon 空頭炮", "空頭炮", "空头炮", Some("hollow-cannon"),
        "Liu 2014, §3.3.2; Xu & Wang 2006, §5 (5)", hollow_cannon;
    LOADED_CANNON: 2, 1, "cannon over two 當頭炮", "當頭炮", "当头炮", Some("loaded-cannon"), "Xu & Wang 2006, §5 (5)",
        |place| (if place == 0 { "on the rank" } else { "on the file" }).to_owned();
    BOTTOM_CANNON: 2 * GAPS, GAPS, "bottom cannon 沉底炮", "沉底炮", "沉底炮", Some("bottom-cannon"),
        "Liu 2014, §3.3.2; Xu & Wang 2006, §5 (5)", bottom_cannon;
    PIN: 2 * 2 * 3 * DISTANCES, DISTANCES, "pins 栓鍊", "栓鍊", "拴链", Some("pinned"), "Liu 2014, §3.3.2", pin;
    THREAT: KINDS * KINDS * 2, 2, "threats", "威脅", "威胁", None, "", threat;
    PROTECTED: KINDS, 1, "protection", "保護", "保护", None, "", |place| format!("protected {}", kind(place));
    CROSSED_SOLDIERS: 6, 1, "crossed soldiers", "過河兵", "过河兵", None, "Liu 2014, §3.3.1",
        |place| format!("{place} beyond the river");
    SOLDIER_STANDING: 3 * HEIGHTS, HEIGHTS, "standing of soldiers", "兵的高低", "兵的高低", None,
        "Liu 2014, §3.3.1; Deep Elephant, evaluation", soldier_standing;
    THREATENED_GUARD: 2, 1, "guards under attack", "士象受威脅", "士象受威胁", None, "Liu 2014, §3.3.1, table 15",
        |place| format!("{} by the enemy's attack chance", kind(place + 1));
    ATTACKING_SOLDIER: 6, 3, "soldiers in attack", "兵的進攻機會", "兵的进攻机会", None, "Liu 2014, §3.3.1, table 16",
        attacking_soldier;
    LINKED_SOLDIERS: 5, 1, "linked soldiers 牽手兵", "牽手兵", "牵手兵", Some("linked-soldiers"),
        "Liu 2014, §3.3.2; Xu & Wang 2006, §5 (4)", |place| format!("{place} pairs");
    MASSED: 10, 2, "pieces massed on a wing 多子歸邊", "多子歸邊", "多子归边", Some("massed"),
        "Xu & Wang 2006, §5 (5)", massed;
    TOGETHER: KINDS * KINDS, KINDS, "kinds together", "子力配合", "子力配合", None,
        "Liu 2014, §3.3.4; Deep Elephant, evaluation", |place| pair(place, "with");
    AGAINST: KINDS * KINDS, KINDS, "kinds against each other", "子力對比", "子力对比", None, "Liu 2014, §3.3.4",
        |place| pair(place, "against");
    GUARDS_MISSING: 2 * 9, 3, "missing guards 缺士怕雙車, 缺象怕炮", "缺士怕雙車、缺象怕炮", "缺士怕双车、缺象怕炮", None,
        "Liu 2014, §3.3.4", guards_missing;
    TO_MOVE: 1, 1, "tempo", "先手", "先手", None, "", |_| "tempo".to_owned();
    CHOKED_HORSE: 1, 1, "horse choked under a cannon 炮鎮窩心馬", "炮鎮窩心馬", "炮镇窝心马", Some("choked-horse"),
        "Liu 2014, §3.3.2", |_| "horse choked under a cannon 炮鎮窩心馬".to_owned();
    CHOKED_BY_TWO: 1, 1, "horse choked under two cannons 雙炮鎮窩心馬", "雙炮鎮窩心馬", "双炮镇窝心马",
        Some("choked-horse"), "Liu 2014, §3.3.2", |_| "horse choked under two cannons 雙炮鎮窩心馬".to_owned();
    WEAK_RING: 1, 1, "weak point beside the general", "將帥旁弱點", "将帅旁弱点", None, "",
        |_| "weak point beside the general".to_owned();
    IRON_BOLT: 1, 1, "iron bolt 鐵門閂", "鐵門閂", "铁门闩", Some("iron-bolt"), "Liu 2014, §3.3.2",
        |_| "iron bolt 鐵門閂".to_owned();
    LINKED_HORSES: 1, 1, "linked horses 連環馬", "連環馬", "连环马", Some("linked-horses"), "Xu & Wang 2006, §5 (4)",
        |_| "linked horses 連環馬".to_owned();
    CARRIED_CANNONS: 1, 1, "cannons carried on a pole 擔子炮", "擔子炮", "担子炮", Some("carried-cannons"),
        "Xu & Wang 2006, §5 (4)", |_| "cannons carried on a pole 擔子炮".to_owned();
    TWIN_CHARIOTS: 1, 1, "twin chariots 霸王車", "霸王車", "霸王车", Some("twin-chariots"), "Xu & Wang 2006, §5 (4)",
        |_| "twin chariots 霸王車".to_owned();
    HIGH_ELEPHANT: 1, 1, "high elephant blocks a horse 高象", "高象", "高象", Some("high-elephant"),
        "Deep Elephant, evaluation", |_| "high elephant blocks a horse 高象".to_owned();
    WON: 1, 1, "won by material", "例勝", "例胜", Some("book-win"), "Liu 2014, §3.3.4",
        |_| "won by material".to_owned();
}

fn kind(index: usize) -> &'static str {
    ["general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier"][index]
}

fn mobility(place: usize) -> String {
    let kinds = [PieceKind::Chariot, PieceKind::Cannon, PieceKind::Horse];
    let (piece, points) = (kinds[place / usize::from(MOBILITIES)], place % usize::from(MOBILITIES));
    format!("{} with {points} points to go to", kind(piece.index()))
}

fn control(place: usize) -> String {
    let how = if place.is_multiple_of(2) { "controlled alone" } else { "won from the enemy" };
    match place / 2 {
        3 => format!("points far from the general, {how}"),
        ring => format!("points {} away from the general, {how}", ring + 1),
    }
}

fn hollow_cannon(place: usize) -> String {
    match place < usize::from(GAPS) {
        true => format!("on the file, {place} points away"),
        false => "on the rank".to_owned(),
    }
}

fn bottom_cannon(place: usize) -> String {
    let gaps = usize::from(GAPS);
    let shut_in = if place < gaps { "" } else { ", who is shut in" };
    format!("{} files from the general{shut_in}", place % gaps)
}

fn pin(place: usize) -> String {
    let distances = usize::from(DISTANCES);
    let (line, distance) = (place / distances, place % distances);
    let by = if line / 6 == 0 { "chariot" } else { "cannon" };
    let on = if (line / 3).is_multiple_of(2) { "chariot" } else { "general" };
    let pinned = ["horse", "cannon", "piece"][line % 3];
    let distance = ["beside it", "near it", "far from it"][distance];
    format!("{by} pins {pinned} to {on} {distance}")
}

fn attacking_soldier(place: usize) -> String {
    let file = ["in the middle", "on the wing", "at the edge"][place % 3];
    let close = if place < 3 { "just across" } else { "at the palace" };
    format!("soldier {file}, {close}, by its side's attack chance")
}

fn threat(place: usize) -> String {
    let state = if place.is_multiple_of(2) { "unprotected" } else { "protected" };
    let (attacker, target) = (place / 2 / usize::from(KINDS), place / 2 % usize::from(KINDS));
    format!("{} attacks {state} {}", kind(attacker), kind(target))
}

fn soldier_standing(place: usize) -> String {
    let standing = ["behind in attackers", "without a chariot", "without any attacker"];
    let height = ["high", "beside the palace's top", "low", "on the last rank"];
    format!("soldier {}, {}", height[place % usize::from(HEIGHTS)], standing[place / usize::from(HEIGHTS)])
}

fn massed(place: usize) -> String {
    let general = if place.is_multiple_of(2) { "" } else { ", the general there too" };
    format!("{} or more on one wing{general}", place / 2)
}

fn pair(place: usize, relation: &str) -> String {
    let kinds = usize::from(KINDS);
    format!("{} {relation} {}", kind(place / kinds), kind(place % kinds))
}

fn guards_missing(place: usize) -> String {
    let (guards, attackers) = (place % 9 / 3, place % 3);
    let kinds = if place < 9 { ("advisors", "chariots") } else { ("elephants", "cannons") };
    format!("{guards} {} against {attackers} {}", kinds.0, kinds.1)
}
