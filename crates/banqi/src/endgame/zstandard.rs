//! Zstandard: the C library natively, a decoder in Rust in a browser, where nothing is written.

use std::io;
#[cfg(any(target_arch = "wasm32", test))]
use std::io::Read;

#[cfg(not(target_arch = "wasm32"))]
const LEVEL: i32 = 9;

#[cfg(not(target_arch = "wasm32"))]
pub(super) fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(bytes, LEVEL)
}

#[cfg(target_arch = "wasm32")]
pub(super) fn compress(_: &[u8]) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Decompresses a frame of at most `size` bytes.
pub(super) fn decompress(packed: &[u8], size: usize) -> io::Result<Vec<u8>> {
    #[cfg(not(target_arch = "wasm32"))]
    return zstd::bulk::decompress(packed, size);
    #[cfg(target_arch = "wasm32")]
    return decompress_in_rust(packed, size);
}

#[cfg(any(target_arch = "wasm32", test))]
fn decompress_in_rust(packed: &[u8], size: usize) -> io::Result<Vec<u8>> {
    let decoder = ruzstd::decoding::StreamingDecoder::new(packed).map_err(io::Error::other)?;
    let mut bytes = Vec::with_capacity(size);
    decoder.take(size as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > size {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok(bytes)
}

#[test]
fn both_decoders_agree() {
    let bytes: Vec<u8> =
        (0..100_000u32).map(|number| (number.wrapping_mul(number) >> 9) as u8 & 15).collect();
    let packed = compress(&bytes).unwrap();
    assert_eq!(decompress(&packed, bytes.len()).unwrap(), bytes);
    assert_eq!(decompress_in_rust(&packed, bytes.len()).unwrap(), bytes);
    assert!(decompress_in_rust(&packed, bytes.len() - 1).is_err());
    assert!(decompress_in_rust(&packed[..packed.len() / 2], bytes.len()).is_err());
}
