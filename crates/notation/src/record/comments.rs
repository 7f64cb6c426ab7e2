//! The comments of a game in one string: a record may have a short comment on each of a million moves.

use std::collections::BTreeMap;

use super::NodeId;

/// Comments by node. Text beyond 4 GiB is dropped.
#[derive(Clone, Default)]
pub(super) struct Comments {
    places: BTreeMap<NodeId, Span>,
    text: String,
    /// The bytes of `text` in use.
    used: usize,
}

/// A part of the text.
#[derive(Clone, Copy, Default)]
struct Span {
    start: u32,
    length: u32,
}

impl Span {
    const fn end(self) -> usize {
        self.start as usize + self.length as usize
    }
}

/// Unused text up to this size is not compacted.
const SMALL: usize = 1 << 16;

impl Comments {
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub(super) fn at(&self, node: NodeId) -> &str {
        self.places.get(&node).map_or("", |span| &self.text[span.start as usize..span.end()])
    }

    /// Adds a line to the comment of a node.
    pub(super) fn add(&mut self, node: NodeId, line: &str) {
        let old = self.places.get(&node).copied();
        let length = old.map_or(0, |span| span.length as usize + 1) + line.len();
        let is_last = old.is_some_and(|span| span.end() == self.text.len());
        let start = match old {
            Some(span) if is_last => span.start as usize,
            _ => self.text.len(),
        };
        let (Ok(new_start), Ok(new_length)) = (u32::try_from(start), u32::try_from(length)) else { return };
        if let Some(span) = old {
            if !is_last {
                self.text.extend_from_within(span.start as usize..span.end());
            }
            self.text.push('\n');
        }
        self.text.push_str(line);
        self.used += length - old.map_or(0, |span| span.length as usize);
        self.places.insert(node, Span { start: new_start, length: new_length });
        if self.text.len() > 2 * self.used + SMALL {
            self.tidy();
        }
    }

    /// Drops the comment of a node; its text goes when the others are compacted.
    pub(super) fn remove(&mut self, node: NodeId) {
        if let Some(span) = self.places.remove(&node) {
            self.used -= span.length as usize;
        }
    }

    /// Compacts: drops unused text.
    fn tidy(&mut self) {
        let mut text = String::with_capacity(self.used);
        for span in self.places.values_mut() {
            let kept = &self.text[span.start as usize..span.end()];
            span.start = u32::try_from(text.len()).expect("the text only becomes shorter");
            text.push_str(kept);
        }
        self.text = text;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaced_comments_waste_little() {
        let mut comments = Comments::default();
        comments.add(NodeId(1), "kept");
        for round in 0..20_000 {
            comments.remove(NodeId(2));
            comments.add(NodeId(2), &format!("第{round}稿"));
            assert!(comments.text.len() <= 2 * comments.used + SMALL + 64);
        }
        assert_eq!((comments.at(NodeId(1)), comments.at(NodeId(2))), ("kept", "第19999稿"));
        comments.remove(NodeId(1));
        comments.remove(NodeId(2));
        assert!(comments.is_empty());
    }

    #[test]
    fn lines_add_up_in_any_order_and_waste_little() {
        let nodes = [NodeId(0), NodeId(1), NodeId(2)];
        let mut comments = Comments::default();
        assert_eq!(comments.at(nodes[0]), "");
        for round in 0..500 {
            for (number, node) in nodes.iter().enumerate() {
                comments.add(*node, &format!("{number} 第{round}行"));
            }
            assert!(comments.text.len() <= 2 * comments.used + SMALL);
        }
        for (number, node) in nodes.iter().enumerate() {
            let expected: Vec<String> = (0..500).map(|round| format!("{number} 第{round}行")).collect();
            assert_eq!(comments.at(*node), expected.join("\n"));
        }
    }
}
