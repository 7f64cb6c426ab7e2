//! A line as words, with the untouched rest at hand: option values and comments keep their spaces.

use chuhe_board::Move;
use chuhe_board::coords::{self, RankStyle};

/// The words of a line, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(crate) fn of(line: &'a str) -> Self {
        Self { rest: line.trim() }
    }

    /// What has not been read yet, without spaces at its ends.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    /// The next word, left unread.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.rest.split_whitespace().next()
    }

    /// The next word as a number; the word stays unread if it is none.
    pub(crate) fn number<N: std::str::FromStr>(&mut self) -> Option<N> {
        let number = self.peek()?.parse().ok()?;
        self.next();
        Some(number)
    }

    /// The next word as a move; the word stays unread if it is none.
    pub(crate) fn mv(&mut self, style: RankStyle) -> Option<Move> {
        let mv = coords::parse_move(self.peek()?, style).ok()?;
        self.next();
        Some(mv)
    }

    /// All moves up to the first word that is none.
    pub(crate) fn moves(&mut self, style: RankStyle) -> Vec<Move> {
        std::iter::from_fn(|| self.mv(style)).collect()
    }

    /// The text before the next word that is one of `ends`, which is left unread.
    pub(crate) fn until(&mut self, ends: &[&str]) -> &'a str {
        let text = self.rest;
        while self.peek().is_some_and(|word| !ends.iter().any(|end| word.eq_ignore_ascii_case(end))) {
            self.next();
        }
        text[..text.len() - self.rest.len()].trim_end()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.rest = self.rest[word.len()..].trim_start();
        Some(word)
    }
}

/// The moves as words.
pub(crate) fn join_moves(moves: &[Move], style: RankStyle) -> String {
    let words: Vec<String> = moves.iter().map(|mv| coords::write_move(*mv, style).to_string()).collect();
    words.join(" ")
}

/// The text on one line: what would break a line of the protocol becomes a space.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// The text, cut where an error message would drown in it.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        text.to_owned()
    } else {
        text.chars().take(LONGEST).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_keeps_its_spaces() {
        let mut words = Words::of("  setoption name  Log  File value a  b ");
        assert_eq!(words.next(), Some("setoption"));
        assert_eq!(words.next(), Some("name"));
        assert_eq!(words.until(&["value"]), "Log  File");
        assert_eq!(words.next(), Some("value"));
        assert_eq!(words.rest(), "a  b");
    }
}
