//! In any game, playing keeps key and observers right and taking back restores everything.
#![no_main]

#[expect(dead_code, reason = "each target checks some of the laws")]
#[path = "../../crates/board/tests/support/laws.rs"]
mod laws;

use chuhe_board::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|choices: Vec<u8>| {
    let start = Position::start();
    let mut position = start.clone();
    let mut line = Vec::new();
    for choice in choices {
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        line.push(position.play(moves[usize::from(choice) % moves.len()], &mut ()));
        laws::moves_can_be_taken_back(&position);
        laws::observers_can_follow(&position);
    }
    while let Some(undo) = line.pop() {
        position.take_back(undo, &mut ());
    }
    assert_eq!(position, start);
});
