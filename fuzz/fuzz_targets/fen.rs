//! Reading a FEN never panics, and what was read is written in a form that reads back the same.
#![no_main]

#[expect(dead_code, reason = "each target checks some of the laws")]
#[path = "../../crates/board/tests/support/laws.rs"]
mod laws;

use chuhe_board::fen;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(position) = fen::parse(text) else {
        assert!(fen::parse_strict(text).is_err());
        return;
    };
    assert_eq!(fen::parse_strict(text).is_ok(), position.implausibilities().is_empty());
    laws::fen_reads_back(&position);
    laws::moves_are_the_plain_ones(&position);
});
