//! What each piece attacks, by constant tables.
//!
//! Leapers look their points up by where they stand and by which of the four points that can hobble
//! them are taken. Chariots and cannons look up their rank and their file apart: a line has at most
//! eight inner points, so both tables together fit the first-level cache, where a table over both
//! lines at once would not.

mod tables;

#[cfg(target_feature = "bmi2")]
mod gather_pext;
#[cfg(any(test, not(target_feature = "bmi2")))]
mod gather_portable;

#[cfg(target_feature = "bmi2")]
use gather_pext as gathering;
#[cfg(not(target_feature = "bmi2"))]
use gather_portable as gathering;

use crate::{Bitboard, PieceKind, Side, Square, zones};

/// Points a general on `from` steps to.
#[inline]
pub fn general(from: Square) -> Bitboard {
    tables::GENERAL[from.index()]
}

/// Points an advisor on `from` steps to.
#[inline]
pub fn advisor(from: Square) -> Bitboard {
    tables::ADVISOR[from.index()]
}

/// Points an elephant on `from` attacks when `occupied` holds every piece on the board. The relation
/// is symmetric: an elephant on any of these points attacks `from`.
#[inline]
pub fn elephant(from: Square, occupied: Bitboard) -> Bitboard {
    let eyes = gathering::gather_diagonal_neighbours(window(from, occupied));
    tables::ELEPHANT[from.index()][eyes]
}

/// Points a horse on `from` attacks when `occupied` holds every piece on the board.
#[inline]
pub fn horse(from: Square, occupied: Bitboard) -> Bitboard {
    let legs = gathering::gather_straight_neighbours(window(from, occupied));
    tables::HORSE[from.index()][legs]
}

/// Points from which a horse attacks `to`. Legs stand beside the horse, so this differs from
/// [`horse`].
#[inline]
pub fn horses_to(to: Square, occupied: Bitboard) -> Bitboard {
    let legs = gathering::gather_diagonal_neighbours(window(to, occupied));
    tables::HORSE_TO[to.index()][legs]
}

/// Points from which a horse would attack `to` if no leg were blocked.
#[inline]
pub fn horses_to_unhobbled(to: Square) -> Bitboard {
    tables::HORSE_TO[to.index()][0]
}

/// The point that hobbles a horse on `from` on its jump to `to`: beside the horse, in the direction
/// of the longer part of the jump.
#[inline]
pub fn horse_leg(from: Square, to: Square) -> Square {
    let (file, rank) = (from.file(), from.rank());
    let leg = if from.rank().abs_diff(to.rank()) == 2 {
        Square::at(file, (rank + to.rank()) / 2)
    } else {
        Square::at((file + to.file()) / 2, rank)
    };
    leg.expect("the leg lies between two points of the board")
}

/// Points a chariot on `from` attacks: along the four lines up to and including the first piece.
#[inline]
pub fn chariot(from: Square, occupied: Bitboard) -> Bitboard {
    Lines::through(from, occupied).slide()
}

/// Points a cannon on `from` attacks: behind exactly one piece on each line, up to and including the
/// next. For where it goes see [`cannon_moves`].
#[inline]
pub fn cannon(from: Square, occupied: Bitboard) -> Bitboard {
    Lines::through(from, occupied).jump()
}

/// What a [`chariot`] and what a [`cannon`] on `from` attack, for the price of little more than one.
#[inline]
pub fn chariot_and_cannon(from: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
    let lines = Lines::through(from, occupied);
    (lines.slide(), lines.jump())
}

/// Points a cannon on `from` goes to: the empty ones it reaches as a chariot does, and the pieces it
/// takes over one screen, own ones included.
#[inline]
pub fn cannon_moves(from: Square, occupied: Bitboard) -> Bitboard {
    Lines::through(from, occupied).cannon_moves()
}

/// Points a soldier of `side` on `from` steps to.
#[inline]
pub fn soldier(side: Side, from: Square) -> Bitboard {
    tables::SOLDIER[side.index()][from.index()]
}

/// Where the soldiers of a set step to: ahead, to the left and to the right. Together the three sets
/// have a point for every step, so steps can be counted without looking at one soldier after another.
#[inline]
pub fn soldier_steps(side: Side, soldiers: Bitboard) -> [Bitboard; 3] {
    let crossed = soldiers & zones::bank(!side);
    let ahead = match side {
        Side::Red => soldiers.bits() << Square::FILES,
        Side::Black => soldiers.bits() >> Square::FILES,
    };
    let left = (crossed - Bitboard::file(0)).bits() >> 1;
    let right = (crossed - Bitboard::file(Square::FILES - 1)).bits() << 1;
    [Bitboard::from_bits(ahead), Bitboard::from_board_bits(left), Bitboard::from_board_bits(right)]
}

/// Points from which a soldier of `side` attacks `to`.
#[inline]
pub fn soldiers_to(side: Side, to: Square) -> Bitboard {
    tables::SOLDIER_TO[side.index()][to.index()]
}

/// Points that a piece of `side` and `kind` on `from` attacks: where it could take an enemy piece.
/// Facing generals are not counted here.
#[inline]
pub fn of(kind: PieceKind, side: Side, from: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::General => general(from),
        PieceKind::Advisor => advisor(from),
        PieceKind::Elephant => elephant(from, occupied),
        PieceKind::Horse => horse(from, occupied),
        PieceKind::Chariot => chariot(from, occupied),
        PieceKind::Cannon => cannon(from, occupied),
        PieceKind::Soldier => soldier(side, from),
    }
}

/// The other points of the file and of the rank of `square`.
#[inline]
pub fn cross(square: Square) -> Bitboard {
    tables::CROSS[square.index()]
}

/// The points strictly between two points of one file or rank; none for any other pair.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    tables::BETWEEN[a.index()][b.index()]
}

/// The points around `square`, itself on bit 10, the rank below it on bits 0–2 and the one above on
/// bits 18–20. Beyond the edge files lie points of other ranks; the tables do not look at them.
#[inline]
fn window(square: Square, occupied: Bitboard) -> u64 {
    (occupied.bits() << 10 >> square.index()) as u64
}

/// The two lines through a point: what stands on them and what is reached along them.
struct Lines {
    from: Square,
    pieces_on_rank: u16,
    pieces_on_file: u16,
    rank: tables::LineReach,
    file: tables::LineReach,
}

impl Lines {
    #[inline]
    fn through(from: Square, occupied: Bitboard) -> Self {
        let (file, rank) = (from.file(), from.rank());
        let pieces_on_rank = (occupied.bits() >> (rank * Square::FILES)) as u16 & 0x1FF;
        let pieces_on_file = gathering::gather_file(file, occupied);
        Self {
            from,
            pieces_on_rank,
            pieces_on_file,
            // Pieces on the end points hide nothing, so the tables do without them.
            rank: tables::RANK_REACH[file as usize][(pieces_on_rank >> 1) as usize & 0x7F],
            file: tables::FILE_REACH[rank as usize][(pieces_on_file >> 1) as usize & 0xFF],
        }
    }

    #[inline]
    fn slide(&self) -> Bitboard {
        self.points(self.rank.slide, self.file.slide)
    }

    #[inline]
    fn jump(&self) -> Bitboard {
        self.points(self.rank.jump, self.file.jump)
    }

    #[inline]
    fn cannon_moves(&self) -> Bitboard {
        self.points(
            self.rank.slide & !self.pieces_on_rank | self.rank.jump & self.pieces_on_rank,
            self.file.slide & !self.pieces_on_file | self.file.jump & self.pieces_on_file,
        )
    }

    /// The points of the rank and of the file whose bits are set.
    #[inline]
    fn points(&self, on_rank: u16, on_file: u16) -> Bitboard {
        let on_rank = u128::from(on_rank) << (self.from.rank() * Square::FILES);
        Bitboard::from_board_bits(on_rank) | gathering::spread_file(self.from.file(), on_file)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::coords::points;

    fn at(name: &str) -> Square {
        points(name).first().unwrap()
    }

    #[test]
    fn a_blocked_leg_takes_away_both_jumps_behind_it() {
        assert_eq!(horse(at("e4"), points("")), points("d6 f6 g5 g3 f2 d2 c3 c5"));
        assert_eq!(horse(at("e4"), points("e5")), points("g5 g3 f2 d2 c3 c5"));
        assert_eq!(horse(at("a0"), points("a1")), points("c1"));
    }

    #[test]
    fn a_blocked_eye_takes_away_one_elephant_move() {
        assert_eq!(elephant(at("e2"), points("")), points("c0 g0 c4 g4"));
        assert_eq!(elephant(at("e2"), points("f3")), points("c0 g0 c4"));
        assert_eq!(elephant(at("c4"), points("")), points("a2 e2"));
    }

    #[test]
    fn guards_do_not_leave_their_zones() {
        assert_eq!(general(at("e0")), points("d0 f0 e1"));
        assert_eq!(general(at("e9")), points("d9 f9 e8"));
        assert_eq!(general(at("e4")), points(""));
        assert_eq!(advisor(at("e8")), points("d7 f7 d9 f9"));
        assert_eq!(advisor(at("d0")), points("e1"));
    }

    #[test]
    fn a_cannon_attacks_behind_one_screen_only() {
        assert_eq!(cannon(at("e4"), points("e6 e8 b4")), points("e7 e8 a4"));
        assert_eq!(cannon(at("e4"), points("")), points(""));
        assert_eq!(cannon(at("e4"), points("e5 e6 e7")), points("e6"));
    }

    #[test]
    fn a_soldier_steps_sideways_only_after_the_river() {
        assert_eq!(soldier(Side::Red, at("e4")), points("e5"));
        assert_eq!(soldier(Side::Red, at("e5")), points("e6 d5 f5"));
        assert_eq!(soldier(Side::Black, at("a0")), points("b0"));
        assert_eq!(soldiers_to(Side::Red, at("e5")), points("e4 d5 f5"));
    }

    #[test]
    fn between_is_strict_and_only_along_lines() {
        assert_eq!(between(at("e0"), at("e3")), points("e1 e2"));
        assert_eq!(between(at("i9"), at("g9")), points("h9"));
        assert_eq!(between(at("a0"), at("b1")), points(""));
        assert_eq!(between(at("a0"), at("a1")), points(""));
    }

    /// Chariot and cannon attacks by walking from point to point.
    fn scan(from: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
        let (mut slide, mut jump) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (files, ranks) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let mut here = from;
            let mut screens = 0;
            while let Some(next) = here.offset(files, ranks) {
                match screens {
                    0 => slide |= next,
                    1 => jump |= next,
                    _ => break,
                }
                screens += u32::from(occupied.contains(next));
                here = next;
            }
        }
        (slide, jump)
    }

    fn square() -> impl Strategy<Value = Square> {
        (0..Square::COUNT).prop_map(|index| Square::from_index(index).unwrap())
    }

    fn sparse_set() -> impl Strategy<Value = Bitboard> {
        (any::<u128>(), any::<u128>()).prop_map(|(a, b)| Bitboard::from_bits(a & b))
    }

    proptest! {
        #[test]
        fn line_tables_agree_with_walking(from in square(), occupied in sparse_set()) {
            let (slide, jump) = scan(from, occupied);
            prop_assert_eq!(chariot(from, occupied), slide);
            prop_assert_eq!(cannon(from, occupied), jump);
            prop_assert_eq!(chariot_and_cannon(from, occupied), (slide, jump));
            prop_assert_eq!(cannon_moves(from, occupied), (slide - occupied) | (jump & occupied));
        }

        #[test]
        fn both_ways_of_gathering_agree_with_looking(occupied in sparse_set(), square in square()) {
            /// The numbers of the points, in their order, of which the set has one.
            fn slowly(set: Bitboard, points: impl Iterator<Item = Option<Square>>) -> u16 {
                let taken = points.map(|point| point.is_some_and(|point| set.contains(point)));
                taken.enumerate().map(|(number, taken)| u16::from(taken) << number).sum()
            }
            let file = square.file();
            let on_file = slowly(occupied, (0..Square::RANKS).map(|rank| Square::at(file, rank)));
            let spread = occupied & Bitboard::file(file);
            let diagonals = [(-1, -1), (1, -1), (-1, 1), (1, 1)].into_iter();
            let straights = [(0, -1), (-1, 0), (1, 0), (0, 1)].into_iter();
            let inner = points("b1 c1 d1 e1 f1 g1 h1 b8 e8 h8 b5 h5 e5");
            let eyes = slowly(occupied, diagonals.map(|(files, ranks)| square.offset(files, ranks)));
            let legs = slowly(occupied, straights.map(|(files, ranks)| square.offset(files, ranks)));
            macro_rules! check {
                ($way:ident) => {
                    prop_assert_eq!($way::gather_file(file, occupied), on_file);
                    prop_assert_eq!($way::spread_file(file, on_file), spread);
                    if inner.contains(square) {
                        let window = window(square, occupied);
                        prop_assert_eq!($way::gather_diagonal_neighbours(window), eyes as usize);
                        prop_assert_eq!($way::gather_straight_neighbours(window), legs as usize);
                    }
                };
            }
            check!(gather_portable);
            check!(gathering);
        }

        #[test]
        fn soldiers_step_together_as_they_step_alone(soldiers in sparse_set()) {
            for side in Side::ALL {
                let steps = soldier_steps(side, soldiers);
                for to in Square::all() {
                    let together = steps.iter().filter(|set| set.contains(to)).count();
                    let alone = soldiers.into_iter().filter(|from| soldier(side, *from).contains(to));
                    prop_assert_eq!(together, alone.count());
                }
            }
        }

        #[test]
        fn attacks_to_are_the_reverse_of_attacks_from(occupied in sparse_set()) {
            for from in Square::all() {
                for to in Square::all() {
                    prop_assert_eq!(
                        horse(from, occupied).contains(to),
                        horses_to(to, occupied).contains(from)
                    );
                    if horses_to_unhobbled(to).contains(from) {
                        let free = !occupied.contains(horse_leg(from, to));
                        prop_assert_eq!(horse(from, occupied).contains(to), free);
                    }
                    for side in Side::ALL {
                        prop_assert_eq!(
                            soldier(side, from).contains(to),
                            soldiers_to(side, to).contains(from)
                        );
                    }
                }
            }
        }
    }
}
