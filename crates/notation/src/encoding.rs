//! Which characters the bytes of a file mean: UTF-8, UTF-16, GBK or Big5, found from the bytes.

use std::borrow::Cow;

use encoding_rs::{BIG5, Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE};

/// Characters that records are full of, traditional and simplified. In a wrong encoding they hardly
/// turn up.
const FAMILIAR: &str = "紅红黑方先勝胜負负和棋局第輪轮中平進进退前後后一二三四五六七八九\
                        車车馬马炮兵卒士仕象相將将帥帅１２３４５６７８９的，。";

/// How many bytes decide on the encoding.
const SAMPLE: usize = 1 << 16;

/// The text of a file.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding.decode(bytes).0;
    }
    if let Some(encoding) = unmarked_utf_16(bytes) {
        return encoding.decode_without_bom_handling(bytes).0;
    }
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => likeliest(bytes).decode_without_bom_handling(bytes).0,
    }
}

/// UTF-16 without a mark of byte order: the line ends, digits and spaces of a record have a zero in every other byte.
fn unmarked_utf_16(bytes: &[u8]) -> Option<&'static Encoding> {
    let (pairs, _) = bytes[..bytes.len().min(SAMPLE)].as_chunks::<2>();
    let zeros = |place: usize| pairs.iter().filter(|pair| pair[place] == 0).count();
    let (first, second) = (zeros(0), zeros(1));
    // Text in any other encoding has no zeros; binary files have them anywhere.
    match pairs.len() / 10 {
        share if second > share && first * 20 < second => Some(UTF_16LE),
        share if first > share && second * 20 < first => Some(UTF_16BE),
        // Chinese without spaces has few zeros, but its characters are familiar.
        _ if first + second > 0 => {
            let found = likeliest_of(&[GB18030, BIG5, UTF_8, UTF_16LE, UTF_16BE], bytes);
            [UTF_16LE, UTF_16BE].contains(&found).then_some(found)
        }
        _ => None,
    }
}

/// The text of a field of GBK, or of its superset GB18030.
pub(crate) fn decode_gbk(bytes: &[u8]) -> Cow<'_, str> {
    GB18030.decode_without_bom_handling(bytes).0
}

/// The text in GB18030, which is GBK wherever that has the character, and whether every character
/// could be written. Those that could not stand there as numbers.
pub(crate) fn encode_gbk(text: &str) -> (Cow<'_, [u8]>, bool) {
    let (bytes, _, lost) = GB18030.encode(text);
    (bytes, !lost)
}

/// GBK, Big5, or a UTF-8 with damage.
fn likeliest(bytes: &[u8]) -> &'static Encoding {
    likeliest_of(&[GB18030, BIG5, UTF_8], bytes)
}

/// The encoding that makes more familiar characters and fewer impossible ones of the beginning of the file than the
/// others; the first of equals.
fn likeliest_of(encodings: &[&'static Encoding], bytes: &[u8]) -> &'static Encoding {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let score = |encoding: &'static Encoding| {
        let text = encoding.decode_without_bom_handling(sample).0;
        let worth = |character| match character {
            char::REPLACEMENT_CHARACTER => -20,
            character if FAMILIAR.contains(character) => 3,
            _ => 0,
        };
        text.chars().filter(|character| !character.is_ascii()).map(worth).sum::<i64>()
    };
    encodings.iter().copied().rev().max_by_key(|encoding| score(encoding)).unwrap_or(GB18030)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRADITIONAL: &str = "[Red \"許銀川\"]\n1. 炮二平五 馬8進7\n";
    const SIMPLIFIED: &str = "[Red \"许银川\"]\n1. 炮二平五 马８进７\n";

    #[test]
    fn encodings_are_found_from_the_bytes() {
        for (text, encoding) in [
            (TRADITIONAL, BIG5),
            (SIMPLIFIED, GB18030),
            (TRADITIONAL, GB18030),
            (TRADITIONAL, UTF_8),
            (SIMPLIFIED, UTF_8),
        ] {
            let (bytes, _, lost) = encoding.encode(text);
            assert!(!lost);
            assert_eq!(decode(&bytes), text, "{}", encoding.name());
        }
    }

    #[test]
    fn marks_of_byte_order_are_obeyed_and_dropped() {
        let utf_16: Vec<u8> = "\u{feff}炮二平五".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&utf_16), "炮二平五");
        assert_eq!(decode("\u{feff}C2=5".as_bytes()), "C2=5");
    }

    #[test]
    fn utf_16_needs_no_mark() {
        for text in [TRADITIONAL, SIMPLIFIED, "1-0\th2e2 h9g7\n", "1. 炮二平五马８进７马二进三车９平８\n"]
        {
            let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            assert_eq!((decode(&little).as_ref(), decode(&big).as_ref()), (text, text));
        }
    }

    #[test]
    fn damaged_text_is_still_text() {
        let mut bytes = TRADITIONAL.as_bytes().to_vec();
        bytes[8] = 0xFF;
        assert!(decode(&bytes).contains("炮二平五"));
    }
}
