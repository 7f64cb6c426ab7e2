//! No bytes make a reader of books panic, ours or other programs'. The first byte chooses the reader; books of ours get
//! the right checksum, which would otherwise refuse every input.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use chuhe_board::Position;
use chuhe_book::Book;
use chuhe_book::foreign::{Format, Keys, read};
use chuhe_fuzz::ScratchFile;
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

static FILE: LazyLock<ScratchFile> = LazyLock::new(|| ScratchFile::new("book"));

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let foreign = ["dat", "bin", "json"];
    match foreign.get(usize::from(choice % 6)) {
        Some(extension) => {
            let format =
                Format::of_path(Path::new(&format!("a.{extension}"))).expect("the extension is known");
            let _ = read(FILE.holding(bytes), format, &Keys::Own);
        }
        None => {
            if let Ok(book) = Book::open(FILE.holding(&sealed(b'1' + choice % 2, bytes))) {
                let _ = (book.moves(&Position::start()), book.entries());
            }
        }
    }
});

/// A book of a version: its first two bytes are the number of positions, and the checksum is right.
fn sealed(version: u8, bytes: &[u8]) -> Vec<u8> {
    let (count, body) = bytes.split_at(bytes.len().min(2));
    let mut file = [b"CHUHEBK", &[version][..], count].concat();
    file.resize(16, 0);
    file.extend(xxh3_64(body).to_le_bytes());
    file.resize(32, 0);
    file.extend(body);
    file
}
