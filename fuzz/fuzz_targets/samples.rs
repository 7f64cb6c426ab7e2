//! No bytes make the reader of self-play shards panic; what it reads is packed and read back the same. The first byte
//! chooses whether the rest is the whole file or the samples of a block with the right checksums.
#![no_main]

use std::sync::LazyLock;

use chuhe_fuzz::ScratchFile;
use chuhe_train::{Sample, shard};
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

static FILE: LazyLock<ScratchFile> = LazyLock::new(|| ScratchFile::new("shard"));

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let file = match choice % 4 {
        0 => bytes.to_vec(),
        1 => [&header(b'1'), bytes].concat(),
        2 => [&header(b'2'), bytes].concat(),
        _ => [&header(b'2')[..], &block(bytes)].concat(),
    };
    let Ok(samples) = shard::read(FILE.holding(&file)) else { return };
    for sample in samples.flatten() {
        let packed = sample.packed();
        assert_eq!(Sample::unpacked(&packed).expect("what is packed can be read").packed(), packed);
    }
});

fn header(version: u8) -> [u8; Sample::SIZE] {
    let mut bytes = [0; Sample::SIZE];
    bytes[..7].copy_from_slice(b"CHUHESP");
    bytes[7] = version;
    bytes
}

/// A block of samples with its header.
fn block(bytes: &[u8]) -> Vec<u8> {
    let samples = &bytes[..bytes.len() / Sample::SIZE * Sample::SIZE];
    let mut block = b"BLCK".to_vec();
    block.extend(((samples.len() / Sample::SIZE) as u32).to_le_bytes());
    block.extend(xxh3_64(samples).to_le_bytes());
    block.resize(24, 0);
    block.extend(xxh3_64(&block).to_le_bytes());
    block.extend(samples);
    block
}
