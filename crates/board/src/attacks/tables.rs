//! The constant tables behind the attack look-ups, made by the compiler from steps on the board.

use crate::zones;
use crate::{Bitboard, PieceKind, Side, Square};

/// For each point the set a leaper reaches from it.
pub(super) type Leaps = [Bitboard; Square::COUNT];
/// For each point the set a hobbled leaper reaches, by which of the four points around it are taken.
pub(super) type HobbledLeaps = [[Bitboard; 16]; Square::COUNT];

/// The four points around a point that can hobble a piece, in the order of their indices: the order
/// in which `gather` numbers them.
const DIAGONALS: [(i8, i8); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
const STRAIGHTS: [(i8, i8); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];

pub(super) static GENERAL: Leaps = {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let from = point(index);
        table[index] = steps(from, &STRAIGHTS).and(home(from, PieceKind::General));
        index += 1;
    }
    table
};

pub(super) static ADVISOR: Leaps = {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let from = point(index);
        table[index] = steps(from, &DIAGONALS).and(home(from, PieceKind::Advisor));
        index += 1;
    }
    table
};

pub(super) static ELEPHANT: HobbledLeaps = {
    let mut table = [[Bitboard::EMPTY; 16]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let from = point(index);
        let mut blocked = 0;
        while blocked < 16 {
            let mut set = Bitboard::EMPTY;
            let mut eye = 0;
            while eye < 4 {
                if blocked >> eye & 1 == 0 {
                    let (files, ranks) = DIAGONALS[eye];
                    set = set.or(steps(from, &[(2 * files, 2 * ranks)]));
                }
                eye += 1;
            }
            table[index][blocked] = set.and(home(from, PieceKind::Elephant));
            blocked += 1;
        }
        index += 1;
    }
    table
};

/// Where a horse jumps to; the legs are the straight neighbours of where it stands.
pub(super) static HORSE: HobbledLeaps = {
    let mut table = [[Bitboard::EMPTY; 16]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let mut blocked = 0;
        while blocked < 16 {
            let mut leg = 0;
            while leg < 4 {
                if blocked >> leg & 1 == 0 {
                    let (files, ranks) = STRAIGHTS[leg];
                    let jumps = if files == 0 {
                        [(-1, 2 * ranks), (1, 2 * ranks)]
                    } else {
                        [(2 * files, -1), (2 * files, 1)]
                    };
                    table[index][blocked] = table[index][blocked].or(steps(point(index), &jumps));
                }
                leg += 1;
            }
            blocked += 1;
        }
        index += 1;
    }
    table
};

/// Where a horse jumps from; seen from its target, the legs are the diagonal neighbours.
pub(super) static HORSE_TO: HobbledLeaps = {
    let mut table = [[Bitboard::EMPTY; 16]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let mut blocked = 0;
        while blocked < 16 {
            let mut leg = 0;
            while leg < 4 {
                if blocked >> leg & 1 == 0 {
                    let (files, ranks) = DIAGONALS[leg];
                    let origins = [(files, 2 * ranks), (2 * files, ranks)];
                    table[index][blocked] = table[index][blocked].or(steps(point(index), &origins));
                }
                leg += 1;
            }
            blocked += 1;
        }
        index += 1;
    }
    table
};

/// By side, where a soldier steps to.
pub(super) static SOLDIER: [Leaps; 2] = [soldier(Side::Red), soldier(Side::Black)];

/// By side, where a soldier that attacks the point stands.
pub(super) static SOLDIER_TO: [Leaps; 2] = [reversed(&soldier(Side::Red)), reversed(&soldier(Side::Black))];

/// The points strictly between two points of one file or rank; empty for any other pair.
pub(super) static BETWEEN: [Leaps; Square::COUNT] = {
    let mut table = [[Bitboard::EMPTY; Square::COUNT]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let from = point(index);
        let mut direction = 0;
        while direction < 4 {
            let (files, ranks) = STRAIGHTS[direction];
            let mut passed = Bitboard::EMPTY;
            let mut here = from;
            while let Some(next) = here.offset(files, ranks) {
                table[index][next.index()] = passed;
                passed = passed.or(Bitboard::of(next));
                here = next;
            }
            direction += 1;
        }
        index += 1;
    }
    table
};

/// For each point the other points of its file and its rank.
pub(super) static CROSS: Leaps = {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let (file, rank) = (point(index).file(), point(index).rank());
        let lines = Bitboard::file(file).or(Bitboard::rank(rank));
        table[index] = lines.without(Bitboard::of(point(index)));
        index += 1;
    }
    table
};

/// What a chariot and a cannon reach along one line, one bit a point of the line.
#[derive(Clone, Copy)]
pub(super) struct LineReach {
    /// Up to and including the first piece on either side: a chariot's attacks.
    pub(super) slide: u16,
    /// The second piece on either side and the empty points before it: a cannon's attacks.
    pub(super) jump: u16,
}

/// By place on the rank (0–8) and by which of its seven inner points are taken.
pub(super) static RANK_REACH: [[LineReach; 128]; 9] = line_reaches::<9, 128>();
/// By place on the file (0–9) and by which of its eight inner points are taken.
pub(super) static FILE_REACH: [[LineReach; 256]; 10] = line_reaches::<10, 256>();

/// The tables for a line of `LENGTH` points, of which the end points do not matter: nothing lies
/// behind them that they could hide.
const fn line_reaches<const LENGTH: usize, const INNER: usize>() -> [[LineReach; INNER]; LENGTH] {
    let mut table = [[LineReach { slide: 0, jump: 0 }; INNER]; LENGTH];
    let mut place = 0;
    while place < LENGTH {
        let mut inner = 0;
        while inner < INNER {
            table[place][inner] = line_reach(LENGTH, place, (inner << 1) as u16);
            inner += 1;
        }
        place += 1;
    }
    table
}

const fn line_reach(length: usize, place: usize, occupied: u16) -> LineReach {
    let mut reach = LineReach { slide: 0, jump: 0 };
    let mut upwards = 0;
    while upwards < 2 {
        let mut screens = 0;
        let mut at = place;
        while screens < 2 && (if upwards == 1 { at + 1 < length } else { at > 0 }) {
            at = if upwards == 1 { at + 1 } else { at - 1 };
            match screens {
                0 => reach.slide |= 1 << at,
                _ => reach.jump |= 1 << at,
            }
            if occupied >> at & 1 == 1 {
                screens += 1;
            }
        }
        upwards += 1;
    }
    reach
}

const fn point(index: usize) -> Square {
    Square::from_index(index).expect("tables have 90 entries")
}

/// The points a step away that are on the board.
const fn steps(from: Square, offsets: &[(i8, i8)]) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut index = 0;
    while index < offsets.len() {
        if let Some(to) = from.offset(offsets[index].0, offsets[index].1) {
            set = set.or(Bitboard::of(to));
        }
        index += 1;
    }
    set
}

/// Where a guard may stand that stands on `from`: its own side's points, or nothing if no guard of
/// its kind stands there.
const fn home(from: Square, kind: PieceKind) -> Bitboard {
    let points = zones::allowed(from.bank(), kind);
    if points.contains(from) { points } else { Bitboard::EMPTY }
}

const fn soldier(side: Side) -> Leaps {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let forward = match side {
        Side::Red => 1,
        Side::Black => -1,
    };
    let mut index = 0;
    while index < Square::COUNT {
        let from = point(index);
        let crossed = zones::bank(side.opponent()).contains(from);
        table[index] = if crossed {
            steps(from, &[(0, forward), (-1, 0), (1, 0)])
        } else {
            steps(from, &[(0, forward)])
        };
        index += 1;
    }
    table
}

const fn reversed(leaps: &Leaps) -> Leaps {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut to = 0;
        while to < Square::COUNT {
            if leaps[from].contains(point(to)) {
                table[to] = table[to].or(Bitboard::of(point(from)));
            }
            to += 1;
        }
        from += 1;
    }
    table
}
