//! Named sets of endgames, which `chuhe tb build --set` and the app build.

use chuhe_board::PieceKind;

use crate::material::{ATTACKERS, Material};
use crate::{BUILT_IN_SET, Index};

/// The eight endings of (Fang), table 2.
pub const FANG_SET: [&str; 8] =
    ["KN-KA", "KN-KB", "KR-KAA", "KR-KBB", "KR-KAAB", "KR-KABB", "KR-KAABB", "KCA-KAA"];

/// The endings that every textbook treats, and what the engine meets most.
pub const CLASSIC_SET: [&str; 16] = [
    "KRN-KAABB",
    "KRC-KAABB",
    "KRP-KAABB",
    "KNC-KAA",
    "KNP-KAABB",
    "KNN-KAABB",
    "KPPP-KAA",
    "KPP-KAABB",
    "KCPA-KAA",
    "KCAA-KAABB",
    "KNP-KN",
    "KR-KNAA",
    "KR-KNBB",
    "KR-KCAA",
    "KR-KCBB",
    "KR-KPP",
];

/// The most entries, for each side to move, of the tables in the wide set with at most two attackers a side. All of them together
/// take a night on two cores (docs/experiments/tablebases.md).
pub const WIDE_ENTRIES: u64 = 200_000_000;

/// Endings of the wide set beyond that: larger ones, and those with three attackers, that people ask for.
const WIDE_EXTRAS: [&str; 4] = ["KNC-KRAA", "KRNP-KAA", "KNPP-KAA", "KRCP-KAA"];

/// A set of endgames that `chuhe tb build --set` knows by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedSet {
    /// The eight endings of (Fang).
    Fang,
    /// The endings of the textbooks.
    Classic,
    /// The tables that come with the program.
    BuiltIn,
    /// What fits a night on two cores.
    Wide,
}

impl NamedSet {
    /// All sets.
    pub const ALL: [Self; 4] = [Self::Fang, Self::Classic, Self::BuiltIn, Self::Wide];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fang => "fang",
            Self::Classic => "classic",
            Self::BuiltIn => "builtin",
            Self::Wide => "wide",
        }
    }

    /// The set of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.name() == name)
    }

    /// Its endgames, in the order in which they are built.
    pub fn endgames(self) -> Vec<Material> {
        match self {
            Self::Fang => parsed(&FANG_SET),
            Self::Classic => parsed(&CLASSIC_SET),
            Self::BuiltIn => parsed(&BUILT_IN_SET),
            Self::Wide => wide_set(),
        }
    }
}

fn parsed(names: &[&str]) -> Vec<Material> {
    names.iter().map(|name| name.parse().expect("sets consist of endgames")).collect()
}

/// The endings with at most two attackers a side and any guards that have at most [`WIDE_ENTRIES`], and some more; the small
/// ones first.
fn wide_set() -> Vec<Material> {
    let mut set = two_against_two();
    set.retain(|material| len(material) <= WIDE_ENTRIES);
    for extra in parsed(&WIDE_EXTRAS) {
        if !set.contains(&extra) {
            set.push(extra);
        }
    }
    set.sort_by_cached_key(|material| (len(material), material.to_string()));
    set
}

/// All endings with at most two attackers on each side and any guards, but for the harmless.
pub fn two_against_two() -> Vec<Material> {
    let sides = sides();
    let mut all = Vec::new();
    for (place, first) in sides.iter().enumerate() {
        for second in &sides[..=place] {
            let (material, _) = Material::of_pieces([first, second]).canonical();
            if !material.is_harmless() {
                all.push(material);
            }
        }
    }
    all
}

/// The pieces of a side with at most two attackers.
fn sides() -> Vec<Vec<PieceKind>> {
    let mut attacks = vec![Vec::new()];
    for (place, first) in ATTACKERS.into_iter().enumerate() {
        attacks.push(vec![first]);
        attacks.extend(ATTACKERS[place..].iter().map(|second| vec![first, *second]));
    }
    let guards = (0..=2).flat_map(|advisors| (0..=2).map(move |elephants| (advisors, elephants)));
    let side = |attackers: &Vec<PieceKind>, (advisors, elephants): (usize, usize)| {
        let mut pieces = vec![PieceKind::General];
        pieces.extend(attackers);
        pieces.extend([PieceKind::Advisor].repeat(advisors));
        pieces.extend([PieceKind::Elephant].repeat(elephants));
        pieces
    };
    guards.flat_map(|guards| attacks.iter().map(move |attackers| side(attackers, guards))).collect()
}

fn len(material: &Material) -> u64 {
    Index::len_of(material).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn two_against_two_are_all_of_them_once() {
        let all = two_against_two();
        // 15 attacks with 9 kinds of guards on each side, but for the 45 without attackers.
        assert_eq!(all.len(), 135 * 136 / 2 - 45);
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    }

    #[test]
    fn the_wide_set_holds_all_that_it_depends_on_save_for_extras() {
        let wide = NamedSet::Wide.endgames();
        let known: HashSet<&Material> = wide.iter().collect();
        let two: HashSet<Material> = two_against_two().into_iter().collect();
        for material in &wide {
            assert!(len(material) <= WIDE_ENTRIES || material.to_string() == "KNC-KRAA", "{material}");
            for rest in material.after_captures().iter().filter(|rest| two.contains(rest)) {
                assert!(known.contains(rest), "{material} needs {rest}");
            }
        }
    }

    #[test]
    fn every_set_has_a_name() {
        for set in NamedSet::ALL {
            assert_eq!(NamedSet::named(set.name()), Some(set));
            assert!(!set.endgames().is_empty());
        }
        assert_eq!(NamedSet::named("all"), None);
    }
}
