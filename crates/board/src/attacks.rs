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

use crate::{Bitboard, PieceKind, Side, Square};

/// One point of each rank, in a set shifted so that the first of them is bit 0.
const EVERY_NINTH: u64 = 0x8040_2010_0804_0201;
/// The straight neighbours of a point in its [`window`].
const STRAIGHT_NEIGHBOURS: u64 = 1 << 1 | 1 << 9 | 1 << 11 | 1 << 19;
/// The diagonal neighbours of a point in its [`window`].
const DIAGONAL_NEIGHBOURS: u64 = 1 << 0 | 1 << 2 | 1 << 18 | 1 << 20;

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
    let eyes = gathering::gather::<DIAGONAL_NEIGHBOURS>(window(from, occupied));
    tables::ELEPHANT[from.index()][eyes]
}

/// Points a horse on `from` attacks when `occupied` holds every piece on the board.
#[inline]
pub fn horse(from: Square, occupied: Bitboard) -> Bitboard {
    let legs = gathering::gather::<STRAIGHT_NEIGHBOURS>(window(from, occupied));
    tables::HORSE[from.index()][legs]
}

/// Points from which a horse attacks `to`. Legs stand beside the horse, so this differs from
/// [`horse`].
#[inline]
pub fn horses_to(to: Square, occupied: Bitboard) -> Bitboard {
    let legs = gathering::gather::<DIAGONAL_NEIGHBOURS>(window(to, occupied));
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
    let (rank, file) = line_reaches(from, occupied);
    on_rank(from, rank.slide) | on_file(from, file.slide)
}

/// Points a cannon on `from` attacks: behind exactly one piece on each line, up to and including the
/// next. Its quiet moves are the empty points of [`chariot`].
#[inline]
pub fn cannon(from: Square, occupied: Bitboard) -> Bitboard {
    let (rank, file) = line_reaches(from, occupied);
    on_rank(from, rank.jump) | on_file(from, file.jump)
}

/// What a [`chariot`] and what a [`cannon`] on `from` attack, for the price of little more than one.
#[inline]
pub fn chariot_and_cannon(from: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
    let (rank, file) = line_reaches(from, occupied);
    (
        on_rank(from, rank.slide) | on_file(from, file.slide),
        on_rank(from, rank.jump) | on_file(from, file.jump),
    )
}

/// Points a soldier of `side` on `from` steps to.
#[inline]
pub fn soldier(side: Side, from: Square) -> Bitboard {
    tables::SOLDIER[side.index()][from.index()]
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

/// The reach along the rank and along the file of `from`.
#[inline]
fn line_reaches(from: Square, occupied: Bitboard) -> (tables::LineReach, tables::LineReach) {
    let (file, rank) = (from.file(), from.rank());
    let inner_files = (occupied.bits() >> (rank * Square::FILES + 1)) as usize & 0x7F;
    let inner_ranks = gathering::gather::<EVERY_NINTH>((occupied.bits() >> (Square::FILES + file)) as u64);
    (tables::RANK_REACH[file as usize][inner_files], tables::FILE_REACH[rank as usize][inner_ranks])
}

/// The points of `from`'s rank whose bits are set.
#[inline]
fn on_rank(from: Square, files: u16) -> Bitboard {
    Bitboard::from_board_bits(u128::from(files) << (from.rank() * Square::FILES))
}

/// The points of `from`'s file whose bits are set.
#[inline]
fn on_file(from: Square, ranks: u16) -> Bitboard {
    let ranks = u64::from(ranks);
    let low = gathering::spread_by_nines(ranks & 0xFF);
    let high = (ranks & 0x100) | (ranks & 0x200) << 8;
    Bitboard::from_board_bits((u128::from(high) << 64 | u128::from(low)) << from.file())
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
        }

        #[test]
        fn multiplying_gathers_what_pext_gathers(bits in any::<u64>(), byte in 0u64..256) {
            fn slowly(bits: u64, mask: u64) -> usize {
                let places = (0..64).filter(|place| mask >> place & 1 == 1);
                places.enumerate().map(|(rank, place)| (bits >> place & 1) << rank).sum::<u64>() as usize
            }
            use gather_portable as portable;
            macro_rules! check {
                ($mask:ident) => {
                    prop_assert_eq!(portable::gather::<$mask>(bits), slowly(bits, $mask));
                    prop_assert_eq!(gathering::gather::<$mask>(bits), slowly(bits, $mask));
                };
            }
            check!(EVERY_NINTH);
            check!(STRAIGHT_NEIGHBOURS);
            check!(DIAGONAL_NEIGHBOURS);
            prop_assert_eq!(slowly(portable::spread_by_nines(byte), EVERY_NINTH), byte as usize);
            prop_assert_eq!(gathering::spread_by_nines(byte), portable::spread_by_nines(byte));
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
