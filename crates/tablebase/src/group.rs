//! The placements of a group of pieces: a general with its defenders, or all attackers of one kind of
//! one side. Placements are numbered as their owner sees the board, so that exchanging the sides of a
//! position exchanges numbers and changes none.

use arrayvec::ArrayVec;
use chuhe_board::{Bitboard, PieceKind, Position, Side, Square, attacks, zones};

/// The number of a placement within its group.
pub(crate) type Code = u32;

/// The most pieces of one group: five soldiers, or a general with four defenders.
const MOST: usize = 5;

/// One step of a general or defender to a free or hostile point.
#[derive(Clone, Copy)]
pub(crate) struct GuardStep {
    /// Where it stands.
    pub(crate) from: Square,
    /// Where it goes.
    pub(crate) to: Square,
    /// The point that must be free on the way.
    pub(crate) eye: Option<Square>,
    /// The placement it leads to.
    pub(crate) code: Code,
}

/// What a group is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Makeup {
    /// The general with so many advisors and elephants.
    Guards { advisors: u8, elephants: u8 },
    /// So many attackers of a kind; none is a group with one, empty placement.
    Attackers { kind: PieceKind, count: u8 },
}

/// All placements of one group.
pub(crate) struct Group {
    pub(crate) side: Side,
    pub(crate) makeup: Makeup,
    pieces: usize,
    /// The points of each placement, [`Self::pieces`] for each: the general, advisors, elephants.
    squares: Vec<Square>,
    occupied: Vec<Bitboard>,
    mirrored: Vec<Code>,
    /// Whether each placement stands for itself when mirror images count once.
    kept: Vec<bool>,
    /// The number of each placement when mirror images count once.
    folded: Vec<Code>,
    /// The first placement of each pair of mirror images.
    unfolded: Vec<Code>,
    /// For guards: from the rank of a placement to its code, [`NOWHERE`] where pieces would collide.
    code_of_rank: Vec<Code>,
    steps: Vec<GuardStep>,
    first_step: Vec<u32>,
}

const NOWHERE: Code = Code::MAX;

impl Group {
    pub(crate) fn new(side: Side, makeup: Makeup) -> Self {
        let placements = match makeup {
            Makeup::Guards { advisors, elephants } => guards(advisors, elephants),
            Makeup::Attackers { kind, count } => subsets(attacker_points(kind), count),
        };
        let mut group = Self {
            side,
            makeup,
            pieces: placements.first().map_or(0, ArrayVec::len),
            squares: placements.iter().flatten().map(|square| square.seen_by(side)).collect(),
            occupied: Vec::new(),
            mirrored: Vec::new(),
            kept: Vec::new(),
            folded: vec![0; placements.len()],
            unfolded: Vec::new(),
            code_of_rank: Vec::new(),
            steps: Vec::new(),
            first_step: Vec::new(),
        };
        group.number_guards();
        group.occupied = (0..group.len()).map(|code| set(group.squares(code))).collect();
        group.mirrored = (0..group.len()).map(|code| group.mirror_image(code)).collect();
        group.fold();
        group.list_steps();
        group
    }

    /// How many placements there are.
    pub(crate) fn len(&self) -> Code {
        self.folded.len() as Code
    }

    /// How many there are when mirror images count once.
    pub(crate) fn folded_len(&self) -> Code {
        self.unfolded.len() as Code
    }

    /// The points of a placement: the general, then advisors, then elephants; or the attackers.
    #[inline]
    pub(crate) fn squares(&self, code: Code) -> &[Square] {
        let start = code as usize * self.pieces;
        &self.squares[start..start + self.pieces]
    }

    /// The same as a set.
    #[inline]
    pub(crate) fn occupied(&self, code: Code) -> Bitboard {
        self.occupied[code as usize]
    }

    /// The placement mirrored left to right.
    #[inline]
    pub(crate) fn mirrored(&self, code: Code) -> Code {
        self.mirrored[code as usize]
    }

    /// The number of the placement, or of its mirror image, when the two count once.
    #[inline]
    pub(crate) fn folded(&self, code: Code) -> Code {
        self.folded[code as usize]
    }

    /// The placement that stands for both mirror images.
    #[inline]
    pub(crate) fn unfolded(&self, folded: Code) -> Code {
        self.unfolded[folded as usize]
    }

    /// What the pieces of a placement are, in the order of [`Self::squares`].
    pub(crate) fn kind(&self, member: usize) -> PieceKind {
        match self.makeup {
            Makeup::Attackers { kind, .. } => kind,
            Makeup::Guards { advisors, .. } => match member {
                0 => PieceKind::General,
                _ if member <= advisors as usize => PieceKind::Advisor,
                _ => PieceKind::Elephant,
            },
        }
    }

    /// The steps of a general and its defenders on a board without other pieces.
    #[inline]
    pub(crate) fn steps(&self, code: Code) -> &[GuardStep] {
        let code = code as usize;
        &self.steps[self.first_step[code] as usize..self.first_step[code + 1] as usize]
    }

    /// The placement when one attacker goes elsewhere; `None` where it may not stand.
    #[inline]
    pub(crate) fn moved(&self, code: Code, member: usize, to: Square) -> Option<Code> {
        if self.pieces == 1 {
            return self.point_number(to).map(Code::from);
        }
        let others = self.squares(code).iter().enumerate().filter(|(number, _)| *number != member);
        self.attackers_code(others.map(|(_, square)| *square).chain([to]))
    }

    /// The placement in `smaller`, a group with one piece less, of this side or of the other one with the
    /// board turned around, when this member is gone.
    pub(crate) fn removed(&self, code: Code, member: usize, smaller: &Self) -> Code {
        let turn = |square: Square| if smaller.side == self.side { square } else { square.across() };
        let members = self.squares(code).iter().enumerate();
        let rest = members.filter(|(number, _)| *number != member).map(|(_, square)| turn(*square));
        let code = match self.makeup {
            Makeup::Attackers { .. } => smaller.attackers_code(rest),
            Makeup::Guards { .. } => smaller.guards_code(&rest.collect::<ArrayVec<Square, MOST>>()),
        };
        code.expect("what is left of a placement is one")
    }

    /// The placement of this group in a position, if it has exactly these pieces. `side` is whose
    /// pieces to look at; when it is not the group's own, the board is turned around.
    pub(crate) fn code_in(&self, position: &Position, side: Side) -> Option<Code> {
        let turn = |square: Square| if side == self.side { square } else { square.across() };
        let points = |kind| position.pieces_of(side, kind).into_iter().map(turn);
        match self.makeup {
            Makeup::Attackers { kind, .. } => self.attackers_code(points(kind)),
            Makeup::Guards { .. } => {
                let kinds = [PieceKind::General, PieceKind::Advisor, PieceKind::Elephant];
                let squares: ArrayVec<Square, MOST> = kinds.into_iter().flat_map(points).collect();
                self.guards_code(&squares)
            }
        }
    }

    /// The number of the point among those the attacker may stand on, as its owner counts.
    #[inline]
    fn point_number(&self, square: Square) -> Option<u8> {
        let own = square.seen_by(self.side);
        match self.makeup {
            Makeup::Attackers { kind: PieceKind::Soldier, .. } => SOLDIER_NUMBERS[own.index()],
            _ => Some(own.index() as u8),
        }
    }

    #[inline]
    fn attackers_code(&self, squares: impl Iterator<Item = Square>) -> Option<Code> {
        let mut points = ArrayVec::<u8, MOST>::new();
        for square in squares {
            points.push(self.point_number(square)?);
        }
        points.sort_unstable();
        Some(subset_rank(&points))
    }

    /// The code for points in the order of [`Self::squares`], defenders of a kind in any order.
    fn guards_code(&self, squares: &[Square]) -> Option<Code> {
        let Makeup::Guards { advisors, elephants } = self.makeup else { return None };
        let (general, rest) = squares.split_first()?;
        let (guards, heavy) = rest.split_at_checked(advisors as usize)?;
        let number = |zone: Bitboard, squares: &[Square]| {
            let mut numbers = ArrayVec::<u8, MOST>::new();
            for square in squares {
                numbers.push(number_within(zone, square.seen_by(self.side))?);
            }
            numbers.sort_unstable();
            Some(subset_rank(&numbers))
        };
        let general = number(zones::palace(Side::Red), &[*general])?;
        let advisors_rank = number(zones::advisor_points(Side::Red), guards)?;
        let elephants_rank = number(zones::elephant_points(Side::Red), heavy)?;
        let rank = guards_rank(general, advisors_rank, elephants_rank, advisors, elephants);
        self.code_of_rank.get(rank as usize).copied().filter(|code| *code != NOWHERE)
    }

    /// Fills in the code of every rank.
    fn number_guards(&mut self) {
        let Makeup::Guards { advisors, elephants } = self.makeup else { return };
        let ranks = guards_rank(9, 0, 0, advisors, elephants);
        self.code_of_rank = vec![NOWHERE; ranks as usize];
        // Placements were listed by rising rank, so their ranks are those without a collision.
        let mut code = 0;
        for (rank, placement) in guards_with_collisions(advisors, elephants).into_iter().enumerate() {
            if set(&placement).len() as usize == placement.len() {
                self.code_of_rank[rank] = code;
                code += 1;
            }
        }
    }

    fn mirror_image(&self, code: Code) -> Code {
        let image = self.squares(code).iter().map(|square| square.mirrored());
        let code = match self.makeup {
            Makeup::Attackers { .. } => self.attackers_code(image),
            Makeup::Guards { .. } => self.guards_code(&image.collect::<ArrayVec<Square, MOST>>()),
        };
        code.expect("zones are symmetric")
    }

    /// Whether a placement keeps its own number when mirror images count once.
    #[inline]
    pub(crate) fn is_kept(&self, code: Code) -> bool {
        self.kept[code as usize]
    }

    /// As in the paper, guards go by their general alone: of those with the general on the middle file, both
    /// images are kept.
    fn is_to_be_kept(&self, code: Code) -> bool {
        match self.makeup {
            Makeup::Attackers { .. } => code <= self.mirrored(code),
            Makeup::Guards { .. } => self.squares(code)[0].file() <= Square::FILES / 2,
        }
    }

    fn fold(&mut self) {
        self.kept = (0..self.len()).map(|code| self.is_to_be_kept(code)).collect();
        self.unfolded = (0..self.len()).filter(|code| self.is_kept(*code)).collect();
        for (number, &code) in self.unfolded.iter().enumerate() {
            let image = self.mirrored(code);
            if !self.is_kept(image) {
                self.folded[image as usize] = number as Code;
            }
            self.folded[code as usize] = number as Code;
        }
    }

    fn list_steps(&mut self) {
        if !matches!(self.makeup, Makeup::Guards { .. }) {
            return;
        }
        for code in 0..self.len() {
            self.first_step.push(self.steps.len() as u32);
            let squares: ArrayVec<Square, MOST> = self.squares(code).iter().copied().collect();
            for (member, &from) in squares.iter().enumerate() {
                let kind = self.kind(member);
                for to in attacks::of(kind, self.side, from, self.occupied(code)) - self.occupied(code) {
                    let mut after = squares.clone();
                    after[member] = to;
                    let code = self.guards_code(&after).expect("guards stay in their zones");
                    let eye = (kind == PieceKind::Elephant).then(|| middle(from, to));
                    self.steps.push(GuardStep { from, to, eye, code });
                }
            }
        }
        self.first_step.push(self.steps.len() as u32);
    }
}

/// How many placements there are, with mirror images counted once and twice, without listing them.
pub(crate) fn sizes(makeup: Makeup) -> (u64, u64) {
    match makeup {
        Makeup::Guards { .. } => {
            let group = Group::new(Side::Red, makeup);
            (group.folded_len().into(), group.len().into())
        }
        Makeup::Attackers { kind, count } => {
            let points = attacker_points(kind);
            let middle = (points & Bitboard::file(Square::FILES / 2)).len();
            let full = choose(points.len(), count);
            // A set is its own image if it is made of pairs of images and of points on the middle file.
            let pairs = (points.len() - middle) / 2;
            let own: u64 = (0..=count / 2).map(|k| choose(pairs, k) * choose(middle, count - 2 * k)).sum();
            ((full + own) / 2, full)
        }
    }
}

fn choose(n: u32, k: u8) -> u64 {
    CHOOSE[k as usize][n as usize].into()
}

fn middle(a: Square, b: Square) -> Square {
    Square::at((a.file() + b.file()) / 2, (a.rank() + b.rank()) / 2).expect("between points of the board")
}

fn set(squares: &[Square]) -> Bitboard {
    squares.iter().fold(Bitboard::EMPTY, |set, square| set | *square)
}

/// Where attackers of this kind may stand, as Red sees them.
fn attacker_points(kind: PieceKind) -> Bitboard {
    match kind {
        PieceKind::Soldier => zones::soldier_points(Side::Red),
        _ => Bitboard::ALL,
    }
}

/// The number of each point among those that Red's soldiers can reach.
const SOLDIER_NUMBERS: [Option<u8>; Square::COUNT] = {
    let points = zones::soldier_points(Side::Red).bits();
    let mut numbers = [None; Square::COUNT];
    let (mut square, mut number) = (0, 0);
    while square < Square::COUNT {
        if points >> square & 1 == 1 {
            numbers[square] = Some(number);
            number += 1;
        }
        square += 1;
    }
    numbers
};

/// The number of a point among those of a zone.
fn number_within(zone: Bitboard, square: Square) -> Option<u8> {
    let before = Bitboard::from_bits((1 << square.index()) - 1);
    zone.contains(square).then(|| (zone & before).len() as u8)
}

/// Binomial coefficients: `CHOOSE[k][n]` ways to choose k of n.
const CHOOSE: [[u32; 91]; MOST + 1] = {
    let mut table = [[0; 91]; MOST + 1];
    let mut n = 0;
    while n <= 90 {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MOST && n > 0 {
            table[k][n] = table[k][n - 1] + table[k - 1][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The rank of a subset, given by rising numbers, among all of its size: the combinatorial number
/// system.
#[inline]
fn subset_rank(numbers: &[u8]) -> u32 {
    numbers.iter().zip(1..).map(|(&number, k): (&u8, usize)| CHOOSE[k][number as usize]).sum()
}

/// All subsets of so many points, by rising rank, each with its points in order.
fn subsets(points: Bitboard, count: u8) -> Vec<ArrayVec<Square, MOST>> {
    if count == 0 {
        return vec![ArrayVec::new()];
    }
    let mut all = Vec::new();
    for highest in points {
        let below = points & Bitboard::from_bits((1 << highest.index()) - 1);
        for mut subset in subsets(below, count - 1) {
            subset.push(highest);
            all.push(subset);
        }
    }
    all
}

/// The rank of a general with its defenders among all placements, those with collisions included.
fn guards_rank(general: u32, advisors: u32, elephants: u32, count: u8, heavy: u8) -> u32 {
    (general * CHOOSE[count as usize][5] + advisors) * CHOOSE[heavy as usize][7] + elephants
}

fn guards_with_collisions(advisors: u8, elephants: u8) -> Vec<ArrayVec<Square, MOST>> {
    let advisors = subsets(zones::advisor_points(Side::Red), advisors);
    let elephants = subsets(zones::elephant_points(Side::Red), elephants);
    let mut all = Vec::new();
    for general in zones::palace(Side::Red) {
        for guards in &advisors {
            for heavy in &elephants {
                all.push([general].into_iter().chain(guards.clone()).chain(heavy.clone()).collect());
            }
        }
    }
    all
}

fn guards(advisors: u8, elephants: u8) -> Vec<ArrayVec<Square, MOST>> {
    let mut all = guards_with_collisions(advisors, elephants);
    all.retain(|placement| set(placement).len() as usize == placement.len());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(makeup: Makeup) -> (Code, Code) {
        let group = Group::new(Side::Red, makeup);
        (group.folded_len(), group.len())
    }

    #[test]
    fn groups_have_the_sizes_of_the_papers_first_table() {
        let attackers = |kind, count| sizes(Makeup::Attackers { kind, count });
        assert_eq!(attackers(PieceKind::Soldier, 3), (13219, 26235));
        assert_eq!(attackers(PieceKind::Chariot, 2), (2045, 4005));
        assert_eq!(attackers(PieceKind::Soldier, 2), (765, 1485));
        assert_eq!(attackers(PieceKind::Horse, 1), (50, 90));
        assert_eq!(attackers(PieceKind::Soldier, 1), (31, 55));
        assert_eq!(attackers(PieceKind::Cannon, 0), (1, 1));
        let guards = |advisors, elephants| sizes(Makeup::Guards { advisors, elephants });
        assert_eq!(guards(0, 2), (120, 183));
        assert_eq!(guards(0, 1), (41, 62));
        assert_eq!(guards(1, 2), (537, 810));
        assert_eq!(guards(0, 0), (6, 9));
        assert_eq!(guards(2, 2), (948, 1410));
        assert_eq!(guards(1, 0), (27, 40));
        assert_eq!(guards(2, 1), (326, 480));
        assert_eq!(guards(1, 1), (184, 275));
        assert_eq!(guards(2, 0), (48, 70));
    }

    #[test]
    fn codes_and_placements_belong_together() {
        for side in Side::ALL {
            for advisors in 0..=2 {
                let group = Group::new(side, Makeup::Guards { advisors, elephants: 2 });
                for code in 0..group.len() {
                    assert_eq!(group.guards_code(group.squares(code)), Some(code));
                    assert_eq!(group.mirrored(group.mirrored(code)), code);
                }
            }
            for (kind, count) in [(PieceKind::Soldier, 3), (PieceKind::Cannon, 2), (PieceKind::Horse, 1)] {
                let group = Group::new(side, Makeup::Attackers { kind, count });
                for code in 0..group.len() {
                    let squares = group.squares(code).iter().rev().copied();
                    assert_eq!(group.attackers_code(squares), Some(code));
                }
            }
        }
    }

    #[test]
    fn both_sides_number_alike() {
        let makeup = Makeup::Guards { advisors: 2, elephants: 1 };
        let (red, black) = (Group::new(Side::Red, makeup), Group::new(Side::Black, makeup));
        for code in 0..red.len() {
            let turned: Vec<Square> = red.squares(code).iter().map(|square| square.across()).collect();
            assert_eq!(black.squares(code), turned);
        }
    }
}
