//! The access token: how strong it must be, how it is compared and how it travels in URLs and cookies.

use std::fmt::Write;

/// Least number of characters, and of different ones among them.
const MIN_CHARACTERS: usize = 16;
const MIN_DIFFERENT: usize = 8;

/// Whether a token is too easy to guess.
pub(crate) fn is_weak(token: &str) -> bool {
    let mut different: Vec<char> = token.chars().collect();
    let characters = different.len();
    different.sort_unstable();
    different.dedup();
    characters < MIN_CHARACTERS || different.len() < MIN_DIFFERENT
}

/// A new token of 128 random bits.
///
/// # Panics
/// If the operating system has no random numbers.
pub(crate) fn generate() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system has random numbers");
    bytes.iter().fold(String::new(), |mut token, byte| {
        let _ = write!(token, "{byte:02x}");
        token
    })
}

/// Compares in a time that depends on the length of `given` only.
pub(crate) fn is_equal(given: &[u8], token: &str) -> bool {
    let token = token.as_bytes();
    let mut differences = given.len() ^ token.len();
    for (index, byte) in given.iter().enumerate() {
        let expected = token.get(index % token.len().max(1)).copied().unwrap_or_default();
        differences |= usize::from(std::hint::black_box(byte ^ expected));
    }
    std::hint::black_box(differences) == 0
}

/// Percent-encodes all but letters, digits and `-._~`.
pub(crate) fn encode(token: &str) -> String {
    token.bytes().fold(String::new(), |mut text, byte| {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => text.push(byte.into()),
            _ => drop(write!(text, "%{byte:02X}")),
        }
        text
    })
}

/// Decodes percent-encoded text; whatever is no escape stays as it is.
pub(crate) fn decode(text: &str) -> Vec<u8> {
    let mut rest = text.as_bytes();
    let mut bytes = Vec::with_capacity(rest.len());
    while let Some((&first, tail)) = rest.split_first() {
        let escaped = (first == b'%').then(|| tail.get(..2)).flatten().and_then(|digits| {
            let digit = |digit: u8| char::from(digit).to_digit(16);
            u8::try_from(digit(digits[0])? * 16 + digit(digits[1])?).ok()
        });
        bytes.push(escaped.unwrap_or(first));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_monotonous_tokens_are_weak() {
        for weak in ["", "a", "s3cret", "aaaaaaaaaaaaaaaaaaaa", "abcabcabcabcabcabc", "123456789012345"] {
            assert!(is_weak(weak), "{weak}");
        }
        assert!(!is_weak("correct horse battery"));
        let (one, other) = (generate(), generate());
        assert!(!is_weak(&one) && one.len() == 32);
        assert_ne!(one, other);
    }

    #[test]
    fn only_the_whole_token_is_equal() {
        assert!(is_equal(b"s3cret", "s3cret"));
        for given in ["", "s", "s3cre", "s3crets", "s3crets3cret", "S3cret", "s3creu"] {
            assert!(!is_equal(given.as_bytes(), "s3cret"), "{given}");
        }
        assert!(!is_equal(b"x", "") && is_equal(b"", ""));
    }

    #[test]
    fn any_characters_survive_urls_and_cookies() {
        for token in ["a&b=c;d e%+\"", "楚河漢界", "%", "%4", "plain-._~9", "\r\n"] {
            let encoded = encode(token);
            assert!(
                encoded.bytes().all(|byte| byte.is_ascii_graphic() && !b"&=; \"".contains(&byte)),
                "{encoded}"
            );
            assert_eq!(decode(&encoded), token.as_bytes());
        }
        assert_eq!(decode("100%"), b"100%");
        assert_eq!(decode("%zz%é"), "%zz%é".as_bytes());
    }
}
