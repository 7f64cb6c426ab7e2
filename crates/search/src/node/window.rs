//! What a node is asked: the alpha-beta window, the depth, and where in the tree it stands.

use std::ops::Neg;

use chuhe_eval::Score;

use crate::report::Bound;

/// The alpha-beta window: a score at or below alpha fails low, one at or above beta fails high.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
}

impl Window {
    /// The full window.
    pub(crate) const FULL: Self = Self { alpha: Score::MIN, beta: Score::MAX };

    #[inline]
    pub(crate) const fn new(alpha: Score, beta: Score) -> Self {
        Self { alpha, beta }
    }

    /// The null window above a score: tests whether the truth is greater.
    #[inline]
    pub(crate) fn above(score: Score) -> Self {
        Self { alpha: score, beta: score + 1 }
    }

    /// The null window below a score: tests whether the truth is at least this.
    #[inline]
    pub(crate) fn below(score: Score) -> Self {
        Self { alpha: score - 1, beta: score }
    }

    /// How the result of a search with this window relates to the truth.
    #[inline]
    pub(crate) fn bound(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score <= self.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }
}

/// The same window as the opponent sees it.
impl Neg for Window {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// One node: what is asked and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) window: Window,
    /// Plies left to search.
    pub(crate) depth: i32,
    /// Plies from the root.
    pub(crate) ply: u16,
    /// A fail high is expected.
    pub(crate) cut_node: bool,
}

impl Node {
    /// The node after a move, with the window as this side sees it.
    #[inline]
    pub(crate) fn child(&self, window: Window, depth: i32, cut_node: bool) -> Self {
        Self { window: -window, depth, ply: self.ply + 1, cut_node }
    }
}
