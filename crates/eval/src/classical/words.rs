//! Features in words, for people who read an evaluation.

use chuhe_board::PieceKind;

use super::Feature;
use super::feature::{Group, KINDS};

impl Feature {
    /// The key of the pattern, if it is one that players have a name for: `hollow-cannon`.
    pub fn pattern(self) -> Option<&'static str> {
        let (group, place) = self.group();
        match group {
            Group::HollowCannon => Some("hollow-cannon"),
            Group::LoadedCannon => Some("loaded-cannon"),
            Group::BottomCannon => Some("bottom-cannon"),
            Group::Pin => Some("pinned"),
            Group::LinkedSoldiers if place > 0 => Some("linked-soldiers"),
            Group::Massed => Some("massed"),
            Group::Single => SINGLES[place],
            _ => None,
        }
    }

    /// What was found, in a few words: "chariot with 9 points to go to".
    pub fn words(self) -> String {
        let (group, place) = self.group();
        let (row, column) = (place / usize::from(KINDS), place % usize::from(KINDS));
        match group {
            Group::Material | Group::Placement => kind(place / group.row()).to_owned(),
            Group::Mobility => {
                let kinds = [PieceKind::Chariot, PieceKind::Cannon, PieceKind::Horse];
                let (piece, points) = (kinds[place / group.row()], place % group.row());
                format!("{} with {points} points to go to", kind(piece.index()))
            }
            Group::HalfFree => format!("horse with {place} points held by own pieces"),
            Group::Denied => format!("horse with {place} points denied by the enemy"),
            Group::Steps => format!("steps of {}s", kind(place)),
            Group::Control => {
                let by = if place % 2 == 0 { "one piece" } else { "several" };
                match place / 2 {
                    3 => format!("points far from the general, controlled by {by}"),
                    ring => format!("points {} away from the general, controlled by {by}", ring + 1),
                }
            }
            Group::PalaceAttack => format!("{} attacks the palace", kind(place)),
            Group::AttackPartners => {
                format!("{} attackers against {} guards", place / group.row(), place % group.row())
            }
            Group::SafeCheck => format!("safe check by {}", kind(place)),
            Group::GeneralFreedom => format!("general with {place} points to go to"),
            Group::HollowCannon if place < group.row() => format!("on the file, {place} points away"),
            Group::HollowCannon => "on the rank".to_owned(),
            Group::LoadedCannon => (if place == 0 { "on the rank" } else { "on the file" }).to_owned(),
            Group::BottomCannon => format!("{place} files from the general"),
            Group::Pin => {
                let by = if place / 6 == 0 { "chariot" } else { "cannon" };
                let on = if place / 3 % 2 == 0 { "chariot" } else { "general" };
                let pinned = ["horse", "cannon", "piece"][place % 3];
                format!("{by} pins {pinned} to {on}")
            }
            Group::Threat => {
                let state = if place % 2 == 0 { "unprotected" } else { "protected" };
                let pair = place / 2;
                let (attacker, target) = (pair / usize::from(KINDS), pair % usize::from(KINDS));
                format!("{} attacks {state} {}", kind(attacker), kind(target))
            }
            Group::Protected => format!("protected {}", kind(place)),
            Group::CrossedSoldiers => format!("{place} beyond the river"),
            Group::SoldierStanding => {
                let standing = ["behind in attackers", "without a chariot", "without any attacker"];
                let height = ["high", "beside the palace's top", "low", "on the last rank"];
                format!("soldier {}, {}", height[place % group.row()], standing[place / group.row()])
            }
            Group::LinkedSoldiers => format!("{place} pairs"),
            Group::Massed => {
                let general = if place % 2 == 0 { "" } else { ", the general there too" };
                format!("{} or more on one wing{general}", place / 2)
            }
            Group::Together => format!("{} with {}", kind(row), kind(column)),
            Group::Against => format!("{} against {}", kind(row), kind(column)),
            Group::GuardsMissing => {
                let (guards, attackers) = (place % 9 / 3, place % 3);
                let kinds = if place < 9 { ("advisors", "chariots") } else { ("elephants", "cannons") };
                format!("{guards} {} against {attackers} {}", kinds.0, kinds.1)
            }
            Group::Single => self.name().to_owned(),
        }
    }
}

/// Names of the features that stand for themselves, in their order; `None` where players have none.
const SINGLES: [Option<&str>; 10] = [
    None,
    Some("choked-horse"),
    Some("choked-horse"),
    None,
    Some("iron-bolt"),
    Some("linked-horses"),
    Some("carried-cannons"),
    Some("twin-chariots"),
    Some("high-elephant"),
    Some("book-win"),
];

fn kind(index: usize) -> &'static str {
    ["general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier"][index]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_told_in_words() {
        let threat = Feature::threat(PieceKind::Cannon, PieceKind::Horse, true);
        assert_eq!(threat.words(), "cannon attacks protected horse");
        assert_eq!(Feature::mobility(PieceKind::Chariot, 9).words(), "chariot with 9 points to go to");
        assert_eq!(Feature::pin(true, false, PieceKind::Cannon).words(), "cannon pins cannon to chariot");
        assert_eq!(Feature::elephants_against(1, 2).words(), "1 elephants against 2 cannons");
        assert_eq!(Feature::hollow_cannon(4).words(), "on the file, 4 points away");
        assert_eq!(Feature::TWIN_CHARIOTS.pattern(), Some("twin-chariots"));
        assert_eq!(Feature::linked_soldiers(0).pattern(), None);
        for feature in Feature::all() {
            assert!(!feature.words().is_empty());
        }
    }
}
