//! The laws of the board on random games and on random composed positions.

#[path = "support/composed.rs"]
mod composed;
#[path = "support/laws.rs"]
mod laws;

use chuhe_board::{PieceKind, Position, Side};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// The positions of a game of arbitrary moves.
fn game() -> impl Strategy<Value = Vec<Position>> {
    vec(any::<Index>(), 0..120).prop_map(|choices| {
        let mut position = Position::start();
        let mut game = vec![position.clone()];
        for choice in choices {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            let _ = position.play(*choice.get(&moves), &mut ());
            game.push(position.clone());
        }
        game
    })
}

fn composed_position() -> impl Strategy<Value = Position> {
    let side = prop_oneof![Just(Side::Red), Just(Side::Black)];
    (any::<(u8, u8)>(), vec(any::<(u8, u8)>(), 0..40), side)
        .prop_map(|(generals, choices, side)| composed::position(generals, &choices, side))
}

fn every_law_holds(position: &Position) {
    laws::moves_are_the_plain_ones(position);
    laws::moves_can_be_taken_back(position);
    laws::observers_can_follow(position);
    laws::mirrors_have_mirrored_moves(position);
    laws::fen_reads_back(position);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_laws_hold_all_through_random_games(game in game()) {
        for position in &game {
            every_law_holds(position);
        }
        laws::legality_of_any_move_is_the_plain_one(game.last().expect("a game has a start"));
    }

    #[test]
    fn a_whole_game_can_be_taken_back(choices in vec(any::<Index>(), 0..200)) {
        let start = Position::start();
        let mut position = start.clone();
        let mut line = Vec::new();
        for choice in choices {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            line.push(position.play(*choice.get(&moves), &mut ()));
        }
        while let Some(undo) = line.pop() {
            position.take_back(undo, &mut ());
        }
        prop_assert_eq!(position, start);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_laws_hold_in_composed_positions(position in composed_position()) {
        every_law_holds(&position);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_move_is_judged_rightly_in_composed_positions(position in composed_position()) {
        laws::legality_of_any_move_is_the_plain_one(&position);
    }
}

#[test]
fn counters_at_their_end_stay_there_and_come_back() {
    let fen = "3k5/9/9/9/9/9/9/9/9/4K4 b - - 65535 65535";
    let mut position: Position = fen.parse().unwrap();
    every_law_holds(&position);
    let _ = position.play(position.moves()[0], &mut ());
    assert_eq!((position.quiet_plies(), position.round()), (u16::MAX, u16::MAX));
    every_law_holds(&position);
}

#[test]
fn composed_positions_show_every_kind_of_pin() {
    use PieceKind::{Cannon, Chariot, General};
    let wanted = [(Chariot, 0), (Chariot, 1), (General, 1), (Cannon, 0), (Cannon, 1), (Cannon, 2)];
    let mut seen = wanted.map(|_| 0);
    let mut runner = TestRunner::deterministic();
    for _ in 0..500 {
        let position = composed_position().new_tree(&mut runner).expect("no case is refused").current();
        for (count, (kind, between)) in seen.iter_mut().zip(wanted) {
            *count += u32::from(composed::has_looker(&position, kind, between));
        }
    }
    assert!(seen.iter().all(|count| *count >= 10), "of {wanted:?} were seen {seen:?}");
}
