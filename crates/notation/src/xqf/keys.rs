//! The keys by which XQF shifts points, moves and comments from version 1.1 on. They hide nothing:
//! all that they are computed from stands in the header.

use std::borrow::Cow;

/// What is added to the parts of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keys {
    /// To the points of the pieces; also by how many places these are rotated.
    pub(super) pieces: u8,
    /// To the point where a move starts.
    pub(super) from: u8,
    /// To the point where a move ends.
    pub(super) to: u8,
    /// To the length of a comment.
    pub(super) comment: u32,
    /// To every byte behind the header, by its place in the file modulo 32.
    pub(super) stream: [u8; 32],
}

/// The text from which the stream of key bytes is cut.
const STREAM_TEXT: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

impl Keys {
    /// Nothing is shifted: version 1.0.
    pub(super) const NONE: Self = Self { pieces: 0, from: 0, to: 0, comment: 0, stream: [0; 32] };

    /// The keys that the bytes 3 to 15 of a header ask for.
    pub(super) fn of_header(header: &[u8]) -> Self {
        let mask = header[3];
        let [sum, pieces_byte, from_byte, to_byte] = [header[12], header[13], header[14], header[15]];
        let pieces = shift(pieces_byte).wrapping_mul(pieces_byte);
        let from = shift(from_byte).wrapping_mul(pieces);
        let to = shift(to_byte).wrapping_mul(from);
        let comment = (u32::from(sum) * 256 + u32::from(pieces_byte)) % 32000 + 767;
        let mut stream = *STREAM_TEXT;
        for (index, byte) in stream.iter_mut().enumerate() {
            *byte &= header[8 + index % 4] | header[12 + index % 4] & mask;
        }
        Self { pieces, from, to, comment, stream }
    }

    /// Adds the stream to bytes that stand at `place` in the file.
    pub(super) fn mask(&self, bytes: &mut [u8], place: usize) {
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = byte.wrapping_add(self.stream[(place + index) % 32]);
        }
    }

    /// Takes the stream away again.
    pub(super) fn unmasked<'a>(&self, bytes: &'a [u8], place: usize) -> Cow<'a, [u8]> {
        if *self == Self::NONE {
            return Cow::Borrowed(bytes);
        }
        let plain = |(index, byte): (usize, &u8)| byte.wrapping_sub(self.stream[(place + index) % 32]);
        bytes.iter().enumerate().map(plain).collect()
    }
}

/// The polynomial of the key scheme, modulo 256.
fn shift(byte: u8) -> u8 {
    byte.wrapping_mul(byte).wrapping_mul(54).wrapping_add(221)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header as XQStudio makes it, with the keys worked out by hand.
    #[test]
    fn keys_follow_from_the_header() {
        let mut header = [0; 16];
        header[3] = 0xFF;
        header[8..12].copy_from_slice(&[1, 2, 4, 8]);
        header[12..16].copy_from_slice(&[10, 3, 5, 7]);
        let keys = Keys::of_header(&header);
        // 54·3²+221 = 707, 707·3 = 2121, 2121 mod 256 = 73
        assert_eq!(keys.pieces, 73);
        // 54·5²+221 = 1571, 1571·73 = 114683, modulo 256 = 251
        assert_eq!(keys.from, 251);
        // 54·7²+221 = 2867, 2867·251 = 719617, modulo 256 = 1
        assert_eq!(keys.to, 1);
        assert_eq!(keys.comment, (10 * 256 + 3) + 767);
        assert_eq!(keys.stream[0], b'[' & (1 | 10));
        assert_eq!(keys.stream[31], b']' & (8 | 7));
    }
}
