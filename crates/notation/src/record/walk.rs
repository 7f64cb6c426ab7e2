//! Traversals of the game tree. None recurses, so no record is too deep.

use super::{Game, NodeId};

/// A step of [`Game::steps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The next move of the current line.
    Move(NodeId),
    /// A variation of the move before it starts.
    Open,
    /// The variation ends, and the interrupted line continues.
    Close,
}

/// What is left to do on a walk.
enum Task {
    Line(NodeId),
    Variation(NodeId),
    Open,
    Close,
}

impl Game {
    /// The tree as a person reads it: each move of the main line, then its variations, then the next
    /// move.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        let mut tasks: Vec<Task> = self.first_child(NodeId::ROOT).map(Task::Line).into_iter().collect();
        std::iter::from_fn(move || {
            let node = match tasks.pop()? {
                Task::Open => return Some(Step::Open),
                Task::Close => return Some(Step::Close),
                Task::Line(node) => {
                    tasks.extend(self.first_child(node).map(Task::Line));
                    let first = tasks.len();
                    for sibling in
                        std::iter::successors(self.next_sibling(node), |node| self.next_sibling(*node))
                    {
                        tasks.extend([Task::Open, Task::Variation(sibling), Task::Close]);
                    }
                    tasks[first..].reverse();
                    node
                }
                Task::Variation(node) => {
                    tasks.extend(self.first_child(node).map(Task::Line));
                    node
                }
            };
            Some(Step::Move(node))
        })
    }

    /// The root, then each node before its children and these in order.
    pub fn preorder(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(NodeId::ROOT), |node| self.after(*node))
    }

    fn after(&self, node: NodeId) -> Option<NodeId> {
        if let Some(child) = self.first_child(node) {
            return Some(child);
        }
        let mut at = node;
        while at != NodeId::ROOT {
            if let Some(sibling) = self.next_sibling(at) {
                return Some(sibling);
            }
            at = self.parent(at);
        }
        None
    }
}
