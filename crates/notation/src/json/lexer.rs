//! The tokens of JSON.

use std::borrow::Cow;

use crate::failure::Problem;
use crate::words::shortened;

/// A token of JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// One of `{}[]:,`.
    Sign(u8),
    /// A string without its quotes and escapes.
    Text(Cow<'a, str>),
    /// A number, `true`, `false` or `null`.
    Plain(&'a str),
}

/// A text and how far it was read. Copies are cheap, so that a part can be read twice.
#[derive(Clone)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1 }
    }

    /// The line of the last token, from 1.
    pub(super) const fn line(&self) -> usize {
        self.line
    }

    /// The next token; nothing at the end.
    pub(super) fn token(&mut self) -> Result<Option<Token<'a>>, Problem> {
        self.skip_space();
        let Some(first) = self.text.as_bytes().get(self.at) else { return Ok(None) };
        let token = match first {
            b'{' | b'}' | b'[' | b']' | b':' | b',' => {
                self.at += 1;
                Token::Sign(*first)
            }
            b'"' => {
                self.at += 1;
                Token::Text(self.string()?)
            }
            _ => Token::Plain(self.word()?),
        };
        Ok(Some(token))
    }

    fn skip_space(&mut self) {
        while let Some(byte) = self.text.as_bytes().get(self.at) {
            match byte {
                b'\n' => self.line += 1,
                b' ' | b'\t' | b'\r' => {}
                _ => return,
            }
            self.at += 1;
        }
    }

    fn word(&mut self) -> Result<&'a str, Problem> {
        let rest = &self.text[self.at..];
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let length = rest.bytes().take_while(|byte| is_part(*byte)).count();
        let word = &rest[..length];
        if !matches!(word, "true" | "false" | "null") && word.parse::<f64>().is_err() {
            return Err(Problem::Unreadable(shortened(rest.lines().next().unwrap_or_default())));
        }
        self.at += length;
        Ok(word)
    }

    /// The string whose opening quote was read.
    fn string(&mut self) -> Result<Cow<'a, str>, Problem> {
        let mut decoded = Cow::Borrowed("");
        loop {
            let rest = &self.text[self.at..];
            let stop = rest
                .find(|character: char| matches!(character, '"' | '\\') || character < ' ')
                .ok_or(Problem::Unclosed("string"))?;
            if decoded.is_empty() {
                decoded = Cow::Borrowed(&rest[..stop]);
            } else {
                decoded.to_mut().push_str(&rest[..stop]);
            }
            self.at += stop + 1;
            match rest.as_bytes()[stop] {
                b'"' => return Ok(decoded),
                b'\\' => {
                    let character = self.escaped()?;
                    decoded.to_mut().push(character);
                }
                _ => return Err(Problem::Misplaced("control character in a string")),
            }
        }
    }

    /// The character behind a backslash.
    fn escaped(&mut self) -> Result<char, Problem> {
        let letter = self.text[self.at..].chars().next().ok_or(Problem::Unclosed("string"))?;
        self.at += letter.len_utf8();
        Ok(match letter {
            '"' | '\\' | '/' => letter,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => self.unicode()?,
            _ => return Err(Problem::Unreadable(format!("\\{letter}"))),
        })
    }

    /// The character behind `\u`, which may be told in two halves.
    fn unicode(&mut self) -> Result<char, Problem> {
        let first = self.unit()?;
        let mut units = vec![first];
        if (0xD800..0xDC00).contains(&first) && self.text[self.at..].starts_with("\\u") {
            self.at += 2;
            units.push(self.unit()?);
        }
        let mut decoded = char::decode_utf16(units);
        match (decoded.next(), decoded.next()) {
            (Some(Ok(character)), None) => Ok(character),
            _ => Err(Problem::Unreadable(format!("\\u{first:04x}"))),
        }
    }

    fn unit(&mut self) -> Result<u16, Problem> {
        let digits = self.text.get(self.at..self.at + 4).ok_or(Problem::Unclosed("string"))?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Problem::Unreadable(format!("\\u{}", shortened(digits))));
        }
        self.at += 4;
        Ok(u16::from_str_radix(digits, 16).expect("four digits fit"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Result<Vec<Token<'_>>, Problem> {
        let mut lexer = Lexer::new(text);
        std::iter::from_fn(|| lexer.token().transpose()).collect()
    }

    #[test]
    fn escapes_are_undone() {
        let text = r#" "a\"\\\/\n\u4e2d\ud83d\ude00z" "#;
        assert_eq!(tokens(text), Ok(vec![Token::Text("a\"\\/\n中😀z".into())]));
        assert_eq!(tokens("[1.5e3,true]").unwrap().len(), 5);
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in [
            "\"a",
            "\"\\",
            "\"\\x\"",
            "\"\\ud800\"",
            "\"\\ud800\\u0041\"",
            "\"\\u12\"",
            "nul",
            "'a'",
            "\"\u{1}\"",
        ] {
            assert!(tokens(text).is_err(), "{text}");
        }
    }
}
