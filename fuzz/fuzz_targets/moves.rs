//! In any position, the legal moves are those of the plain generator.
#![no_main]

#[expect(dead_code, reason = "each target checks some of the laws")]
#[path = "../../crates/board/tests/support/laws.rs"]
mod laws;

#[expect(dead_code, reason = "statistics are for the property tests")]
#[path = "../../crates/board/tests/support/composed.rs"]
mod composed;

use chuhe_board::Side;
use libfuzzer_sys::fuzz_target;

/// The points of the generals, whether Black is to move, and the other pieces.
type Composition = ((u8, u8), bool, Vec<(u8, u8)>);

fuzz_target!(|composition: Composition| {
    let (generals, black_to_move, pieces) = composition;
    let side = if black_to_move { Side::Black } else { Side::Red };
    let position = composed::position(generals, &pieces, side);
    laws::moves_are_the_plain_ones(&position);
    laws::mirrors_have_mirrored_moves(&position);
});
