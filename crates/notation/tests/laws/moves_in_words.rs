//! Every legal move has a text of its own in every notation, and the text reads back.

use std::collections::HashSet;

use chuhe_board::{Move, Position, Side};
use chuhe_notation::chinese::{self, Script};
use chuhe_notation::{MoveTextError, wxf};
use proptest::prelude::*;

use crate::positions;

type Parse = fn(&str, &Position) -> Result<Move, MoveTextError>;

fn texts(position: &Position, mv: Move) -> [(String, Parse); 3] {
    [
        (wxf::write_move(position, mv).to_string(), wxf::parse_move),
        (chinese::write_move(position, mv, Script::Traditional).to_string(), chinese::parse_move),
        (chinese::write_move(position, mv, Script::Simplified).to_string(), chinese::parse_move),
    ]
}

fn check(position: &Position) -> Result<(), TestCaseError> {
    let moves = position.moves();
    let mut seen: [HashSet<String>; 3] = Default::default();
    for mv in moves {
        for ((text, parse), seen) in texts(position, mv).into_iter().zip(&mut seen) {
            prop_assert_eq!(text.chars().count(), 4);
            prop_assert_eq!(parse(&text, position), Ok(mv), "{} in {}", text, position);
            prop_assert!(seen.insert(text), "{} has a text that another move has in {}", mv, position);
        }
    }
    Ok(())
}

/// What playOK makes of a WXF text.
fn as_playok(text: &str, side: Side) -> String {
    let text = text.replace('=', ".");
    if side == Side::Black { text.to_lowercase() } else { text }
}

proptest! {
    #[test]
    fn moves_of_games_read_back(game in positions::game(120)) {
        let mut position = Position::start();
        check(&position)?;
        for mv in game {
            let text = as_playok(&wxf::write_move(&position, mv).to_string(), position.side_to_move());
            prop_assert_eq!(wxf::parse_move(&text, &position), Ok(mv));
            let _ = position.play(mv, &mut ());
            check(&position)?;
        }
    }

    #[test]
    fn nothing_typed_panics(text in "[CHRPKAEcp一二兵炮前後中1-9+=.-]{0,6}|\\PC{0,8}", position in positions::composed()) {
        for parse in [wxf::parse_move, chinese::parse_move] {
            if let Ok(mv) = parse(&text, &position) {
                prop_assert!(position.is_legal(mv));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn moves_of_composed_positions_read_back(position in positions::composed()) {
        check(&position)?;
    }
}
