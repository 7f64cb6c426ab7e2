//! No bytes make the reader of endgame tables panic, and what it opens can be unpacked. The bytes are edits of a valid
//! table; its header gets the right checksum, so that the directory and the blocks' models are tried, too.
#![no_main]

use std::fs;
use std::sync::LazyLock;

use chuhe_fuzz::{ScratchFile, edited};
use chuhe_tablebase::{Folder, Kind, TableFile};
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

/// The header, its last eight bytes the checksum; and where it says how long the directory is.
const HEADER: usize = 96;
const DIRECTORY_LENGTH: usize = 64;

static FILE: LazyLock<ScratchFile> = LazyLock::new(|| ScratchFile::new("table"));
static VALID: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("chuhe-fuzz-{}-tables", std::process::id()));
    let (material, kind) = ("KP-K".parse().unwrap(), Kind::default());
    let tables = Folder::new(&folder);
    fs::create_dir_all(&folder).unwrap();
    tables.build(&material, kind, 1 << 30, &|_, _| {}).unwrap();
    let bytes = fs::read(tables.file(&material, kind)).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    bytes
});

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, edits)) = bytes.split_first() else { return };
    let mut file = edited(&VALID, edits);
    if choice % 8 != 0 {
        seal(&mut file);
    }
    if let Ok(table) = TableFile::open(FILE.holding(&file)) {
        let _ = table.load_whole();
    }
});

/// Puts the right checksum into the header.
fn seal(file: &mut [u8]) {
    if file.len() < HEADER {
        return;
    }
    let length = u64::from_le_bytes(*file[DIRECTORY_LENGTH..].first_chunk().expect("the header is longer"));
    let end = HEADER.saturating_add(usize::try_from(length).unwrap_or(usize::MAX)).min(file.len());
    let checksum = xxh3_64(&[&file[..HEADER - 8], &file[HEADER..end]].concat());
    file[HEADER - 8..HEADER].copy_from_slice(&checksum.to_le_bytes());
}
