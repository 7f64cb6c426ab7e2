//! The row-and-column tables that the benchmark times beside ours are what they are said to be.

#[path = "support/row_column.rs"]
mod row_column;

use chuhe_board::{Bitboard, Position, Square, attacks};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use row_column::{CANNON, CHARIOT, Lines, Reach, Tables};

#[test]
fn the_cannon_has_29696_entries() {
    let entries_each = size_of::<Reach>() / size_of::<u16>();
    let entries = |tables: &Tables| {
        let (rows, columns) = (tables.rows.as_flattened().len(), tables.columns.as_flattened().len());
        entries_each * (rows + columns)
    };
    assert_eq!(entries(&CANNON), 2 * 9 * 512 + 2 * 10 * 1024);
    assert_eq!(entries(&CANNON), 29_696);
    assert_eq!(entries(&CHARIOT), 29_696);
}

/// Figure 4-2 of the paper on NeuChess: a cannon on the sixth point of a row where the first, third and
/// eighth are taken.
#[test]
fn the_published_row_is_found() {
    let row =
        |points: &str| points.bytes().rev().fold(0, |bits, point| bits << 1 | usize::from(point == b'1'));
    let reach = CANNON.rows[5][row("101000010")];
    assert_eq!(usize::from(reach.quiet), row("000110100"));
    assert_eq!(usize::from(reach.takes), row("100000000"));
}

#[test]
fn counts_are_the_same() {
    let mut position = Position::start();
    let mut lines = Lines::of(&position);
    assert_eq!(row_column::perft(&mut position, &mut lines, 3), 79_666);
}

proptest! {
    #[test]
    fn both_tables_agree_all_through_random_games(choices in vec(any::<Index>(), 0..100)) {
        let mut position = Position::start();
        let mut lines = Lines::of(&position);
        for choice in choices {
            for from in Square::all() {
                let occupied = position.occupied();
                let (slide, jump) = attacks::chariot_and_cannon(from, occupied);
                let (quiet, takes) = lines.reach(&CHARIOT, from);
                prop_assert_eq!(quiet.collect::<Bitboard>(), slide - occupied);
                prop_assert_eq!(takes.collect::<Bitboard>(), slide & occupied);
                let (quiet, takes) = lines.reach(&CANNON, from);
                prop_assert_eq!(quiet.collect::<Bitboard>(), slide - occupied);
                prop_assert_eq!(takes.collect::<Bitboard>(), jump & occupied);
            }
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            let _ = position.play(*choice.get(&moves), &mut lines);
            prop_assert_eq!(&lines, &Lines::of(&position));
        }
    }
}
