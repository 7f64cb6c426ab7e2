//! No text makes a Banqi reader panic: positions, moves, and the file of endgame tables with a right checksum. A position
//! that was read is written in a form that reads back the same.
#![no_main]

use chuhe_banqi::endgame::Endgames;
use chuhe_banqi::text::parse_move;
use chuhe_banqi::{Position, SquareStyle};
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8] = b"CHBANQI2";

fuzz_target!(|bytes: &[u8]| {
    let mut file = [MAGIC, bytes].concat();
    file.extend(xxh3_64(&file).to_le_bytes());
    let _ = Endgames::read(&mut file.as_slice());
    let text = String::from_utf8_lossy(bytes);
    if let Ok(position) = text.parse::<Position>() {
        let written = position.to_string();
        assert_eq!(written.parse::<Position>().map(|back| back.to_string()).ok(), Some(written));
    }
    for style in [SquareStyle::Wide, SquareStyle::Tall] {
        let _ = parse_move(&text, style);
    }
});
