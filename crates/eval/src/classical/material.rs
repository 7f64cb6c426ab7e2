//! Material table 子力表: each side's pieces as one small number, and what follows from it.
//!
//! The number counts in mixed bases: 1 for an advisor, 3 for an elephant, 9 for a horse, 27 for a
//! chariot, 81 for a cannon, 243 for a soldier (Liu 2014, §3.3.4). Two of them name everything
//! that only depends on material, which is worked out once and then looked up.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use chuhe_board::{PieceKind, Position, Side};

use super::endings::Hope;
use super::ledger::Sum;
use super::{Phase, Tapered, imbalance};

/// The pieces of one side, the general aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct MaterialCode(u16);

impl MaterialCode {
    /// How many codes there are.
    pub const COUNT: usize = 1458;

    /// The code of a side's pieces.
    pub fn of(position: &Position, side: Side) -> Self {
        Self::with(|kind| position.pieces_of(side, kind).len())
    }

    /// The code of these counts.
    pub fn with(count: impl Fn(PieceKind) -> u32) -> Self {
        Self(PieceKind::ALL.into_iter().map(|kind| Self::unit(kind) * count(kind) as u16).sum())
    }

    /// All codes.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u16).map(Self)
    }

    /// 0 to [`Self::COUNT`] − 1.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// How many pieces of the kind there are.
    pub const fn count(self, kind: PieceKind) -> u32 {
        let count = match kind {
            PieceKind::General => return 1,
            PieceKind::Advisor => self.0 % 3,
            PieceKind::Elephant => self.0 / 3 % 3,
            PieceKind::Horse => self.0 / 9 % 3,
            PieceKind::Chariot => self.0 / 27 % 3,
            PieceKind::Cannon => self.0 / 81 % 3,
            PieceKind::Soldier => self.0 / 243,
        };
        count as u32
    }

    /// How many pieces there are.
    pub(super) fn pieces(self) -> u32 {
        KINDS.iter().map(|kind| self.count(*kind)).sum()
    }

    /// The code without a piece of the kind, if there is one.
    pub(super) fn without(mut self, kind: PieceKind) -> Option<Self> {
        (kind != PieceKind::General && self.count(kind) > 0).then(|| {
            self.remove(kind);
            self
        })
    }

    /// Whether the other code has all these pieces.
    pub(super) fn is_within(self, other: Self) -> bool {
        KINDS.iter().all(|kind| self.count(*kind) <= other.count(*kind))
    }

    #[inline]
    const fn unit(kind: PieceKind) -> u16 {
        match kind {
            PieceKind::General => 0,
            PieceKind::Advisor => 1,
            PieceKind::Elephant => 3,
            PieceKind::Horse => 9,
            PieceKind::Chariot => 27,
            PieceKind::Cannon => 81,
            PieceKind::Soldier => 243,
        }
    }

    #[inline]
    pub(super) const fn add(&mut self, kind: PieceKind) {
        self.0 += Self::unit(kind);
    }

    #[inline]
    pub(super) const fn remove(&mut self, kind: PieceKind) {
        self.0 -= Self::unit(kind);
    }
}

/// The kinds in the order of names.
const KINDS: [PieceKind; 6] = [
    PieceKind::Chariot,
    PieceKind::Horse,
    PieceKind::Cannon,
    PieceKind::Soldier,
    PieceKind::Advisor,
    PieceKind::Elephant,
];

/// A letter for each piece, as in `RPAA`; `-` for none.
impl fmt::Display for MaterialCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("-");
        }
        for kind in KINDS {
            for _ in 0..self.count(kind) {
                write!(f, "{}", kind.letter())?;
            }
        }
        Ok(())
    }
}

/// A text that names no pieces, or more than a side has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' does not name pieces of one side such as RPAA")]
pub struct NoMaterial(String);

impl FromStr for MaterialCode {
    type Err = NoMaterial;

    fn from_str(name: &str) -> Result<Self, NoMaterial> {
        let refused = || NoMaterial(name.to_owned());
        if name == "-" {
            return Ok(Self(0));
        }
        let mut counts = [0; KINDS.len()];
        for letter in name.chars() {
            let place = KINDS.iter().position(|kind| kind.letter() == letter).ok_or_else(refused)?;
            counts[place] += 1;
        }
        let most = |kind: PieceKind| if kind == PieceKind::Soldier { 5 } else { 2 };
        if name.is_empty() || KINDS.iter().zip(counts).any(|(kind, count)| count > most(*kind)) {
            return Err(refused());
        }
        Ok(Self(KINDS.iter().zip(counts).map(|(kind, count)| Self::unit(*kind) * count).sum()))
    }
}

/// The pieces of both sides, Red's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Material(pub [MaterialCode; 2]);

/// What is known of a position from its material alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Prospects {
    /// All features of material, Red's less Black's.
    pub(super) total: Tapered,
    /// How many attackers there are; see [`Phase::attackers`].
    pub(super) attackers: i32,
    /// How much of its advantage each side can hope to use, in 64ths.
    scales: [u8; 2],
}

impl Material {
    /// The material of a position.
    pub fn of(position: &Position) -> Self {
        Self([Side::Red, Side::Black].map(|side| MaterialCode::of(position, side)))
    }

    /// The pieces of one side.
    #[inline]
    pub const fn side(self, side: Side) -> MaterialCode {
        self.0[side.index()]
    }

    /// What follows from the material, looked up.
    #[inline]
    pub(super) fn prospects(self) -> Prospects {
        let entry = &TABLE[self.0[0].index() * MaterialCode::COUNT + self.0[1].index()];
        entry.get().unwrap_or_else(|| entry.fill(Prospects::of(self)))
    }
}

/// An entry for every pair of codes, filled when it is first asked for. Threads may fill the same
/// entry twice, with the same numbers.
static TABLE: [Entry; MaterialCode::COUNT * MaterialCode::COUNT] =
    [const { Entry::empty() }; MaterialCode::COUNT * MaterialCode::COUNT];

struct Entry {
    total: AtomicU64,
    /// The rest, with a bit that says the entry is filled.
    rest: AtomicU32,
}

const FILLED: u32 = 1 << 31;

impl Entry {
    const fn empty() -> Self {
        Self { total: AtomicU64::new(0), rest: AtomicU32::new(0) }
    }

    #[inline]
    fn get(&self) -> Option<Prospects> {
        let rest = self.rest.load(Ordering::Acquire);
        if rest & FILLED == 0 {
            return None;
        }
        Some(Prospects {
            total: Tapered::from_bits(self.total.load(Ordering::Relaxed)),
            attackers: (rest & 0xFF) as i32,
            scales: [(rest >> 8) as u8, (rest >> 16) as u8],
        })
    }

    #[cold]
    fn fill(&self, prospects: Prospects) -> Prospects {
        let [red, black] = prospects.scales.map(u32::from);
        self.total.store(prospects.total.bits(), Ordering::Relaxed);
        self.rest.store(FILLED | prospects.attackers as u32 | red << 8 | black << 16, Ordering::Release);
        prospects
    }
}

impl Prospects {
    fn of(material: Material) -> Self {
        let mut sum = Sum::default();
        imbalance::note_all(material, &mut sum);
        let scale = |side| Hope::of(material.side(side), material.side(!side)).scale() as u8;
        Self {
            total: sum.total(),
            attackers: Phase::attackers(material),
            scales: [scale(Side::Red), scale(Side::Black)],
        }
    }

    /// The score of Red with what neither side can hope to use taken away, but at most `most` 64ths left.
    #[inline]
    pub(super) fn scaled(self, red: i32, most: i32) -> i32 {
        let scale = i32::from(self.scales[usize::from(red <= 0)]).min(most);
        red * scale / Hope::FULL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_count_what_they_were_made_of() {
        let start = MaterialCode::of(&Position::start(), Side::Red);
        assert_eq!(start.index(), MaterialCode::COUNT - 1);
        for code in MaterialCode::all() {
            let sum: u16 =
                PieceKind::ALL.iter().map(|kind| code.count(*kind) as u16 * MaterialCode::unit(*kind)).sum();
            assert_eq!(sum, code.0);
        }
    }

    #[test]
    fn entries_survive_the_table() {
        for (red, black) in [(0, 0), (1457, 0), (243, 1457), (700, 701)] {
            let material = Material([MaterialCode(red), MaterialCode(black)]);
            let prospects = Prospects::of(material);
            assert_eq!(material.prospects(), prospects);
            assert_eq!(material.prospects(), prospects);
        }
    }
}
