//! The pieces of a PGN text.

use super::read::has_moves;

/// A piece of a PGN text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A tag: `[Event "…"]`. Escapes in the value are not resolved.
    Tag(&'a str, &'a str),
    /// A comment, without its braces or semicolon.
    Comment(&'a str),
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `$` and a number.
    Glyph(&'a str),
    /// Anything else between white space: a number, a move or a result.
    Word(&'a str),
    /// A comment or tag that has no end.
    Unclosed(&'static str),
}

/// Cuts a text into tokens and counts its lines.
#[derive(Clone)]
pub(super) struct Lexer<'a> {
    rest: &'a str,
    line: usize,
    /// The line on which the last token starts.
    token_line: usize,
    at_line_start: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1, token_line: 1, at_line_start: true }
    }

    /// The line on which the last token starts.
    pub(super) fn token_line(&self) -> usize {
        self.token_line
    }

    /// Skips white space and lines that start with `%`.
    fn skip_blank(&mut self) {
        while let Some(character) = self.rest.chars().next() {
            if character == '%' && self.at_line_start {
                self.take_until('\n');
            } else if character.is_whitespace() || is_separator(character) {
                self.advance(character.len_utf8());
            } else {
                break;
            }
        }
    }

    /// Advances by some bytes.
    fn advance(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.bytes().filter(|byte| *byte == b'\n').count();
        self.at_line_start = taken.ends_with('\n') || taken.is_empty() && self.at_line_start;
        self.rest = rest;
        taken
    }

    /// What stands before the next `end`, or before the end of the text.
    fn take_until(&mut self, end: char) -> &'a str {
        let bytes = self.rest.find(end).unwrap_or(self.rest.len());
        self.advance(bytes)
    }

    fn word(&mut self) -> Token<'a> {
        let ends = |character: char| {
            character.is_whitespace()
                || is_separator(character)
                || matches!(character, '{' | '}' | '(' | ')' | '（' | '[' | ']' | ';' | '$')
        };
        let bytes = self.rest.find(ends).unwrap_or(self.rest.len());
        Token::Word(self.advance(bytes))
    }

    /// A comment from one character to another.
    fn comment(&mut self, open: char, close: char) -> Token<'a> {
        self.advance(open.len_utf8());
        let text = self.take_until(close);
        if self.rest.is_empty() {
            return Token::Unclosed("comment");
        }
        self.advance(close.len_utf8());
        Token::Comment(text)
    }

    /// A variation; or a remark, if no move is in it.
    fn bracket(&mut self) -> Token<'a> {
        let inside = &self.rest[1..];
        let end = inside.find(['(', ')', '{', '[']).filter(|end| inside[*end..].starts_with(')'));
        let is_remark = |text: &str| text.contains(char::is_alphabetic) && !has_moves(text);
        if end.is_some_and(|end| is_remark(&inside[..end])) {
            return self.comment('(', ')');
        }
        self.advance(1);
        Token::Open
    }

    /// A tag ends at the bracket after its quoted value, or at the first bracket if there are no
    /// quotes. Values may hold brackets, but no tag goes past its line.
    fn tag(&mut self) -> Token<'a> {
        let line = self.rest.split('\n').next().unwrap_or_default();
        let Some(end) = end_of_tag(line) else {
            self.advance(line.len());
            return Token::Unclosed("tag");
        };
        let inside = &self.advance(end + 1)[1..end];
        let (name, value) = inside.trim().split_once(char::is_whitespace).unwrap_or((inside.trim(), ""));
        let value = value.trim();
        let value = value.strip_prefix('"').map_or(value, |value| value.strip_suffix('"').unwrap_or(value));
        Token::Tag(name, value)
    }
}

/// What stands between moves like a space.
pub(super) const fn is_separator(character: char) -> bool {
    matches!(character, ',' | '，' | '、' | '；' | '。' | '\u{feff}')
}

/// Where the bracket is that ends the tag at the start of a line.
fn end_of_tag(line: &str) -> Option<usize> {
    let Some(quote) = line.find('"').filter(|quote| !line[..*quote].contains(']')) else {
        return line.find(']');
    };
    let mut escaped = false;
    for (index, byte) in line.bytes().enumerate().skip(quote + 1) {
        match byte {
            b'\\' if !escaped => escaped = true,
            b'"' if !escaped => {
                let rest = &line[index + 1..];
                let blank = rest.len() - rest.trim_start().len();
                if rest[blank..].starts_with(']') {
                    return Some(index + 1 + blank);
                }
            }
            _ => escaped = false,
        }
    }
    line.rfind(']')
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.skip_blank();
        self.token_line = self.line;
        Some(match self.rest.chars().next()? {
            '[' => self.tag(),
            '{' => self.comment('{', '}'),
            '（' => self.comment('（', '）'),
            ';' => {
                self.advance(1);
                Token::Comment(self.take_until('\n'))
            }
            '(' => self.bracket(),
            ')' => {
                self.advance(1);
                Token::Close
            }
            '}' | ']' => Token::Word(self.advance(1)),
            '$' => {
                self.advance(1);
                let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
                Token::Glyph(self.advance(digits))
            }
            _ => self.word(),
        })
    }
}
