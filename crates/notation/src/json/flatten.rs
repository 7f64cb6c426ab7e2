//! Takes nested JSON apart into single objects, in one pass and without recursion.

use serde::Deserialize;

use crate::failure::Problem;

/// An object of the text in which every object inside it is replaced by a [`Reference`].
pub(super) struct Object {
    pub(super) text: String,
    /// The line on which it starts, from 1.
    pub(super) line: usize,
}

/// Stands for an object as `{"@":number}`. No other braces are left in a flat object, so no text can
/// forge one.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) enum Reference {
    #[serde(rename = "@")]
    To(usize),
}

/// A text and how far it was read.
pub(super) struct Source<'a> {
    rest: &'a str,
    /// From 1.
    pub(super) line: usize,
}

impl<'a> Source<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1 }
    }

    /// Skips brackets, commas and white space; the first other character.
    pub(super) fn find_value(&mut self) -> Option<char> {
        let skipped = self.rest.len()
            - self.rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | ',')).len();
        self.take(skipped);
        self.rest.chars().next()
    }

    /// The objects of the object that starts here, each behind those inside it: it is the last itself.
    pub(super) fn flatten(&mut self) -> Result<Vec<Object>, Problem> {
        let mut done = Vec::new();
        let mut open: Vec<Object> = Vec::new();
        loop {
            let Some(stop) = self.rest.find(['{', '}', '"']) else {
                self.take(self.rest.len());
                return Err(Problem::Truncated("a game"));
            };
            let before = self.take(stop);
            if let Some(object) = open.last_mut() {
                object.text += before;
            }
            match self.rest.as_bytes()[0] {
                b'{' => {
                    self.take(1);
                    open.push(Object { text: "{".to_owned(), line: self.line });
                }
                b'}' => {
                    self.take(1);
                    let mut object = open.pop().expect("the first character is an opening brace");
                    object.text.push('}');
                    if let Some(parent) = open.last_mut() {
                        parent.text += &format!("{{\"@\":{}}}", done.len());
                    }
                    done.push(object);
                    if open.is_empty() {
                        return Ok(done);
                    }
                }
                _ => {
                    let length = string_length(self.rest).ok_or(Problem::Unclosed("string"))?;
                    let string = self.take(length);
                    if let Some(object) = open.last_mut() {
                        object.text += string;
                    }
                }
            }
        }
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        self.line += taken.matches('\n').count();
        taken
    }
}

/// The length of the string at the start of a text, with its quotes.
fn string_length(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })?;
    Some(end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_inside_become_references() {
        let mut source = Source::new("[ {\"a\":[{\"b\":\"}\\\"{\"}],\n\"c\":{}} ]");
        assert_eq!(source.find_value(), Some('{'));
        let objects = source.flatten().unwrap();
        let texts: Vec<&str> = objects.iter().map(|object| object.text.as_str()).collect();
        assert_eq!(texts, ["{\"b\":\"}\\\"{\"}", "{}", "{\"a\":[{\"@\":0}],\n\"c\":{\"@\":1}}"]);
        assert_eq!(objects.iter().map(|object| object.line).collect::<Vec<_>>(), [1, 2, 1]);
        assert_eq!(source.find_value(), None);
    }

    #[test]
    fn only_a_reference_reads_as_one() {
        let read = serde_json::from_str::<Reference>;
        assert!(matches!(read("{\"@\":3}"), Ok(Reference::To(3))));
        for text in ["3", "[3]", "\"@\"", "[\"@\",3]"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
