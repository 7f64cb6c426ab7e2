//! The work queue of an expansion: leaves go out, scores come back.

use chuhe_referee::Referee;

use super::{Expansion, Leaf, Scored};
use crate::Entries;

/// A book under expansion and the queue of its leaves, one round at a time.
///
/// Workers pop leaves, score them and complete them in any order. A leaf whose worker is lost is retried; the first
/// score counts. When a round is complete its scores are backed up and the next round starts, so the same scores
/// give the same book for any number of workers.
///
/// ```
/// use chuhe_book::Entries;
/// use chuhe_book::expand::{Expansion, LeafQueue, Line, Scored};
/// use chuhe_referee::Referee;
///
/// let mut queue = LeafQueue::new(Entries::new(), Expansion::default(), Referee::default());
/// let leaf = queue.pop().unwrap();
/// assert!(leaf.path.is_empty(), "an empty book ends at the start position");
/// let scored = Scored { lines: vec![Line::new(leaf.game().position().moves()[0], 20)], ..Scored::default() };
/// let changed = queue.complete(&leaf, scored).expect("the round is complete");
/// assert_eq!(changed.len(), 1);
/// assert_eq!(queue.pop().unwrap().path.len(), 1);
/// ```
pub struct LeafQueue {
    entries: Entries,
    expansion: Expansion,
    referee: Referee,
    round: Vec<(Leaf, Option<Scored>)>,
    given: usize,
    given_again: usize,
}

impl LeafQueue {
    /// Starts the expansion of a book.
    pub fn new(entries: Entries, expansion: Expansion, referee: Referee) -> Self {
        let mut queue = Self { entries, expansion, referee, round: Vec::new(), given: 0, given_again: 0 };
        queue.begin_round();
        queue
    }

    /// The book.
    pub fn entries(&self) -> &Entries {
        &self.entries
    }

    /// The book at the end.
    pub fn into_entries(self) -> Entries {
        self.entries
    }

    /// Whether no leaf is left.
    pub fn is_exhausted(&self) -> bool {
        self.round.is_empty()
    }

    /// The next leaf to score; `None` while the rest of the round is out.
    pub fn pop(&mut self) -> Option<Leaf> {
        let (leaf, _) = self.round.get(self.given)?;
        self.given += 1;
        Some(leaf.clone())
    }

    /// A leaf that is out and not yet complete, a different one each time.
    pub fn retry(&mut self) -> Option<Leaf> {
        let out: Vec<&Leaf> = self.round[..self.given]
            .iter()
            .filter(|(_, scored)| scored.is_none())
            .map(|(leaf, _)| leaf)
            .collect();
        let leaf = (*out.get(self.given_again.checked_rem(out.len())?)?).clone();
        self.given_again += 1;
        Some(leaf)
    }

    /// Takes the scores of a leaf; those of a leaf that is not out are ignored. The last of a round returns the
    /// new and changed positions, to be saved.
    pub fn complete(&mut self, leaf: &Leaf, scored: Scored) -> Option<Entries> {
        let (_, place) = self.round.iter_mut().find(|(known, scored)| known == leaf && scored.is_none())?;
        *place = Some(scored);
        self.round.iter().all(|(_, scored)| scored.is_some()).then(|| self.end_round())
    }

    fn end_round(&mut self) -> Entries {
        let mut changed = Vec::new();
        for (leaf, scored) in std::mem::take(&mut self.round) {
            changed.extend(self.expansion.take(&mut self.entries, &leaf, &scored.unwrap_or_default()));
        }
        changed.extend(self.expansion.back_up(&mut self.entries, &self.referee));
        self.begin_round();
        changed.into_iter().filter_map(|key| Some((key, self.entries.get(&key)?.clone()))).collect()
    }

    fn begin_round(&mut self) {
        let leaves = self.expansion.leaves(&self.entries, self.expansion.round.max(1));
        self.round = leaves.into_iter().map(|leaf| (leaf, None)).collect();
        (self.given, self.given_again) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expand::tests::Rule;
    use crate::expand::{Scorer, grow};
    use std::ops::ControlFlow;

    fn queue(entries: Entries) -> LeafQueue {
        LeafQueue::new(entries, Expansion { round: 6, ..Expansion::default() }, Referee::default())
    }

    fn grown(queue: &mut LeafQueue, threads: usize, positions: usize) {
        let mut scorers = vec![Rule; threads];
        grow(queue, &mut scorers, |queue, _| match queue.entries().len() >= positions {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
    }

    #[test]
    fn threads_and_interruptions_do_not_change_the_book() {
        let mut whole = queue(Entries::new());
        grown(&mut whole, 1, 100);
        let mut parallel = queue(Entries::new());
        grown(&mut parallel, 3, 100);
        assert!(whole.entries().len() >= 100);
        assert_eq!(whole.entries(), parallel.entries());
        let mut half = queue(Entries::new());
        grown(&mut half, 2, 40);
        // A leaf that was out when the program was killed.
        let _ = half.pop();
        let mut resumed = queue(half.into_entries());
        grown(&mut resumed, 2, 100);
        assert_eq!(whole.entries(), resumed.entries());
    }

    #[test]
    fn a_lost_leaf_is_retried_and_the_first_score_counts() {
        let mut queue = queue(Entries::new());
        assert_eq!(queue.retry(), None);
        let lost = queue.pop().unwrap();
        assert_eq!(queue.pop(), None);
        assert_eq!(queue.retry(), Some(lost.clone()));
        let first = Rule.score(&lost.game());
        assert!(queue.complete(&lost, first).is_some());
        let before = queue.entries().clone();
        assert_eq!(queue.complete(&lost, Scored::default()), None, "it came back late");
        assert_eq!(queue.entries(), &before);
    }

    #[test]
    fn what_a_round_changed_is_all_that_must_be_saved() {
        let mut saved = Entries::new();
        let mut queue = queue(Entries::new());
        grow(&mut queue, &mut [Rule], |queue, changed| {
            saved.extend(changed);
            assert_eq!(&saved, queue.entries());
            if saved.len() >= 60 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    }
}
