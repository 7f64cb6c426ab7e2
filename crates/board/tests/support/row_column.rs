//! Sliders by whole rows and columns, as NeuChess has them: a bit row for each of the ten ranks, a bit
//! column for each of the nine files, and tables by place and by everything that stands on the line,
//! takes and quiet moves apart. For the cannon these are 2 × 9 × 512 + 2 × 10 × 1024 = 29,696 entries.
//!
//! Legality is found out by trying. This is the peer that `make bench-perft` times beside our tables.

use chuhe_board::{Move, MoveList, Observer, Piece, PieceKind, Position, Side, Square, attacks};

/// Where a slider goes on one line without and with taking, one bit a point of the line.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    pub(crate) quiet: u16,
    pub(crate) takes: u16,
}

/// The tables of one kind of slider: by place on the line, then by which of its points are taken.
pub(crate) struct Tables {
    pub(crate) rows: [[Reach; 512]; 9],
    pub(crate) columns: [[Reach; 1024]; 10],
}

pub(crate) static CHARIOT: Tables = tables(0);
pub(crate) static CANNON: Tables = tables(1);

/// The tables of a piece that captures over this number of screens.
const fn tables(screens: u32) -> Tables {
    Tables { rows: line_tables::<9, 512>(screens), columns: line_tables::<10, 1024>(screens) }
}

const fn line_tables<const LENGTH: usize, const ROWS: usize>(screens: u32) -> [[Reach; ROWS]; LENGTH] {
    let mut table = [[Reach { quiet: 0, takes: 0 }; ROWS]; LENGTH];
    let mut place = 0;
    while place < LENGTH {
        let mut taken = 0;
        while taken < ROWS {
            let up = reach(LENGTH, place, taken, screens, true);
            let down = reach(LENGTH, place, taken, screens, false);
            table[place][taken] = Reach { quiet: up.quiet | down.quiet, takes: up.takes | down.takes };
            taken += 1;
        }
        place += 1;
    }
    table
}

const fn reach(length: usize, place: usize, taken: usize, screens: u32, up: bool) -> Reach {
    let mut reach = Reach { quiet: 0, takes: 0 };
    let mut passed = 0;
    let mut at = place;
    while if up { at + 1 < length } else { at > 0 } {
        at = if up { at + 1 } else { at - 1 };
        let is_taken = taken >> at & 1 == 1;
        if !is_taken && passed == 0 {
            reach.quiet |= 1 << at;
        }
        if is_taken && passed == screens {
            reach.takes |= 1 << at;
        }
        passed += is_taken as u32;
    }
    reach
}

/// The bit rows and bit columns of a position; they follow it as an observer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    rows: [u16; 10],
    columns: [u16; 9],
}

impl Lines {
    pub(crate) fn of(position: &Position) -> Self {
        let mut lines = Self { rows: [0; 10], columns: [0; 9] };
        for (piece, square) in position.pieces_on_board() {
            lines.placed(piece, square);
        }
        lines
    }

    /// Where a slider on `from` goes without and with taking.
    pub(crate) fn reach<'a>(
        &self,
        tables: &'a Tables,
        from: Square,
    ) -> (impl Iterator<Item = Square> + use<'a>, impl Iterator<Item = Square> + use<'a>) {
        let (file, rank) = (from.file(), from.rank());
        let row = tables.rows[usize::from(file)][usize::from(self.rows[usize::from(rank)])];
        let column = tables.columns[usize::from(rank)][usize::from(self.columns[usize::from(file)])];
        let on_row = move |file| Square::at(file, rank);
        let on_column = move |rank| Square::at(file, rank);
        (
            places(row.quiet).filter_map(on_row).chain(places(column.quiet).filter_map(on_column)),
            places(row.takes).filter_map(on_row).chain(places(column.takes).filter_map(on_column)),
        )
    }
}

impl Observer for Lines {
    fn placed(&mut self, _: Piece, at: Square) {
        self.rows[usize::from(at.rank())] |= 1 << at.file();
        self.columns[usize::from(at.file())] |= 1 << at.rank();
    }

    fn lifted(&mut self, _: Piece, from: Square) {
        self.rows[usize::from(from.rank())] &= !(1 << from.file());
        self.columns[usize::from(from.file())] &= !(1 << from.rank());
    }
}

/// The places of the bits that are set.
fn places(mut bits: u16) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let place = (bits != 0).then(|| bits.trailing_zeros() as u8)?;
        bits &= bits - 1;
        Some(place)
    })
}

/// The number of lines of `depth` plies, every move listed and tried.
pub(crate) fn perft(position: &mut Position, lines: &mut Lines, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let us = position.side_to_move();
    let mut total = 0;
    for mv in steps(position, lines) {
        let undo = position.play(mv, lines);
        if !general_hangs(position, lines, us) {
            total += perft(position, lines, depth - 1);
        }
        position.take_back(undo, lines);
    }
    total
}

/// All moves of the side to move, its general's safety left aside.
fn steps(position: &Position, lines: &Lines) -> MoveList {
    let us = position.side_to_move();
    let mut list = MoveList::new();
    for from in position.pieces(us) {
        let kind = position.piece_on(from).map(Piece::kind).expect("own pieces stand on their points");
        let tables = match kind {
            PieceKind::Chariot => &CHARIOT,
            PieceKind::Cannon => &CANNON,
            _ => {
                let targets = attacks::of(kind, us, from, position.occupied()) - position.pieces(us);
                list.extend(targets.into_iter().map(|to| Move::new(from, to)));
                continue;
            }
        };
        let (quiet, takes) = lines.reach(tables, from);
        list.extend(quiet.map(|to| Move::new(from, to)));
        let takes = takes.filter(|to| !position.pieces(us).contains(*to));
        list.extend(takes.map(|to| Move::new(from, to)));
    }
    list
}

/// Whether the other side could take `side`'s general.
fn general_hangs(position: &Position, lines: &Lines, side: Side) -> bool {
    let general = position.general(side);
    let is = |square: Square, kind| position.pieces_of(!side, kind).contains(square);
    let (_, mut first) = lines.reach(&CHARIOT, general);
    let (_, mut second) = lines.reach(&CANNON, general);
    let horses = attacks::horses_to(general, position.occupied());
    first.any(|square| {
        is(square, PieceKind::Chariot) || is(square, PieceKind::General) && square.file() == general.file()
    }) || second.any(|square| is(square, PieceKind::Cannon))
        || horses.meets(position.pieces_of(!side, PieceKind::Horse))
        || attacks::soldiers_to(!side, general).meets(position.pieces_of(!side, PieceKind::Soldier))
}
