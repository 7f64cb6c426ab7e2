//! Compression of tables. Deflate is in the program for records and pages anyway, and in pure Rust, so that browsers read the
//! same files.

use std::io::{self, Read};

use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};

pub(super) fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    DeflateEncoder::new(bytes, Compression::best()).read_to_end(&mut packed)?;
    Ok(packed)
}

/// Decompresses to at most `size` bytes.
pub(super) fn decompress(packed: &[u8], size: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(size);
    DeflateDecoder::new(packed).take(size as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > size {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok(bytes)
}

#[test]
fn no_more_is_decompressed_than_fits() {
    let bytes: Vec<u8> =
        (0..100_000u32).map(|number| (number.wrapping_mul(number) >> 9) as u8 & 15).collect();
    let packed = compress(&bytes).unwrap();
    assert_eq!(decompress(&packed, bytes.len()).unwrap(), bytes);
    assert!(decompress(&packed, bytes.len() - 1).is_err());
    assert!(decompress(&packed[..packed.len() / 2], bytes.len()).is_err());
}
