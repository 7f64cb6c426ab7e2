//! No damage makes a store of a growing book end the program: it opens, or is refused. The bytes are edits of a valid store.
#![no_main]

use std::fs;
use std::panic;
use std::sync::LazyLock;

use chuhe_board::Position;
use chuhe_book::{BookMove, Entries, Store};
use chuhe_fuzz::{ScratchFile, edited};
use libfuzzer_sys::fuzz_target;

static FILE: LazyLock<ScratchFile> = LazyLock::new(|| ScratchFile::new("store"));
static VALID: LazyLock<Vec<u8>> = LazyLock::new(valid);

fn valid() -> Vec<u8> {
    // The database panics at some kinds of damage, and the store catches it; a hook that ends the program would not let it.
    panic::set_hook(Box::new(|_| {}));
    let path = std::env::temp_dir().join(format!("chuhe-fuzz-{}-valid.store", std::process::id()));
    let _ = fs::remove_file(&path);
    let mut entries = Entries::new();
    let mut position = Position::start();
    for _ in 0..20 {
        let moves: Vec<BookMove> = position.moves().into_iter().map(BookMove::new).collect();
        let (first, key) = (moves[0].mv, position.merged_key().0);
        entries.insert(key, moves);
        let _ = position.play(first, &mut ());
    }
    Store::open(&path).unwrap().replace(&entries).unwrap();
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    bytes
}

fuzz_target!(|bytes: &[u8]| {
    if let Ok(store) = Store::open(FILE.holding(&edited(&VALID, bytes))) {
        let _ = (store.len(), store.entries());
    }
});
