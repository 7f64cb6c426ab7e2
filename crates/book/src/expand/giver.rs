//! Hands out leaves and takes their scores back.

use chuhe_referee::Referee;

use super::{Expansion, Leaf, Scored};
use crate::Entries;

/// A growing book that hands out its leaves, a round at a time.
///
/// Whoever has a leaf scores it and gives it back, in any order. A leaf that never comes back, because its
/// machine was lost, is simply given again: the first score counts. When all scores of a round are there they
/// are taken in, and the next round begins; so the same scores give the same book, however many work on it.
///
/// ```
/// use chuhe_book::Entries;
/// use chuhe_book::expand::{Expansion, LeafGiver, Scored};
/// use chuhe_referee::Referee;
///
/// let mut giver = LeafGiver::new(Entries::new(), Expansion::default(), Referee::default());
/// let leaf = giver.give().unwrap();
/// assert!(leaf.path.is_empty(), "an empty book ends at the start position");
/// let scored = Scored { lines: vec![(leaf.game().position().moves()[0], 20)], ..Scored::default() };
/// let changed = giver.take(&leaf, scored).expect("the round is complete");
/// assert_eq!(changed.len(), 1);
/// assert_eq!(giver.give().unwrap().path.len(), 1);
/// ```
pub struct LeafGiver {
    entries: Entries,
    expansion: Expansion,
    referee: Referee,
    round: Vec<(Leaf, Option<Scored>)>,
    given: usize,
    given_again: usize,
}

impl LeafGiver {
    /// A book that grows from what is there.
    pub fn new(entries: Entries, expansion: Expansion, referee: Referee) -> Self {
        let mut giver = Self { entries, expansion, referee, round: Vec::new(), given: 0, given_again: 0 };
        giver.begin_round();
        giver
    }

    /// What the book holds.
    pub fn entries(&self) -> &Entries {
        &self.entries
    }

    /// What the book holds, at the end.
    pub fn into_entries(self) -> Entries {
        self.entries
    }

    /// Whether there are no leaves left.
    pub fn is_exhausted(&self) -> bool {
        self.round.is_empty()
    }

    /// A leaf that nobody has; nothing while all of the round are out.
    pub fn give(&mut self) -> Option<Leaf> {
        let (leaf, _) = self.round.get(self.given)?;
        self.given += 1;
        Some(leaf.clone())
    }

    /// A leaf that somebody has and has not given back, a different one each time.
    pub fn give_again(&mut self) -> Option<Leaf> {
        let out: Vec<&Leaf> = self.round[..self.given]
            .iter()
            .filter(|(_, scored)| scored.is_none())
            .map(|(leaf, _)| leaf)
            .collect();
        let leaf = (*out.get(self.given_again.checked_rem(out.len())?)?).clone();
        self.given_again += 1;
        Some(leaf)
    }

    /// Takes a leaf back with its scores; one that is not out any more is left aside. If it was the last of the
    /// round: the positions that are new or changed, to be saved.
    pub fn take(&mut self, leaf: &Leaf, scored: Scored) -> Option<Entries> {
        let (_, place) = self.round.iter_mut().find(|(known, scored)| known == leaf && scored.is_none())?;
        *place = Some(scored);
        self.round.iter().all(|(_, scored)| scored.is_some()).then(|| self.end_round())
    }

    fn end_round(&mut self) -> Entries {
        let mut changed = Vec::new();
        for (leaf, scored) in std::mem::take(&mut self.round) {
            changed.push(leaf.game().position().merged_key().0);
            self.expansion.take(&mut self.entries, &leaf, &scored.unwrap_or_default());
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

    fn giver(entries: Entries) -> LeafGiver {
        LeafGiver::new(entries, Expansion { round: 6, ..Expansion::default() }, Referee::default())
    }

    fn grown(giver: &mut LeafGiver, threads: usize, positions: usize) {
        let mut scorers = vec![Rule; threads];
        grow(giver, &mut scorers, |giver, _| match giver.entries().len() >= positions {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
    }

    #[test]
    fn threads_and_interruptions_do_not_change_the_book() {
        let mut whole = giver(Entries::new());
        grown(&mut whole, 1, 100);
        let mut parallel = giver(Entries::new());
        grown(&mut parallel, 3, 100);
        assert!(whole.entries().len() >= 100);
        assert_eq!(whole.entries(), parallel.entries());
        let mut half = giver(Entries::new());
        grown(&mut half, 2, 40);
        // A leaf that was out when the program was killed.
        let _ = half.give();
        let mut resumed = giver(half.into_entries());
        grown(&mut resumed, 2, 100);
        assert_eq!(whole.entries(), resumed.entries());
    }

    #[test]
    fn a_leaf_that_is_lost_is_given_again_and_the_first_score_counts() {
        let mut giver = giver(Entries::new());
        assert_eq!(giver.give_again(), None);
        let lost = giver.give().unwrap();
        assert_eq!(giver.give(), None);
        assert_eq!(giver.give_again(), Some(lost.clone()));
        let first = Rule.score(&lost.game());
        assert!(giver.take(&lost, first).is_some());
        let before = giver.entries().clone();
        assert_eq!(giver.take(&lost, Scored::default()), None, "it came back late");
        assert_eq!(giver.entries(), &before);
    }

    #[test]
    fn what_a_round_changed_is_all_that_must_be_saved() {
        let mut saved = Entries::new();
        let mut giver = giver(Entries::new());
        grow(&mut giver, &mut [Rule], |giver, changed| {
            saved.extend(changed);
            assert_eq!(&saved, giver.entries());
            if saved.len() >= 60 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    }
}
