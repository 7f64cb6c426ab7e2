//! Placement groups (Fang): a general with its advisors and elephants, or all attackers of one kind of one side.
//!
//! A group numbers its placements without gaps; an [`Index`](super::Index) combines the numbers of all groups. Squares are
//! numbered from their owner's point of view, so exchanging the sides of a position exchanges codes and changes none.
//!
//! Attackers of a kind are a subset of their squares, numbered in the combinatorial number system. Guards (general,
//! advisors, elephants) share squares, so they are ranked as if they could collide, and a table maps the rank to a code.

use chuhe_board::{Bitboard, PieceKind, Position, Side, Square, attacks, zones};

use super::subset::{CHOOSE, MAX_PIECES, Placement, choose, number_within, subset_rank, subsets};

/// The number of a placement within its group.
pub(crate) type Code = u32;

/// A move of a general or defender on a board with its own group alone.
#[derive(Clone, Copy)]
pub(crate) struct GuardStep {
    pub(crate) from: Square,
    pub(crate) to: Square,
    /// The elephant's eye 象眼, which must be empty.
    pub(crate) eye: Option<Square>,
    /// The placement after the move.
    pub(crate) code: Code,
}

/// The pieces of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Composition {
    /// The general with its advisors and elephants.
    Guards { advisors: u8, elephants: u8 },
    /// Attackers of one kind; a count of 0 has one, empty placement.
    Attackers { kind: PieceKind, count: u8 },
}

/// All placements of one group.
pub(crate) struct Group {
    pub(crate) side: Side,
    pub(crate) composition: Composition,
    pieces: usize,
    /// The squares of each placement, [`Self::pieces`] for each: the general, advisors, elephants.
    squares: Vec<Square>,
    occupied: Vec<Bitboard>,
    mirrored: Vec<Code>,
    symmetry: Symmetry,
    /// For guards: the code of each rank, [`COLLISION`] where two pieces would share a square.
    code_of_rank: Vec<Code>,
    /// For guards: the steps of all placements, and where those of each placement start.
    steps: Vec<GuardStep>,
    first_step: Vec<u32>,
}

/// Left-right symmetry: the numbering that counts mirror images once.
#[derive(Default)]
struct Symmetry {
    /// Whether each placement represents itself.
    kept: Vec<bool>,
    /// The folded number of each placement.
    folded: Vec<Code>,
    /// The representative of each folded number.
    unfolded: Vec<Code>,
}

const COLLISION: Code = Code::MAX;

impl Group {
    pub(crate) fn new(side: Side, composition: Composition) -> Self {
        let placements = match composition {
            Composition::Guards { advisors, elephants } => guard_placements(advisors, elephants),
            Composition::Attackers { kind, count } => subsets(attacker_squares(kind), count),
        };
        let mut group = Self {
            side,
            composition,
            pieces: placements.first().map_or(0, Placement::len),
            squares: placements.iter().flatten().map(|square| square.seen_by(side)).collect(),
            occupied: Vec::new(),
            mirrored: Vec::new(),
            symmetry: Symmetry::default(),
            code_of_rank: code_of_rank(composition),
            steps: Vec::new(),
            first_step: Vec::new(),
        };
        let codes = 0..placements.len() as Code;
        group.occupied = codes.clone().map(|code| set(group.squares(code))).collect();
        group.mirrored = codes.clone().map(|code| group.mirror_image(code)).collect();
        group.symmetry = Symmetry::new(&group.mirrored, |code| group.represents_itself(code));
        if matches!(composition, Composition::Guards { .. }) {
            codes.for_each(|code| group.list_steps(code));
            group.first_step.push(group.steps.len() as u32);
        }
        group
    }

    /// The number of pieces.
    pub(crate) fn pieces(&self) -> usize {
        self.pieces
    }

    /// The number of placements.
    pub(crate) fn len(&self) -> Code {
        self.mirrored.len() as Code
    }

    /// The number of placements with mirror images counted once.
    pub(crate) fn folded_len(&self) -> Code {
        self.symmetry.unfolded.len() as Code
    }

    /// The squares of a placement: the general, then advisors, then elephants; or the attackers.
    #[inline]
    pub(crate) fn squares(&self, code: Code) -> &[Square] {
        let start = code as usize * self.pieces;
        &self.squares[start..start + self.pieces]
    }

    /// The squares of a placement as a bitboard.
    #[inline]
    pub(crate) fn occupied(&self, code: Code) -> Bitboard {
        self.occupied[code as usize]
    }

    /// The placement mirrored left to right.
    #[inline]
    pub(crate) fn mirrored(&self, code: Code) -> Code {
        self.mirrored[code as usize]
    }

    /// The number of the placement with mirror images counted once.
    #[inline]
    pub(crate) fn folded(&self, code: Code) -> Code {
        self.symmetry.folded[code as usize]
    }

    /// The placement that represents a folded number.
    #[inline]
    pub(crate) fn unfolded(&self, folded: Code) -> Code {
        self.symmetry.unfolded[folded as usize]
    }

    /// Whether a placement represents itself when mirror images count once.
    #[inline]
    pub(crate) fn is_kept(&self, code: Code) -> bool {
        self.symmetry.kept[code as usize]
    }

    /// The kind of a piece, by its place in [`Self::squares`].
    pub(crate) fn kind(&self, member: usize) -> PieceKind {
        match self.composition {
            Composition::Attackers { kind, .. } => kind,
            Composition::Guards { advisors, .. } => match member {
                0 => PieceKind::General,
                _ if member <= advisors as usize => PieceKind::Advisor,
                _ => PieceKind::Elephant,
            },
        }
    }

    /// The moves of a general and its defenders on a board without other pieces.
    #[inline]
    pub(crate) fn steps(&self, code: Code) -> &[GuardStep] {
        let code = code as usize;
        &self.steps[self.first_step[code] as usize..self.first_step[code + 1] as usize]
    }

    /// The placement after one attacker moves; `None` if it may not stand there.
    #[inline]
    pub(crate) fn moved(&self, code: Code, member: usize, to: Square) -> Option<Code> {
        if self.pieces == 1 {
            return self.attacker_number(to).map(Code::from);
        }
        let others = self.squares(code).iter().enumerate().filter(|(number, _)| *number != member);
        self.attackers_code(others.map(|(_, square)| *square).chain([to]))
    }

    /// The placement in `smaller`, a group with one piece less, after this member is captured. `smaller` may belong to
    /// the other side; the board is then turned around.
    pub(crate) fn removed(&self, code: Code, member: usize, smaller: &Self) -> Code {
        let turn = |square: Square| if smaller.side == self.side { square } else { square.across() };
        let members = self.squares(code).iter().enumerate();
        let rest = members.filter(|(number, _)| *number != member).map(|(_, square)| turn(*square));
        smaller.code_of(rest).expect("a placement without one piece is a placement of the smaller group")
    }

    /// The placement of the pieces of `side` in a position, if they have this composition. When `side` is not the
    /// group's own, the board is turned around.
    pub(crate) fn code_in(&self, position: &Position, side: Side) -> Option<Code> {
        let turn = |square: Square| if side == self.side { square } else { square.across() };
        let squares = |kind| position.pieces_of(side, kind).into_iter().map(turn);
        match self.composition {
            Composition::Attackers { kind, .. } => self.attackers_code(squares(kind)),
            Composition::Guards { .. } => {
                let kinds = [PieceKind::General, PieceKind::Advisor, PieceKind::Elephant];
                self.guards_code(&kinds.into_iter().flat_map(squares).collect::<Placement>())
            }
        }
    }

    /// The code of these squares; guards in the order of [`Self::squares`].
    fn code_of(&self, squares: impl Iterator<Item = Square>) -> Option<Code> {
        match self.composition {
            Composition::Attackers { .. } => self.attackers_code(squares),
            Composition::Guards { .. } => self.guards_code(&squares.collect::<Placement>()),
        }
    }

    /// The number of a square among those the attacker may stand on.
    #[inline]
    fn attacker_number(&self, square: Square) -> Option<u8> {
        let own = square.seen_by(self.side);
        match self.composition {
            Composition::Attackers { kind: PieceKind::Soldier, .. } => SOLDIER_NUMBERS[own.index()],
            _ => Some(own.index() as u8),
        }
    }

    #[inline]
    fn attackers_code(&self, squares: impl Iterator<Item = Square>) -> Option<Code> {
        let mut numbers = arrayvec::ArrayVec::<u8, MAX_PIECES>::new();
        for square in squares {
            numbers.push(self.attacker_number(square)?);
        }
        numbers.sort_unstable();
        Some(subset_rank(&numbers))
    }

    /// The code of guards in the order of [`Self::squares`]; those of one kind may come in any order.
    fn guards_code(&self, squares: &[Square]) -> Option<Code> {
        let Composition::Guards { advisors, elephants } = self.composition else { return None };
        let (general, defenders) = squares.split_first()?;
        let (advisor_squares, elephant_squares) = defenders.split_at_checked(advisors as usize)?;
        let rank_in = |zone: Bitboard, squares: &[Square]| {
            let mut numbers = arrayvec::ArrayVec::<u8, MAX_PIECES>::new();
            for square in squares {
                numbers.push(number_within(zone, square.seen_by(self.side))?);
            }
            numbers.sort_unstable();
            Some(subset_rank(&numbers))
        };
        let ranks = GuardRanks {
            general: rank_in(zones::palace(Side::Red), &[*general])?,
            advisors: rank_in(zones::advisor_points(Side::Red), advisor_squares)?,
            elephants: rank_in(zones::elephant_points(Side::Red), elephant_squares)?,
        };
        let rank = ranks.combined(advisors, elephants);
        self.code_of_rank.get(rank as usize).copied().filter(|code| *code != COLLISION)
    }

    fn mirror_image(&self, code: Code) -> Code {
        let image = self.squares(code).iter().map(|square| square.mirrored());
        self.code_of(image).expect("all zones are symmetric")
    }

    /// Whether a placement is the representative of its mirror pair. For guards the general's file decides (Fang):
    /// with the general on the middle file both images are kept.
    fn represents_itself(&self, code: Code) -> bool {
        match self.composition {
            Composition::Attackers { .. } => code <= self.mirrored(code),
            Composition::Guards { .. } => self.squares(code)[0].file() <= MIDDLE_FILE,
        }
    }

    fn list_steps(&mut self, code: Code) {
        self.first_step.push(self.steps.len() as u32);
        let squares: Placement = self.squares(code).iter().copied().collect();
        for (member, &from) in squares.iter().enumerate() {
            let kind = self.kind(member);
            for to in attacks::of(kind, self.side, from, self.occupied(code)) - self.occupied(code) {
                let mut after = squares.clone();
                after[member] = to;
                let code = self.guards_code(&after).expect("guards stay in their zones");
                let eye = (kind == PieceKind::Elephant).then(|| midpoint(from, to));
                self.steps.push(GuardStep { from, to, eye, code });
            }
        }
    }
}

impl Symmetry {
    fn new(mirrored: &[Code], is_kept: impl Fn(Code) -> bool) -> Self {
        let codes = 0..mirrored.len() as Code;
        let kept: Vec<bool> = codes.clone().map(is_kept).collect();
        let unfolded: Vec<Code> = codes.filter(|code| kept[*code as usize]).collect();
        let mut folded = vec![0; mirrored.len()];
        for (number, &code) in (0..).zip(&unfolded) {
            let image = mirrored[code as usize] as usize;
            if !kept[image] {
                folded[image] = number;
            }
            folded[code as usize] = number;
        }
        Self { kept, folded, unfolded }
    }
}

/// The number of placements, with mirror images counted once and twice, without listing those of attackers.
pub(crate) fn sizes(composition: Composition) -> (u64, u64) {
    match composition {
        Composition::Guards { .. } => {
            let group = Group::new(Side::Red, composition);
            (group.folded_len().into(), group.len().into())
        }
        Composition::Attackers { kind, count } => {
            let squares = attacker_squares(kind);
            let on_middle_file = (squares & Bitboard::file(MIDDLE_FILE)).len();
            let full = choose(squares.len(), count);
            // A symmetric placement consists of mirror pairs and squares on the middle file.
            let pairs = (squares.len() - on_middle_file) / 2;
            let symmetric: u64 =
                (0..=count / 2).map(|k| choose(pairs, k) * choose(on_middle_file, count - 2 * k)).sum();
            ((full + symmetric) / 2, full)
        }
    }
}

const MIDDLE_FILE: u8 = Square::FILES / 2;

fn midpoint(a: Square, b: Square) -> Square {
    Square::at((a.file() + b.file()) / 2, (a.rank() + b.rank()) / 2).expect("both squares are on the board")
}

fn set(squares: &[Square]) -> Bitboard {
    squares.iter().fold(Bitboard::EMPTY, |set, square| set | *square)
}

/// The squares of attackers of this kind, from Red's point of view.
fn attacker_squares(kind: PieceKind) -> Bitboard {
    match kind {
        PieceKind::Soldier => zones::soldier_points(Side::Red),
        _ => Bitboard::ALL,
    }
}

/// The number of each square among those that Red's soldiers can reach.
const SOLDIER_NUMBERS: [Option<u8>; Square::COUNT] = {
    let reachable = zones::soldier_points(Side::Red).bits();
    let mut numbers = [None; Square::COUNT];
    let (mut square, mut number) = (0, 0);
    while square < Square::COUNT {
        if reachable >> square & 1 == 1 {
            numbers[square] = Some(number);
            number += 1;
        }
        square += 1;
    }
    numbers
};

/// The rank of each part of a guard placement within its zone.
struct GuardRanks {
    general: u32,
    advisors: u32,
    elephants: u32,
}

impl GuardRanks {
    /// The rank among all placements, collisions included.
    fn combined(&self, advisors: u8, elephants: u8) -> u32 {
        let advisor_squares = zones::advisor_points(Side::Red).len() as usize;
        let elephant_squares = zones::elephant_points(Side::Red).len() as usize;
        (self.general * CHOOSE[advisors as usize][advisor_squares] + self.advisors)
            * CHOOSE[elephants as usize][elephant_squares]
            + self.elephants
    }
}

/// All guard placements by rising rank, collisions included.
fn ranked_guards(advisors: u8, elephants: u8) -> Vec<Placement> {
    let advisors = subsets(zones::advisor_points(Side::Red), advisors);
    let elephants = subsets(zones::elephant_points(Side::Red), elephants);
    let mut all = Vec::new();
    for general in zones::palace(Side::Red) {
        for advisors in &advisors {
            for elephants in &elephants {
                let defenders = advisors.iter().chain(elephants).copied();
                all.push([general].into_iter().chain(defenders).collect());
            }
        }
    }
    all
}

fn has_collision(placement: &Placement) -> bool {
    set(placement).len() as usize != placement.len()
}

fn guard_placements(advisors: u8, elephants: u8) -> Vec<Placement> {
    let mut all = ranked_guards(advisors, elephants);
    all.retain(|placement| !has_collision(placement));
    all
}

/// For guards: the code of each rank.
fn code_of_rank(composition: Composition) -> Vec<Code> {
    let Composition::Guards { advisors, elephants } = composition else { return Vec::new() };
    let mut next = 0;
    let code = |placement: &Placement| {
        if has_collision(placement) {
            return COLLISION;
        }
        next += 1;
        next - 1
    };
    ranked_guards(advisors, elephants).iter().map(code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(composition: Composition) -> (Code, Code) {
        let group = Group::new(Side::Red, composition);
        (group.folded_len(), group.len())
    }

    #[test]
    fn groups_have_the_sizes_of_fangs_first_table() {
        let attackers = |kind, count| sizes(Composition::Attackers { kind, count });
        assert_eq!(attackers(PieceKind::Soldier, 3), (13219, 26235));
        assert_eq!(attackers(PieceKind::Chariot, 2), (2045, 4005));
        assert_eq!(attackers(PieceKind::Soldier, 2), (765, 1485));
        assert_eq!(attackers(PieceKind::Horse, 1), (50, 90));
        assert_eq!(attackers(PieceKind::Soldier, 1), (31, 55));
        assert_eq!(attackers(PieceKind::Cannon, 0), (1, 1));
        let guards = |advisors, elephants| sizes(Composition::Guards { advisors, elephants });
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
                let group = Group::new(side, Composition::Guards { advisors, elephants: 2 });
                for code in 0..group.len() {
                    assert_eq!(group.guards_code(group.squares(code)), Some(code));
                    assert_eq!(group.mirrored(group.mirrored(code)), code);
                }
            }
            for (kind, count) in [(PieceKind::Soldier, 3), (PieceKind::Cannon, 2), (PieceKind::Horse, 1)] {
                let group = Group::new(side, Composition::Attackers { kind, count });
                for code in 0..group.len() {
                    let squares = group.squares(code).iter().rev().copied();
                    assert_eq!(group.attackers_code(squares), Some(code));
                }
            }
        }
    }

    #[test]
    fn both_sides_number_alike() {
        let composition = Composition::Guards { advisors: 2, elephants: 1 };
        let (red, black) = (Group::new(Side::Red, composition), Group::new(Side::Black, composition));
        for code in 0..red.len() {
            let turned: Vec<Square> = red.squares(code).iter().map(|square| square.across()).collect();
            assert_eq!(black.squares(code), turned);
        }
    }
}
