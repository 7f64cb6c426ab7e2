//! Material signatures such as `KRN-KAABB`.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use chuhe_board::{PieceKind, Position, Side};

/// The pieces of both sides. Tables exist for the canonical order only, the side with the stronger
/// attack first; see [`Material::canonical`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Material {
    counts: [[u8; PieceKind::ALL.len()]; 2],
}

/// The order in which a name lists the kinds: the general, attackers, defenders.
const NAME_ORDER: [PieceKind; 7] = [
    PieceKind::General,
    PieceKind::Chariot,
    PieceKind::Horse,
    PieceKind::Cannon,
    PieceKind::Soldier,
    PieceKind::Advisor,
    PieceKind::Elephant,
];

/// The kinds that can give check, in the order of names.
pub(crate) const ATTACKERS: [PieceKind; 4] =
    [PieceKind::Chariot, PieceKind::Horse, PieceKind::Cannon, PieceKind::Soldier];

/// Why a text is not the name of an endgame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MaterialError {
    /// Not two sides with a hyphen between them.
    #[error("'{0}' does not name two sides as in KR-KAABB")]
    Sides(String),
    /// A letter that stands for no piece.
    #[error("'{letter}' in '{name}' is not one of K R N C P A B")]
    Letter {
        /// The letter.
        letter: char,
        /// The name it stands in.
        name: String,
    },
    /// A side without its general, or with two.
    #[error("'{0}' needs exactly one general K on each side")]
    General(String),
    /// More pieces of a kind than a side starts with.
    #[error("'{name}' has {count} {kind}s on one side; there are at most {most}")]
    TooMany {
        /// The kind.
        kind: PieceKind,
        /// How many there are.
        count: u32,
        /// How many there may be.
        most: u32,
        /// The name.
        name: String,
    },
}

impl Material {
    /// The material of a position, with Red as the first side.
    pub fn of(position: &Position) -> Self {
        let count = |side, kind| position.pieces_of(side, kind).len() as u8;
        Self { counts: Side::ALL.map(|side| PieceKind::ALL.map(|kind| count(side, kind))) }
    }

    /// The material of the pieces of two sides.
    pub(crate) fn of_pieces(sides: [&[PieceKind]; 2]) -> Self {
        let count = |side: &[PieceKind], kind| side.iter().filter(|piece| **piece == kind).count() as u8;
        Self { counts: sides.map(|side| PieceKind::ALL.map(|kind| count(side, kind))) }
    }

    /// How many pieces of this kind a side has; the side named first counts as Red.
    pub const fn count(&self, side: Side, kind: PieceKind) -> u8 {
        self.counts[side.index()][kind.index()]
    }

    /// How many pieces there are, both generals included.
    pub fn pieces(&self) -> u32 {
        self.counts.iter().flatten().map(|&count| u32::from(count)).sum()
    }

    /// The same with the sides exchanged.
    pub const fn swapped(&self) -> Self {
        Self { counts: [self.counts[1], self.counts[0]] }
    }

    /// The order that tables are kept in, and whether the sides had to be exchanged for it.
    pub fn canonical(&self) -> (Self, bool) {
        let swap = self.strength(Side::Black) > self.strength(Side::Red);
        (if swap { self.swapped() } else { *self }, swap)
    }

    /// What the canonical order goes by: the sum of the attackers, then the pieces one by one.
    fn strength(&self, side: Side) -> (u8, [u8; 7]) {
        let count = |kind| self.count(side, kind);
        let attack = 9 * count(PieceKind::Chariot)
            + 4 * (count(PieceKind::Horse) + count(PieceKind::Cannon))
            + 2 * count(PieceKind::Soldier);
        (attack, NAME_ORDER.map(count))
    }

    /// Whether the side has a piece that can give check.
    pub fn has_attackers(&self, side: Side) -> bool {
        ATTACKERS.iter().any(|&kind| self.count(side, kind) > 0)
    }

    /// Whether both sides can give check. Otherwise no repetition rule changes anything.
    pub fn both_attack(&self) -> bool {
        Side::ALL.iter().all(|&side| self.has_attackers(side))
    }

    /// Whether neither side can give check. The generals always have a move then, so all such
    /// positions are drawn and need no table.
    pub fn is_harmless(&self) -> bool {
        Side::ALL.iter().all(|&side| !self.has_attackers(side))
    }

    /// What is left when a piece of this kind of this side is taken, in the order of this material.
    pub fn without(&self, side: Side, kind: PieceKind) -> Option<Self> {
        let mut rest = *self;
        let count = &mut rest.counts[side.index()][kind.index()];
        *count = count.checked_sub(1)?;
        (kind != PieceKind::General).then_some(rest)
    }

    /// What one capture leads to: canonical, without repetitions and without the harmless.
    pub fn after_captures(&self) -> Vec<Self> {
        let mut rests = Vec::new();
        for side in Side::ALL {
            for kind in PieceKind::ALL {
                let Some(rest) = self.without(side, kind) else { continue };
                let (rest, _) = rest.canonical();
                if !rest.is_harmless() && !rests.contains(&rest) {
                    rests.push(rest);
                }
            }
        }
        rests
    }

    /// This endgame and all that captures can lead to, the smallest first.
    pub fn family(&self) -> Vec<Self> {
        let mut family = vec![self.canonical().0];
        let mut next = 0;
        while next < family.len() {
            for rest in family[next].after_captures() {
                if !family.contains(&rest) {
                    family.push(rest);
                }
            }
            next += 1;
        }
        family.retain(|material| !material.is_harmless());
        family.sort_by_key(|material| (material.pieces(), Reverse(material.strength(Side::Red))));
        family
    }

    fn parse_side(text: &str, name: &str) -> Result<[u8; 7], MaterialError> {
        let mut counts = [0_u32; 7];
        for letter in text.chars() {
            let kind = PieceKind::from_letter(letter)
                .ok_or_else(|| MaterialError::Letter { letter, name: name.to_owned() })?;
            counts[kind.index()] = counts[kind.index()].saturating_add(1);
        }
        if counts[PieceKind::General.index()] != 1 {
            return Err(MaterialError::General(name.to_owned()));
        }
        for kind in PieceKind::ALL {
            let (count, most) = (counts[kind.index()], kind.full_count());
            if count > most {
                return Err(MaterialError::TooMany { kind, count, most, name: name.to_owned() });
            }
        }
        Ok(counts.map(|count| count as u8))
    }
}

/// Reads `KRN-KAABB`, in either case and any order of letters, with `E` and `H` for elephants and
/// horses allowed. The order of the sides is kept.
impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(name: &str) -> Result<Self, MaterialError> {
        let sides = || MaterialError::Sides(name.to_owned());
        let (first, second) = name.split_once('-').ok_or_else(sides)?;
        if first.is_empty() || second.is_empty() || second.contains('-') {
            return Err(sides());
        }
        Ok(Self { counts: [Self::parse_side(first, name)?, Self::parse_side(second, name)?] })
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for side in Side::ALL {
            if side == Side::Black {
                f.write_str("-")?;
            }
            for kind in NAME_ORDER {
                for _ in 0..self.count(side, kind) {
                    write!(f, "{}", kind.letter())?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(name: &str) -> Material {
        name.parse().unwrap()
    }

    #[test]
    fn names_are_read_in_any_spelling_and_written_in_one() {
        assert_eq!(material("KNR-KBBAA").to_string(), "KRN-KAABB");
        assert_eq!(material("krh-kaaee").to_string(), "KRN-KAABB");
        assert_eq!(material("KAABB-KR").canonical(), (material("KR-KAABB"), true));
        assert_eq!(material("KPP-KR").canonical(), (material("KR-KPP"), true));
        assert_eq!(material("KR-KR").canonical(), (material("KR-KR"), false));
    }

    #[test]
    fn absurd_material_is_named() {
        let error = |name: &str| name.parse::<Material>().unwrap_err().to_string();
        assert_eq!(error("KR"), "'KR' does not name two sides as in KR-KAABB");
        assert_eq!(error("R-K"), "'R-K' needs exactly one general K on each side");
        assert_eq!(error("KK-K"), "'KK-K' needs exactly one general K on each side");
        assert_eq!(error("KQ-K"), "'Q' in 'KQ-K' is not one of K R N C P A B");
        assert_eq!(error("KPPPPPP-K"), "'KPPPPPP-K' has 6 soldiers on one side; there are at most 5");
        assert_eq!(error("KR-KAAA"), "'KR-KAAA' has 3 advisors on one side; there are at most 2");
        assert!("KR-K-K".parse::<Material>().is_err());
        assert!("".parse::<Material>().is_err());
    }

    #[test]
    fn a_family_starts_with_what_depends_on_nothing() {
        let family = material("KRN-KAABB").family();
        assert_eq!(family.len(), 27);
        assert_eq!(family.last(), Some(&material("KRN-KAABB")));
        for (number, member) in family.iter().enumerate() {
            assert!(member.after_captures().iter().all(|rest| family[..number].contains(rest)));
        }
        assert_eq!(material("K-KAABB").family(), []);
    }
}
