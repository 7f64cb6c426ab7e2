//! The game tree that every record format reads and writes: tags, a start position, moves with comments,
//! marks and variations.

mod builder;
mod comments;
mod cursor;
mod outcome;
mod tags;
mod walk;

pub(crate) use builder::Bookmark;
pub use builder::{BuildError, GameBuilder};
pub(crate) use cursor::Cursor;
pub use outcome::outcome_from_words;
pub use tags::Tags;
pub(crate) use tags::cleaned_name;
pub use walk::Step;

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use chuhe_board::{Move, Outcome, Position};
use serde::{Deserialize, Serialize};

use crate::failure::{Problem, RecordError};
use crate::words::shortened;
use comments::Comments;

/// A game record: tags, start position, tree of moves, result.
///
/// Moves form a tree. The first child of each node continues the line, the others are
/// variations; even the first move may have variations. Every move is legal, because only
/// [`GameBuilder`] adds any.
#[derive(Clone)]
pub struct Game {
    /// Tags, except result and start position.
    pub tags: Tags,
    /// How the game ended.
    pub outcome: Outcome,
    start: Position,
    nodes: Vec<Node>,
    comments: Comments,
    marks: BTreeMap<NodeId, Vec<Mark>>,
    faults: Vec<RecordError>,
}

/// A place in a game: the start position or the position after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

/// Records can have a million moves, so nodes are small; comments and marks are stored apart.
#[derive(Clone)]
struct Node {
    parent: NodeId,
    first_child: Option<NonZeroU32>,
    last_child: Option<NonZeroU32>,
    next_sibling: Option<NonZeroU32>,
    mv: Option<Move>,
    ply: u16,
}

const _: () = assert!(size_of::<Node>() == 20);

/// A judgement on a move, as its numeric annotation glyph (NAG) in PGN: 1 is `!`, 4 is `??`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Mark(pub u8);

impl Mark {
    /// The marks that have a sign of their own.
    const SIGNS: [(&'static str, Self); 6] =
        [("!", Self(1)), ("?", Self(2)), ("!!", Self(3)), ("??", Self(4)), ("!?", Self(5)), ("?!", Self(6))];

    /// The mark for `!`, `?`, `!!`, `??`, `!?` or `?!`.
    pub fn from_sign(sign: &str) -> Option<Self> {
        Self::SIGNS.iter().find(|(text, _)| *text == sign).map(|(_, mark)| *mark)
    }
}

/// Reads what [`Mark`] displays.
impl FromStr for Mark {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let number = || text.strip_prefix('$')?.parse().ok().map(Self);
        Self::from_sign(text).or_else(number).ok_or_else(|| Problem::Unreadable(shortened(text)))
    }
}

/// The sign of the mark if it has one, else its number: `?!` or `$18`.
impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Self::SIGNS.iter().find(|(_, mark)| mark == self) {
            Some((text, _)) => f.write_str(text),
            None => write!(f, "${}", self.0),
        }
    }
}

impl NodeId {
    /// The start position.
    pub const ROOT: Self = Self(0);

    const fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<NonZeroU32> for NodeId {
    fn from(number: NonZeroU32) -> Self {
        Self(number.get())
    }
}

impl Game {
    /// A game without moves.
    pub fn new(start: Position) -> Self {
        let root = Node {
            parent: NodeId::ROOT,
            first_child: None,
            last_child: None,
            next_sibling: None,
            mv: None,
            ply: 0,
        };
        Self {
            tags: Tags::default(),
            outcome: Outcome::Undecided,
            start,
            nodes: vec![root],
            comments: Comments::default(),
            marks: BTreeMap::new(),
            faults: Vec::new(),
        }
    }

    /// The position in which the game starts.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// What of its file could not be read: where lines were cut and why. They are no part of the game.
    pub fn faults(&self) -> &[RecordError] {
        &self.faults
    }

    /// The game if all of it could be read, else the first fault.
    pub(crate) fn strict(mut self) -> Result<Self, RecordError> {
        match self.faults.is_empty() {
            true => Ok(self),
            false => Err(self.faults.swap_remove(0)),
        }
    }

    /// The game unless nothing of it could be read: then it is something else.
    pub(crate) fn unless_noise(self) -> Result<Self, RecordError> {
        let is_noise = self.move_count() == 0 && self.tags.is_empty() && self.start == Position::start();
        if is_noise { self.strict() } else { Ok(self) }
    }

    /// How many moves the game has, those of variations included.
    pub fn move_count(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The move that leads to a node; `None` for the root.
    pub fn mv(&self, node: NodeId) -> Option<Move> {
        self.nodes[node.index()].mv
    }

    /// How many moves lead to a node.
    pub fn ply(&self, node: NodeId) -> usize {
        self.nodes[node.index()].ply.into()
    }

    /// The node before a node; the root's is the root.
    pub fn parent(&self, node: NodeId) -> NodeId {
        self.nodes[node.index()].parent
    }

    /// The node that continues the line.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].first_child.map(NodeId::from)
    }

    /// The next variation beside a node.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].next_sibling.map(NodeId::from)
    }

    /// The nodes after a node, that of the main line first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.first_child(node), |child| self.next_sibling(*child))
    }

    /// The nodes of the main line, without the root.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.first_child(NodeId::ROOT), |node| self.first_child(*node))
    }

    /// The moves of the main line.
    pub fn main_moves(&self) -> impl Iterator<Item = Move> {
        self.main_line().filter_map(|node| self.mv(node))
    }

    /// Whether any move has a variation.
    pub fn has_variations(&self) -> bool {
        self.nodes.iter().any(|node| node.next_sibling.is_some())
    }

    /// The comment on a move, or on the start position; may be empty.
    pub fn comment(&self, node: NodeId) -> &str {
        self.comments.at(node)
    }

    /// The marks of a move.
    pub fn marks(&self, node: NodeId) -> &[Mark] {
        self.marks.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Whether any node has a comment.
    pub fn has_comments(&self) -> bool {
        !self.comments.is_empty()
    }

    /// Whether any move has a mark.
    pub fn has_marks(&self) -> bool {
        !self.marks.is_empty()
    }

    /// Adds a comment to a node, on a line of its own. Surrounding white space and control characters are
    /// dropped.
    pub fn add_comment(&mut self, node: NodeId, text: &str) {
        let text = cleaned(text);
        if !text.is_empty() {
            self.comments.add(node, &text);
        }
    }

    /// Replaces the comment of a node.
    ///
    /// ```
    /// use chuhe_board::Position;
    /// use chuhe_notation::record::{Game, NodeId};
    ///
    /// let mut game = Game::new(Position::start());
    /// game.set_comment(NodeId::ROOT, "before the game");
    /// game.set_comment(NodeId::ROOT, "");
    /// assert!(!game.has_comments());
    /// ```
    pub fn set_comment(&mut self, node: NodeId, text: &str) {
        self.comments.remove(node);
        self.add_comment(node, text);
    }

    /// Replaces the marks of a move. The root takes none.
    pub fn set_marks(&mut self, node: NodeId, marks: &[Mark]) {
        self.marks.remove(&node);
        marks.iter().for_each(|mark| self.add_mark(node, *mark));
    }

    /// Marks a move. The root has none, so it takes no mark.
    pub fn add_mark(&mut self, node: NodeId, mark: Mark) {
        if node == NodeId::ROOT {
            return;
        }
        self.marks.entry(node).or_default().push(mark);
    }

    /// The position at a node.
    pub fn position_at(&self, node: NodeId) -> Position {
        let mut cursor = Cursor::at_root(&self.start);
        cursor.go_to(self, node);
        cursor.position().clone()
    }

    /// Makes a node and those that lead to it the first of their siblings, so that it is on the main line.
    ///
    /// ```
    /// use chuhe_board::Position;
    /// use chuhe_notation::record::{GameBuilder, NodeId};
    ///
    /// let mut builder = GameBuilder::new(Position::start());
    /// let lines = ["h2e2", "c3c4", "b0c2"].map(|mv| builder.add_node(NodeId::ROOT, mv, "", &[]).unwrap());
    /// let mut game = builder.finish();
    /// game.promote_to_main(lines[2]);
    /// assert!(game.children(NodeId::ROOT).eq([lines[2], lines[0], lines[1]]));
    /// ```
    pub fn promote_to_main(&mut self, node: NodeId) {
        let mut node = node;
        while node != NodeId::ROOT {
            let parent = self.parent(node);
            let others: Vec<NodeId> = self.children(parent).filter(|child| *child != node).collect();
            self.set_children(parent, &[&[node], others.as_slice()].concat());
            node = parent;
        }
    }

    /// Links the children of a node in an order.
    fn set_children(&mut self, parent: NodeId, children: &[NodeId]) {
        let number = |child: Option<&NodeId>| child.and_then(|child| NonZeroU32::new(child.0));
        for (place, child) in children.iter().enumerate() {
            self.nodes[child.index()].next_sibling = number(children.get(place + 1));
        }
        self.nodes[parent.index()].first_child = number(children.first());
        self.nodes[parent.index()].last_child = number(children.last());
    }

    /// Adds a legal move behind the other children of a node.
    fn add_move(&mut self, parent: NodeId, mv: Move) -> NodeId {
        let number = u32::try_from(self.nodes.len()).ok().and_then(NonZeroU32::new);
        let number = number.expect("records have fewer than 2^32 moves");
        let ply = self.nodes[parent.index()].ply + 1;
        let node =
            Node { parent, first_child: None, last_child: None, next_sibling: None, mv: Some(mv), ply };
        self.nodes.push(node);
        match self.nodes[parent.index()].last_child.replace(number) {
            Some(last) => self.nodes[NodeId::from(last).index()].next_sibling = Some(number),
            None => self.nodes[parent.index()].first_child = Some(number),
        }
        number.into()
    }
}

/// The text with plain line ends and without control characters or white space at its ends.
fn cleaned(text: &str) -> String {
    let plain: String = text
        .replace("\r\n", "\n")
        .chars()
        .map(|character| if character == '\r' { '\n' } else { character })
        .filter(|character| !character.is_control() || matches!(character, '\n' | '\t'))
        .collect();
    plain.trim().replace('\t', " ")
}

/// Whether two games are the same, in whatever order their moves were added.
impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        let step = |game: &Self, node| (game.mv(node), game.ply(node));
        self.tags == other.tags
            && self.outcome == other.outcome
            && self.start == other.start
            && self.nodes.len() == other.nodes.len()
            && self.preorder().zip(other.preorder()).all(|(one, another)| {
                step(self, one) == step(other, another)
                    && self.comment(one) == other.comment(another)
                    && self.marks(one) == other.marks(another)
            })
    }
}

impl Eq for Game {}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", crate::pgn::write(self, crate::pgn::MoveStyle::Coordinates).text)
    }
}
