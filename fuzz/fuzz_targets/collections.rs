//! No bytes make the reader of packed games panic, and what it reads becomes records; no damage makes a collection end
//! the program. The first byte chooses: packed games with the right checksums, any bytes as packed games, or edits of a
//! valid collection.
#![no_main]

use std::fs;
use std::sync::LazyLock;

use chuhe_board::Position;
use chuhe_collection::{Collection, PackedGames, Query};
use chuhe_fuzz::{ScratchFile, edited};
use chuhe_notation::record::GameBuilder;
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

static FILE: LazyLock<ScratchFile> = LazyLock::new(|| ScratchFile::new("db"));
static VALID: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let path = std::env::temp_dir().join(format!("chuhe-fuzz-{}-valid.db", std::process::id()));
    let _ = fs::remove_file(&path);
    let mut collection = Collection::open(&path).unwrap();
    let mut import = collection.import(true).unwrap();
    for first in Position::start().moves().into_iter().take(8) {
        let mut game = GameBuilder::new(Position::start());
        game.play(first).unwrap();
        game.set_tag("Red", "A");
        import.add(&game.finish()).unwrap();
    }
    import.finish().unwrap();
    drop(collection);
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    bytes
});

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    match choice % 4 {
        0 => ask(&edited(&VALID, bytes)),
        1 => read(bytes),
        _ => read(&sealed(bytes)),
    }
});

fn read(bytes: &[u8]) {
    if let Ok(list) = PackedGames::read(bytes) {
        (0..list.games.len()).for_each(|index| drop(list.record(index)));
    }
}

/// Asks a collection all kinds of questions.
fn ask(bytes: &[u8]) {
    let Ok(mut collection) = Collection::open_existing(FILE.holding(bytes)) else { return };
    let start = Position::start();
    let _ = (collection.len(), collection.game(1), collection.search(&Query::default(), 0, 5));
    let _ = (collection.moves_played(&start), collection.latest(&start, 3));
}

/// A list whose games get the right checksums: each begins with the number of its moves in one byte, and its result.
fn sealed(mut bytes: &[u8]) -> Vec<u8> {
    let mut list = b"CHUHEGL1\x01t".to_vec();
    while let [moves, result, rest @ ..] = bytes {
        let Some((moves, rest)) = rest.split_at_checked(2 * usize::from(*moves)) else { break };
        let mut game = ((moves.len() / 2) as u16).to_le_bytes().to_vec();
        game.push(*result);
        game.extend(moves);
        game.extend((xxh3_64(&game) as u32).to_le_bytes());
        list.extend(game);
        bytes = rest;
    }
    list
}
