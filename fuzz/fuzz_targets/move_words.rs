//! Reading a move in words never panics, and what was read is legal and has a text that reads back.
#![no_main]

use chuhe_board::{Position, fen};
use chuhe_notation::chinese::{self, Script};
use chuhe_notation::wxf;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, Vec<u8>, &str)| {
    let (start, choices, text) = input;
    let mut position = fen::parse(start).unwrap_or_else(|_| Position::start());
    for choice in choices.into_iter().take(200) {
        let moves = position.moves();
        let Some(mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
        let _ = position.play(*mv, &mut ());
    }
    for parse in [wxf::parse_move, chinese::parse_move] {
        match parse(text, &position) {
            Ok(mv) => {
                assert!(position.is_legal(mv));
                assert_eq!(wxf::parse_move(&wxf::write_move(&position, mv).to_string(), &position), Ok(mv));
                let written = chinese::write_move(&position, mv, Script::Simplified).to_string();
                assert_eq!(chinese::parse_move(&written, &position), Ok(mv));
            }
            Err(error) => assert!(error.to_string().len() < 400, "a message is short: {error}"),
        }
    }
});
