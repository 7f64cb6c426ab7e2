//! Reading a move in coordinates never panics, and what was read is written in a form that reads back
//! the same.
#![no_main]

use chuhe_board::coords::{self, RankStyle};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for style in [RankStyle::FromZero, RankStyle::FromOne] {
        match coords::parse_move(text, style) {
            Ok(mv) => {
                let written = coords::write_move(mv, style).to_string();
                assert_eq!(coords::parse_move(&written, style), Ok(mv));
                let iccs = coords::write_iccs(mv).to_string();
                assert_eq!(coords::parse_move(&iccs, RankStyle::FromZero), Ok(mv));
            }
            Err(error) => assert!(error.to_string().len() < 400, "a message is short: {error}"),
        }
    }
    if let Ok(square) = coords::parse_square(text) {
        assert_eq!(coords::parse_square(&square.to_string()), Ok(square));
    }
});
