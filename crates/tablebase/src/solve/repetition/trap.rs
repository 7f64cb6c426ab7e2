//! Traps: sets of undecided entries in which one side can only lose or commit one and the same offence for ever.
//!
//! 1. The offender, to move, has only moves that lose or that count for the offence and stay in the set.
//! 2. The other side has an answer after which the move does count, and which stays in the set.
//! 3. The other side can force, again and again, a move that is part of no offence as grave (an attractor).
//!
//! The largest trap is the greatest fixed point: entries that break a condition are removed until none does.
//!
//! Two things spare most of the work. A new trap has, in reach of each of its entries, one that is newly bound or lost moves: without
//! it, the trap would have been found before. And which answers there are is known much sooner than what the rules make of them,
//! so the conditions are tried first as if every answer were one.

use std::mem;

use super::bound::{Bound, Bounds};
use super::lists::Lists;
use super::states::{EntryStates, after, before, map_numbers, position};
use crate::index::row::Entry;
use crate::index::row_moves::RowMoves;
use crate::marks::{Marks, Ranks};
use crate::repetition::{MoveRules, Tracks};

/// The entries of the offender in the largest trap for one offence that has entries newly bound or with fewer moves than before.
pub(crate) fn find(
    states: &dyn EntryStates,
    rules: &dyn MoveRules,
    bounds: &Bounds,
    track: Tracks,
) -> Vec<u64> {
    let candidates = Candidates::new(states, bounds, track);
    let mut offenders = candidates.near_new_ones(states);
    if !offenders.contains(&true) {
        return Vec::new();
    }
    let answers = candidates.answers(states, &offenders);
    candidates.remove_unanswered(&mut offenders, &answers);
    let (answers, harmless) = candidates.answers_that_count(states, rules, &offenders, &answers);
    loop {
        candidates.remove_unanswered(&mut offenders, &answers);
        let forced = candidates.attractor(&offenders, &answers, &harmless);
        if forced == offenders {
            let left = bounds.entries.iter().zip(offenders).filter(|(_, is_left)| *is_left);
            return left.map(|(bound, _)| bound.number).collect();
        }
        offenders = forced;
    }
}

/// The bound entries whose moves all count for one offence, numbered as they are in [`Bounds`], and the entries that these moves
/// lead to, their targets.
struct Candidates<'a> {
    bounds: &'a Bounds,
    track: Tracks,
    /// The targets, in increasing order, and the place of each.
    targets: Vec<u64>,
    ranks: Ranks,
    /// By target: the candidates with a move that leads there, once for every move.
    movers: Lists,
    /// By entry: the targets of a candidate.
    moves: Lists,
}

impl<'a> Candidates<'a> {
    fn new(states: &dyn EntryStates, bounds: &'a Bounds, track: Tracks) -> Self {
        let is_candidate = |bound: &&Bound| bound.tracks.contains(track);
        let edges = bounds.entries.iter().filter(is_candidate).flat_map(|bound| &bound.edges);
        let targets = Marks::none(states.index());
        edges.for_each(|edge| targets.insert(edge.to));
        let numbers: Vec<u64> = targets.numbers().collect();
        let ranks = Ranks::new(targets);
        let moves = Lists::new(bounds.entries.iter().map(|bound| {
            let edges = if is_candidate(&bound) { &bound.edges[..] } else { &[] };
            edges.iter().map(|edge| ranks.rank(edge.to).expect("edges of candidates lead to targets"))
        }));
        let movers = moves.reversed(numbers.len());
        Self { bounds, track, targets: numbers, ranks, movers, moves }
    }

    /// Which candidates are new, or lead to new ones by moves and answers of any kind.
    fn near_new_ones(&self, states: &dyn EntryStates) -> Vec<bool> {
        let entries = &self.bounds.entries;
        let mut near: Vec<bool> =
            entries.iter().map(|bound| bound.is_new && bound.tracks.contains(self.track)).collect();
        let mut seen = vec![false; self.targets.len()];
        let mut latest: Vec<usize> = (0..near.len()).filter(|candidate| near[*candidate]).collect();
        while !latest.is_empty() {
            latest.sort_unstable();
            let numbers: Vec<u64> = latest.iter().map(|candidate| entries[*candidate].number).collect();
            latest.clear();
            for number in before(states, !self.bounds.side, &numbers) {
                let Some(target) = self.ranks.rank(number).filter(|target| !seen[*target]) else { continue };
                seen[target] = true;
                for mover in self.movers.of(target) {
                    if !near[mover] {
                        near[mover] = true;
                        latest.push(mover);
                    }
                }
            }
        }
        near
    }

    /// By target: the answers of any kind that lead to these candidates. Only the targets of these are looked at.
    fn answers(&self, states: &dyn EntryStates, offenders: &[bool]) -> Lists {
        let wanted = self.targets_of(offenders);
        let numbers: Vec<u64> = wanted.iter().map(|target| self.targets[*target]).collect();
        let answers = map_numbers(states.index(), !self.bounds.side, &numbers, |entry, moves| {
            let mut answers = Vec::new();
            entry.each_quiet_move(moves, |quiet| {
                answers.extend(self.bounds.rank(quiet.number).filter(|candidate| offenders[*candidate]));
            });
            answers
        });
        self.by_target(&wanted, answers)
    }

    /// By target: those of the answers with which the offender's move counts, and those among them that are no offence as grave.
    fn answers_that_count(
        &self,
        states: &dyn EntryStates,
        rules: &dyn MoveRules,
        offenders: &[bool],
        answers: &Lists,
    ) -> (Lists, Lists) {
        let mut wanted = self.targets_of(offenders);
        wanted.retain(|target| answers.of(*target).any(|candidate| offenders[candidate]));
        let numbers: Vec<u64> = wanted.iter().map(|target| self.targets[*target]).collect();
        let judged = map_numbers(states.index(), !self.bounds.side, &numbers, |entry, moves| {
            self.judge(states, rules, offenders, entry, moves)
        });
        let (counting, harmless) = judged.into_iter().unzip();
        (self.by_target(&wanted, counting), self.by_target(&wanted, harmless))
    }

    /// The answers in one entry, as in [`answers_that_count`](Self::answers_that_count).
    fn judge(
        &self,
        states: &dyn EntryStates,
        rules: &dyn MoveRules,
        offenders: &[bool],
        entry: &Entry<'_>,
        moves: &RowMoves,
    ) -> (Vec<usize>, Vec<usize>) {
        let before = position(states, moves.side, entry.number);
        let (mut counting, mut harmless) = (Vec::new(), Vec::new());
        entry.each_quiet_move(moves, |quiet| {
            let to = self.bounds.rank(quiet.number).filter(|candidate| offenders[*candidate]);
            let Some(to) = to else { return };
            let answer = entry.on_board(&quiet);
            let answered = after(&before, answer);
            if !rules.met(&before, answer, &answered).contains(self.track) {
                return;
            }
            counting.push(to);
            let deed = rules.deed(&before, answer, &answered);
            // Nothing is as grave as perpetual check.
            let is_harmless = if self.track == Tracks::CHECK { !deed.checks } else { deed.is_idle() };
            if is_harmless {
                harmless.push(to);
            }
        });
        (counting, harmless)
    }

    /// The targets of these candidates.
    fn targets_of(&self, offenders: &[bool]) -> Vec<usize> {
        let is_wanted = |target: &usize| self.movers.of(*target).any(|mover| offenders[mover]);
        (0..self.targets.len()).filter(is_wanted).collect()
    }

    /// Lists by target, from those of some targets in increasing order.
    fn by_target(&self, targets: &[usize], lists: Vec<Vec<usize>>) -> Lists {
        let mut lists = targets.iter().zip(lists).peekable();
        Lists::new((0..self.targets.len()).map(|target| {
            lists.next_if(|(next, _)| **next == target).map_or_else(Vec::new, |(_, list)| list)
        }))
    }

    /// Removes offenders with a move to which no answer leads back to one of them, until there is none.
    fn remove_unanswered(&self, offenders: &mut [bool], answers: &Lists) {
        let answered_from = answers.reversed(offenders.len());
        let count = |target| answers.of(target).filter(|candidate| offenders[*candidate]).count();
        let mut left: Vec<usize> = (0..self.targets.len()).map(count).collect();
        let mut unanswered: Vec<usize> = (0..left.len()).filter(|target| left[*target] == 0).collect();
        while let Some(target) = unanswered.pop() {
            for mover in self.movers.of(target) {
                if !mem::take(&mut offenders[mover]) {
                    continue;
                }
                for target in answered_from.of(mover) {
                    left[target] -= 1;
                    if left[target] == 0 {
                        unanswered.push(target);
                    }
                }
            }
        }
    }

    /// The offenders from which the other side can force a harmless move of its own.
    fn attractor(&self, offenders: &[bool], answers: &Lists, harmless: &Lists) -> Vec<bool> {
        let answered_from = answers.reversed(offenders.len());
        let mut forced = vec![false; offenders.len()];
        let mut left: Vec<usize> = (0..offenders.len()).map(|mover| self.moves.of(mover).len()).collect();
        let has_harmless = |target: usize| harmless.of(target).any(|candidate| offenders[candidate]);
        let mut reached: Vec<bool> = (0..self.targets.len()).map(has_harmless).collect();
        let mut latest: Vec<usize> = (0..reached.len()).filter(|target| reached[*target]).collect();
        while let Some(target) = latest.pop() {
            for mover in self.movers.of(target) {
                left[mover] -= 1;
                if left[mover] > 0 || !offenders[mover] {
                    continue;
                }
                forced[mover] = true;
                for target in answered_from.of(mover) {
                    if !mem::replace(&mut reached[target], true) {
                        latest.push(target);
                    }
                }
            }
        }
        forced
    }
}
